import { type Command, readGitArguments } from "bridge-hooks";
import { mayOverrideWorkTree, resolveGitFolder } from "./changes.ts";
import { hasExpansion } from "./discard.ts";
import { findWorkTree } from "./git-losses.ts";
import { hasOption, type SplitArguments, splitArguments } from "./given-options.ts";
import { isCommit, isSavedBeforehand } from "./git-saves.ts";
import type { LineContext } from "./line-context.ts";
import type { OperandFinder } from "./place-finder.ts";

/** A branch that is moved, and the commit it moves to. Unknown values are undefined. */
interface BranchMove {
  branch: string | undefined;
  target?: string;
}

/** Returns the local branch that a fetch force-updates, such as `topic` in `git fetch origin +main:topic`. */
function readFetch({ operands, options }: SplitArguments): BranchMove | undefined {
  const isForced = hasOption(options, ["-f", "--force"]);
  for (const { text } of operands.slice(2)) {
    const [, plus, from, to] = /^(\+?)([^:]+):(?:refs\/heads\/)?([^:]+)$/.exec(text) ?? [];
    if (to !== undefined && !to.startsWith("refs/") && !to.includes("*") && (plus === "+" || isForced))
      return { branch: to, ...(operands[1]?.text === "." && from !== undefined && { target: from }) };
  }
  return undefined;
}

/** Returns the branch that a git command moves; undefined if the command only creates a branch or doesn't name one. */
function readMove(command: Command, currentBranch: string | undefined): BranchMove | "" | undefined {
  const { args, dynamic } = command;
  const { verb } = readGitArguments(args);
  const { options, operands } = splitArguments(command);
  const [first, second, third] = operands.slice(1).map((operand) => (hasExpansion(operand) ? undefined : operand.text));
  const count = operands.length - 1;
  const moveTo = (branch: string | undefined, target: string | undefined): BranchMove => ({
    branch,
    ...(target !== undefined && { target }),
  });
  if (verb === "reset") return count === 0 || /^(HEAD|@)$/.test(first ?? "") ? undefined : moveTo(currentBranch, first);
  if (verb === "update-ref")
    // An old value of all zeros means that the reference must not exist yet.
    return first?.startsWith("refs/heads/") && !third?.startsWith("0000000")
      ? moveTo(first.slice("refs/heads/".length), second)
      : undefined;
  if (verb === "branch" && hasOption(options, ["-f", "--force"])) return moveTo(first, count > 1 ? second : "HEAD");
  // Renaming or copying a branch can overwrite an existing one.
  if (verb === "branch") return count > 1 ? moveTo(second, first) : currentBranch && moveTo(first, currentBranch);
  const at = args.findIndex((arg) => /^(-B|-C|--force-create)$/.test(arg)) + 1;
  const branch = dynamic[at] === undefined ? args[at] : undefined;
  const start = operands.slice(1).find(({ text }) => text !== branch);
  return at === 0
    ? undefined
    : moveTo(branch, start === undefined ? "HEAD" : hasExpansion(start) ? undefined : start.text);
}

/** Returns the branch that a command moves, if that makes commits unreachable. */
export const findOrphaningBranch: OperandFinder = (_, command, context) =>
  findOrphanedBranch(command, context, (currentBranch) => readMove(command, currentBranch));

/** Returns the branch that a fetch overwrites, if that makes commits unreachable. */
export const findFetchedBranch: OperandFinder = (_, command, context) =>
  /^(fetch|pull)$/.test(readGitArguments(command.args).verb)
    ? findOrphanedBranch(command, context, () => readFetch(splitArguments(command)))
    : undefined;

function findOrphanedBranch(
  command: Command,
  context: LineContext,
  readBranchMove: (currentBranch: string | undefined) => BranchMove | "" | undefined,
): string | undefined {
  const folder = resolveGitFolder(command, context);
  if (command.remote || folder === undefined || mayOverrideWorkTree(context.line)) return undefined;
  if (findWorkTree(command, context) === "made") return undefined;
  const repository = context.repository(folder);
  const move = readBranchMove(repository?.branch);
  if (!move) return undefined;
  const { branch, target } = move;
  if (!repository) return createsRepository(context) ? undefined : (branch ?? "HEAD");
  if (branch === undefined) return undefined;
  const precedingCommands = context.commands.slice(0, context.commands.indexOf(command));
  if (isSavedBeforehand({ of: "commits", branch }, command, { precedingCommands, folder }, context)) return undefined;
  // A commit made earlier in the shell command exists only on this branch.
  if (target !== undefined && !/^(HEAD|@)$/.test(target) && precedingCommands.some(isCommit)) return branch;
  const isHeld = repository.isHeldElsewhere([branch], { remote: true, ...(target !== undefined && { target }) });
  return isHeld === false ? branch : undefined;
}

/** Whether the shell command creates a repository. */
const createsRepository = ({ commands }: LineContext): boolean =>
  commands.some(({ program, args }) => program === "git" && readGitArguments(args).verb === "init");
