import { existsSync, readFileSync } from "node:fs";
import { join } from "node:path";
import type { CapabilityField } from "../../src/protocol/capability.ts";
import type { Host } from "../../src/protocol/host/host.ts";
import type { InstallScope } from "../../src/protocol/host/install.ts";
import type { ModelRequest, ToolUse } from "./model.ts";
import { isSubagentCall, type RawAnswer, type PlanRule, SESSION_VARIABLE } from "./plan.ts";

export { SESSION_VARIABLE };
import type { Release } from "./releases.ts";
import type { HostRun, HostRunner, RunSetup, RunStep } from "./run.ts";

/** A way to trigger a native event and to observe the effect of an answer. */
export interface HostScenario {
  /** Setup without a plan; each case adds its own plan. */
  setup: RunSetup;
  /** Calls to answer on this event. Default: all. */
  at?: Pick<PlanRule, "tool" | "agent">;
  /** Whether the announced action took place, or the agent stopped as intended. A denial must prevent this. */
  passed: (run: HostRun) => boolean;
  /** Outcome if no hook decides anything. Default: `passed`. */
  unanswered?: (run: HostRun) => boolean;
  /** Reader of a denial's reason. Default: the model. */
  reader?: "model" | "user";
  /** A change to the call's input, and a check that the change was applied. */
  rewrite?: { patch: Record<string, unknown>; done: (run: HostRun) => boolean };
  /** Whether a message is shown only with a denial. */
  tellsOnDenial?: true;
  /** Whether the host asked the user. Default: the check for a denial, because an unattended prompt is declined. */
  asked?: (run: HostRun) => boolean;
  /** Whether the denial took effect. Default: not `passed`. */
  denied?: (run: HostRun) => boolean;
  /** Whether the host ended properly. Default: each start exited with code 0, and the model had its last turn. */
  ended?: (run: HostRun) => boolean;
  /** Setups for fields that can't be observed with the default setup. */
  variants?: Partial<Record<CapabilityField, RunSetup>>;
  /** Releases that have the event, as a semver range. Default: all. */
  releases?: string;
  /** Releases whose output for this event includes messages to the user, as a semver range. Default: the driver's. */
  tells?: string;
  /** For each field that can't be tested with an answer in the host's own format, the reason. */
  unshown?: Partial<Record<CapabilityField, string>>;
  /** For each field that can't be observed for this event, the reason. */
  unseen?: Partial<Record<CapabilityField, string>>;
  /** Text that the model reads if no hook replaces the call's result. Default: `RESULT_TEXT`. */
  original?: string;
  /**
   * Whether session variables reached the place that the table names. Default: the model reads a variable printed by a
   * shell call.
   */
  variables?: (run: HostRun) => boolean;
}

/** A tool call, and a check that the call took place. */
export interface ToolAction {
  /** The call, preceded by its prerequisite calls. */
  calls: readonly ToolUse[];
  /** Name of the tool in payloads. */
  tool: string;
  done: (run: HostRun) => boolean;
  /** Additional setup for the call. */
  setup?: Partial<RunSetup>;
}

/** Fields that may have a host-specific format. */
export type RawField = Exclude<CapabilityField, "allow" | "reason">;

