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

/** A way to trigger a native event and observe the effect of an answer. */
export interface HostScenario {
  /** Setup without a plan. Each case adds its own. */
  setup: RunSetup;
  /** Which calls to answer on this event. Defaults to all. */
  at?: Pick<PlanRule, "tool" | "agent">;
  /** Whether the announced action took place or, on Stop, the agent stopped as intended. A denial must prevent it. */
  passed: (run: HostRun) => boolean;
  /** Whether the outcome is right if no hook decides anything. Defaults to `passed`. */
  unanswered?: (run: HostRun) => boolean;
  /** Who reads a denial's reason. Defaults to the model. */
  reader?: "model" | "user";
  /** A change to the call's input, and a check that it was applied. */
  rewrite?: { patch: Record<string, unknown>; done: (run: HostRun) => boolean };
  /** Whether messages are shown only along with a denial. */
  tellsOnDenial?: true;
  /** Whether the host asked the user. Defaults to the check for a denial, because unattended prompts are declined. */
  asked?: (run: HostRun) => boolean;
  /** Whether the denial took effect. Defaults to the opposite of `passed`. */
  denied?: (run: HostRun) => boolean;
  /**
   * Whether the host ended properly. By default, each launch must exit with code 0 and the model must get its last
   * turn.
   */
  ended?: (run: HostRun) => boolean;
  /** Setups for fields whose effect can't be observed with the default setup. */
  variants?: Partial<Record<CapabilityField, RunSetup>>;
  /** Releases that have the event, as a semver range. Defaults to all. */
  releases?: string;
  /**
   * Releases whose output for this event includes messages to the user, as a semver range. Defaults to the driver's
   * range.
   */
  tells?: string;
  /** Why a field can't be tested with an answer in the host's own format, by field. */
  unshown?: Partial<Record<CapabilityField, string>>;
  /** Why a field can't be observed on this event, by field. */
  unseen?: Partial<Record<CapabilityField, string>>;
  /** What the model reads if no hook replaces the call's result. Defaults to `RESULT_TEXT`. */
  original?: string;
  /**
   * Whether session variables reached the place named in the table. By default, the model must read a variable that a
   * shell call prints.
   */
  variables?: (run: HostRun) => boolean;
}

/** A tool call, and a check that it took place. */
export interface ToolAction {
  /** The call, preceded by any calls it depends on. */
  calls: readonly ToolUse[];
  /** The tool's name in payloads. */
  tool: string;
  done: (run: HostRun) => boolean;
  /** Additional setup needed for the call. */
  setup?: Partial<RunSetup>;
}

/** Fields for which a host may have its own format. */
export type RawField = Exclude<CapabilityField, "allow" | "reason">;

