import { listHostFlags } from "../../call/options.ts";
import { NODE_PLATFORMS } from "../../hosts/setup/pack.ts";
import type { FailurePolicy, HookDescriptor } from "../../protocol/hook.ts";
import type { Host } from "../../protocol/host/host.ts";
import type { PackSpec } from "../../protocol/host/pack.ts";
import { collectEventRequirements, planEntries, selectSubscriptions } from "../machine/desired-entries.ts";
import type { ProgramPaths } from "./programs.ts";

/** Input for building a pack. */
export interface PackOrder {
  /** Path of the executable on each system. */
  programs: ProgramPaths;
  on_error: FailurePolicy;
  /** The hooks that the executable contains. */
  hooks: readonly HookDescriptor[];
  /**
   * Unified or native event names, or "all". If the list is empty, the pack uses the events that the hooks subscribe
   * to.
   */
  events: readonly string[];
  /** Host-specific options for the entries. */
  settings?: Readonly<Record<string, string>>;
}

/**
 * Creates the input from which a host's files are built. Returns undefined if the host supports none of the requested
 * events.
 */
export async function createPackSpec(
  host: Host,
  { hooks, settings, ...order }: PackOrder,
): Promise<PackSpec | undefined> {
  const setup = await host.setup();
  const subscriptions = selectSubscriptions(host, setup, hooks, order.events);
  if (subscriptions.length === 0) return undefined;
  return {
    ...order,
    more: listHostFlags(host, settings),
    planEntries: (system) =>
      planEntries(host, setup, subscriptions, {
        ...{ program: order.programs[system], on_error: order.on_error, settings },
        ...{ scope: "managed", platform: NODE_PLATFORMS[system], wantedEvents: collectEventRequirements(hooks) },
      }),
  };
}
