import { existsSync, mkdirSync, readFileSync } from "node:fs";
import { availableParallelism } from "node:os";
import { join } from "node:path";
import type { HookDescriptor } from "../../protocol/hook.ts";
import type { Host, Payload } from "../../protocol/host/host.ts";
import { isToolCallEvent } from "../../protocol/event.ts";
import { hosts } from "../../hosts/index.ts";
import { runHook } from "../terminal/process.ts";
import { simulateCall, interpretAnswer } from "../try/simulate-call.ts";
import { parseJsonObject } from "../try/json.ts";
import { type Recording, decodeRecording } from "../try/recording.ts";
import { describeSubject } from "../try/subject.ts";
import { findVerdict, formatVerdict } from "../try/verdict.ts";
import { listCauses, listUnreplayedHooks } from "./causes.ts";
import type { AnswerReport, ReplayRow, ReplayTotals } from "./report.ts";
import { readDocuments, type RecordedDocument, type PayloadSource } from "./source.ts";

export interface ReplayOptions {
  sources: readonly PayloadSource[];
  /** The host to assume for payloads that don't name theirs. */
  from?: Host;
  event?: string;
  /** The hosts whose payloads are replayed; empty for all. */
  only: readonly Host[];
  flags: readonly string[];
  /** The executable to compare with. */
  against?: string;
  /** The compared executable's state directory, initially empty. */
  state: string;
  /** Hooks to skip. Each row then contains the other hooks' decisions. */
  unasked?: readonly HookDescriptor[];
}

/**
 * Replays payloads in order. The other executable answers a session's payloads one by one, because hooks can remember
 * earlier calls. Different sessions run in parallel, one per processor.
 */
export async function* replayPayloads(
  entries: readonly HookDescriptor[],
  replay: ReplayOptions,
): AsyncGenerator<ReplayRow> {
  const pendingRows: Promise<ReplayRow | undefined>[] = [];
  const concurrency = replay.against === undefined ? 1 : availableParallelism();
  for (const source of replay.sources) {
    for await (const document of readDocuments(source)) {
      // Replay one payload at a time, because hooks can keep state.
      pendingRows.push(replayDocument(document, await decodeDocument(document, replay), entries, replay));
      if (pendingRows.length < concurrency) continue;
      const row = await pendingRows.shift();
      if (row) yield row;
    }
  }
  for (const pendingRow of pendingRows) {
    const row = await pendingRow;
    if (row) yield row;
  }
}

let lastCall: Promise<unknown> = Promise.resolve();

/** The compared executable's last call in each session. */
const sessionQueues = new Map<string, Promise<unknown>>();

/** Runs `work` after all earlier work for the same session has finished. */
function queueForSession<T>(session: string, work: () => Promise<T>): Promise<T> {
  const result = (sessionQueues.get(session) ?? Promise.resolve()).then(work);
  const done: Promise<unknown> = result
    .catch(() => {})
    .then(() => {
      if (sessionQueues.get(session) === done) sessionQueues.delete(session);
    });
  sessionQueues.set(session, done);
  return result;
}

/** Decodes a payload, or returns the reason why decoding fails. */
async function decodeDocument(
  { text, problem = "" }: RecordedDocument,
  replay: ReplayOptions,
): Promise<ReplayedCall | string> {
  if (text === undefined) return problem;
  try {
    return await parseCall(text, replay);
  } catch (error) {
    return (error as Error).message;
  }
}

/** Replays a payload. Returns undefined if the payload's host isn't selected. */
async function replayDocument(
  document: RecordedDocument,
  call: ReplayedCall | string,
  entries: readonly HookDescriptor[],
  replay: ReplayOptions,
): Promise<ReplayRow | undefined> {
  const { text: _, problem: __, ...position } = document;
  if (typeof call === "string") return { ...position, error: call };
  const { host, native_event, event } = call;
  if (replay.only.length > 0 && !replay.only.includes(host)) return undefined;
  // Hooks share this process, so calls run one at a time. The other executable runs independently.
  const { against } = replay;
  const session = JSON.stringify([host.id, event.session_id]);
  const otherAnswer =
    against === undefined ? undefined : queueForSession(session, () => askOtherExecutable(against, call, replay));
  const simulation = lastCall.then(() => simulateCall(entries, host, call, [...call.argv, ...replay.flags]));
  lastCall = simulation;
  const {
    decision,
    response,
    stdout,
    stderr,
    exit_code,
    append,
    problem: why,
    ms,
    hooks,
    event: seen,
  } = await simulation;
  const answer = {
    decision,
    response,
    stdout,
    stderr,
    exit_code,
    ...(append && { append }),
    ...(why !== undefined && { problem: why }),
  };
  const failures = hooks.flatMap(({ name, failure, at }) =>
    failure === undefined ? [] : [{ hook: name, failure, ...(at && { at }) }],
  );
  const verdict = findVerdict([{ hooks }]);
  const row: ReplayRow = {
    ...position,
    host: host.id,
    native_event,
    event: event.event,
    ...(isToolCallEvent(event) && { tool: event.tool }),
    subject: describeSubject(event),
    answer,
    ...(verdict?.withheld && { withheld: formatVerdict(verdict) }),
    ...(verdict?.decision === "warn" && !verdict.withheld && { warned: true as const }),
    failures,
    ...(replay.unasked && { causes: listCauses(hooks), unknown: listUnreplayedHooks(replay.unasked, seen ?? event) }),
    ms,
  };
  return otherAnswer === undefined ? row : compareAnswers(row, answer, await otherAnswer);
}

