import type { Command } from "../command.ts";
import { readFindArguments } from "../programs/find-arguments.ts";
import { readGitArguments } from "../programs/git-arguments.ts";
import { optionKind, runsPackages } from "../programs/index.ts";
import { listProgramNames } from "../programs/names.ts";
import { MOVING_VERBS, REMOVING_VERBS } from "./removing-verbs.ts";

/** What a command takes away. */
export interface RemovedWords {
  words: readonly string[];
  /** A folder goes with all that is in it. */
  isDeep: boolean;
}

/** Options with which what is in a folder goes as well: `-r`, `-Recurse`, and cmd's `/s`. */
export const DEEP_REMOVAL = /^-\w*[rR]|^--r|^\/s$/i;

/** Whether a program's first operand says what it does. */
const hasSubcommand = (program: string) => program === "git" || program === "gio" || runsPackages(program);

/** The words of a command that begin with no "-": of git from its subcommand on. */
export const listOperands = ({ program, args }: Pick<Command, "program" | "args">): string[] =>
  args.slice(program === "git" ? readGitArguments(args).at : 0).filter((word) => word !== "" && !word.startsWith("-"));

/** The folder that an option says to put things into. */
export function getTargetFolder({ program, args }: Pick<Command, "program" | "args">): string | undefined {
  const isInto = (option: string) => optionKind(program, option) === "into";
  const at = args.findIndex((word) => isInto(word) || (/^-\w+$/.test(word) && isInto(`-${word.at(-1)}`)));
  const joined = args.find((word) => word.includes("=") && isInto(word.split("=", 1)[0] as string));
  return joined?.slice(joined.indexOf("=") + 1) ?? (at < 0 ? undefined : args[at + 1]);
}

/** Whether `git rm` only shows what it would remove. Words after `--` are paths. */
export function isDryRunOfRemoval(args: readonly string[], [verb]: readonly string[]): boolean {
  const end = args.indexOf("--");
  const options = end < 0 ? args : args.slice(0, end);
  if (verb !== "rm" || options.some((option) => option.startsWith("--no-"))) return false;
  return options.some((option) => /^(?:-[fqr]*n[fnqr]*|--dry-run)$/.test(option));
}

/** The words of a command that name what it takes away, or moves to another place. */
export function listRemovedWords(command: Pick<Command, "program" | "args">): readonly string[] {
  const { program, args } = command;
  const operands = listOperands(command);
  const [verb = "", ...rest] = hasSubcommand(program) ? operands : [program, ...operands];
  const has = (option: RegExp) => args.some((word) => option.test(word));
  if (REMOVING_VERBS.includes(verb.toLowerCase())) return rest;
  if (MOVING_VERBS.includes(verb.toLowerCase()))
    return rest.slice(0, getTargetFolder(command) === undefined ? -1 : undefined);
  if (program === "rsync")
    return [...(has(/^--del/) ? rest.slice(-1) : []), ...(has(/^--remove-source/) ? rest.slice(0, -1) : [])];
  const isEmptied =
    (program === "zip" && has(/^-\w*m|^--move$/)) || (program.endsWith("tar") && has(/^--remove-files$/));
  return isEmptied ? rest : [];
}

/** The same, with what `find` and git remove, and without what is only shown. */
export function findRemovedWords(command: Command): RemovedWords {
  const { program, args } = command;
  if (program === "find") return findFoundWords(args);
  if (program === "git") {
    const { verb, at } = readGitArguments(args);
    const words = args.slice(at + 1);
    if (verb === "clean" && !words.some((word) => /^-\w*n|^--dry-run$/.test(word)))
      // What git knows stays.
      return { words: listOperands(command).slice(1), isDeep: false };
    if (verb === "rm" && isDryRunOfRemoval(args, listOperands(command))) return { words: [], isDeep: false };
  }
  const words = listRemovedWords(command);
  const isRemoval = /^(?:rm|rmdir|unlink|shred|del|erase|ri|rd|remove-item)$/i.test(program) || program === "git";
  const isDeep = !isRemoval || args.some((arg) => DEEP_REMOVAL.test(arg)) || listOperands(command)[0] === "mv";
  return { words, isDeep };
}

/** What `find` deletes: where it starts, if it chooses nothing there, and the names by which it chooses. */
function findFoundWords(args: readonly string[]): RemovedWords {
  const { starts, steps } = readFindArguments(args);
  const isRemoval = (text: string) => listProgramNames(text).some((name) => REMOVING_VERBS.includes(name));
  const isDeleting = steps.some(
    ({ word, kind, values }) => word === "-delete" || (kind === "run" && isRemoval(values[0] ?? "")),
  );
  if (!isDeleting) return { words: [], isDeep: false };
  const names = steps.flatMap(({ kind, values }) => (kind === "name" ? values : []));
  const folders = starts.length > 0 ? starts.map((at) => args[at] as string) : ["."];
  return { words: [...folders, ...names], isDeep: names.length === 0 };
}
