import { type Command, type FileSelection, readGitArguments, type UncommittedFile } from "bridge-hooks";
import { existsSync } from "bridge-hooks/files";
import { mayOverrideWorkTree, isQuietCommand, resolveGitFolder } from "./changes.ts";
import { hasOption, splitArguments } from "./given-options.ts";
import { isSameOrAbove, type LineContext, normalizePath } from "./line-context.ts";
import { ALL_CHANGES_SINCE_HEAD, hasExpansion, selectPaths } from "./discard.ts";
import { readDiscardedChanges } from "./git-discards.ts";
import { listGitSources, listsNewFiles } from "./git-other-discards.ts";
import { isSavedBeforehand, type PotentialLoss } from "./git-saves.ts";
import type { OperandFinder } from "./place-finder.ts";

const UNCOMMITTED_CHANGES = "uncommitted changes";
const UNKNOWN_FILES = "untracked files";
/** Maximum number of files named in a message. */
const MAX_NAMED_FILES = 3;

/** Whether a directory doesn't exist yet but might be created by an earlier command. */
const isCreatedEarlier = (folder: string, precedingCommands: readonly Command[], context: LineContext): boolean =>
  !existsSync(folder) &&
  precedingCommands.some((precedingCommand) => {
    const from = resolveGitFolder(precedingCommand, context);
    const isNamed = (arg: string) => normalizePath(arg.startsWith("/") ? arg : `${from}/${arg}`) === folder;
    return (
      from !== undefined &&
      /^(git|gh|mkdir|cp)$/.test(precedingCommand.program) &&
      listCreatedNames(precedingCommand).some(isNamed)
    );
  });

/** Whether an earlier command changed to a directory created by `mktemp`. */
const isInTemporaryFolder = (precedingCommands: readonly Command[]): boolean => {
  const { args = [] } = precedingCommands.findLast(({ program }) => /^(?:cd|pushd|popd)$/.test(program)) ?? {};
  return /^\$\(mktemp\b[^)]*\)$/.test(args[0] ?? "");
};

/** Lists the words that could name a directory created by a command, including a clone's default directory. */
const listCreatedNames = ({ args }: Command): string[] =>
  args.includes("clone")
    ? args.flatMap((arg) => [
        arg,
        arg
          .replace(/\/$/, "")
          .replace(/\.git$/, "")
          .replace(/^.*[/:]/, ""),
      ])
    : [...args];

/** git subcommands that create uncommitted changes in the working tree. */
const DIRTYING_SUBCOMMAND = /^(stash|apply|am|cherry-pick|revert|merge|read-tree|update-index)$/;
const restoresWork = ({ program, args }: Command): boolean => {
  if (program !== "git") return false;
  const { verb, at } = readGitArguments(args);
  return DIRTYING_SUBCOMMAND.test(verb) && (verb !== "stash" || /^(pop|apply|branch)$/.test(args[at + 1] ?? ""));
};

/**
 * Returns the working tree that a command affects, and the commands before it. Returns "made" if the shell command
 * creates the working tree, "saved" if the shell command saves the changes first, and "unknown" if the working tree
 * can't be determined.
 */
export function findWorkTree(
  command: Command,
  context: LineContext,
  loss?: PotentialLoss,
): { folder: string; precedingCommands: readonly Command[] } | "unknown" | "saved" | "made" {
  if (command.remote || mayOverrideWorkTree(context.line)) return "unknown";
  const folder = resolveGitFolder(command, context);
  const precedingCommands = context.commands.slice(0, context.commands.indexOf(command));
  if (folder === undefined) return isInTemporaryFolder(precedingCommands) ? "made" : "unknown";
  if (isCreatedEarlier(folder, precedingCommands, context)) return "made";
  if (loss && isSavedBeforehand(loss, command, { precedingCommands, folder }, context)) return "saved";
  return precedingCommands.some(restoresWork) ? "unknown" : { folder, precedingCommands };
}

/**
 * Whether a repository is disposable: either the shell command creates it, or it is below /tmp and not part of the
 * project.
 */
export function isScratchRepository(command: Command, context: LineContext): boolean {
  if (findWorkTree(command, context) === "made") return true;
  const folder = resolveGitFolder(command, context);
  return (
    folder?.startsWith("/tmp/") === true &&
    !context.folders.some(
      (contextFolder) => isSameOrAbove(folder, contextFolder) || isSameOrAbove(contextFolder, folder),
    )
  );
}

/** Describes the changes that a git command would discard, for use in a message. */
export const describeDiscardedChanges: OperandFinder = (_, command, context) => {
  const discard = readDiscardedChanges(command, context);
  if (!discard) return undefined;
  const { isWhole, paths, baseline } = discard;
  const tree = findWorkTree(command, context, { of: "changes", baseline, ...(!isWhole && { paths }) });
  if (tree === "saved" || tree === "made") return undefined;
  const unknownLoss = isWhole ? UNCOMMITTED_CHANGES : undefined;
  if (tree === "unknown") return unknownLoss;
  const { folder, precedingCommands } = tree;
  const repository = context.repository(folder);
  // An earlier command might have changed the index or working tree, and those changes would be lost.
  if (isWhole && !precedingCommands.every(isQuietCommand)) {
    if (folder !== context.cwd) return unknownLoss;
    return repository?.dirty === false ? undefined : unknownLoss;
  }
  const files = repository?.changedFiles({ folder, paths }, baseline);
  return files ? describeFiles(files, (fileNames) => `uncommitted changes to ${fileNames}`) : unknownLoss;
};

