import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { createHostHistory, readPastCalls } from "../../src/cli/replay/history/past-calls.ts";
import { type AnyEvent, isToolCallEvent } from "../../src/protocol/event.ts";
import type { PastCall } from "../../src/protocol/host/history.ts";
import { getCapabilityRow, type Host, type Payload } from "../../src/protocol/host/host.ts";
import type { HostRun } from "./run.ts";

/** A hook call, with the fields a session record can contain. */
export interface NativeCall {
  native_event: string;
  payload: Payload;
}

/** Describes the parts of a call that policies judge, plus its session, directory and agent. */
export function describeCall(host: Host, { native_event, payload }: NativeCall): string {
  const { event } = host.decodePayload(payload, native_event, getCapabilityRow(host, native_event));
  const { session_id, cwd, agent_id } = event;
  const place = { session_id, cwd, ...(agent_id !== undefined && { agent_id }) };
  return JSON.stringify({ event: event.event, ...describeSubject(event), ...place });
}

function describeSubject(event: AnyEvent): object {
  if (!isToolCallEvent(event)) return event.event === "UserPromptSubmit" ? { prompt: event.prompt } : {};
  return { tool: event.tool, name: event.tool_name, input: event.input };
}

/** Rebuilds the calls and prompts from the session records in a home directory. */
export async function rebuildCalls(
  host: Host,
  home: string,
): Promise<{ calls: NativeCall[]; found: PastCall[]; problems: string[] }> {
  const reader = await host.loadHistory?.();
  if (!reader) return { calls: [], found: [], problems: [`${host.name} has no history reader`] };
  const folder = mkdtempSync(join(tmpdir(), "bh-history-"));
  const state = createHostHistory(host.id);
  const calls: PastCall[] = [];
  try {
    const machine = { home, env: {}, platform: process.platform };
    for await (const { call } of readPastCalls(host, reader, state, { machine, since: 0, folder })) calls.push(call);
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
  const unknown = Object.keys(state.unknown_records).map((kind) => `a record of an unknown kind: ${kind}`);
  const unread = state.unread > 0 ? [`${state.unread} records can't be read`] : [];
  const unseen = Object.keys(state.releases).filter((release) => !reader.releases.includes(release));
  return {
    calls,
    found: calls,
    problems: [...state.problems, ...unknown, ...unread, ...unseen.map((one) => `release ${one}`)],
  };
}

/** Events that session records contain. All others are sent only to hooks. */
const REBUILT_EVENTS = ["PreToolUse", "UserPromptSubmit"];

/**
 * Whether the host generated the prompt to wake itself up. When a background agent finishes, this happens only if it
 * ended before the main agent's turn did [seen Claude Code 2.1.330, 2026-11-27].
 */
const isWakeUp = (prompt: string) => prompt === "" || prompt.startsWith("<task-notification>");

/** Selects those calls that session records contain. */
const selectRebuilt = <T extends NativeCall>(host: Host, calls: readonly T[]): T[] =>
  calls.filter(({ native_event, payload }) => {
    const row = getCapabilityRow(host, native_event);
    if (!REBUILT_EVENTS.includes(row.event ?? "")) return false;
    const { event } = host.decodePayload(payload, native_event, row);
    return event.event !== "UserPromptSubmit" || !isWakeUp(event.prompt);
  });

/** Compares calls by `describeCall`, regardless of their order. Returns [only in the first, only in the second]. */
export function compareCalls(
  host: Host,
  first: readonly NativeCall[],
  second: readonly NativeCall[],
): [string[], string[]] {
  const left = second.map((call) => describeCall(host, call));
  const missing = first
    .map((call) => describeCall(host, call))
    .filter((text) => {
      const at = left.indexOf(text);
      if (at >= 0) left.splice(at, 1);
      return at < 0;
    });
  return [missing, left];
}

/** Describes how the host's session records differ from the calls its hooks received, if they do. */
export async function findHistoryProblem(host: Host, { calls, place, sessions }: HostRun): Promise<string | undefined> {
  if (!host.loadHistory) return undefined;
  const homes = new Set(sessions.map(({ home }) => home ?? place.home));
  const rebuilt = await Promise.all([...homes].map((home) => rebuildCalls(host, home)));
  // A home directory may hold records from several runs.
  const own = rebuilt.flatMap(({ calls: found }) => found.filter((call) => describeCwd(host, call) === place.project));
  const [missing, more] = compareCalls(host, selectRebuilt(host, calls), selectRebuilt(host, own));
  const problems = [
    ...rebuilt.flatMap(({ problems: found }) => found),
    ...missing.map((text) => `not in the records: ${text}`),
    ...more.map((text) => `only in the records: ${text}`),
  ];
  return problems.length === 0 ? undefined : `the host's records of the session: ${problems.join("; ")}`;
}

const describeCwd = (host: Host, { native_event, payload }: NativeCall): string =>
  host.decodePayload(payload, native_event, getCapabilityRow(host, native_event)).event.cwd;
