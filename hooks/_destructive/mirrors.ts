import { posix } from "bridge-hooks/paths";
import { type Command, wildcardPattern } from "bridge-hooks";
import { type LineContext, type OperandPath, type OperandWord, isForeignPath } from "./line-context.ts";
import { createOutsidePathFinder, listNames } from "./outside.ts";
import type { OperandFinder } from "./place-finder.ts";
import { resolveOperandPath } from "./places.ts";
import { listOptionValues } from "./product-conditions.ts";

const { basename, join } = posix;

const findMirroredPath = createOutsidePathFinder("deleted");

/**
 * Returns a directory outside the project in which a mirroring tool would delete files that the source doesn't contain.
 * Updating an older copy of the source is allowed.
 */
export const findMirroredOutsidePath: OperandFinder = (operands, command, context) => {
  const target = operands.at(-1);
  const to = target && resolveOperandPath(target, command, context);
  if (!to || to.remote || isRemoteLocation(target)) return undefined;
  const losesAnyFiles = operands.slice(0, -1).some((source) => losesFiles(source, to, command, context));
  return losesAnyFiles ? findMirroredPath([target], command, context) : undefined;
};

/** Whether a word such as `host:x` or `rsync://host/x` names a location on another machine or in a cloud. */
const isRemoteLocation = ({ text }: OperandWord): boolean => /^[^/\\]{2,}:/.test(text);

function losesFiles(source: OperandWord, target: OperandPath, command: Command, context: LineContext): boolean {
  const from = isRemoteLocation(source) ? undefined : resolveOperandPath(source, command, context);
  // Without a trailing slash on the source, `rsync x there` only affects `there/x`.
  const isWhole = command.program !== "rsync" || /(?:^|\/)\.?$/.test(source.text);
  const folder = isWhole ? target.path : join(target.path, basename(source.text));
  if (isForeignPath(folder)) return true;
  const excludedPatterns = listOptionValues(command, ["--exclude"]).map((pattern) =>
    wildcardPattern(pattern.replace(/^\/|\/$/g, "")),
  );
  const listRemainingNames = (subpath: string) =>
    listNames(subpath).filter((name) => !excludedPatterns.some((matches) => matches(name)));
  let [lost, all] = [0, 0];
  const countMissingEntries = (subpath: string, entryNames: readonly string[]) => {
    const names = listRemainingNames(subpath);
    const shared = names.filter((name) => entryNames.includes(name));
    all += names.length;
    lost += names.length - shared.length;
    return shared;
  };
  const shared = countMissingEntries(folder, from ? listNames(from.path) : []);
  for (const name of shared.slice(0, MAX_FOLDERS))
    if (from && !name.startsWith(".")) countMissingEntries(join(folder, name), listNames(join(from.path, name)));
  return lost * MAX_LOST_FRACTION > all;
}

/**
 * A directory counts as an older copy if, of the entries in its first two levels, at most one in this many is missing
 * from the source.
 */
const MAX_LOST_FRACTION = 4;
/** Maximum number of subdirectories to compare. */
const MAX_FOLDERS = 20;
