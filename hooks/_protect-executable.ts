import type { Command, Guarded, PathUse } from "bridge-hooks";

/** Programs that print an executable's path. */
const LOOKUP_PROGRAM = /^(?:which|command|type|whence|where|hash|get-command|gcm)$/i;
const EXECUTABLE_NAME = /^bridge-hooks(?:\.exe)?$/i;

/** Whether a command prints the names of files that contain a match, as `grep -rl` and `git grep -l` do. */
export const isFileSearch = ({ program, args }: Command): boolean =>
  (/^(?:[ef]?grep|ag)$/.test(program) && args.some((arg) => /^-\w*l|^--files-with-matches$/.test(arg))) ||
  (program === "rg" &&
    args.some((arg) => /^-\w*l|^--files-with-matches$/.test(arg)) &&
    args.some((arg) => /^-\w*u|^--hidden$|^-\./.test(arg))) ||
  (program === "git" &&
    args.includes("grep") &&
    args.some((arg) => /^-\w*l|^--(?:files-with-matches|name-only)$/.test(arg)));

/**
 * Returns the bridge-hooks executable if a command changes it after looking up its path: `rm "$(which bridge-hooks)"`.
 */
export function findLookedUpExecutable(commands: readonly Command[], uses: readonly PathUse[]): string | undefined {
  if (
    !commands.some(({ program, args }) => LOOKUP_PROGRAM.test(program) && args.some((arg) => EXECUTABLE_NAME.test(arg)))
  )
    return undefined;
  const lookup = commands.find(
    ({ program, args }) => /^ch(?:mod|own|grp)$/.test(program) && args.some((arg) => EXECUTABLE_NAME.test(arg)),
  );
  if (lookup) return lookup.args.find((arg) => EXECUTABLE_NAME.test(arg));
  return uses.find(({ access, given, uncertain }) => access === "write" && !uncertain && EXECUTABLE_NAME.test(given))
    ?.given;
}

/** Whether a program modifies every file it is given. */
const changesFiles = ({ program, args }: Command): boolean =>
  program === "sed" || program === "perl"
    ? args.some((arg) => /^-\w*i|^--in-place/.test(arg))
    : /^(?:rm|unlink|mv|shred|truncate|tee|chmod|chown)$/.test(program);

/**
 * Functions that list the guarded files in a directory. `listBelow` returns an empty list for the session's directory
 * and its parents.
 */
interface FolderLists {
  listBelow: (folder: string) => readonly string[];
  listWithin: (folder: string) => readonly string[];
}

/** Maximum number of searches to check per command. */
const MAX_SEARCHES = 20;

/**
 * Returns a guarded file that a command changes because the file is in another command's output:
 * `sed -i … $(grep -rl x .claude)`.
 */
export function findListedFile(
  command: Command,
  searches: readonly Command[],
  guard: Guarded,
  { listBelow, listWithin }: FolderLists,
): string | undefined {
  if (!changesFiles(command)) return undefined;
  const substitutedWords = Object.values(command.dynamic)
    .filter((word) => /(?<!\\)(?:\$\(|`)/.test(word))
    .map((word) => word.replaceAll("\\", ""));
  for (const search of searches.slice(0, MAX_SEARCHES)) {
    const { args } = search;
    const isSubstituted = substitutedWords.some((word) => args.every((arg) => word.includes(arg)));
    if (!command.more && !isSubstituted) continue;
    const names = args.filter((arg) => !arg.startsWith("-"));
    const [file] = names.flatMap(listBelow);
    if (file !== undefined && isSubstituted) return file;
    // The search finds hook configs only if its pattern matches text in them.
    if (!names.some((name) => guard.mentionsHook(name) && /bridge-hooks/i.test(name))) continue;
    const [guardedFile] = (names.length > 1 ? names.slice(1) : ["."]).flatMap(listWithin);
    if (guardedFile !== undefined) return guardedFile;
  }
  return undefined;
}
