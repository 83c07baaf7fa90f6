import type { Command } from "bridge-hooks";
import { type LineContext, type OperandWord, type OperandPlace } from "./line-context.ts";
import { followPlaceLinks, followContextLinks } from "./places.ts";
import { isInNewContainer } from "./container-places.ts";
import { resolvePlaces } from "./wildcard-places.ts";

/** What finds the first of a command's operands that is one of a set, as a message shows it. */
export type OperandFinder = (
  operands: readonly OperandWord[],
  command: Command,
  here: LineContext,
) => string | undefined;

/** The first place that is such, itself or behind links. */
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

/** How many places of a command are looked up, since each takes its time. */
const MAX_FOLLOWED_PLACES = 200;
