import type { Command } from "../command.ts";
import { readFindArguments } from "../programs/find-arguments.ts";
import { readGitArguments } from "../programs/git-arguments.ts";
import { optionKind, runsPackages } from "../programs/index.ts";
import { listProgramNames } from "../programs/names.ts";
import { MOVE_VERBS, REMOVAL_VERBS } from "./removal-verbs.ts";

/** Paths that a command removes. */
export interface RemovedWords {
  words: readonly string[];
  /** Whether directories are removed together with their contents. */
  isDeep: boolean;
}

/** Options that remove directories with their contents: `-r`, `-Recurse`, and cmd.exe's `/s`. */
export const DEEP_REMOVAL = /^-\w*[rR]|^--r|^\/s$/i;

/** Whether a program's first operand is a subcommand. */
const hasSubcommand = (program: string) => program === "git" || program === "gio" || runsPackages(program);

/** Lists the arguments without a leading dash. For git, the list starts at the subcommand. */
export const listOperands = ({ program, args }: Pick<Command, "program" | "args">): string[] =>
  args.slice(program === "git" ? readGitArguments(args).at : 0).filter((word) => word !== "" && !word.startsWith("-"));

/** Returns the target directory set by an option. */
export function getTargetFolder({ program, args }: Pick<Command, "program" | "args">): string | undefined {
  const isTargetOption = (option: string) => optionKind(program, option) === "into";
  const at = args.findIndex(
    (word) => isTargetOption(word) || (/^-\w+$/.test(word) && isTargetOption(`-${word.at(-1)}`)),
  );
  const optionWord = args.find((word) => word.includes("=") && isTargetOption(word.split("=", 1)[0] as string));
  return optionWord?.slice(optionWord.indexOf("=") + 1) ?? (at < 0 ? undefined : args[at + 1]);
}

/** Whether `git rm` only prints the files it would remove. Words after `--` are paths. */
export function isDryRunOfRemoval(args: readonly string[], [verb]: readonly string[]): boolean {
  const end = args.indexOf("--");
  const options = end < 0 ? args : args.slice(0, end);
  if (verb !== "rm" || options.some((option) => option.startsWith("--no-"))) return false;
  return options.some((option) => /^(?:-[fqr]*n[fnqr]*|--dry-run)$/.test(option));
}

/** Lists the arguments that are names of files to remove or move. */
export function listRemovedWords(command: Pick<Command, "program" | "args">): readonly string[] {
  const { program, args } = command;
  const operands = listOperands(command);
  const [verb = "", ...otherOperands] = hasSubcommand(program) ? operands : [program, ...operands];
  const hasOption = (option: RegExp) => args.some((word) => option.test(word));
  if (REMOVAL_VERBS.includes(verb.toLowerCase())) return otherOperands;
  if (MOVE_VERBS.includes(verb.toLowerCase()))
    return otherOperands.slice(0, getTargetFolder(command) === undefined ? -1 : undefined);
  if (program === "rsync")
    return [
      ...(hasOption(/^--del/) ? otherOperands.slice(-1) : []),
      ...(hasOption(/^--remove-source/) ? otherOperands.slice(0, -1) : []),
    ];
  const removesContents =
    (program === "zip" && hasOption(/^-\w*m|^--move$/)) || (program.endsWith("tar") && hasOption(/^--remove-files$/));
  return removesContents ? otherOperands : [];
}

/** Lists the paths that a command removes, including those in `find` and git arguments. Dry runs are ignored. */
export function findRemovedWords(command: Command): RemovedWords {
  const { program, args } = command;
  if (program === "find") return listPathsDeletedByFind(args);
  if (program === "git") {
    const { verb, at } = readGitArguments(args);
    const words = args.slice(at + 1);
    if (verb === "clean" && !words.some((word) => /^-\w*n|^--dry-run$/.test(word)))
      // `git clean` keeps tracked files.
      return { words: listOperands(command).slice(1), isDeep: false };
    if (verb === "rm" && isDryRunOfRemoval(args, listOperands(command))) return { words: [], isDeep: false };
  }
  const words = listRemovedWords(command);
  const isRemoval = /^(?:rm|rmdir|unlink|shred|del|erase|ri|rd|remove-item)$/i.test(program) || program === "git";
  const isDeep = !isRemoval || args.some((arg) => DEEP_REMOVAL.test(arg)) || listOperands(command)[0] === "mv";
  return { words, isDeep };
}

/** Lists the paths that `find` deletes: the starting points, and the names that the tests select. */
function listPathsDeletedByFind(args: readonly string[]): RemovedWords {
  const { starts, steps } = readFindArguments(args);
  const isRemoval = (text: string) => listProgramNames(text).some((name) => REMOVAL_VERBS.includes(name));
  const isDeleting = steps.some(
    ({ word, kind, values }) => word === "-delete" || (kind === "run" && isRemoval(values[0] ?? "")),
  );
  if (!isDeleting) return { words: [], isDeep: false };
  const names = steps.flatMap(({ kind, values }) => (kind === "name" ? values : []));
  const folders = starts.length > 0 ? starts.map((at) => args[at] as string) : ["."];
  return { words: [...folders, ...names], isDeep: names.length === 0 };
}