/** Returns a `git stash` command that saves the affected changes. */
export const findStashCommand: OperandFinder = (_, command, context) => {
  const { paths, isWhole } = readDiscardedChanges(command, context) ?? ALL_CHANGES_SINCE_HEAD;
  return isWhole ? "git stash push" : `git stash push -- ${paths.map(quoteWord).join(" ")}`;
};

const quoteWord = (word: string): string => (/^[\w./:@%+-]+$/.test(word) ? word : `'${word.replaceAll("'", `'\\''`)}'`);

function describeFiles(
  files: readonly UncommittedFile[],
  formatFiles: (fileNames: string) => string,
): string | undefined {
  if (files.length === 0) return undefined;
  const shownFiles = files
    .slice(0, MAX_NAMED_FILES)
    .map(({ path, lines }) => (lines === undefined ? path : `${path} (${lines} ${lines === 1 ? "line" : "lines"})`));
  const remainingCount = files.length - shownFiles.length;
  return formatFiles(
    shownFiles.join(", ") +
      (remainingCount > 0 ? ` and ${remainingCount} more ${remainingCount === 1 ? "file" : "files"}` : ""),
  );
}

/** Whether an ignored file's name suggests that the file can't be regenerated. */
const isPrecious = ({ path }: UncommittedFile): boolean =>
  /^\.env(rc|\.|$)|\.(pem|key|p12|pfx|jks|keystore|sqlite3?|db|tfstate)$/i.test(
    path.slice(path.lastIndexOf("/") + 1),
  ) && !/\.(example|sample|template|dist)$/i.test(path);

/** Describes the uncommitted files that `git clean` would delete. */
export const findUntrackedFiles: OperandFinder = (_, command, context) => {
  const { options, operands } = splitArguments(command);
  const { paths, isWhole } = selectPaths(operands.slice(1), command, context);
  const unknownFiles = isWhole ? UNKNOWN_FILES : undefined;
  const tree = findWorkTree(command, context, { of: "files", ignored: hasOption(options, ["-x", "-X"]) });
  if (tree === "made" || tree === "saved") return undefined;
  if (typeof tree === "string" || !tree.precedingCommands.every(isQuietCommand)) return unknownFiles;
  const { folder } = tree;
  const repository = context.repository(folder);
  const selection: FileSelection = { folder, paths };
  const includesFolders = paths.length > 0 || hasOption(options, ["-d"]);
  const isDeletable = ({ path }: UncommittedFile) => includesFolders || !path.endsWith("/");
  const newFiles = hasOption(options, ["-X"]) ? [] : repository?.untrackedFiles(selection, "new");
  const ignored =
    newFiles?.length === 0 && hasOption(options, ["-x", "-X"]) ? repository?.untrackedFiles(selection, "ignored") : [];
  if (!newFiles || !ignored) return unknownFiles;
  return describeFiles(
    [...newFiles, ...ignored.filter(isPrecious)].filter(isDeletable),
    (fileNames) => `untracked ${fileNames}`,
  );
};

/** Describes the untracked files that git lists and that the command would delete. */
export const findListedFiles: OperandFinder = (_, command, context) => {
  const listing = listGitSources(command, context).find(listsNewFiles);
  const folder = listing && resolveGitFolder(listing, context);
  if (!listing || folder === undefined) return undefined;
  const tree = findWorkTree(listing, context, { of: "files", ignored: false });
  if (typeof tree === "string") return undefined;
  const repository = context.repository(folder);
  if (!repository) return undefined;
  const files = repository.untrackedFiles({ folder, paths: [] }, "new");
  return files ? describeFiles(files, (fileNames) => `untracked ${fileNames}`) : UNKNOWN_FILES;
};

/** Returns a linked worktree with uncommitted work that the command would remove. */
export const findChangedWorktree: OperandFinder = (operands, command, context) => {
  const [operand] = operands;
  if (!operand) return undefined;
  const folder = resolveGitFolder(command, context);
  if (command.remote || command.more || folder === undefined || hasExpansion(operand)) return operand.text;
  const path = normalizePath(/^([/\\]|[A-Za-z]:)/.test(operand.text) ? operand.text : `${folder}/${operand.text}`);
  const precedingCommands = context.commands.slice(0, context.commands.indexOf(command));
  if (isCreatedEarlier(path, precedingCommands, context)) return undefined;
  if (!precedingCommands.every(isQuietCommand)) return operand.text;
  const repository = context.repository(path);
  return repository?.dirty === false && normalizePath(repository.root) === path ? undefined : operand.text;
};
