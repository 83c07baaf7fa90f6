import type { Command } from "bridge-hooks";
import { type LineContext, type OperandWord, type OperandPlace } from "./line-context.ts";
import { followPlaceLinks, followContextLinks } from "./places.ts";
import { isInNewContainer } from "./container-places.ts";
import { resolvePlaces } from "./wildcard-places.ts";

/** Returns the first operand in a set, formatted for messages. */
export type OperandFinder = (
  operands: readonly OperandWord[],
  command: Command,
  here: LineContext,
) => string | undefined;

/** Creates a finder for locations that satisfy a predicate, as written or with symlinks resolved. */
export const createPlaceFinder =
  (isSuch: (target: OperandPlace, here: LineContext) => boolean): OperandFinder =>
  (operands, command, here) => {
    const places = operands
      .flatMap((operand) => resolvePlaces(operand, command, here))
      .filter((target) => !isInNewContainer(target, command, here));
    const found = places.find((target) => isSuch(target, here));
    if (found) return found.text;
    const there = followContextLinks(here);
    for (const target of places.slice(0, MAX_FOLLOWED_PLACES)) {
      const behind = followPlaceLinks(target, here);
      if (isSuch(behind, there))
        return behind.path === target.path ? target.text : `${target.text} (which is ${behind.path})`;
    }
    return undefined;
  };

/** Limits the number of symlink lookups per command because each takes time. */
const MAX_FOLLOWED_PLACES = 200;
