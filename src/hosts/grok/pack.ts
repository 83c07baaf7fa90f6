import { stringify } from "smol-toml";
import type { PackFile, PackSpec } from "../../protocol/host/pack.ts";
import { buildConfigFiles } from "../setup/pack.ts";
import { capabilities } from "./capabilities.ts";
import { setup } from "./install.ts";

const GUIDE = "shipped 1.0.41";

const NOTES = [
  `Nothing of this was run: it follows the guide inside the package of Grok Build [${GUIDE}, read and not run]. Try it on one machine before you rely on it.`,
  `Hooks from this file can't be turned off by a user, and need no trust of a folder [${GUIDE}]. With \`allow_managed_hooks_only = true\` above all tables no others run, people's own neither; it is not set here [${GUIDE}].`,
  `If you already have requirements, put the \`[[hooks.…]]\` tables into that file. A file that does not parse has no hooks [unverified].`,
  `A hook that fails, is missing or takes too long lets the call go on, whatever the entry says [docs https://docs.x.ai/build/features/hooks].`,
  `On Windows there is no such file: there the vendor's console has to deliver the entries [${GUIDE}]. On a Mac Grok Build also reads the preference domain \`ai.x.grok\` [${GUIDE}]; in which form is not known here, so no profile is made.`,
];

/** The layer that root owns, which Windows does not have. */
export const buildPack = (order: PackSpec): PackFile[] =>
  buildConfigFiles({ host: "grok", setup, capabilities }, order, {
    file: "requirements.toml",
    source: GUIDE,
    systems: ["linux", "macos"],
    format: (hooks) => stringify({ hooks }),
    shown: "`grok inspect` lists the file, `/hooks` the entries with a `[policy]` badge [unverified]",
    undo: "delete it, or take its tables out of yours",
    notes: NOTES,
  });
