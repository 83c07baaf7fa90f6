import type { Command } from "bridge-hooks";
import { followed, followedHere, type Here, type Operand, type Place, placeOf } from "./places.ts";

/** What finds the first of a command's operands that is one of a set, as a message shows it. */
export type Find = (operands: readonly Operand[], command: Command, here: Here) => string | undefined;

/** The first place that is such, itself or behind links. */
export const first =
  (isSuch: (place: Place, here: Here) => boolean): Find =>
  (operands, command, here) => {
    const places = operands.flatMap((operand) => placeOf(operand, command, here) ?? []);
    const found = places.find((place) => isSuch(place, here));
    if (found) return found.text;
    const there = followedHere(here);
    for (const place of places.slice(0, FOLLOWED)) {
      const behind = followed(place, here);
      if (isSuch(behind, there))
        return behind.path === place.path ? place.text : `${place.text} (which is ${behind.path})`;
    }
    return undefined;
  };

/** How many places of a command are looked up, since each takes its time. */
const FOLLOWED = 200;
