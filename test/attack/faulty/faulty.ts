import { defineEverywhereHook } from "./_events.ts";
import { handlers } from "./_handlers.ts";
import { loaded } from "./_module.ts";

/** Goes wrong in the way that a test asks for. */
export default defineEverywhereHook("faulty", 1, () =>
  loaded ? handlers[process.env.ATTACK_FAULT ?? ""]?.() : undefined,
);
