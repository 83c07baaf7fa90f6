import { DEFAULT_PROGRAM_PATHS } from "../../src/operate/mdm/programs.ts";
import type { PackOrder } from "../../src/operate/mdm/pack-order.ts";
import type { HookDescriptor } from "../../src/protocol/hook.ts";

type WantedHook = Pick<HookDescriptor, "events" | "tools" | "timeoutMs">;

/** Builds an order for a pack whose executable has hooks for these events. */
export const createPackOrder = (hooks: readonly WantedHook[], more: Partial<PackOrder> = {}): PackOrder => ({
  programs: DEFAULT_PROGRAM_PATHS,
  on_error: "deny",
  events: [],
  hooks: hooks.map((hook, at) => ({
    ...hook,
    name: `hook-${at}`,
    load: () => Promise.reject(new Error("a pack loads no hook")),
  })),
  ...more,
});
