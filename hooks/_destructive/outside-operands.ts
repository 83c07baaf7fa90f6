import { posix } from "bridge-hooks/paths";
import { type Command, getTargetFolder, listPipeSources } from "bridge-hooks";
import { listDeletedStarts } from "./find-deletions.ts";
import { isSameOrAbove, type LineContext, type OperandPlace, type OperandWord } from "./line-context.ts";
import { createOutsideFinder } from "./outside.ts";
import { DOWNLOADS_PLACE, isCopyName, isRefilledPlace } from "./outside-places.ts";
import type { OperandFinder } from "./place-finder.ts";
import { followContextLinks, followPlaceLinks, resolvePlace } from "./places.ts";

const { basename, dirname } = posix;

const findDeleted = createOutsideFinder("deleted");
const findSearched = createOutsideFinder("searched");
const findMoved = createOutsideFinder("moved");

/** Programs that expand wildcards themselves. */
const EXPANDING = /^(?:rimraf|del-cli)$/;

/** Returns what a command deletes outside the project. */
export const findDeletedOutside: OperandFinder = (operands, command, here) =>
  command.program === "find"
    ? findSearched(listDeletedStarts(command, here), command, here)
    : (findDeleted(
        EXPANDING.test(command.program) ? operands.map(({ text, dynamic = text }) => ({ text, dynamic })) : operands,
        command,
        here,
      ) ?? findSearched(listEmptiedFolders(operands, command, here), command, here));

/**
 * Lists directories whose contents a command deletes by listing or reading names: `while read d; do rm -rf ~/code/"$d"; done`, `ls | grep
 * -v shop | xargs rm -rf`.
 */
function listEmptiedFolders(operands: readonly OperandWord[], command: Command, here: LineContext): OperandWord[] {
  const isRead = (name: string) => here.commands.some(({ program, args }) => program === "read" && args.includes(name));
  const found = operands.flatMap(({ dynamic = "" }): OperandWord[] => {
    const at = dynamic.indexOf("/$");
    const rest = dynamic.slice(at + 1);
    const [, name] = /^\$\{?(\w+)\}?$/.exec(rest) ?? [];
    const isListed = at > 0 && (name === undefined ? /^\$\((?:ls|dir)\s[^()]*\)$/.test(rest) : isRead(name));
    return isListed ? [{ text: dynamic.slice(0, at), dynamic: dynamic.slice(0, at) }] : [];
  });
  return command.more && command.via.includes("xargs") && isOwnListing(command) ? [...found, { text: "." }] : found;
}

/** Whether a command's input lists the working directory, possibly filtered: `ls | grep -v x`. */
function isOwnListing(command: Command): boolean {
  for (let [source] = listPipeSources(command); source; [source] = listPipeSources(source)) {
    const { program, args } = source;
    if (/^(?:ls|dir)$/.test(program)) return args.every((arg) => arg.startsWith("-"));
    const isRest = program === "grep" && args.some((arg) => /^-\w*v|^--invert/.test(arg));
    if (!isRest && !/^(?:sort|head|tail|tr|uniq)$/.test(program)) return false;
  }
  return false;
}

/** Returns what a command moves away from outside the project, except downloads brought into it and backup copies. */
export const findMovedOutside: OperandFinder = (operands, command, here) => {
  const into = getTargetFolder(command);
  const target: OperandWord | undefined = into === undefined ? operands.at(-1) : { text: into };
  const sources = into === undefined ? operands.slice(0, -1) : operands;
  const to = target && resolvePlaceBehindLinks(target, command, here);
  if (!to) return findMoved(sources, command, here);
  if (to.path.startsWith(`${here.home}/`) && isTrash(to.path.slice(here.home.length + 1))) return undefined;
  const isKept = (operand: OperandWord) => {
    const from = resolvePlaceBehindLinks(operand, command, here);
    return from !== undefined && (isBackup(from, to) || isBroughtIn(from, to, here));
  };
  return findMoved(
    sources.filter((operand) => !isKept(operand)),
    command,
    here,
  );
};

const resolvePlaceBehindLinks = (operand: OperandWord, command: Command, here: LineContext) => {
  const target = resolvePlace(operand, command, here);
  return target && followPlaceLinks(target, here);
};

const isTrash = (fromHome: string): boolean => /trash/i.test(fromHome) && isRefilledPlace(fromHome);

/** Whether a file is renamed to a longer name in the same directory: `mv x x.bak`. */
const isBackup = (from: OperandPlace, to: OperandPlace): boolean =>
  dirname(from.path) === dirname(to.path) && isCopyName(basename(to.path), basename(from.path));

/** Whether a download is moved into the project. */
const isBroughtIn = (from: OperandPlace, to: OperandPlace, here: LineContext): boolean =>
  from.path.startsWith(`${here.home}/`) &&
  DOWNLOADS_PLACE.test(from.path.slice(here.home.length + 1)) &&
  followContextLinks(here).folders.some((folder) => isSameOrAbove(folder, to.path));
