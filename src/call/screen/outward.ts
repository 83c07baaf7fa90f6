import type { ConcernIndex } from "../../protocol/concerns.ts";
import type { ReadCall } from "./shapes.ts";
import { listNamesOf, splitWords } from "./words.ts";

/** Whether a path is outside of the session's folder and of those for temporary files. */
export const isOutward = (path: string, cwd: string, home = ""): boolean =>
  !path.startsWith(`${cwd}/`) && (!path.startsWith("/tmp/") || path.startsWith(`${home}/`));

/** Folders of the system and of a home's settings: a program that writes there is looked at. */
const SETTINGS_FOLDERS = ["/etc", "/boot", "/usr", "/var", "/proc"];

/** Whether one of a line's names is outside of the session's folder, or the line may run in another one. */
export function reachesOut(names: readonly string[], base: string, { cwd }: ReadCall, home = ""): boolean {
  if (base !== cwd && isOutward(base, cwd, home)) return true;
  if (`${home}/`.startsWith(`${cwd}/`) || cwd.startsWith(`${home}/.`)) return true;
  if (SETTINGS_FOLDERS.some((folder) => `${cwd}/`.startsWith(`${folder}/`))) return true;
  // `//` begins the rest of an address.
  return names.some(
    (name) => name.startsWith("/") && !name.startsWith("//") && !name.startsWith("/dev/") && isOutward(name, cwd, home),
  );
}

export const NO_WORDS = "||";

/** Whether a line mentions a program that concerns a hook if it reaches out. */
export function mentionsOutward(text: string, { outward }: ConcernIndex): boolean {
  if (outward === NO_WORDS) return false;
  for (const word of splitWords(text))
    for (const name of listNamesOf(word)) if (outward.includes(`|${name}|`)) return true;
  return false;
}
