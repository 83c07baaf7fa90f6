import { defineEverywhereHook } from "./_events.ts";
import { handlers } from "./_handlers.ts";
import { loaded } from "./_module.ts";

/** Fails in the way the test requests. */
export default defineEverywhereHook("faulty", 1, () =>
  loaded ? handlers[process.env.ATTACK_FAULT ?? ""]?.() : undefined,
);
