import { type Command, type FileSelection, readGitArguments, type UncommittedFile } from "bridge-hooks";
import { existsSync } from "bridge-hooks/files";
import { isOtherWorkTree, isQuietCommand, resolveGitFolder } from "./changes.ts";
import { hasOption, splitArguments } from "./given-options.ts";
import { isSameOrAbove, type LineContext, normalizePath } from "./line-context.ts";
import { HEAD_ALL, isOpenWord, selectPaths } from "./discard.ts";
import { readDiscard } from "./git-discards.ts";
import { listGitSources, listsNewFiles } from "./git-other-discards.ts";
import { isSavedBefore, type Loss } from "./git-saves.ts";
import type { OperandFinder } from "./place-finder.ts";

const UNKNOWN_LOSS = "uncommitted changes";
const UNKNOWN_FILES = "untracked files";
/** Maximum number of files named in a message. */
const MAX_NAMED = 3;

/** Whether a directory doesn't exist yet, but an earlier command that may create it names it. */
const isMadeBefore = (folder: string, before: readonly Command[], here: LineContext): boolean =>
  !existsSync(folder) &&
  before.some((one) => {
    const from = resolveGitFolder(one, here);
    const isNamed = (arg: string) => normalizePath(arg.startsWith("/") ? arg : `${from}/${arg}`) === folder;
    return from !== undefined && /^(git|gh|mkdir|cp)$/.test(one.program) && listMadeNames(one).some(isNamed);
  });

/** Whether an earlier command changed to a directory created by `mktemp`. */
const isInTemporaryFolder = (before: readonly Command[]): boolean => {
  const { args = [] } = before.findLast(({ program }) => /^(?:cd|pushd|popd)$/.test(program)) ?? {};
  return /^\$\(mktemp\b[^)]*\)$/.test(args[0] ?? "");
};

/** Lists the words that may name a directory a command creates, including a clone's default directory. */
const listMadeNames = ({ args }: Command): string[] =>
  args.includes("clone")
    ? args.flatMap((arg) => [
        arg,
        arg
          .replace(/\/$/, "")
          .replace(/\.git$/, "")
          .replace(/^.*[/:]/, ""),
      ])
    : [...args];

/** git subcommands that add uncommitted changes to the working tree. */
const BRINGING = /^(stash|apply|am|cherry-pick|revert|merge|read-tree|update-index)$/;
const bringsWork = ({ program, args }: Command): boolean => {
  if (program !== "git") return false;
  const { verb, at } = readGitArguments(args);
  return BRINGING.test(verb) && (verb !== "stash" || /^(pop|apply|branch)$/.test(args[at + 1] ?? ""));
};

/**
 * Finds the working tree a command affects and the preceding commands. Returns a string instead if the shell command creates the tree,
 * saves the changes first, or uses an unknown tree.
 */
export function findWorkTree(
  command: Command,
  here: LineContext,
  loss?: Loss,
): { folder: string; before: readonly Command[] } | "unknown" | "saved" | "made" {
  if (command.remote || isOtherWorkTree(here.line)) return "unknown";
  const folder = resolveGitFolder(command, here);
  const before = here.commands.slice(0, here.commands.indexOf(command));
  if (folder === undefined) return isInTemporaryFolder(before) ? "made" : "unknown";
  if (isMadeBefore(folder, before, here)) return "made";
  if (loss && isSavedBefore(loss, command, { before, folder }, here)) return "saved";
  return before.some(bringsWork) ? "unknown" : { folder, before };
}

/** Whether a repository is disposable: created by the shell command, or below /tmp and not part of the project. */
export function isScratchRepository(command: Command, here: LineContext): boolean {
  if (findWorkTree(command, here) === "made") return true;
  const folder = resolveGitFolder(command, here);
  return (
    folder?.startsWith("/tmp/") === true &&
    !here.folders.some((one) => isSameOrAbove(folder, one) || isSameOrAbove(one, folder))
  );
}

/** Describes the changes that a git command would discard, for a message. */
export const findLostChanges: OperandFinder = (_, command, here) => {
  const discard = readDiscard(command, here);
  if (!discard) return undefined;
  const { isWhole, paths, since } = discard;
  const tree = findWorkTree(command, here, { of: "changes", since, ...(!isWhole && { paths }) });
  if (tree === "saved" || tree === "made") return undefined;
  const unknown = isWhole ? UNKNOWN_LOSS : undefined;
  if (tree === "unknown") return unknown;
  const { folder, before } = tree;
  const repository = here.repository(folder);
  // An earlier command may change the index or working tree, and those changes would be lost as well.
  if (isWhole && !before.every(isQuietCommand)) {
    if (folder !== here.cwd) return unknown;
    return repository?.dirty === false ? undefined : unknown;
  }
  const files = repository?.changedFiles({ folder, paths }, since);
  return files ? describeFiles(files, (named) => `uncommitted changes to ${named}`) : unknown;
};

