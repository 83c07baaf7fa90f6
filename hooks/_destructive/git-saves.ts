import { type Command, readGitArguments } from "bridge-hooks";
import { isQuietCommand, resolveGitFolder } from "./changes.ts";
import { hasOption, splitArguments } from "./given-options.ts";
import { type LineContext, normalizePath } from "./line-context.ts";

/** Work that a git command would lose unless it is saved first. */
export type PotentialLoss =
  /** Changes to tracked files, limited to `paths` if set. */
  | { of: "changes"; baseline: "index" | "HEAD"; paths?: readonly string[] }
  /** Untracked files. */
  | { of: "files"; ignored: boolean }
  /** A branch's commits. */
  | { of: "commits"; branch: string };

/** The preceding commands in the same working tree. */
interface PrecedingCommands {
  precedingCommands: readonly Command[];
  folder: string;
}

/** Whether the preceding commands save the work that a command would lose; false if this is uncertain. */
export function isSavedBeforehand(
  loss: PotentialLoss,
  command: Command,
  { precedingCommands, folder }: PrecedingCommands,
  context: LineContext,
): boolean {
  if (!isAndChain(getTextBefore(command, context))) return false;
  const repository = context.repository(folder);
  const isInFolder = (candidate: Command) => resolveGitFolder(candidate, context) === folder;
  const isRepositoryRoot = normalizePath(repository?.root ?? "") === folder;
  const savesWork = {
    changes: (candidate: Command, at: number) =>
      loss.of === "changes" &&
      savesChanges(candidate, precedingCommands.slice(0, at).filter(isInFolder), { ...loss, isRepositoryRoot }),
    files: (candidate: Command) => loss.of === "files" && savesFiles(candidate, isRepositoryRoot, loss.ignored),
    commits: (candidate: Command) => loss.of === "commits" && savesCommits(candidate, loss.branch, repository?.branch),
  }[loss.of];
  const isExecuted = (candidate: Command) =>
    !candidate.more && !candidate.remote && !candidate.args.some((arg) => /^(-h|--help)$/.test(arg));
  const saveIndex = precedingCommands.findLastIndex(
    (candidate, at) => isExecuted(candidate) && isInFolder(candidate) && savesWork(candidate, at),
  );
  // Creating a commit loses neither existing commits nor files.
  const isQuiet = (candidate: Command) => isQuietCommand(candidate) || (loss.of !== "commits" && isCommit(candidate));
  return saveIndex >= 0 && precedingCommands.slice(saveIndex + 1).every(isQuiet);
}

export const isCommit = ({ program, args }: Command): boolean =>
  program === "git" && readGitArguments(args).verb === "commit";

/** Returns the text before a command's pipeline, or the whole shell command if the command's position is unknown. */
export function getTextBefore({ words }: Command, { line }: LineContext): string {
  const [first, second] = words;
  const at = first === undefined || second === undefined ? -1 : line.lastIndexOf(`${first} ${second}`);
  if (at < 0) return line;
  const end = line.lastIndexOf("&&", at);
  return /[;\n\r]|\|\|/.test(line.slice(Math.max(end, 0), at)) ? line : line.slice(0, Math.max(end, 0));
}

