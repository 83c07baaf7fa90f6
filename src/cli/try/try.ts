import type { AnyEvent } from "../../protocol/event.ts";
import type { HookDescriptor } from "../../protocol/hook.ts";
import { type Host, getCapabilityRow } from "../../protocol/host/host.ts";
import { getFailurePolicyAt } from "../../hosts/setup/entries.ts";
import { explainMissingPayload } from "../../protocol/host/missing-payload.ts";
import { runInTempDir } from "../../author/testing/temp-dir.ts";
import { storeContinuations } from "../../author/testing/call.ts";
import { describeHooksOrigin, type HookSet } from "../find-hooks.ts";
import { collectMatcherNotes } from "../list/list.ts";
import { openConfigFiles } from "../../policy/files.ts";
import { isOwnSetting, resolveHookSettings } from "../../policy/check/hook-settings.ts";
import { identifyPolicy } from "../../operate/policy/identity.ts";
import { simulateCall, type SentEvent } from "./simulate-call.ts";
import type { Recording } from "./recording.ts";
import type { CallReport, TryHostReport, TryReport, SettingReport } from "./report.ts";

/** An event to try, and the hosts to try it on. */
interface TryInput {
  event: AnyEvent;
  /** The recording that contains the event. The host it came from receives exactly the recorded payload. */
  recorded?: Recording;
  hosts: readonly Host[];
  /** Flags of the hook call. Without a failure policy, each call uses the policy that `install` writes. */
  flags: readonly string[];
}

/** Runs the hooks for each host. Only the hooks themselves can have lasting effects. */
export async function tryHooks(hooks: HookSet, trial: TryInput): Promise<TryReport> {
  const reports: TryHostReport[] = [];
  // Run one at a time, because hooks share this process. Hosts share no state, so each gets the notices of a new session.
  for (const host of trial.hosts) reports.push(await runInTempDir(() => simulateHost(hooks.entries, host, trial)));
  return runInTempDir(async () => {
    const { _native, ...event } = trial.event;
    return {
      policy: await identifyPolicy(hooks, trial.event.cwd),
      hooks: {
        from: describeHooksOrigin(hooks),
        names: hooks.entries.map(({ name }) => name),
        options: await collectOptions(hooks.entries, trial.event.cwd),
        notes: await collectMatcherNotesByHook(hooks.entries, trial.event, reports),
      },
      event,
      hosts: reports,
    };
  });
}

async function simulateHost(
  entries: readonly HookDescriptor[],
  host: Host,
  { event, recorded, flags }: TryInput,
): Promise<TryHostReport> {
  const { id, name } = host;
  const payloads =
    recorded?.host === host ? [recorded] : keepFirstEvent((await host.loadScriptCodec()).buildPayloads(event));
  if (payloads.length === 0) return { host: id, name, silence: explainMissingPayload(host, event), calls: [] };
  const calls: CallReport[] = [];
  for (const payload of payloads) {
    storeContinuations(host, payload.native_event, event);
    const policy = flags.includes("--on-error") ? [] : formatInstalledPolicy(host, payload.native_event);
    const { event: _, ...call } = await simulateCall(entries, host, payload, [...policy, ...flags]);
    calls.push(call);
  }
  return { host: id, name, calls };
}

/** Formats the failure policy flags that `install` writes into an event's entry. */
const formatInstalledPolicy = (host: Host, native_event: string) => [
  "--on-error",
  getFailurePolicyAt(getCapabilityRow(host, native_event), "deny"),
];

/** Keeps only the payloads of the first native event, which a real installation would receive before the others. */
const keepFirstEvent = (payloads: readonly SentEvent[]) =>
  payloads.filter(({ native_event }) => native_event === payloads[0]?.native_event);

/** Collects likely matcher mistakes of hooks that no host called. */
async function collectMatcherNotesByHook(
  entries: readonly HookDescriptor[],
  { event }: AnyEvent,
  reports: readonly TryHostReport[],
): Promise<Record<string, string[]>> {
  const calledHooks = new Set(
    reports.flatMap(({ calls }) =>
      calls.flatMap(({ hooks }) => hooks.filter(({ matched }) => matched).map(({ name }) => name)),
    ),
  );
  const uncalledHooks = entries.filter(({ name, events }) => events.includes(event) && !calledHooks.has(name));
  const notes = await Promise.all(
    uncalledHooks.map(async (entry) => [entry.name, await collectMatcherNotes(entry)] as const),
  );
  return Object.fromEntries(notes.filter(([, found]) => found.length > 0));
}

async function collectOptions(
  entries: readonly HookDescriptor[],
  cwd: string,
): Promise<Record<string, SettingReport[]>> {
  const options: Record<string, SettingReport[]> = {};
  const files = openConfigFiles(cwd);
  for (const entry of entries) {
    // A hook that doesn't load fails in each call, which shows the error.
    const settings = (await resolveHookSettings(entry, files)).settings.filter(isOwnSetting);
    if (settings.length > 0)
      options[entry.name] = settings.map(({ name, value, scope, file }) => ({
        name,
        ...(value !== undefined && { value }),
        ...(scope && { scope, file }),
      }));
  }
  return options;
}
