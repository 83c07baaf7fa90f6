import { type AnyEvent, isToolCallEvent } from "../protocol/event.ts";
import type { FailurePolicy, HookDescriptor } from "../protocol/hook.ts";
import type { Host, Payload } from "../protocol/host/host.ts";
import { matchHook } from "../protocol/match.ts";
import { isProbe } from "../protocol/probe.ts";
import { lacksServer } from "../protocol/tool.ts";

/** The only hook that runs when `doctor` makes the call. */
const DENYING_HOOK: HookDescriptor = {
  name: "doctor",
  enforced: true,
  events: [],
  load: async () => ({
    event: [],
    handler: () => ({ decision: "deny", reason: "bridge-hooks doctor asked for this denial." }),
  }),
};

/** The hooks for this event, in order. Hooks that match on arguments are included if they may match. */
export function findMatchingHooks(entries: readonly HookDescriptor[], event: AnyEvent): HookDescriptor[] {
  const matching: HookDescriptor[] = [];
  for (const entry of entries) if (matchHook(entry, event)) matching.push(entry);
  return matching;
}

/** An event, the hooks to run for it, and warnings about that choice. */
interface HookSelection {
  event: AnyEvent;
  hooks: readonly HookDescriptor[];
  warnings: readonly string[];
}

/**
 * Selects the hooks to run. If one of them names an MCP server and the payload does not, the event gets the server from
 * the host's config.
 */
export async function selectHooks(
  entries: readonly HookDescriptor[],
  event: AnyEvent,
  host: Host,
  payload: Payload,
): Promise<HookSelection> {
  if (isProbe(event)) return { event, hooks: [DENYING_HOOK], warnings: [] };
  const hooks = findMatchingHooks(entries, event);
  if (!isToolCallEvent(event) || !lacksServer(event)) return { event, hooks, warnings: [] };
  const named = await (await import("./identify/server.ts")).resolveServer(hooks, event, host, payload);
  return {
    event: named.event,
    hooks: named.event === event ? hooks : findMatchingHooks(hooks, named.event),
    warnings: named.warning === undefined ? [] : [named.warning],
  };
}

/** The policy for a hook that failed. */
export const resolveFailurePolicy = (entry: HookDescriptor, callPolicy: FailurePolicy): FailurePolicy =>
  entry.onError ?? callPolicy;
