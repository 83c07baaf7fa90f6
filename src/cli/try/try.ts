import type { AnyEvent } from "../../protocol/event.ts";
import type { HookEntry } from "../../protocol/hook.ts";
import type { Host } from "../../protocol/host/host.ts";
import { silence } from "../../protocol/host/silence.ts";
import { apart } from "../../author/testing/apart.ts";
import { tellContinuations } from "../../author/testing/call.ts";
import { fromOf, type Hooks } from "../hooks.ts";
import { matcherNotes } from "../list/list.ts";
import { settingsOf } from "../list/settings.ts";
import { ask, type Told } from "./ask.ts";
import type { Recorded } from "./payload.ts";
import type { CallReport, HostReport, Report, SettingReport } from "./report.ts";

/** What is to be tried. */
export interface Trial {
  event: AnyEvent;
  /** The payload that it comes from: its own host is sent that very one. */
  recorded?: Recorded;
  hosts: readonly Host[];
  /** Of the call: failure policy and time. */
  flags: readonly string[];
}

/** Asks the hooks on behalf of each host. Nothing is left behind but what hooks themselves do. */
export function tried(hooks: Hooks, trial: Trial): Promise<Report> {
  return apart(async () => {
    const reports: HostReport[] = [];
    // One after the other: hooks share this process.
    for (const host of trial.hosts) reports.push(await asked(hooks.entries, host, trial));
    const { _native, ...event } = trial.event;
    return {
      hooks: {
        from: fromOf(hooks),
        names: hooks.entries.map(({ name }) => name),
        options: await optionsOf(hooks.entries, trial.event.cwd),
        notes: await notesOn(hooks.entries, trial.event, reports),
      },
      event,
      hosts: reports,
    };
  });
}

async function asked(
  entries: readonly HookEntry[],
  host: Host,
  { event, recorded, flags }: Trial,
): Promise<HostReport> {
  const { id, name } = host;
  const told = recorded?.host === host ? [recorded] : firstOf((await host.speech()).payloads(event));
  if (told.length === 0) return { host: id, name, silence: silence(host, event), calls: [] };
  const calls: CallReport[] = [];
  for (const one of told) {
    tellContinuations(host, one.native_event, event);
    const { event: _, ...call } = await ask(entries, host, one, flags, process.env);
    calls.push(call);
  }
  return { host: id, name, calls };
}

/** What is told at the event that an installation hears of first. */
const firstOf = (told: readonly Told[]) => told.filter(({ native_event }) => native_event === told[0]?.native_event);

/** What is most likely wrong with the matchers of hooks that were not asked, on any host. */
async function notesOn(
  entries: readonly HookEntry[],
  { event }: AnyEvent,
  reports: readonly HostReport[],
): Promise<Record<string, string[]>> {
  const asked = new Set(
    reports.flatMap(({ calls }) =>
      calls.flatMap(({ hooks }) => hooks.filter(({ matched }) => matched).map(({ name }) => name)),
    ),
  );
  const silent = entries.filter(({ name, events }) => events.includes(event) && !asked.has(name));
  const notes = await Promise.all(silent.map(async (entry) => [entry.name, await matcherNotes(entry)] as const));
  return Object.fromEntries(notes.filter(([, found]) => found.length > 0));
}

async function optionsOf(entries: readonly HookEntry[], cwd: string): Promise<Record<string, SettingReport[]>> {
  const options: Record<string, SettingReport[]> = {};
  for (const entry of entries) {
    // One that does not load fails in the calls, where that is shown.
    const hook = await entry.load().catch(() => undefined);
    if (!hook) continue;
    const { settings } = await settingsOf(hook, entry.name, cwd);
    if (settings.length > 0)
      options[entry.name] = settings.map(({ name, value, scope, file }) => ({
        name,
        ...(value !== undefined && { value }),
        ...(scope && { scope, file }),
      }));
  }
  return options;
}
