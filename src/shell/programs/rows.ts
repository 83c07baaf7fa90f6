import type * as Files from "./files.ts";
import type * as Git from "./git.ts";
import type * as Languages from "./languages.ts";
import type { ProgramRows } from "./program.ts";
import type * as Remote from "./remote.ts";
import type * as Services from "./services.ts";
import type * as Wrappers from "./wrappers.ts";

/** Rows of all programs, in groups. A call needs only a few of the groups, so each is loaded lazily. */
export const ROW_GROUPS: readonly (() => ProgramRows)[] = [
  () => (require("./wrappers.ts") as typeof Wrappers).WRAPPER_ROWS,
  () => (require("./languages.ts") as typeof Languages).LANGUAGE_ROWS,
  () => (require("./files.ts") as typeof Files).FILE_ROWS,
  () => (require("./git.ts") as typeof Git).GIT_ROWS,
  () => (require("./services.ts") as typeof Services).SERVICE_ROWS,
  () => (require("./remote.ts") as typeof Remote).REMOTE_ROWS,
];

/** Lists the names in the key of a row: "git add" and "git rm" for "git > add rm". */
export function listRowNames(key: string): string[] {
  const at = key.indexOf(" > ");
  const program = at < 0 ? "" : `${key.slice(0, at)} `;
  return key
    .slice(at < 0 ? 0 : at + 3)
    .split(" ")
    .map((name) => program + name);
}
