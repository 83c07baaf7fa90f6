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

/** How to make one native event fire, and how to see what an answer did there. */
export interface HostScenario {
  /** Without a plan: each case adds its own. */
  setup: RunSetup;
  /** Which calls of the event are answered. Default: all. */
  at?: Pick<PlanRule, "tool" | "agent">;
  /** What the event announces took place, or the agent stopped as it wanted to: what a denial is to prevent. */
  passed: (run: HostRun) => boolean;
  /** What happens when no hook decides anything. Default: `passed`. */
  unanswered?: (run: HostRun) => boolean;
  /** Who reads why it was denied. Default: the model. */
  reader?: "model" | "user";
  /** A change of the call, and what shows that it was made. */
  rewrite?: { patch: Record<string, unknown>; done: (run: HostRun) => boolean };
  /** A message is shown with a denial alone. */
  tellsOnDenial?: true;
  /** The person was asked. Default: as a denial, since nobody is there to ask. */
  asked?: (run: HostRun) => boolean;
  /** The denial did what it is for. Default: not `passed`. */
  denied?: (run: HostRun) => boolean;
  /** The host ended as it should. Default: every start of it with exit code 0, and the model had its last word. */
  ended?: (run: HostRun) => boolean;
  /** Another setup where a field can only be seen so. */
  variants?: Partial<Record<CapabilityField, RunSetup>>;
  /** Releases that have the event, as a semver range. Default: all. */
  releases?: string;
  /** Releases that tell here what the user is shown, as a semver range. Default: the driver's. */
  tells?: string;
  /** Fields of which it can't be seen that the host does not take them, or that it takes another way, and why. */
  unshown?: Partial<Record<CapabilityField, string>>;
  /** Fields that can't be seen here, and why. */
  unseen?: Partial<Record<CapabilityField, string>>;
  /** What the model reads where no hook replaces the call's result. Default: `RESULT`. */
  original?: string;
  /** Variables of the session arrived where the table says. Default: the model reads one that a shell call printed. */
  variables?: (run: HostRun) => boolean;
}

/** A tool call, and what shows that it took place. */
export interface ToolAction {
  /** The call, behind those that must come before it. */
  calls: readonly ToolUse[];
  /** The tool as payloads name it. */
  tool: string;
  done: (run: HostRun) => boolean;
  /** What the run needs besides the call. */
  setup?: Partial<RunSetup>;
}

/** The fields that a host may have a word for. */
export type RawField = Exclude<CapabilityField, "allow" | "reason">;

/** All that the runs know about a host, besides its table. */
export interface HostDriver {
  host: Host;
  /** What the host says is its version in payloads, if it does. */
  says?: string;
  /** The executable of an installed release. */
  program: (folder: string) => string;
  runner: (release: Release, probe: string) => HostRunner;
  /** Releases that evidence may name, where they are not locked here but brought by the person. */
  versions?: readonly string[];
  /** By native event. */
  scenarios: Readonly<Record<string, HostScenario>>;
  /** Events of the table without a scenario, and why. */
  unprovoked: Readonly<Record<string, string>>;
  /** A field as the host itself would take it, were it to take it at this event. Absent, or nothing: it has no words but ours. */
  raw?: (field: RawField, native_event: string) => RawAnswer | undefined;
  /** What the person at the keyboard is shown. */
  shown: (run: HostRun) => string;
  /** A shell call that leaves `marker.txt`, and other calls by name. */
  bash: (command: string) => ToolUse;
  actions: Readonly<Record<string, ToolAction>>;
  /** A subagent makes the shell call. Absent: it can't be had here. */
  inAgent?: RunSetup;
  /** How often the model is asked when it makes one call and ends. Default 2. */
  turns?: number;
  /** A run that a denial at Stop can prolong, and how often the model is asked in it. Default: a shell call. */
  stopping?: { setup: RunSetup; turns: number };
  /** Releases that tell in a run what the user is shown, as a semver range. Default: all. */
  tells?: string;
  /** The start by which a person trusts what was installed for the user or in a project. Absent: nobody has to. */
  trust?: RunStep;
  /** How often our process runs for a call that entries in several scopes are for. */
  several: readonly { scopes: readonly InstallScope[]; times: number }[];
  /** Releases that block a call whose executable is gone, where its entry asks for that, and those that let it pass; as semver ranges. */
  missing: { blocks?: string; passes?: string };
  /** A hook that ends with exit code 1 blocks the call. Absent: the call goes on. */
  closes?: true;
  /** The executable starts in another folder than the project's: what lies there is not loaded, by whatever executable. */
  elsewhere?: true;
  /** Files by which a project sets the environment of hooks. Absent: only the terminal sets it, that the host is started in. */
  projectEnv?: (env: Readonly<Record<string, string>>) => Record<string, string>;
  /** Cases that only this host has. */
  cases: readonly HostCase[];
}

