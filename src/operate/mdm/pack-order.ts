import { listHostFlags } from "../../call/options.ts";
import { NODE_PLATFORMS } from "../../hosts/setup/pack.ts";
import type { FailurePolicy, HookDescriptor } from "../../protocol/hook.ts";
import type { Host } from "../../protocol/host/host.ts";
import type { PackSpec } from "../../protocol/host/pack.ts";
import { collectWantedEvents, planEntries, selectSubscriptions } from "../machine/desired-entries.ts";
import type { ProgramPaths } from "./programs.ts";

/** What the pack is built from. */
export interface PackOrder {
  /** Path of the executable on each system. */
  programs: ProgramPaths;
  on_error: FailurePolicy;
  /** The hooks in the executable. */
  hooks: readonly HookDescriptor[];
  /** Events, in their unified or their hosts' names, or "all"; empty: those that the hooks want. */
  events: readonly string[];
  /** The hosts' own options that entries set. */
  settings?: Readonly<Record<string, string>>;
}

/** What a host's builder gets; undefined if the host has no event that is wanted. */
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
        ...{ scope: "managed", platform: NODE_PLATFORMS[system], wanted: collectWantedEvents(hooks) },
      }),
  };
}
