import { resolve } from "node:path";
import { type Command, readFindArguments, readGitArguments } from "bridge-hooks";
import { expandHome } from "../_paths.ts";
import { type Judge, judge, type Lists, meansSecrets, type Place } from "./files.ts";
import { type Operand, operandsOf, pathsIn } from "./operands.ts";

/** The folder of a command, absolute; the line's own where that isn't known. */
export const folderOf = ({ cwd }: Command, line: string): string => resolve(line, expandHome(cwd ?? ""));

/** Programs that list names for others to read. */
const LISTERS = new Set(["find", "fd", "fdfind", "ls", "git", "locate", "mdfind", "rg", "grep"]);
/** Programs for which a folder is only a place. */
const PLACES = new Set(["find", "fd", "fdfind", "du", "tree", "rm", "rmdir", "ln", "pass"]);

/** The first file of secrets that a line's commands would read, change or send, as it is written there. */
export function secretFile(
  line: string,
  commands: readonly Command[],
  { cwd, root }: Place,
  lists: Lists,
): string | undefined {
  let listed: string | undefined;
  for (const command of commands) {
    const ask = judge(lists, { cwd: folderOf(command, cwd), root });
    if (command.more || command.via.some((one) => LISTERS.has(one)))
      if (listed !== undefined && !isQuiet(command)) return listed;
    listed ??= listing(command, ask);
    if (isTemplate(command, ask, line)) continue;
    for (const operand of operandsOf(command)) {
      const found = secretIn(operand, ask, command);
      if (found !== undefined) return found;
    }
  }
  return undefined;
}

/** The part of a word that is a file of secrets: the shortest, since a URL may have a password before it. */
function secretIn({ text, pattern, made }: Operand, ask: Judge, { program }: Command): string | undefined {
  if (made && !ask.isThere(text)) return undefined;
  const isOne = (path: string) =>
    ask.isSecret(path) ||
    (pattern && ask.isPattern(path)) ||
    (!PLACES.has(program) && !path.startsWith("-") && ask.isFolder(path));
  return pathsIn(text)
    .filter(isOne)
    .sort((a, b) => a.length - b.length)[0];
}

/** Commands that say no more than names of what they are given. */
const isQuiet = ({ program, args }: Command) =>
  /^(?:ls|echo|printf|basename|dirname|realpath|stat|wc|test|chmod)$/.test(program) ||
  (program === "grep" && args.some((arg) => /^-\w*[lcq]/.test(arg)));

/** The name of secrets that a command lists files by: `find -name .env`, `git ls-files '*.pem'`. */
function listing({ program, args }: Command, ask: Judge): string | undefined {
  if (!LISTERS.has(program)) return undefined;
  const patterns =
    program === "find"
      ? readFindArguments(args).steps.flatMap(({ kind, values }) => (kind === "name" ? values : []))
      : args;
  return patterns.find((arg) => !arg.startsWith("-") && (ask.isSecret(arg) || meansSecrets(arg)));
}

/** What asks whether a file is there, before a `cp` that depends on it. */
const GUARD = /(!\s+)?(?:\[\[?|\btest)\s+(!\s+)?-[efs]\s+(\S+?)(?:\s+\]\]?)?\s*(\|\||&&|;\s*then\b)\s*cp\s/g;

/** Whether a line copies to a file only where there is none. */
function isGuarded(line: string, to: string): boolean {
  const guards = [...line.replace(/["']/g, "").matchAll(GUARD)];
  return guards.some(([, no, not, file, then]) => file === to && ((no ?? not) === undefined) === (then === "||"));
}

/** `cp .env.example .env` where there is no `.env`: nothing secret is there to be read or lost. */
function isTemplate({ program, args }: Command, ask: Judge, line: string): boolean {
  const [from = "", to = "", ...rest] = args.filter((arg) => !arg.startsWith("-"));
  if (program !== "cp" || rest.length > 0 || !/example|sample|template|dist/i.test(from) || ask.isSecret(from))
    return false;
  return !ask.isThere(to) || args.some((arg) => /^-[a-z]*n|^--no-clobber$/.test(arg)) || isGuarded(line, to);
}

/** The folders in which a line commits what is staged, each once: all that is staged is looked at. */
export function commits(commands: readonly Command[], cwd: string): ReadonlySet<string> {
  const folders = commands.flatMap((command) => {
    if (command.program !== "git") return [];
    const { folders, verb } = readGitArguments(command.args);
    if (verb !== "commit" || command.args.includes("--dry-run")) return [];
    return [resolve(folderOf(command, cwd), ...folders.map((at) => command.args[at] ?? ""))];
  });
  return new Set(folders);
}