/** Everything the runs need to know about a host apart from its capability table. */
export interface HostDriver {
  host: Host;
  /** The host version that payloads report, if any. */
  says?: string;
  /** Returns the path to an installed release's executable. */
  program: (folder: string) => string;
  /** Completes the installation of a release without running its install scripts. */
  prepare?: (folder: string) => void;
  runner: (release: Release, probe: string) => HostRunner;
  /** Releases that evidence may cite although they aren't locked here. They're supplied by users. */
  versions?: readonly string[];
  /** Scenarios, keyed by native event. */
  scenarios: Readonly<Record<string, HostScenario>>;
  /** Why an event in the table has no scenario, by event. */
  unprovoked: Readonly<Record<string, string>>;
  /**
   * Formats a field in the host's own format for this event. If absent, or if it returns undefined, the host has no
   * format of its own.
   */
  raw?: (field: RawField, native_event: string) => RawAnswer | undefined;
  /** Extracts the text shown to the user. */
  shown: (run: HostRun) => string;
  /** Builds a shell call. */
  bash: (command: string) => ToolUse;
  actions: Readonly<Record<string, ToolAction>>;
  /** Whether a single session can make all the calls in `actions`, because they don't affect one another. */
  sharesCalls?: true;
  /** Setup in which a subagent makes the shell call. Absent if the host can't do this. */
  inAgent?: RunSetup;
  /** Number of model requests needed for one call and the final answer. Defaults to 2. */
  turns?: number;
  /** A run that a denial at Stop can prolong, and its number of model requests. Defaults to a shell call. */
  stopping?: { setup: RunSetup; turns: number };
  /** A run that ends with SessionEnd. Without a call, it makes a shell call. */
  ending?: RunSetup;
  /** Whether Stop hooks are allowed to run for a minute. A test case verifies this. */
  waitsLong?: true;
  /** Releases whose output includes messages to the user, as a semver range. Defaults to all. */
  tells?: string;
  /** A launch in which the user trusts the installed hooks. Absent if the host doesn't require trust. */
  trust?: RunStep;
  /** How many times the executable runs for a call when several scopes have entries for it. */
  several: readonly { scopes: readonly InstallScope[]; times: number }[];
  /**
   * What happens if a fail-closed entry's executable is missing: which releases block the call and which allow it, as
   * semver ranges.
   */
  missing: { blocks?: string; passes?: string };
  /** Host commands that install the plugin from a marketplace directory, and settings that install it for all users. */
  plugin?: {
    install: (folder: string) => readonly (readonly string[])[];
    managed?: (folder: string) => Record<string, string>;
    /** Project files that turn off the plugin, and ones that turn off all hooks. */
    turnOff?: Record<string, string>;
    turnAllOff?: Record<string, string>;
  };
  /** Whether a call is blocked if its hook exits with code 1. If absent, the call proceeds. */
  closes?: true;
  /**
   * Whether the executable is launched outside the project's directory, so that even an unhardened executable loads no
   * files from it.
   */
  elsewhere?: true;
  /** Whether the host itself loads the attack's files and variables, and so fails before making any call. */
  obeysAttacks?: true;
  /** Builds project files that set environment variables for hooks. If absent, only the terminal can set them. */
  projectEnv?: (env: Readonly<Record<string, string>>) => Record<string, string>;
  /** Cases that apply only to this host. */
  cases: readonly HostCase[];
}

/** How a real host is expected to behave. */
export interface HostCase {
  name: string;
  setup: RunSetup;
  /** Describes what went wrong; undefined if the host behaves as expected. */
  judge: (run: HostRun) => string | undefined;
  /** The table cell this case proves. */
  cell?: { native_event: string; field: CapabilityField; versions?: string };
  /** Releases this case covers, as a semver range. Defaults to all. */
  releases?: string;
  /** Whether this case runs only on the host's newest release. */
  newest?: true;
  /** Whether this case overlays files on /etc. */
  mounts?: true;
  /**
   * Whether the calls that hooks received must be reproducible from the host's session records, if bridge-hooks can
   * read them.
   */
  rebuilds?: true;
  /** Whether the answer has no effect on other cases with the same setup, so that they can all share a run. */
  harmless?: true;
  /**
   * The executable to use instead of the probe: the product with the starter hooks, an unhardened executable, or one
   * without bridge-hooks.
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

/** Returns a token that's specific to an event, so that answers to different events can share a run. */
export const createEventToken = (field: "user_message" | "additional_context", native_event: string): string =>
  `${TOKENS[field]}(${native_event})`;

/** A shell command that prints the session variable. */
export const PRINT_VARIABLE_COMMAND = `echo "is=$${SESSION_VARIABLE}"`;
/** What `PRINT_RESULT_COMMAND` prints. The command doesn't contain this text literally. */
export const RESULT_TEXT = "RESULT-42";
export const PRINT_RESULT_COMMAND = "echo RESULT-$((40+2))";

/** Builds a field in the format shared by Claude Code and Codex. */
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
      // PermissionRequest has its own approval format.
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

/** Finds a problem that would fail every case in a run. */
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

/** Returns how many seconds passed between the first call for an event and the host's exit. */
export function getSecondsAfter({ sessions }: HostRun, native_event: string): number {
  const times = sessions.flatMap(({ calls, ended }) =>
    calls.filter((call) => call.native_event === native_event).map(({ at }) => (ended - at) / 1000),
  );
  return times[0] ?? 0;
}

/** Whether the model received a string. */
export const hasReachedModel = ({ requests }: HostRun, text: string): boolean =>
  requests.some((request) => request.text.includes(text));

/** Counts the model requests made by the main agent or by subagents. */
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

/** Judges a known limitation: the host doesn't run its hooks. */
export const judgeSkippedHooks = (run: HostRun): string | undefined =>
  findFirstProblem(
    findRunProblem(run),
    run.calls.length > 0 && "the executable ran: the limit no longer applies; update docs/operate/limits.md",
    !hasMarker(run) && "the call did not take place",
  );
