import type { Command, Guarded, PathUse } from "bridge-hooks";

/** Programs that tell where an executable is. */
const LOOKUP_PROGRAM = /^(?:which|command|type|whence|where|hash|get-command|gcm)$/i;
const OWN_NAME = /^bridge-hooks(?:\.exe)?$/i;

/** What lists the files that hold a text: `grep -rl`, `git grep -l`. */
export const isFileSearch = ({ program, args }: Command): boolean =>
  (/^(?:[ef]?grep|ag)$/.test(program) && args.some((arg) => /^-\w*l|^--files-with-matches$/.test(arg))) ||
  (program === "rg" &&
    args.some((arg) => /^-\w*l|^--files-with-matches$/.test(arg)) &&
    args.some((arg) => /^-\w*u|^--hidden$|^-\./.test(arg))) ||
  (program === "git" &&
    args.includes("grep") &&
    args.some((arg) => /^-\w*l|^--(?:files-with-matches|name-only)$/.test(arg)));

/** This executable, where a line asks for its place and changes what is there: `rm "$(which bridge-hooks)"`. */
export function findFoundExecutable(commands: readonly Command[], uses: readonly PathUse[]): string | undefined {
  if (!commands.some(({ program, args }) => LOOKUP_PROGRAM.test(program) && args.some((arg) => OWN_NAME.test(arg))))
    return undefined;
  const closed = commands.find(
    ({ program, args }) => /^ch(?:mod|own|grp)$/.test(program) && args.some((arg) => OWN_NAME.test(arg)),
  );
  if (closed) return closed.args.find((arg) => OWN_NAME.test(arg));
  return uses.find(({ access, given, uncertain }) => access === "write" && !uncertain && OWN_NAME.test(given))?.given;
}

/** Programs that change each file that they are given. */
const changesFiles = ({ program, args }: Command): boolean =>
  program === "sed" || program === "perl"
    ? args.some((arg) => /^-\w*i|^--in-place/.test(arg))
    : /^(?:rm|unlink|mv|shred|truncate|tee|chmod|chown)$/.test(program);

/** The guarded files in a folder; those of the session's own folder, and of what is above, only within. */
interface FolderLists {
  listBelow: (folder: string) => readonly string[];
  listWithin: (folder: string) => readonly string[];
}

/** Further searches of a line are not looked at. */
const MAX_SEARCHES = 20;

/** A guarded file among those that another command lists, which one changes: `sed -i … $(grep -rl x .claude)`. */
export function findListedFile(
  command: Command,
  searches: readonly Command[],
  guard: Guarded,
  { listBelow, listWithin }: FolderLists,
): string | undefined {
  if (!changesFiles(command)) return undefined;
  const substituted = Object.values(command.dynamic)
    .filter((word) => /(?<!\\)(?:\$\(|`)/.test(word))
    .map((word) => word.replaceAll("\\", ""));
  for (const search of searches.slice(0, MAX_SEARCHES)) {
    const { args } = search;
    const isGiven = substituted.some((word) => args.every((arg) => word.includes(arg)));
    if (!command.more && !isGiven) continue;
    const names = args.filter((arg) => !arg.startsWith("-"));
    const [file] = names.flatMap(listBelow);
    if (file !== undefined && isGiven) return file;
    // What is looked for is what such files say.
    if (!names.some((name) => guard.mentionsHook(name) && /bridge-hooks/i.test(name))) continue;
    const [found] = (names.length > 1 ? names.slice(1) : ["."]).flatMap(listWithin);
    if (found !== undefined) return found;
  }
  return undefined;
}