/** Returns a `git stash` command that saves the affected changes. */
export const findStashCommand: OperandFinder = (_, command, here) => {
  const { paths, isWhole } = readDiscard(command, here) ?? HEAD_ALL;
  return isWhole ? "git stash push" : `git stash push -- ${paths.map(quoteWord).join(" ")}`;
};

const quoteWord = (word: string): string => (/^[\w./:@%+-]+$/.test(word) ? word : `'${word.replaceAll("'", `'\\''`)}'`);

function describeFiles(files: readonly UncommittedFile[], tell: (named: string) => string): string | undefined {
  if (files.length === 0) return undefined;
  const shown = files
    .slice(0, MAX_NAMED)
    .map(({ path, lines }) => (lines === undefined ? path : `${path} (${lines} ${lines === 1 ? "line" : "lines"})`));
  const rest = files.length - shown.length;
  return tell(shown.join(", ") + (rest > 0 ? ` and ${rest} more ${rest === 1 ? "file" : "files"}` : ""));
}

/** Whether a file's name suggests that it can't be regenerated, though git ignores it. */
const isPrecious = ({ path }: UncommittedFile): boolean =>
  /^\.env(rc|\.|$)|\.(pem|key|p12|pfx|jks|keystore|sqlite3?|db|tfstate)$/i.test(
    path.slice(path.lastIndexOf("/") + 1),
  ) && !/\.(example|sample|template|dist)$/i.test(path);

/** Describes the files that `git clean` would delete and that were never committed. */
export const findUntrackedFiles: OperandFinder = (_, command, here) => {
  const { options, operands } = splitArguments(command);
  const { paths, isWhole } = selectPaths(operands.slice(1), command, here);
  const unknown = isWhole ? UNKNOWN_FILES : undefined;
  const tree = findWorkTree(command, here, { of: "files", ignored: hasOption(options, ["-x", "-X"]) });
  if (tree === "made" || tree === "saved") return undefined;
  if (typeof tree === "string" || !tree.before.every(isQuietCommand)) return unknown;
  const { folder } = tree;
  const repository = here.repository(folder);
  const selection: FileSelection = { folder, paths };
  const takesFolders = paths.length > 0 || hasOption(options, ["-d"]);
  const isTaken = ({ path }: UncommittedFile) => takesFolders || !path.endsWith("/");
  const found = hasOption(options, ["-X"]) ? [] : repository?.untrackedFiles(selection, "new");
  const ignored =
    found?.length === 0 && hasOption(options, ["-x", "-X"]) ? repository?.untrackedFiles(selection, "ignored") : [];
  if (!found || !ignored) return unknown;
  return describeFiles([...found, ...ignored.filter(isPrecious)].filter(isTaken), (named) => `untracked ${named}`);
};

/** Describes the untracked files that git lists and a command deletes. */
export const findListedFiles: OperandFinder = (_, command, here) => {
  const listing = listGitSources(command, here).find(listsNewFiles);
  const folder = listing && resolveGitFolder(listing, here);
  if (!listing || folder === undefined) return undefined;
  const tree = findWorkTree(listing, here, { of: "files", ignored: false });
  if (typeof tree === "string") return undefined;
  const repository = here.repository(folder);
  if (!repository) return undefined;
  const files = repository.untrackedFiles({ folder, paths: [] }, "new");
  return files ? describeFiles(files, (named) => `untracked ${named}`) : UNKNOWN_FILES;
};

/** Returns a linked worktree with uncommitted work that would be removed. */
export const findChangedWorktree: OperandFinder = (operands, command, here) => {
  const [operand] = operands;
  if (!operand) return undefined;
  const folder = resolveGitFolder(command, here);
  if (command.remote || command.more || folder === undefined || isOpenWord(operand)) return operand.text;
  const path = normalizePath(/^([/\\]|[A-Za-z]:)/.test(operand.text) ? operand.text : `${folder}/${operand.text}`);
  const before = here.commands.slice(0, here.commands.indexOf(command));
  if (isMadeBefore(path, before, here)) return undefined;
  if (!before.every(isQuietCommand)) return operand.text;
  const repository = here.repository(path);
  return repository?.dirty === false && normalizePath(repository.root) === path ? undefined : operand.text;
};
