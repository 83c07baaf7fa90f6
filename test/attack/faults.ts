import { handlers } from "./faulty/_handlers.ts";

/** What becomes of a call with a fault. */
interface Fault {
  /** The hook fails of it; else the call goes on as if nothing were wrong. */
  fails: boolean;
  /** No hook behind it can run, since the engine is busy until the process ends; where a module does that, no hook at all. */
  blocks?: "handler" | "module";
}

const MODULE_FAULTS: Record<string, Fault> = {
  polyfill: { fails: false },
  "polyfill with a word of ours": { fails: false },
  "polyfill of lists": { fails: false },
  "stringify throws": { fails: false },
  "stringify returns nothing": { fails: false },
  "module loops": { fails: true, blocks: "module" },
  "module loops after a wait": { fails: true, blocks: "module" },
  "module waits for ever": { fails: true },
  "module throws": { fails: true },
  "module throws nothing that can be shown": { fails: true },
  "module exits": { fails: true },
  "module aborts": { fails: true, blocks: "module" },
};

/** Handlers with which nothing fails. */
const HARMLESS_HANDLERS = [
  "exits later",
  "loops in a timer",
  "sets the exit code",
  "starts a child that stays",
  "starts a detached child that stays",
  "leaves a timer",
  "prints a lot",
];
/** A loop that no watchdog stops, and an end that nobody can keep a process from. */
const BLOCKING_FAULT = /loops|for ever|regular expression|exits really|aborts|blocks on a child/;

/** Every fault there is, by its name. */
export const FAULTS: Readonly<Record<string, Fault>> = {
  ...MODULE_FAULTS,
  ...Object.fromEntries(
    Object.keys(handlers).map((name) => [
      name,
      { fails: !HARMLESS_HANDLERS.includes(name), ...(BLOCKING_FAULT.test(name) && { blocks: "handler" as const }) },
    ]),
  ),
};