/** Everything that the runs need to know about a host, besides its capability table. */
export interface HostDriver {
  host: Host;
  /** Host version in payloads, if the host sends a version. */
  says?: string;
  /** Returns the path of an installed release's executable. */
  program: (folder: string) => string;
  /** Completes the installation of a release without running its install scripts. */
  prepare?: (folder: string) => void;
  runner: (release: Release, probe: string) => HostRunner;
  /** Releases that evidence may cite although they aren't locked here. Users supply these releases. */
  versions?: readonly string[];
  /** Scenarios by native event. */
  scenarios: Readonly<Record<string, HostScenario>>;
  /** For each event in the table that has no scenario, the reason. */
  unprovoked: Readonly<Record<string, string>>;
  /**
   * Formats a field in the host's own format for this event. Absent or undefined: the host has no format of its own.
   */
  raw?: (field: RawField, native_event: string) => RawAnswer | undefined;
  /** Extracts the text that the user sees. */
  shown: (run: HostRun) => string;
  /** Builds a shell call. */
  bash: (command: string) => ToolUse;
  actions: Readonly<Record<string, ToolAction>>;
  /** The calls of `actions` don't affect each other, so one session makes all of them. */
  sharesCalls?: true;
  /** Setup with a subagent that makes the shell call. Absent: not possible on this host. */
  inAgent?: RunSetup;
  /** Number of model requests for one call and the final answer. Default: 2. */
  turns?: number;
  /** A run that a denial at Stop can prolong, and its number of model requests. Default: a shell call. */
  stopping?: { setup: RunSetup; turns: number };
  /** A run that ends with SessionEnd. Default: a shell call. */
  ending?: RunSetup;
  /** Whether Stop hooks may run for a minute. A case verifies this. */
  waitsLong?: true;
  /** Releases whose output includes messages to the user, as a semver range. Default: all. */
  tells?: string;
  /** A start that lets the user trust the installed hooks. Absent: the host requires no trust. */
  trust?: RunStep;
  /** Number of times that the executable runs for a call that matches entries in several scopes. */
  several: readonly { scopes: readonly InstallScope[]; times: number }[];
  /**
   * Outcome if a fail-closed entry's executable is missing: releases that block the call, and releases that allow it,
   * as semver ranges.
   */
  missing: { blocks?: string; passes?: string };
  /**
   * Host commands that install the plugin from a marketplace directory, and settings that install it for every user.
   */
  plugin?: {
    install: (folder: string) => readonly (readonly string[])[];
    managed?: (folder: string) => Record<string, string>;
    /** Project files that turn off the plugin, and files that turn off all hooks. */
    turnOff?: Record<string, string>;
    turnAllOff?: Record<string, string>;
  };
  /** Whether a hook that exits with code 1 blocks the call. Absent: the call proceeds. */
  closes?: true;
  /**
   * Whether the executable starts outside the project's directory, so that even an unhardened executable loads no files
   * from there.
   */
  elsewhere?: true;
  /** Whether the host itself loads the attack's files and variables, and fails before any call. */
  obeysAttacks?: true;
  /** Builds project files that set environment variables for hooks. Absent: only the terminal can set the variables. */
  projectEnv?: (env: Readonly<Record<string, string>>) => Record<string, string>;
  /** Cases for this host only. */
  cases: readonly HostCase[];
}

/** Expected behavior of a real host. */
export interface HostCase {
  name: string;
  setup: RunSetup;
  /** Describes the problem; undefined if the host behaves as expected. */
  judge: (run: HostRun) => string | undefined;
  /** Table cell proven by the case. */
  cell?: { native_event: string; field: CapabilityField; versions?: string };
  /** Releases covered by the case, as a semver range. Default: all. */
  releases?: string;
  /** Whether the case runs only on the host's newest release. */
  newest?: true;
  /** Whether the case overlays files on /etc. */
  mounts?: true;
  /**
   * Whether the host's session records must reproduce the calls received by hooks, if bridge-hooks can read the
   * records.
   */
  rebuilds?: true;
  /** Whether the answer leaves other cases with the same setup unaffected, so that all these cases can share a run. */
  harmless?: true;
  /**
   * An executable other than the probe: the product with the starter hooks, an unhardened executable, or one without
   * bridge-hooks.
   */
  executable?: "product" | "unhardened" | "raw";
}

export const TOKENS = {
  reason: "REASON-TOKEN",
  user_message: "MESSAGE-TOKEN",
  additional_context: "CONTEXT-TOKEN",
  modified_output: "OUTPUT-TOKEN",
  session_env: "VARIABLE-TOKEN",
} as const;

/** Returns a token that identifies the event, so that answers to several events can share a run. */
export const createEventToken = (field: "user_message" | "additional_context", native_event: string): string =>
  `${TOKENS[field]}(${native_event})`;

/** A shell command that prints a session variable. */
export const PRINT_VARIABLE_COMMAND = `echo "is=$${SESSION_VARIABLE}"`;
/** Output of `PRINT_RESULT_COMMAND`, which doesn't contain the output literally. */
export const RESULT_TEXT = "RESULT-42";
export const PRINT_RESULT_COMMAND = "echo RESULT-$((40+2))";

