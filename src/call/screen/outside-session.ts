import type { ConcernIndex } from "../../protocol/concerns.ts";
import type { ReadCall } from "./shapes.ts";
import { listProgramNames, splitWords } from "./split-words.ts";

/** Returns whether a path is outside both the session's directory and the directories for temporary files. */
export const isOutsideSession = (path: string, cwd: string, home = ""): boolean =>
  !path.startsWith(`${cwd}/`) && (!path.startsWith("/tmp/") || path.startsWith(`${home}/`));

/** Directories of the operating system and its settings. Commands that run in them are always checked. */
const SETTINGS_FOLDERS = ["/etc", "/boot", "/usr", "/var", "/proc"];

/** Returns whether a command may reach outside the session's directory, through a name or because of where it runs. */
export function mayReachOutside(names: readonly string[], base: string, { cwd }: ReadCall, home = ""): boolean {
  if (base !== cwd && isOutsideSession(base, cwd, home)) return true;
  if (`${home}/`.startsWith(`${cwd}/`) || cwd.startsWith(`${home}/.`)) return true;
  if (SETTINGS_FOLDERS.some((folder) => `${cwd}/`.startsWith(`${folder}/`))) return true;
  // In a URL, `//` follows the scheme.
  return names.some(
    (name) =>
      name.startsWith("/") && !name.startsWith("//") && !name.startsWith("/dev/") && isOutsideSession(name, cwd, home),
  );
}

export const EMPTY_WORD_LIST = "||";

/**
 * Returns whether a command mentions a program that concerns a hook only when it reaches outside the session's
 * directory.
 */
export function mentionsOutsideName(text: string, { outward }: ConcernIndex): boolean {
  if (outward === EMPTY_WORD_LIST) return false;
  for (const word of splitWords(text))
    for (const name of listProgramNames(word)) if (outward.includes(`|${name}|`)) return true;
  return false;
}
