import { stringify } from "smol-toml";
import type { PackFile, PackSpec } from "../../protocol/host/pack.ts";
import { buildConfigFiles } from "../setup/pack.ts";
import { setup } from "./install.ts";

const GUIDE = "shipped 1.0.41";
const SEEN = "seen 1.0.41, 2026-11-28, on Linux";

const NOTES = [
  `A user can't disable the hooks in this file, and the hooks need no folder trust [${SEEN}].`,
  `\`allow_managed_hooks_only = true\` above all tables would block all other hooks, including users' own [${SEEN}]; this file does not set it.`,
  `\`GROK_HOME\` moves a user's directory, but does not affect this file [${GUIDE}].`,
  `If you already have requirements, add the \`[[hooks.…]]\` tables to that file. If the file is invalid, its hooks don't run [unverified].`,
  `If a hook fails, is missing or times out, Grok Build runs the call, regardless of what the entry says [${SEEN}].`,
  `Windows has no such file; there the vendor's console must deliver the entries [${GUIDE}].`,
  `On a Mac, Grok Build also reads the preference domain \`ai.x.grok\` [${GUIDE}]. The pack has no profile, because the format is unknown.`,
];

/** Builds the managed config file, which is owned by root. Windows has no such file. */
export const buildPack = (spec: PackSpec): PackFile[] =>
  buildConfigFiles({ host: "grok", setup }, spec, {
    file: "requirements.toml",
    source: GUIDE,
    systems: ["linux", "macos"],
    format: (hooks) => stringify({ hooks }),
    loadedSign: "`grok inspect` lists the entries [seen 1.0.41, 2026-11-28, on Linux]",
    undo: "delete the file, or remove these tables from your own file",
    notes: NOTES,
  });
