import { type AnyEvent, isToolCallEvent } from "../protocol/event.ts";
import type { FailurePolicy, HookDescriptor } from "../protocol/hook.ts";
import { matchHook } from "../protocol/match.ts";
import { isDeniedProbe } from "../protocol/probe.ts";
import { isWithoutServer } from "../protocol/tool.ts";
import type { DecodedCall } from "./decode.ts";

/** The only hook that runs for the probe from `doctor`, which must be denied. */
const DENYING_HOOK: HookDescriptor = {
  name: "doctor",
  enforced: true,
  events: [],
  load: async () => ({
    event: [],
    handler: () => ({ decision: "deny", reason: "bridge-hooks doctor asked for this denial." }),
  }),
};

/** Returns the hooks for this event, in order, including those whose argument matcher might match. */
export function findMatchingHooks(entries: readonly HookDescriptor[], event: AnyEvent): HookDescriptor[] {
  const matchingHooks: HookDescriptor[] = [];
  for (const entry of entries) if (matchHook(entry, event)) matchingHooks.push(entry);
  return matchingHooks;
}

/** A call and the hooks to run for it. */
export interface SelectedCall extends DecodedCall {
  hooks: readonly HookDescriptor[];
  /** Warnings about how the hooks were selected. */
  selectionWarnings: readonly string[];
}

/**
 * Selects the hooks to run. If a hook or a rule in a config file names an MCP server but the payload doesn't, looks up
 * the server in the host's config.
 */
export async function selectHooks(call: DecodedCall): Promise<SelectedCall> {
  const { entries, event, host, payload } = call;
  if (isDeniedProbe(event)) return { ...call, hooks: [DENYING_HOOK], selectionWarnings: [] };
  const hooks = findMatchingHooks(entries, event);
  if (event.event === "SessionStart" && call.context.modes?.announce) {
    const announcer = (await import("./session/announce.ts")).createAnnouncer(call);
    if (announcer) hooks.push(announcer);
  }
  if (!isToolCallEvent(event) || !isWithoutServer(event)) return { ...call, hooks, selectionWarnings: [] };
  const resolved = await (await import("./identify/server.ts")).resolveServer(hooks, event, host, payload);
  return {
    ...call,
    event: resolved.event,
    hooks: resolved.event === event ? hooks : findMatchingHooks(hooks, resolved.event),
    selectionWarnings: resolved.warning === undefined ? [] : [resolved.warning],
  };
}

/** Returns a hook's own failure policy, or that of the call if the hook has none. */
export const resolveFailurePolicy = (entry: HookDescriptor, callPolicy: FailurePolicy): FailurePolicy =>
  entry.onError ?? callPolicy;
