import { existsSync, mkdirSync, readFileSync } from "node:fs";
import { availableParallelism } from "node:os";
import { join } from "node:path";
import type { HookEntry } from "../../protocol/hook.ts";
import type { Host, Payload } from "../../protocol/host/host.ts";
import { isCall } from "../../protocol/event.ts";
import { runHook } from "../terminal/process.ts";
import { ask, verdictOf } from "../try/ask.ts";
import { parsedObject } from "../try/json.ts";
import { type Recorded, recorded } from "../try/payload.ts";
import { subjectOf } from "../try/subject.ts";
import type { AnswerReport, Row, Totals } from "./report.ts";
import { documentsOf, type Found, type Source } from "./source.ts";

export interface Replay {
  sources: readonly Source[];
  /** Whose payloads they are, and at which of its events, where they don't say. */
  from?: Host;
  event?: string;
  /** The hosts whose payloads are replayed; none: all. */
  only: readonly Host[];
  flags: readonly string[];
  /** The other executable. */
  against?: string;
  /** Where that is to keep its state: an empty folder. */
  state: string;
}

/**
 * What comes of each payload, in order. Another executable answers those of one session one after the other, since hooks may remember
 * what was before; of several sessions as many at once as there are processors.
 */
export async function* replayed(entries: readonly HookEntry[], replay: Replay): AsyncGenerator<Row> {
  const flying: Promise<Row | undefined>[] = [];
  const most = replay.against === undefined ? 1 : availableParallelism();
  for (const source of replay.sources) {
    for await (const found of documentsOf(source)) {
      // Read one after the other: hooks may keep what they saw.
      flying.push(rowOf(found, await read(found, replay), entries, replay));
      if (flying.length < most) continue;
      const row = await flying.shift();
      if (row) yield row;
    }
  }
  for (const flown of flying) {
    const row = await flown;
    if (row) yield row;
  }
}

let last: Promise<unknown> = Promise.resolve();

/** What the other executable is asked last, by session. */
const sessions = new Map<string, Promise<unknown>>();

/** Does work when what was there to do for a session is done. */
function afterwards<T>(session: string, work: () => Promise<T>): Promise<T> {
  const result = (sessions.get(session) ?? Promise.resolve()).then(work);
  const done: Promise<unknown> = result
    .catch(() => {})
    .then(() => {
      if (sessions.get(session) === done) sessions.delete(session);
    });
  sessions.set(session, done);
  return result;
}

/** What is known of a payload, or why nothing is. */
async function read({ text, problem = "" }: Found, replay: Replay): Promise<Sent | string> {
  if (text === undefined) return problem;
  try {
    return await sent(text, replay);
  } catch (error) {
    return (error as Error).message;
  }
}

/** What comes of a payload; nothing for one that is not asked for. */
async function rowOf(
  found: Found,
  known: Sent | string,
  entries: readonly HookEntry[],
  replay: Replay,
): Promise<Row | undefined> {
  const { text: _, problem: __, ...place } = found;
  if (typeof known === "string") return { ...place, error: known };
  const { host, native_event, event } = known;
  if (replay.only.length > 0 && !replay.only.includes(host)) return undefined;
  // Hooks share this process; the other executable needs none of it.
  const { against } = replay;
  const session = JSON.stringify([host.id, event.session_id]);
  const before = against === undefined ? undefined : afterwards(session, () => other(against, known, replay));
  const asked = last.then(() => ask(entries, host, known, [...known.argv, ...replay.flags], process.env, known.text));
  last = asked;
  const { decision, response, stdout, stderr, exit_code, append, problem: why, ms, hooks } = await asked;
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
  const row: Row = {
    ...place,
    host: host.id,
    native_event,
    event: event.event,
    ...(isCall(event) && { tool: event.tool }),
    subject: subjectOf(event),
    answer,
    failures,
    ms,
  };
  return before === undefined ? row : compared(row, answer, await before);
}

/** A payload as it goes to an executable. */
interface Sent extends Recorded {
  text: string;
  /** Flags that were recorded with it. */
  argv: readonly string[];
}

/** A payload, or a line of what `serve` is sent: that says the event where the payload does not. */
async function sent(text: string, { from: host, event: hint }: Replay): Promise<Sent> {
  const document = parsedObject(text, "it");
  const { argv, payload } = document;
  const request = Array.isArray(argv) && typeof payload === "object" && payload !== null;
  if (!request) return { ...(await recorded(document, host, hint)), text, argv: [] };
  const words = argv.map(String);
  const at = words.indexOf("--event");
  const told = await recorded(payload as Payload, host, at < 0 ? hint : words[at + 1]);
  return { ...told, text: JSON.stringify(payload), argv: words };
}

/** What the other executable answers. */
async function other(program: string, known: Sent, { flags, state }: Replay): Promise<AnswerReport> {
  const { host, native_event, text, argv } = known;
  const line = [program, "--host", host.id, "--event", native_event, ...argv, ...flags];
  const speech = await host.speech();
  const { appends: variable = "" } = speech;
  // What it appends would else go to a session's own file.
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
    ...verdictOf(speech, known, { stdout, stderr, exit_code }),
    stdout,
    stderr,
    exit_code,
    ...(append && { append }),
  };
}

const COMPARED = ["decision", "stdout", "stderr", "append", "exit_code"] as const;

const compared = (row: Row, answer: AnswerReport, before: AnswerReport): Row => ({
  ...row,
  before,
  changed: COMPARED.filter((field) => !Bun.deepEquals(answer[field], before[field])),
});

/** Nothing replayed so far. */
export const nothing = (against: boolean): Totals => ({
  payloads: 0,
  unread: 0,
  failed: 0,
  decisions: { deny: 0, ask: 0, allow: 0, none: 0, failed: 0 },
  ...(against && { changed: 0, changes: {} }),
  ms: { mean: 0, most: 0 },
});

/** What changes at a payload where the decision stays. */
const OTHER_WORDS = "other words";

/** Adds a row. */
export function count(totals: Totals, { answer, before, failures = [], ms = 0, changed = [] }: Row): void {
  if (!answer) {
    totals.unread++;
    return;
  }
  totals.payloads++;
  totals.decisions[answer.decision]++;
  if (failures.length > 0) totals.failed++;
  if (changed.length > 0) totals.changed = (totals.changed ?? 0) + 1;
  if (before && totals.changes && changed.length > 0) {
    const change = changed.includes("decision") ? `${before.decision} → ${answer.decision}` : OTHER_WORDS;
    totals.changes[change] = (totals.changes[change] ?? 0) + 1;
  }
  totals.ms.mean += (ms - totals.ms.mean) / totals.payloads;
  totals.ms.most = Math.max(totals.ms.most, ms);
}