/** One thing that a real host is to do. */
export interface HostCase {
  name: string;
  setup: RunSetup;
  /** What is wrong, for a person; nothing where all is well. */
  judge: (run: HostRun) => string | undefined;
  /** The cell of the table that it shows. */
  cell?: { native_event: string; field: CapabilityField; versions?: string };
  /** Releases that it is about, as a semver range. Default: all. */
  releases?: string;
  /** The host's newest release alone is tried. */
  newest?: true;
  /** It lays files over /etc. */
  mounts?: true;
  /** The executable that is called, instead of the probe's: the product with the starter hooks, one that is not hardened, or one without the bridge. */
  executable?: "product" | "unhardened" | "raw";
}

export const TOKENS = {
  reason: "REASON-TOKEN",
  user_message: "MESSAGE-TOKEN",
  additional_context: "CONTEXT-TOKEN",
  modified_output: "OUTPUT-TOKEN",
  session_env: "VARIABLE-TOKEN",
} as const;

/** What has a shell call print the variable of a session. */
export const PRINT_VARIABLE_COMMAND = `echo "is=$${SESSION_VARIABLE}"`;
/** What a shell call prints that does not stand in its command. */
export const RESULT_TEXT = "RESULT-42";
export const PRINT_RESULT_COMMAND = "echo RESULT-$((40+2))";

/** Claude Code's words for a field; Codex has the same. */
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
      // An approval has its own words.
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

/** The problems of a run that make every case fail. */
export function findRunProblem({ sessions, leftProcesses, refusal }: HostRun): string | undefined {
  if (refusal !== undefined) return refusal;
  const hung = sessions.find((session) => session.hung);
  if (hung) return `the host did not end within its ${hung.seconds.toFixed(0)} s and was killed`;
  if (leftProcesses.length > 0) return `the host left processes running: ${leftProcesses.join("; ")}`;
  return undefined;
}

/** The first of several problems. */
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

/** From the first call at an event until the host had ended. */
export function getSecondsAfter({ sessions }: HostRun, native_event: string): number {
  const times = sessions.flatMap(({ calls, ended }) =>
    calls.filter((call) => call.native_event === native_event).map(({ at }) => (ended - at) / 1000),
  );
  return times[0] ?? 0;
}

/** A text that reached the model. */
export const hasReachedModel = ({ requests }: HostRun, text: string): boolean =>
  requests.some((request) => request.text.includes(text));

/** How often the model was asked by the agent itself, or a subagent. */
export const countModelRequests = ({ requests }: HostRun, who: ModelRequest["who"]): number =>
  requests.filter((request) => request.who === who).length;

/** The shell call that leaves `marker.txt` took place. */
export const hasMarker = (run: HostRun): boolean => readProjectFile(run, "marker.txt") !== undefined;

/** A file of the project; absent: not there. */
export function readProjectFile({ place }: HostRun, path: string): string | undefined {
  const at = join(place.project, path);
  return existsSync(at) ? readFileSync(at, "utf8") : undefined;
}

/** Judges a denial of the shell call at PreToolUse. */
export const judgeDenial = (run: HostRun): string | undefined =>
  findFirstProblem(
    findRunProblem(run),
    !hasFired(run, "PreToolUse") && "our process did not run: the hook was skipped",
    hasMarker(run) && "the denial did not hold",
  );

/** Judges a limit: the host does not call its hooks, and that is seen. */
export const judgeSkippedHooks = (run: HostRun): string | undefined =>
  findFirstProblem(
    findRunProblem(run),
    run.calls.length > 0 && "our process ran: the limit is gone; tell docs/operate/limits.md",
    !hasMarker(run) && "the call did not take place",
  );
