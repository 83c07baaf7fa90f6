import { handlers } from "./faulty/_handlers.ts";

/** Expected effect of a fault on a call. */
interface Fault {
  /** The hook fails, and the call proceeds as usual. */
  fails: boolean;
  /**
   * The fault blocks the engine until the process ends, so no later hook runs. During module loading, it keeps every
   * hook from running.
   */
  blocks?: "handler" | "module";
}

const MODULE_FAULTS: Record<string, Fault> = {
  polyfill: { fails: false },
  "polyfill that uses our words": { fails: false },
  "polyfill of array methods": { fails: false },
  "stringify throws": { fails: false },
  "stringify returns nothing": { fails: false },
  "module loads forever": { fails: true, blocks: "module" },
  "module loops after a wait": { fails: true, blocks: "module" },
  "module never finishes waiting": { fails: true },
  "module throws": { fails: true },
  "module throws a value that can't be displayed": { fails: true },
  "module exits": { fails: true },
  "module aborts": { fails: true, blocks: "module" },
};

/** Names of handlers that don't fail. */
const HARMLESS_HANDLERS = [
  "exits later",
  "loops in a timer",
  "sets the exit code",
  "starts a child process that keeps running",
  "starts a detached child process that keeps running",
  "leaves a timer",
  "prints a lot",
];
/** Infinite loops that no watchdog stops, and exits that nothing can prevent. */
const BLOCKING_FAULT = /loops|for ever|regular expression|exits really|aborts|blocks on a child/;

export const FAULTS: Readonly<Record<string, Fault>> = {
  ...MODULE_FAULTS,
  ...Object.fromEntries(
    Object.keys(handlers).map((name) => [
      name,
      { fails: !HARMLESS_HANDLERS.includes(name), ...(BLOCKING_FAULT.test(name) && { blocks: "handler" as const }) },
    ]),
  ),
};
