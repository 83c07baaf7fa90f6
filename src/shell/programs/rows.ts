import { listFileRows } from "./files.ts";
import { listGitRows } from "./git.ts";
import { listLanguageRows } from "./languages.ts";
import type { ProgramRows } from "./program.ts";
import { listRemoteRows } from "./remote.ts";
import { listServiceRows } from "./services.ts";
import { listWrapperRows } from "./wrappers.ts";

/** The rows of all programs, in groups: a call needs few of them. */
export const ROW_GROUPS: readonly (() => ProgramRows)[] = [
  listWrapperRows,
  listLanguageRows,
  listFileRows,
  listGitRows,
  listServiceRows,
  listRemoteRows,
];
