import { stringify } from "smol-toml";
import type { PackFile, PackSpec } from "../../protocol/host/pack.ts";
import { buildConfigFiles } from "../setup/pack.ts";
import { setup } from "./install.ts";

const GUIDE = "shipped 1.0.41";
const SEEN = "seen 1.0.41, 2026-11-28, on Linux";

const NOTES = [
  `A user can't turn off hooks from this file, and they need no trust of a folder [${SEEN}]. With \`allow_managed_hooks_only = true\` above all tables no others run, people's own neither [${SEEN}]; it is not set here.`,
  `\`GROK_HOME\` moves a user's folder, and not this file [${GUIDE}].`,
  `If you already have requirements, put the \`[[hooks.…]]\` tables into that file. A file that does not parse has no hooks [unverified].`,
  `A hook that fails, is missing or takes too long lets the call go on, whatever the entry says [${SEEN}].`,
  `On Windows there is no such file: there the vendor's console has to deliver the entries [${GUIDE}]. On a Mac Grok Build also reads the preference domain \`ai.x.grok\` [${GUIDE}]; in which form is not known here, so no profile is made.`,
];

/** Builds the managed config that root owns. Windows has no such file. */
export const buildPack = (order: PackSpec): PackFile[] =>
  buildConfigFiles({ host: "grok", setup }, order, {
    file: "requirements.toml",
    source: GUIDE,
    systems: ["linux", "macos"],
    format: (hooks) => stringify({ hooks }),
    loadedSign: "`grok inspect` lists the entries [seen 1.0.41, 2026-11-28, on Linux]",
    undo: "delete it, or take its tables out of yours",
    notes: NOTES,
  });
