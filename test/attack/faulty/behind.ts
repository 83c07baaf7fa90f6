import { deny } from "bridge-hooks";
import { isAskedFor, defineEverywhereHook } from "./_events.ts";

export default defineEverywhereHook("behind", 2, () =>
  isAskedFor("ATTACK_DENIER", "behind") ? deny("behind says no") : undefined,
);
