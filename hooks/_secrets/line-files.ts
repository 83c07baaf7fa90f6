import { resolve } from "node:path";
import { type Command, readFindArguments, readGitArguments } from "bridge-hooks";
import { expandHome } from "../_paths.ts";
import { type SecretPathCheck, createPathCheck, type UserGlobs, isSecretPattern, type PathContext } from "./files.ts";
import { type FileOperand, findFileOperands, splitPaths } from "./operands.ts";

/** The folder of a command, absolute; the line's own where that isn't known. */
const resolveCommandFolder = ({ cwd }: Command, line: string): string => resolve(line, expandHome(cwd ?? ""));

/** Programs that list names for others to read. */
const LISTING_PROGRAMS = new Set(["find", "fd", "fdfind", "ls", "git", "locate", "mdfind", "rg", "grep"]);
/** Programs for which a folder is only a place. */
const FOLDER_PROGRAMS = new Set(["find", "fd", "fdfind", "du", "tree", "rm", "rmdir", "ln", "pass"]);

/** The first file of secrets that a line's commands would read, change or send, as it is written there. */
export function findSecretFile(
  line: string,
  commands: readonly Command[],
  { cwd, root }: PathContext,
  lists: UserGlobs,
): string | undefined {
  let listed: string | undefined;
  for (const command of commands) {
    const ask = createPathCheck(lists, { cwd: resolveCommandFolder(command, cwd), root });
    if (command.more || command.via.some((one) => LISTING_PROGRAMS.has(one)))
      if (listed !== undefined && !isShowingNames(command)) return listed;
    listed ??= findListedSecret(command, ask);
    if (isTemplateCopy(command, ask, line)) continue;
    for (const operand of findFileOperands(command)) {
      const found = findSecretPart(operand, ask, command);
      if (found !== undefined) return found;
    }
  }
  return undefined;
}

/** The part of a word that is a file of secrets: the shortest, since a URL may have a password before it. */
function findSecretPart(
  { text, pattern, isCreated }: FileOperand,
  ask: SecretPathCheck,
  { program }: Command,
): string | undefined {
  if (isCreated && !ask.isThere(text)) return undefined;
  const isOne = (path: string) =>
    ask.isSecret(path) ||
    (pattern && ask.isPattern(path)) ||
    (!FOLDER_PROGRAMS.has(program) && !path.startsWith("-") && ask.isFolder(path));
  return splitPaths(text)
    .filter(isOne)
    .sort((a, b) => a.length - b.length)[0];
}

/** Commands that say no more than names of what they are given. */
const isShowingNames = ({ program, args }: Command) =>
  /^(?:ls|echo|printf|basename|dirname|realpath|stat|wc|test|chmod)$/.test(program) ||
  (program === "grep" && args.some((arg) => /^-\w*[lcq]/.test(arg)));

/** The name of secrets that a command lists files by: `find -name .env`, `git ls-files '*.pem'`. */
function findListedSecret({ program, args }: Command, ask: SecretPathCheck): string | undefined {
  if (!LISTING_PROGRAMS.has(program)) return undefined;
  const patterns =
    program === "find"
      ? readFindArguments(args).steps.flatMap(({ kind, values }) => (kind === "name" ? values : []))
      : args;
  return patterns.find((arg) => !arg.startsWith("-") && (ask.isSecret(arg) || isSecretPattern(arg)));
}

/** What asks whether a file is there, before a `cp` that depends on it. */
const EXISTENCE_TEST = /(!\s+)?(?:\[\[?|\btest)\s+(!\s+)?-[efs]\s+(\S+?)(?:\s+\]\]?)?\s*(\|\||&&|;\s*then\b)\s*cp\s/g;

/** Whether a line copies to a file only where there is none. */
function isGuardedCopy(line: string, to: string): boolean {
  const guards = [...line.replace(/["']/g, "").matchAll(EXISTENCE_TEST)];
  return guards.some(([, no, not, file, then]) => file === to && ((no ?? not) === undefined) === (then === "||"));
}

/** `cp .env.example .env` where there is no `.env`: nothing secret is there to be read or lost. */
function isTemplateCopy({ program, args }: Command, ask: SecretPathCheck, line: string): boolean {
  const [from = "", to = "", ...rest] = args.filter((arg) => !arg.startsWith("-"));
  if (program !== "cp" || rest.length > 0 || !/example|sample|template|dist/i.test(from) || ask.isSecret(from))
    return false;
  return !ask.isThere(to) || args.some((arg) => /^-[a-z]*n|^--no-clobber$/.test(arg)) || isGuardedCopy(line, to);
}

/** The folders in which a line commits what is staged, each once: all that is staged is looked at. */
export function findCommitFolders(commands: readonly Command[], cwd: string): ReadonlySet<string> {
  const folders = commands.flatMap((command) => {
    if (command.program !== "git") return [];
    const { folders, verb } = readGitArguments(command.args);
    if (verb !== "commit" || command.args.includes("--dry-run")) return [];
    return [resolve(resolveCommandFolder(command, cwd), ...folders.map((at) => command.args[at] ?? ""))];
  });
  return new Set(folders);
}
