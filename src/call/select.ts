import { type AnyEvent, isToolCallEvent } from "../protocol/event.ts";
import type { FailurePolicy, HookDescriptor } from "../protocol/hook.ts";
import { matchHook } from "../protocol/match.ts";
import { isDeniedProbe } from "../protocol/probe.ts";
import { lacksServer } from "../protocol/tool.ts";
import type { DecodedCall } from "./decode.ts";

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

/** A call and the hooks to run for it. */
export interface SelectedCall extends DecodedCall {
  hooks: readonly HookDescriptor[];
  /** About that choice. */
  selectionWarnings: readonly string[];
}

/**
 * Selects the hooks to run. If one of them, or a rule of a config file, names an MCP server and the payload does not, the
 * event gets the server from the host's config.
 */
export async function selectHooks(call: DecodedCall): Promise<SelectedCall> {
  const { entries, event, host, payload } = call;
  if (isDeniedProbe(event)) return { ...call, hooks: [DENYING_HOOK], selectionWarnings: [] };
  const hooks = findMatchingHooks(entries, event);
  if (event.event === "SessionStart" && call.context.modes?.announce) {
    const announcer = (await import("./session/announce.ts")).createAnnouncer(call);
    if (announcer) hooks.push(announcer);
  }
  if (!isToolCallEvent(event) || !lacksServer(event)) return { ...call, hooks, selectionWarnings: [] };
  const named = await (await import("./identify/server.ts")).resolveServer(hooks, event, host, payload);
  return {
    ...call,
    event: named.event,
    hooks: named.event === event ? hooks : findMatchingHooks(hooks, named.event),
    selectionWarnings: named.warning === undefined ? [] : [named.warning],
  };
}

/** The policy for a hook that failed. */
export const resolveFailurePolicy = (entry: HookDescriptor, callPolicy: FailurePolicy): FailurePolicy =>
  entry.onError ?? callPolicy;
