import { existsSync, mkdirSync, readdirSync, readFileSync, renameSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import type { IHookResponse } from "bridge-hooks";

/** A fault the probe can produce on an event. */
export type ProbeFault = "throw" | "hang" | "loop" | "noise" | "exit" | "rubbish" | "wait";

/** How long the `wait` fault takes to answer, unless the agent has already moved on. */
export const WAIT_MS = 60_000;

/** An answer in the host's own format that bypasses bridge-hooks. */
export interface RawAnswer {
  document: unknown;
  stderr?: string;
  code?: number;
}

/** What the hook does on a call. The first rule that matches the call applies. */
export interface PlanRule {
  /** Native event name. */
  event: string;
  /** If set, applies only to this tool, given by its native name. */
  tool?: string;
  /** If true, applies only inside a subagent; if false, only outside. */
  agent?: boolean;
  /** If set, applies only to payloads that contain this string. */
  has?: string;
  /** If set, applies only once the event has been called this many times. */
  after?: number;
  answer?: IHookResponse;
  way?: ProbeFault;
  raw?: RawAnswer;
}

/** A hook call as the probe recorded it. */
export interface ProbeCall {
  native_event: string;
  tool?: string;
  /** ID of the subagent that made the call, as hooks receive it. */
  agent?: string;
  payload: Record<string, unknown>;
  /** The executable's command line. */
  argv: string[];
  /** The session variable's value in the hook's environment. */
  variable?: string;
  /** When the call was made, in milliseconds since 1970. */
  at: number;
}

/** Whether a call was made by a subagent, whatever field names the host uses. */
export const isSubagentCall = ({ payload, agent }: Pick<ProbeCall, "payload" | "agent">): boolean =>
  // Some hosts report an ID for the main agent as well, and a parent agent for subagents.
  "parent_agent_id" in payload
    ? payload.parent_agent_id !== null
    : (agent ?? payload.agent_id ?? payload.agentId) !== undefined;

/** The session variable that answers set. */
export const SESSION_VARIABLE = "BRIDGE_E2E_VARIABLE";

/** Environment variable that holds the run's directory. */
export const RUN_VARIABLE = "BRIDGE_E2E_RUN";

/**
 * Returns the run directory that contains a project. A host that serves several runs doesn't have that directory in its
 * environment.
 */
function findRunFolder(folder: string): string | undefined {
  if (existsSync(join(folder, "plan.json"))) return folder;
  return dirname(folder) === folder ? undefined : findRunFolder(dirname(folder));
}

/** Records a call in the run's directory and returns the rule in the run's plan that matches it. */
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

/** Counts how many calls of an event have been recorded. */
const countCalls = (folder: string, native_event: string): number =>
  readdirSync(join(folder, "calls"))
    .filter((file) => file.endsWith(".json"))
    .map((file) => JSON.parse(readFileSync(join(folder, "calls", file), "utf8")) as ProbeCall)
    .filter((call) => call.native_event === native_event).length;
