import type { PackFile, PackSpec } from "../../protocol/host/pack.ts";
import { buildConfigFiles, formatJsonFile } from "../setup/pack.ts";
import { setup } from "./install.ts";

const SHIPPED = "shipped 0.36.0";

const NOTES = [
  `Nobody has run Auggie with this file yet: everything here was read in its package [${SHIPPED}].`,
  `Auggie runs hooks only for accounts for which its vendor has turned them on, this file's as well [${SHIPPED}]: ask for that, and look at \`/hooks\` on one machine.`,
  `If you already ship a settings.json, put its \`hooks\` into that one. One value that does not fit makes Auggie drop all entries of that event in the file, and an event of Cursor's (\`stop\`, \`beforeShellExecution\`, …) the whole file [${SHIPPED}].`,
  `No user and no project can take these entries away; their own run beside them [${SHIPPED}].`,
  `A hook that fails, is missing or takes too long lets the call go on, whatever the entry says [${SHIPPED}].`,
  `On Windows ordinary users may make folders in \`C:\\ProgramData\`: make \`augment\` as an administrator, and look who owns it if it is there already [unverified].`,
];

export const buildPack = (order: PackSpec): PackFile[] =>
  buildConfigFiles({ host: "auggie", setup }, order, {
    file: "settings.json",
    source: SHIPPED,
    format: (hooks) => formatJsonFile({ hooks }),
    loadedSign: `\`/hooks\` in auggie lists the entries [${SHIPPED}]`,
    undo: "delete it, or take its entries out of yours",
    notes: NOTES,
  });
