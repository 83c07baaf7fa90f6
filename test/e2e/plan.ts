import { existsSync, mkdirSync, readdirSync, readFileSync, renameSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import type { IHookResponse } from "bridge-hooks";

/** A fault that the probe produces on an event. */
export type ProbeFault = "throw" | "hang" | "loop" | "noise" | "exit" | "rubbish" | "wait";

/** Time that the fault `wait` takes to answer, unless the agent has already continued. */
export const WAIT_MS = 60_000;

/** An answer in the host's own format, bypassing bridge-hooks. */
export interface RawAnswer {
  document: unknown;
  stderr?: string;
  code?: number;
}

/** One action of the hook. The first rule that matches a call applies. */
export interface PlanRule {
  /** Native event name. */
  event: string;
  /** Applies only to this tool, by its native name. */
  tool?: string;
  /** Applies only inside a subagent (true), or only outside (false). */
  agent?: boolean;
  /** Applies only to payloads that contain this string. */
  has?: string;
  /** Applies only after this many calls of the event. */
  after?: number;
  answer?: IHookResponse;
  way?: ProbeFault;
  raw?: RawAnswer;
}

/** A recorded hook call. */
export interface ProbeCall {
  native_event: string;
  tool?: string;
  /** ID of the subagent that made the call, as received by hooks. */
  agent?: string;
  payload: Record<string, unknown>;
  /** Command line of the executable. */
  argv: string[];
  /** Value of the session variable in the hook's environment. */
  variable?: string;
  /** Time of the call, in milliseconds since 1970. */
  at: number;
}

/** Whether a subagent made a call, for any host's field names. */
export const isSubagentCall = ({ payload, agent }: Pick<ProbeCall, "payload" | "agent">): boolean =>
  // Some hosts also name the main agent, and the parent agent of subagents.
  "parent_agent_id" in payload
    ? payload.parent_agent_id !== null
    : (agent ?? payload.agent_id ?? payload.agentId) !== undefined;

/** Session variable set by answers. */
export const SESSION_VARIABLE = "BRIDGE_E2E_VARIABLE";

/** Environment variable that contains the run's directory. */
export const RUN_VARIABLE = "BRIDGE_E2E_RUN";

/**
 * Returns the run directory that contains a project, because a host that serves many runs doesn't have this directory
 * in its environment.
 */
function findRunFolder(folder: string): string | undefined {
  if (existsSync(join(folder, "plan.json"))) return folder;
  return dirname(folder) === folder ? undefined : findRunFolder(dirname(folder));
}

/** Records a call in the run's directory and returns the matching rule of the run's plan. */
export function recordCall(call: Omit<ProbeCall, "at" | "variable">): PlanRule | undefined {
  const folder = process.env[RUN_VARIABLE] ?? findRunFolder(String(call.payload.cwd ?? ""));
  if (!folder) return undefined;
  mkdirSync(join(folder, "calls"), { recursive: true });
  const earlier = countCalls(folder, call.native_event);
  const at = performance.timeOrigin + performance.now();
  const file = join(folder, "calls", `${at.toFixed(3)}-${process.pid}`);
  writeFileSync(
    `${file}.part`,
    JSON.stringify({ ...call, at, variable: process.env[SESSION_VARIABLE] } satisfies {
      [K in keyof ProbeCall]: ProbeCall[K] | undefined;
    }),
  );
  renameSync(`${file}.part`, `${file}.json`);
  const plan = JSON.parse(readFileSync(join(folder, "plan.json"), "utf8")) as PlanRule[];
  return plan.find(
    ({ event, tool, agent, has, after = 0 }) =>
      event === call.native_event &&
      (tool === undefined || tool === call.tool) &&
      (agent === undefined || agent === isSubagentCall(call)) &&
      (has === undefined || JSON.stringify(call.payload).includes(has)) &&
      earlier >= after,
  );
}

/** Counts the recorded calls of an event. */
const countCalls = (folder: string, native_event: string): number =>
  readdirSync(join(folder, "calls"))
    .filter((file) => file.endsWith(".json"))
    .map((file) => JSON.parse(readFileSync(join(folder, "calls", file), "utf8")) as ProbeCall)
    .filter((call) => call.native_event === native_event).length;
