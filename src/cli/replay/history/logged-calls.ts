import { existsSync } from "node:fs";
import type { Env, Host } from "../../../protocol/host/host.ts";
import type { LogLine } from "../../../call/log/log-line.ts";
import { getLogFile } from "../../../call/log/log-path.ts";
import { readLog } from "../../../operate/log/read-log.ts";
import { rebuildEvent } from "../rebuild-event.ts";
import { createHostHistory, type RecordedCall } from "./past-calls.ts";
import type { HostHistory } from "./report.ts";

/** A logged call, and its host's counts so far. */
interface LoggedCall {
  pastCall: RecordedCall;
  state: HostHistory;
}

/** The lines read from the decision log. */
export interface LoggedLines {
  file: string;
  /** The calls, newest first. */
  lines: readonly LogLine[];
}

/** The maximum number of lines to read. Older lines are ignored. */
const MAX_LINES = 50_000;

/** Reads the log's tool calls. Must be called before `work` switches to a temporary state directory. */
export function readLoggedLines(env: Env, since: number): LoggedLines {
  const lines: LogLine[] = [];
  for (const line of readLog(env, { skipped: 0 }, since)) {
    if (line.change || line.event !== "PreToolUse") continue;
    if (lines.push(line) >= MAX_LINES) break;
  }
  return { file: getLogFile(env), lines };
}

/** Rebuilds the hosts' calls from the decision log, newest first, in the form that each host sends. */
export async function* rebuildLoggedCalls(
  hosts: readonly Host[],
  { file, lines }: LoggedLines,
  states: HostHistory[],
): AsyncGenerator<LoggedCall> {
  const histories = new Map<string, { state: HostHistory; sessions: Set<string> }>();
  for (const line of lines) {
    const host = hosts.find(({ id }) => id === line.host);
    if (!host) continue;
    const { state, sessions } = histories.get(host.id) ?? {
      state: { ...createHostHistory(host.id, "log"), files: 1 },
      sessions: new Set<string>(),
    };
    if (!histories.has(host.id)) states.push(state);
    histories.set(host.id, { state, sessions });
    state.records++;
    const call = await rebuildCall(line, host);
    if (!call) {
      state.incomplete = (state.incomplete ?? 0) + 1;
      continue;
    }
    sessions.add(line.session ?? "");
    state.sessions = sessions.size;
    yield { pastCall: { host, call, file, id: line.id, at: Date.parse(line.time) }, state };
  }
}

/** Rebuilds a logged call's payload. Returns undefined if the log doesn't contain the whole call. */
async function rebuildCall(line: LogLine, host: Host): Promise<RecordedCall["call"] | undefined> {
  const cwd = [line.cwd, line.project].find((folder) => folder !== undefined && existsSync(folder)) ?? process.cwd();
  const { event } = rebuildEvent(line, cwd);
  const [sent] = event ? (await host.loadScriptCodec()).buildPayloads(event) : [];
  return sent && { native_event: sent.native_event, payload: sent.payload, session: line.session ?? "" };
}
