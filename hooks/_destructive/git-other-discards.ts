import { type Command, listPipeSources, readGitArguments } from "bridge-hooks";
import { splitArguments } from "./given-options.ts";
import { type DiscardedChanges, ALL_CHANGES_SINCE_HEAD, selectPaths } from "./discard.ts";
import type { LineContext } from "./line-context.ts";

/**
 * Returns the changes lost when another program acts on git's output, as in `git ls-files -m | xargs rm` or
 * `git show HEAD:x > x`.
 */
export function readOtherDiscardedChanges(command: Command, context: LineContext): DiscardedChanges | undefined {
  const { program, args } = command;
  if (program === "rm") return listGitSources(command, context).some(listsChanges) ? ALL_CHANGES_SINCE_HEAD : undefined;
  if (program === "patch" || (program === "git" && readGitArguments(args).verb === "apply"))
    return readReverseApply(command, context);
  const words = splitArguments(command).operands;
  const target = program === "git" ? readOutputFile(command) : program === "cp" ? words.slice(-1) : words;
  const gitCommands = program === "git" ? [command] : listGitSources(command, context);
  return target.length > 0 && gitCommands.some(printsFile)
    ? { ...selectPaths(target, command, context), isWhole: false, baseline: "HEAD" }
    : undefined;
}

/** Lists the git commands whose output a command reads or receives as arguments, as in `rm $(git ls-files -m)`. */
export function listGitSources(command: Command, { commands }: LineContext): Command[] {
  const gitCommands: Command[] = [];
  const pending = [...listPipeSources(command)];
  for (
    let source = pending.pop();
    source && gitCommands.length + pending.length < MAX_SOURCES;
    source = pending.pop()
  ) {
    if (source.program === "git") gitCommands.push(source);
    pending.push(...listPipeSources(source));
  }
  // In the list of commands, a substituted command follows the command that contains it.
  const inputRedirects = command.redirects.filter(({ operator }) => operator.startsWith("<"));
  const words = [...Object.values(command.dynamic), ...inputRedirects.map(({ dynamic = "" }) => dynamic)];
  const nextCommand = words.some(isPrintedByGit) ? commands[commands.indexOf(command) + 1] : undefined;
  return nextCommand?.program === "git" ? [...gitCommands, nextCommand] : gitCommands;
}
const MAX_SOURCES = 100;

const isPrintedByGit = (word: string): boolean => /(?:\$\(|`|<\()/.test(word) && /\bgit\b/.test(word);

/** Whether a git command lists modified tracked files. */
const listsChanges = ({ args }: Command): boolean => {
  const { verb, at } = readGitArguments(args);
  const listingArgs = args.slice(at + 1);
  if (verb === "ls-files") return listingArgs.some((arg) => /^(-\w*m|--modified$)/.test(arg));
  return (
    verb === "diff" &&
    listingArgs.includes("--name-only") &&
    !listingArgs.some((arg) => /\.\.|^--diff-filter=D$/.test(arg))
  );
};

/** Whether a git command lists untracked files, and not only ignored ones. */
export const listsNewFiles = ({ args }: Command): boolean => {
  const { verb, at } = readGitArguments(args);
  const listingArgs = args.slice(at + 1);
  if (verb === "status") return listingArgs.some((arg) => /^(-\w*s|--short|--porcelain.*)$/.test(arg));
  if (verb !== "ls-files" || listingArgs.some((arg) => /^(-\w*i|--ignored)$/.test(arg))) return false;
  return listingArgs.some((arg) => /^(-\w*o|--others)$/.test(arg));
};

/** Whether a git command prints a committed version of a file, as in `git show HEAD:x`. */
const printsFile = (command: Command): boolean => {
  const [verb = { text: "" }, ...words] = splitArguments(command).operands;
  return /^(show|cat-file)$/.test(verb.text) && words.some(({ text }) => /^[^:\s]+:[^:]/.test(text));
};

/** Returns the file that a command's output overwrites. */
const readOutputFile = ({ redirects }: Command) =>
  redirects
    .filter(({ operator, fd = 1, target }) => fd === 1 && /^(&?>|>\|)$/.test(operator) && !isTemporaryFile(target))
    .map(({ target, dynamic }) => ({ text: target, ...(dynamic !== undefined && { dynamic }) }));

/** Whether a file is in a temporary directory named by a variable, as in `$TMPDIR/x` or `%TEMP%\x`. */
const isTemporaryFile = (target: string): boolean => /te?mp/i.test(/^\$\{?(\w+)\}?[\\/]./.exec(target)?.[1] ?? "");

/** Returns the changes discarded by applying their own diff in reverse, as in `git diff src | git apply -R`. */
function readReverseApply(command: Command, context: LineContext): DiscardedChanges | undefined {
  // These options only inspect the patch.
  if (command.args.some((arg) => /^--(check|stat|numstat|summary|dry-run)$/.test(arg))) return undefined;
  const diff = listGitSources(command, context).find(({ args }) => readGitArguments(args).verb === "diff");
  if (!diff || diff.args.some((arg) => /\.\.|^--(cached|staged)$/.test(arg))) return undefined;
  const words = splitArguments(diff).operands.slice(1);
  const paths = words.filter(({ text }) => !/^(HEAD|@)$/.test(text));
  return { ...selectPaths(paths, diff, context), baseline: "HEAD" };
}
