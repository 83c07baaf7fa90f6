import type { Command } from "bridge-hooks";
import { type LineContext, type OperandWord, type OperandPath } from "./line-context.ts";
import { resolvePathLinks, resolveContextLinks } from "./places.ts";
import { isInNewContainer } from "./container-places.ts";
import { resolveOperandPaths } from "./wildcard-places.ts";

/** Returns the first operand in a set, formatted for messages. */
export type OperandFinder = (
  operands: readonly OperandWord[],
  command: Command,
  context: LineContext,
) => string | undefined;

/** Creates a finder for locations that satisfy a predicate, either as written or with symlinks resolved. */
export const createPathFinder =
  (predicate: (target: OperandPath, context: LineContext) => boolean): OperandFinder =>
  (operands, command, context) => {
    const locations = operands
      .flatMap((operand) => resolveOperandPaths(operand, command, context))
      .filter((target) => !isInNewContainer(target, command, context));
    const location = locations.find((target) => predicate(target, context));
    if (location) return location.text;
    const resolvedContext = resolveContextLinks(context);
    for (const target of locations.slice(0, MAX_RESOLVED_PATHS)) {
      const resolved = resolvePathLinks(target, context);
      if (predicate(resolved, resolvedContext))
        return resolved.path === target.path ? target.text : `${target.text} (which is ${resolved.path})`;
    }
    return undefined;
  };

/** Maximum number of symlink lookups per command, to keep calls fast. */
const MAX_RESOLVED_PATHS = 200;