/** Whether all commands in a string are joined by `&&`, so that each runs only if the previous one succeeded. */
export const isAndChain = (text: string): boolean =>
  !/[;|\n\r]|(^|[^&])&(?!&)|(^|[\s(&])!\s/.test(text.replace(SIMPLE_QUOTED_STRING, "''").replace(/\d?>&\d|&>>?/g, ">"));
/** Quoted strings without escaped quotes. */
const SIMPLE_QUOTED_STRING = /'[^'"\\\n]*'|"[^'"\\\n]*"/g;

/** Whether a redirection writes to a file. */
export const redirectsToFile = (operator: string, target: string): boolean =>
  operator.startsWith(">") && !/^(\d|\/dev\/)/.test(target);

/** Whether a command names all of the paths. */
const includesAll = (namedPaths: readonly string[], paths: readonly string[] | undefined): boolean =>
  paths !== undefined && paths.length > 0 && paths.every((path) => namedPaths.includes(path));

/**
 * Whether a command saves the changes in a commit, stash, patch, or copy.
 * @param precedingCommands the preceding commands in the same working tree
 */
function savesChanges(command: Command, precedingCommands: readonly Command[], changes: Changes): boolean {
  const { options, operands, certainOptions } = splitArguments(command);
  const [first = "", ...otherWords] = operands.map(({ text }) => text);
  if (command.program === "cp")
    return !otherWords.at(-1)?.startsWith("/dev/") && includesAll([first, ...otherWords.slice(0, -1)], changes.paths);
  if (command.program !== "git") return false;
  if (first === "stash") return !hasOption(options, PARTIAL_STASH) && stashesChanges(otherWords, changes.paths);
  if (first === "diff") return savesPatch(command, otherWords, changes);
  if (first !== "commit" || hasOption(options, PARTIAL_COMMIT)) return false;
  if (otherWords.length > 0) return includesAll(otherWords, changes.paths);
  return (
    certainOptions.includes("-a") ||
    certainOptions.includes("--all") ||
    precedingCommands.some((precedingCommand) => stagesChanges(precedingCommand, changes))
  );
}

interface Changes {
  paths?: readonly string[];
  baseline: "index" | "HEAD";
  /** Whether the command runs at the root of the working tree. */
  isRepositoryRoot: boolean;
}

const PARTIAL_STASH = ["-p", "--patch", "-S", "--staged", "-k", "--keep-index", "--pathspec-from-file"];
/** Commit options that select only some changes or do a dry run. */
const PARTIAL_COMMIT = ["--dry-run", "--short", "--porcelain", "--long", "-z", "-p", "--patch", "--interactive"];

/** Whether `git stash` with these arguments saves all changes, or at least those in the given paths. */
const stashesChanges = (
  [subcommand = "push", ...namedPaths]: readonly string[],
  paths: readonly string[] | undefined,
): boolean =>
  subcommand === "save" || (subcommand === "push" && (namedPaths.length === 0 || includesAll(namedPaths, paths)));

/** Whether `git diff` saves the changes to a patch file from which `git apply` can restore them. */
function savesPatch(
  { args, redirects }: Command,
  namedPaths: readonly string[],
  { paths, baseline }: Changes,
): boolean {
  const isSinceHead = /^(HEAD|@)$/.test(namedPaths[0] ?? "");
  const comparedPaths = isSinceHead ? namedPaths.slice(1) : namedPaths;
  const isPatch = args.every((arg) => !arg.startsWith("-") || /^(--|--binary|--no-color)$/.test(arg));
  const isSavedToFile = redirects.some(({ operator, target }) => redirectsToFile(operator, target));
  return (
    isSavedToFile &&
    isPatch &&
    (isSinceHead || baseline === "index") &&
    (comparedPaths.length === 0 || includesAll(comparedPaths, paths))
  );
}

/**
 * Whether a command stages all changes, or at least those in the given paths. `.` covers all changes only at the
 * repository root.
 */
function stagesChanges(
  { program, args, more }: Command,
  { isRepositoryRoot, paths }: Pick<Changes, "isRepositoryRoot" | "paths">,
): boolean {
  if (program !== "git" || more) return false;
  const { verb, at } = readGitArguments(args);
  const addArgs = args.slice(at + 1);
  const isAll = (arg: string) => /^(-A|--all|-u|--update|:\/)$/.test(arg) || (isRepositoryRoot && arg === ".");
  // With any other option, the command stages only some of the changes or does a dry run.
  const otherArgs = addArgs.filter((arg) => !isAll(arg));
  if (verb !== "add" || addArgs.length === 0 || otherArgs.some((arg) => /^-./.test(arg) && arg !== "--")) return false;
  return otherArgs.length === 0 || includesAll(otherArgs, paths);
}

/** Whether a command stages or stashes all untracked files. */
function savesFiles(command: Command, isRepositoryRoot: boolean, ignored: boolean): boolean {
  if (command.program !== "git") return false;
  const { options, operands } = splitArguments(command);
  const [verb, subcommand, ...paths] = operands.map(({ text }) => text);
  if (verb !== "stash")
    return !ignored && !hasOption(options, ["-u", "--update"]) && stagesChanges(command, { isRepositoryRoot });
  const isWhole = (subcommand ?? "push") === "push" && paths.length === 0 && !hasOption(options, ["-p", "--patch"]);
  const allOptions = ["-a", "--all"];
  return isWhole && hasOption(options, ignored ? allOptions : [...allOptions, "-u", "--include-untracked"]);
}

/** Whether a command makes a branch's commits reachable from another branch, a tag, or a remote branch. */
function savesCommits(command: Command, branch: string, currentBranch: string | undefined): boolean {
  if (command.program !== "git") return false;
  const { options, operands } = splitArguments(command);
  const [verb, ...names] = operands.map(({ text }) => text);
  const isBranch = (name: string) => name === branch || (branch === currentBranch && /^(HEAD|@)$/.test(name));
  if (verb === "push")
    return !hasOption(options, ["-d", "--delete", "-n", "--dry-run"]) && names.slice(1).some(isBranch);
  if (verb === "branch" && options.length > 0) return false;
  if (verb === "tag" && hasOption(options, ["-d", "--delete", "-l", "--list", "-v", "--verify"])) return false;
  const [name, start = "HEAD"] = names;
  return (verb === "branch" || verb === "tag") && name !== undefined && name !== branch && isBranch(start);
}
