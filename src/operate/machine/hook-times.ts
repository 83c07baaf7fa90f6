import type { EventName } from "../../protocol/event.ts";
import type { HookDescriptor } from "../../protocol/hook.ts";
import { pickCell } from "../../protocol/capability.ts";
import { type Host, getCapabilityRow } from "../../protocol/host/host.ts";
import type { Finding, Setup } from "../../protocol/host/install.ts";
import { sumRequestedMs, allotTime } from "../../call/ask/share-time.ts";
import { DEADLINE_MS } from "../../call/context.ts";
import type { AnyOptions } from "../../call/options.ts";
import { createNote, createRedFinding } from "../../hosts/setup/findings.ts";
import { hosts } from "../../hosts/index.ts";
import { planEntryTime, readGrantedSeconds } from "../../hosts/setup/entry-time.ts";
import type { InstalledEntry } from "./plan.ts";
import { collectEventRequirements } from "./desired-entries.ts";

/** A hook that gets less time than it requests, and the time it gets. */
interface TimeShortage {
  hook: HookDescriptor;
  /** Guaranteed time for the hook, in milliseconds. */
  ms: number;
}

/** Lists an event's hooks that can't get their requested time within `call_ms` milliseconds. */
function findTimeShortages(entries: readonly HookDescriptor[], event: EventName, call_ms: number): TimeShortage[] {
  const hooks = entries.filter(({ events }) => events.includes(event));
  if (sumRequestedMs(hooks) <= call_ms) return [];
  return hooks.flatMap((hook) => {
    const otherHooks = hooks.filter((otherHook) => otherHook !== hook);
    const ms = allotTime(hook, otherHooks, call_ms);
    return hook.timeoutMs !== undefined && ms < hook.timeoutMs ? [{ hook, ms }] : [];
  });
}

const describeTimeShortage = ({ hook: { name, timeoutMs }, ms }: TimeShortage) =>
  `the hook "${name}" requests ${timeoutMs} ms but gets ${ms} ms`;

/** Describes the hooks that can't get their requested time on a host because the host's maximum is too low. */
export function describeHostLimits(
  host: Host,
  setup: Setup,
  entries: readonly HookDescriptor[],
): [HookDescriptor, string][] {
  const wantedEvents = collectEventRequirements(entries);
  return setup.planSubscriptions(wantedEvents).flatMap(({ native_event }) => {
    const { event } = getCapabilityRow(host, native_event);
    const wanted_ms = wantedEvents.find((one) => one.event === event)?.ms;
    const { timeout_s, call_ms } = planEntryTime(setup.timeGrants, { native_event, wanted_ms });
    return findTimeShortages(entries, event, call_ms).map((shortTime): [HookDescriptor, string] => [
      shortTime.hook,
      `${host.name} limits ${native_event} to ${timeout_s} s: ${describeTimeShortage(shortTime)}`,
    ]);
  });
}

/** Describes, for each hook, the hosts that can't give it the time it requests. */
export async function describeAllHostLimits(
  entries: readonly HookDescriptor[],
): Promise<ReadonlyMap<HookDescriptor, string[]>> {
  const limits = new Map<HookDescriptor, string[]>();
  for (const host of hosts)
    for (const [hook, text] of describeHostLimits(host, await host.setup(), entries))
      limits.set(hook, [...(limits.get(hook) ?? []), text]);
  return limits;
}

/** Time reserved for delivering the answer, between a call's time limit and the host's timeout, in milliseconds. */
const ANSWER_MS = 500;

/** Checks an entry's time limit against the host's timeout and the time that the hooks need. */
export function checkEntryTime(
  { host, setup, entries }: { host: Host; setup: Setup; entries: readonly HookDescriptor[] },
  { file, entry, options }: { file: string; entry: InstalledEntry["entry"]; options: AnyOptions },
  reinstallCommand: string,
): Finding[] {
  const { native_event } = entry;
  const row = getCapabilityRow(host, native_event);
  const call_ms = options.timeoutMs ?? DEADLINE_MS;
  const grantedSeconds = readGrantedSeconds(setup.timeGrants, entry);
  const findings: Finding[] = [];
  if (grantedSeconds !== undefined && grantedSeconds * 1000 < call_ms + ANSWER_MS)
    findings.push({
      check: "entry-time",
      // If the event can't deny, a lost answer isn't dangerous.
      level: pickCell(row.deny, undefined).support === "unenforceable" ? "note" : "red",
      what: `${file}: ${host.name} stops ${native_event} calls after ${grantedSeconds} s, but a call may take ${call_ms} ms`,
      impact: "the host stops slow hooks, and their answers are lost",
      fix: `give the entry a longer timeout or a shorter --timeout-ms, or ${reinstallCommand}`,
    });
  const { max_s } = setup.timeGrants.events?.[native_event] ?? setup.timeGrants;
  for (const shortTime of findTimeShortages(entries, row.event, call_ms)) {
    const what = `${file}: ${native_event}: ${describeTimeShortage(shortTime)}`;
    const impact = "the hook is stopped before it can answer, and the hook's failure policy applies";
    const isGranted = max_s === undefined || max_s * 1000 > call_ms + ANSWER_MS * 2;
    findings.push(
      isGranted
        ? createRedFinding("hook-time", what, impact, reinstallCommand)
        : createNote("hook-time", what, impact, `${host.name} allows at most ${max_s} s; lower timeoutMs in the hook`),
    );
  }
  return findings;
}