/** Builds a field in the format that Claude Code and Codex share. */
export const buildRawDocument: NonNullable<HostDriver["raw"]> = (field, hookEventName) => {
  const specific = (fields: object) => ({ document: { hookSpecificOutput: { hookEventName, ...fields } } });
  switch (field) {
    case "deny":
      return { document: { decision: "block", reason: TOKENS.reason }, stderr: TOKENS.reason, code: 2 };
    case "ask":
      return specific({ permissionDecision: "ask", permissionDecisionReason: TOKENS.reason });
    case "user_message":
      return { document: { systemMessage: TOKENS.user_message } };
    case "modified_input": {
      const updatedInput = { command: "echo REWRITTEN > marker.txt" };
      // PermissionRequest has its own format for an approval.
      const allowed =
        hookEventName === "PermissionRequest"
          ? { decision: { behavior: "allow", updatedInput } }
          : { permissionDecision: "allow", updatedInput };
      return specific(allowed);
    }
    case "additional_context":
      return specific({ additionalContext: TOKENS.additional_context });
    case "modified_output":
    case "session_env":
      return undefined;
  }
};

/** Finds a problem that makes every case of a run fail. */
export function findRunProblem({ sessions, leftProcesses, refusal }: HostRun): string | undefined {
  if (refusal !== undefined) return refusal;
  const hung = sessions.find((session) => session.hung);
  if (hung) return `the host did not end within its ${hung.seconds.toFixed(0)} s and was killed`;
  if (leftProcesses.length > 0) return `the host left processes running: ${leftProcesses.join("; ")}`;
  return undefined;
}

/** Returns the first problem. */
export const findFirstProblem = (...problems: (string | false | undefined)[]): string | undefined =>
  problems.find((problem): problem is string => Boolean(problem));

export const hasFired = (
  { calls }: HostRun,
  native_event: string,
  { tool, agent }: Pick<PlanRule, "tool" | "agent"> = {},
): boolean =>
  calls.some(
    (call) =>
      call.native_event === native_event &&
      (tool === undefined || call.tool === tool) &&
      (agent === undefined || agent === isSubagentCall(call)),
  );

/** Returns the seconds from the first call of an event to the host's exit. */
export function getSecondsAfter({ sessions }: HostRun, native_event: string): number {
  const times = sessions.flatMap(({ calls, ended }) =>
    calls.filter((call) => call.native_event === native_event).map(({ at }) => (ended - at) / 1000),
  );
  return times[0] ?? 0;
}

/** Whether a string reached the model. */
export const hasReachedModel = ({ requests }: HostRun, text: string): boolean =>
  requests.some((request) => request.text.includes(text));

/** Counts the model requests of the main agent or of subagents. */
export const countModelRequests = ({ requests }: HostRun, who: ModelRequest["who"]): number =>
  requests.filter((request) => request.who === who).length;

/** Whether the shell call that creates `marker.txt` took place. */
export const hasMarker = (run: HostRun): boolean => readProjectFile(run, "marker.txt") !== undefined;

/** Reads a project file; undefined if it doesn't exist. */
export function readProjectFile({ place }: HostRun, path: string): string | undefined {
  const at = join(place.project, path);
  return existsSync(at) ? readFileSync(at, "utf8") : undefined;
}

/** Judges a denial of the shell call at PreToolUse. */
export const judgeDenial = (run: HostRun): string | undefined =>
  findFirstProblem(
    findRunProblem(run),
    !hasFired(run, "PreToolUse") && "the executable did not run: the hook was skipped",
    hasMarker(run) && "the denial was not enforced",
  );

/** Judges a known limitation: the host doesn't call its hooks. */
export const judgeSkippedHooks = (run: HostRun): string | undefined =>
  findFirstProblem(
    findRunProblem(run),
    run.calls.length > 0 && "the executable ran: the limit no longer applies; update docs/operate/limits.md",
    !hasMarker(run) && "the call did not take place",
  );
