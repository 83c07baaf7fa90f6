import { statSync } from "node:fs";
import type { HistoryReader, HistorySource, PastCall } from "../../../protocol/host/history.ts";
import type { Host } from "../../../protocol/host/host.ts";
import type { MachineContext } from "../../../protocol/host/install.ts";
import { explainSystemError } from "../../system-errors.ts";
import { formatPath } from "../../terminal/layout.ts";
import { type FoundRecord, readRecords } from "./records.ts";
import type { HostHistory } from "./report.ts";

/** A call from a past session, and where it is recorded. */
export interface RecordedCall {
  host: Host;
  call: PastCall;
  file: string;
  /** The line number of the record. Absent if the call comes from the log. */
  line?: number;
  /** The log line's ID. */
  id?: string;
  /**
   * When the call happened, in milliseconds since the epoch. If the record doesn't say, the file's modification time.
   */
  at: number;
}

export interface HistoryOptions {
  machine: Pick<MachineContext, "home" | "env" | "platform">;
  /** The start time, in milliseconds since the epoch. Earlier calls are skipped. */
  since: number;
  /** A directory for temporary copies. */
  folder: string;
  /** Called periodically with a host's progress. */
  onProgress?: (host: Host, state: HostHistory, files: number) => void;
}

/** The maximum number of names in each of a report's lists: unknown record kinds, problem files and releases. */
const MAX_NAMES = 20;

export const createHostHistory = (id: string, source: HostHistory["source"] = "records"): HostHistory => ({
  host: id,
  source,
  files: 0,
  older_files: 0,
  records: 0,
  calls: 0,
  prompts: 0,
  sessions: 0,
  repeated: 0,
  unread: 0,
  unknown_records: {},
  releases: {},
  problems: [],
});

/** Reads the calls and prompts in a host's own records and updates `state`. */
export async function* readPastCalls(
  host: Host,
  reader: HistoryReader,
  state: HostHistory,
  options: HistoryOptions,
): AsyncGenerator<RecordedCall> {
  const seenFiles = new Set<number | bigint>();
  const sessions = new Set<string>();
  const sources = listSources(reader, state, options);
  for (const source of sources) {
    const changeTime = describeFile(source, state);
    if (changeTime === undefined) continue;
    if (source.kind !== "database" && changeTime < options.since) {
      state.older_files++;
      continue;
    }
    state.files++;
    for await (const pastCall of readSource(reader, source, state, options)) {
      const at = pastCall.call.at ?? changeTime;
      if (at < options.since) continue;
      const { id, session } = pastCall.call;
      const key = id === undefined ? undefined : Bun.hash(`${pastCall.call.native_event} ${id}`);
      if (key !== undefined && seenFiles.has(key)) {
        state.repeated++;
        continue;
      }
      if (key !== undefined) seenFiles.add(key);
      sessions.add(session);
      state.sessions = sessions.size;
      options.onProgress?.(host, state, sources.length);
      yield { host, ...pastCall, file: source.path, at };
    }
  }
}

function listSources(reader: HistoryReader, state: HostHistory, { machine }: HistoryOptions): HistorySource[] {
  try {
    return reader.listSources(machine);
  } catch (error) {
    recordProblem(state, explainSystemError(error));
    return [];
  }
}

/** Returns when a file was last modified, or undefined if the time is unknown. */
function describeFile({ path }: HistorySource, state: HostHistory): number | undefined {
  try {
    return statSync(path).mtimeMs;
  } catch (error) {
    recordProblem(state, `${formatPath(path)}: ${explainSystemError(error)}`);
    return undefined;
  }
}

async function* readSource(
  reader: HistoryReader,
  source: HistorySource,
  state: HostHistory,
  { since, folder }: HistoryOptions,
): AsyncGenerator<{ call: PastCall; line: number }> {
  const session = reader.openSource(source);
  try {
    for await (const record of readRecords(source, since, folder)) {
      state.records++;
      for (const call of readCalls(session.readRecord, record, state)) yield { call, line: record.line };
    }
  } catch (error) {
    recordProblem(state, `${formatPath(source.path)}: ${explainSystemError(error)}`);
  }
}

function readCalls(
  readRecord: ReturnType<HistoryReader["openSource"]>["readRecord"],
  { record, problem }: FoundRecord,
  state: HostHistory,
): readonly PastCall[] {
  if (record === undefined || problem !== undefined) {
    state.unread++;
    return [];
  }
  try {
    const calls = readRecord(record);
    if (typeof calls !== "string") return calls;
    countName(state.unknown_records, calls.slice(0, 60));
  } catch {
    // The record has an unexpected shape.
    state.unread++;
  }
  return [];
}

/** Counts a name. Beyond the limit, new names count as "others". */
export function countName(counts: Record<string, number>, name: string): void {
  const key = Object.hasOwn(counts, name) || Object.keys(counts).length < MAX_NAMES ? name : "others";
  counts[key] = (counts[key] ?? 0) + 1;
}

function recordProblem(state: HostHistory, problem: string): void {
  if (state.problems.length < MAX_NAMES) state.problems.push(problem);
  else if (state.problems.length === MAX_NAMES) state.problems.push("and more");
}
