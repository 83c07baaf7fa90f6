import { posix } from "bridge-hooks/paths";
import { type Command, getTargetFolder, listPipeSources } from "bridge-hooks";
import { listDeletedStartFolders } from "./find-deletions.ts";
import { isSameOrAbove, type LineContext, type OperandPath, type OperandWord } from "./line-context.ts";
import { createOutsidePathFinder } from "./outside.ts";
import { DOWNLOADS_PATH, isBackupName, isRefilledPath } from "./outside-places.ts";
import type { OperandFinder } from "./place-finder.ts";
import { resolveContextLinks, resolvePathLinks, resolveOperandPath } from "./places.ts";

const { basename, dirname } = posix;

const findDeletedPath = createOutsidePathFinder("deleted");
const findSearchedPath = createOutsidePathFinder("searched");
const findMovedPath = createOutsidePathFinder("moved");

/** Programs that expand wildcards themselves. */
const GLOB_EXPANDING_PROGRAM = /^(?:rimraf|del-cli)$/;

/** Returns the path outside the project that a command deletes. */
export const findDeletedOutsidePath: OperandFinder = (operands, command, context) =>
  command.program === "find"
    ? findSearchedPath(listDeletedStartFolders(command, context), command, context)
    : (findDeletedPath(
        GLOB_EXPANDING_PROGRAM.test(command.program)
          ? operands.map(({ text, dynamic = text }) => ({ text, dynamic }))
          : operands,
        command,
        context,
      ) ?? findSearchedPath(listEmptiedFolders(operands, command, context), command, context));

/**
 * Lists the directories whose entries are listed by one command and deleted by another, as in `while read d; do rm -rf
 * ~/code/"$d"; done` or `ls | grep -v shop | xargs rm -rf`.
 */
function listEmptiedFolders(operands: readonly OperandWord[], command: Command, context: LineContext): OperandWord[] {
  const isRead = (name: string) =>
    context.commands.some(({ program, args }) => program === "read" && args.includes(name));
  const listedOperands = operands.flatMap(({ dynamic = "" }): OperandWord[] => {
    const at = dynamic.indexOf("/$");
    const pathEnd = dynamic.slice(at + 1);
    const [, name] = /^\$\{?(\w+)\}?$/.exec(pathEnd) ?? [];
    const isListed = at > 0 && (name === undefined ? /^\$\((?:ls|dir)\s[^()]*\)$/.test(pathEnd) : isRead(name));
    return isListed ? [{ text: dynamic.slice(0, at), dynamic: dynamic.slice(0, at) }] : [];
  });
  return command.more && command.via.includes("xargs") && isOwnListing(command)
    ? [...listedOperands, { text: "." }]
    : listedOperands;
}

/**
 * Whether a command's input is a list of the files in the working directory, possibly filtered, as in `ls | grep -v x`.
 */
function isOwnListing(command: Command): boolean {
  for (let [source] = listPipeSources(command); source; [source] = listPipeSources(source)) {
    const { program, args } = source;
    if (/^(?:ls|dir)$/.test(program)) return args.every((arg) => arg.startsWith("-"));
    const isInvertedSearch = program === "grep" && args.some((arg) => /^-\w*v|^--invert/.test(arg));
    if (!isInvertedSearch && !/^(?:sort|head|tail|tr|uniq)$/.test(program)) return false;
  }
  return false;
}

/**
 * Returns the path outside the project that a command moves away. Moving a download into the project and renaming a
 * file to a backup name are allowed.
 */
export const findMovedOutsidePath: OperandFinder = (operands, command, context) => {
  const targetFolder = getTargetFolder(command);
  const target: OperandWord | undefined = targetFolder === undefined ? operands.at(-1) : { text: targetFolder };
  const sources = targetFolder === undefined ? operands.slice(0, -1) : operands;
  const to = target && resolveFinalPath(target, command, context);
  if (!to) return findMovedPath(sources, command, context);
  if (to.path.startsWith(`${context.home}/`) && isTrash(to.path.slice(context.home.length + 1))) return undefined;
  const isCopyOrDownload = (operand: OperandWord) => {
    const from = resolveFinalPath(operand, command, context);
    return from !== undefined && (isRenamedToBackup(from, to) || isDownloadIntoProject(from, to, context));
  };
  return findMovedPath(
    sources.filter((operand) => !isCopyOrDownload(operand)),
    command,
    context,
  );
};

const resolveFinalPath = (operand: OperandWord, command: Command, context: LineContext) => {
  const target = resolveOperandPath(operand, command, context);
  return target && resolvePathLinks(target, context);
};

const isTrash = (homeRelativePath: string): boolean =>
  /trash/i.test(homeRelativePath) && isRefilledPath(homeRelativePath);

/** Whether a file is renamed to a longer name in the same directory, as in `mv x x.bak`. */
const isRenamedToBackup = (from: OperandPath, to: OperandPath): boolean =>
  dirname(from.path) === dirname(to.path) && isBackupName(basename(to.path), basename(from.path));

/** Whether a download is moved into the project. */
const isDownloadIntoProject = (from: OperandPath, to: OperandPath, context: LineContext): boolean =>
  from.path.startsWith(`${context.home}/`) &&
  DOWNLOADS_PATH.test(from.path.slice(context.home.length + 1)) &&
  resolveContextLinks(context).folders.some((folder) => isSameOrAbove(folder, to.path));
