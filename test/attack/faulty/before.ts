import { deny } from "bridge-hooks";
import { isAskedFor, defineEverywhereHook } from "./_events.ts";

export default defineEverywhereHook("before", 0, () =>
  isAskedFor("ATTACK_DENIER", "before") ? deny("before says no") : undefined,
);