/** A payload in the form sent to an executable. */
interface ReplayedCall extends Recording {
  text: string;
  /** The flags recorded with the payload. */
  argv: readonly string[];
}

/**
 * Parses a payload or a `serve` request. If a request's payload doesn't name the event, it is taken from the request's
 * arguments.
 */
async function parseCall(text: string, { from: host, event: hint }: ReplayOptions): Promise<ReplayedCall> {
  const document = parseJsonObject(text, "it");
  const { argv, payload } = document;
  const request = Array.isArray(argv) && typeof payload === "object" && payload !== null;
  if (!request) return { ...(await decodeRecording(document, host, hint)), text, argv: [] };
  const words = argv.map(String);
  const readFlag = (flag: string) => (words.includes(flag) ? words[words.indexOf(flag) + 1] : undefined);
  const namedHost = host ?? hosts.find(({ id }) => id === readFlag("--host"));
  const recording = await decodeRecording(payload as Payload, namedHost, readFlag("--event") ?? hint);
  return { ...recording, text: JSON.stringify(payload), argv: words };
}

async function askOtherExecutable(
  program: string,
  call: ReplayedCall,
  { flags, state }: ReplayOptions,
): Promise<AnswerReport> {
  const { host, native_event, text, argv } = call;
  const line = [program, "--host", host.id, "--event", native_event, ...argv, ...flags];
  const scriptCodec = await host.loadScriptCodec();
  const { envFileVariable: variable = "" } = scriptCodec;
  // Use a new file, so that the replay doesn't append text to a session's real file.
  const file = variable && join(state, crypto.randomUUID());
  mkdirSync(state, { recursive: true });
  const env = {
    ...process.env,
    XDG_STATE_HOME: state,
    LOCALAPPDATA: state,
    ...(file && { [variable]: file }),
  } as Record<string, string>;
  const { stdout, stderr, exit_code, problem } = await runHook({ argv: line, cwd: process.cwd(), env, stdin: text });
  if (problem !== undefined) return { decision: "failed", response: {}, stdout, stderr, exit_code, problem };
  const append = file && existsSync(file) ? { variable, text: readFileSync(file, "utf8") } : undefined;
  return {
    ...interpretAnswer(scriptCodec, call, { stdout, stderr, exit_code }),
    stdout,
    stderr,
    exit_code,
    ...(append && { append }),
  };
}

const COMPARED_FIELDS = ["decision", "stdout", "stderr", "append", "exit_code"] as const;

const compareAnswers = (row: ReplayRow, answer: AnswerReport, otherAnswer: AnswerReport): ReplayRow => ({
  ...row,
  before: otherAnswer,
  changed: COMPARED_FIELDS.filter((field) => !Bun.deepEquals(answer[field], otherAnswer[field])),
});

export const createTotals = ({ against }: Pick<ReplayOptions, "against">): ReplayTotals => ({
  payloads: 0,
  unread: 0,
  failed: 0,
  withheld: 0,
  warned: 0,
  decisions: { deny: 0, ask: 0, allow: 0, none: 0, failed: 0 },
  ...(against !== undefined && { changed: 0, changes: {} }),
  ms: { mean: 0, most: 0 },
});

/** Marks an answer with the same decision but different text. */
const TEXT_CHANGE = "other words";

export function addToTotals(
  totals: ReplayTotals,
  { answer, withheld, warned, before, failures = [], ms = 0, changed = [] }: ReplayRow,
): void {
  if (!answer) {
    totals.unread++;
    return;
  }
  totals.payloads++;
  totals.decisions[answer.decision]++;
  if (failures.length > 0) totals.failed++;
  if (withheld !== undefined) totals.withheld++;
  if (warned) totals.warned++;
  if (changed.length > 0) totals.changed = (totals.changed ?? 0) + 1;
  if (before && totals.changes && changed.length > 0) {
    const change = changed.includes("decision") ? `${before.decision} → ${answer.decision}` : TEXT_CHANGE;
    totals.changes[change] = (totals.changes[change] ?? 0) + 1;
  }
  totals.ms.mean += (ms - totals.ms.mean) / totals.payloads;
  totals.ms.most = Math.max(totals.ms.most, ms);
}
