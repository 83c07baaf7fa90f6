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

/** How to make one native event fire, and how to see the effect of an answer. */
export interface HostScenario {
  /** Without a plan: each case adds its own. */
  setup: RunSetup;
  /** The calls of the event that get an answer. Default: all. */
  at?: Pick<PlanRule, "tool" | "agent">;
  /** Whether what the event announces took place, or the agent stopped as intended; a denial is to prevent that. */
  passed: (run: HostRun) => boolean;
  /** The outcome if no hook decides anything. Default: `passed`. */
  unanswered?: (run: HostRun) => boolean;
  /** Who reads the reason of a denial. Default: the model. */
  reader?: "model" | "user";
  /** A change of the call, and a check that it was made. */
  rewrite?: { patch: Record<string, unknown>; done: (run: HostRun) => boolean };
  /** A message is only shown with a denial. */
  tellsOnDenial?: true;
  /** Whether the person was asked. Default: as for a denial, since nobody is there to ask. */
  asked?: (run: HostRun) => boolean;
  /** Whether the denial had its effect. Default: not `passed`. */
  denied?: (run: HostRun) => boolean;
  /** Whether the host ended properly. Default: each start exited with code 0, and the model had its last turn. */
  ended?: (run: HostRun) => boolean;
  /** Other setups for fields that can only be observed that way. */
  variants?: Partial<Record<CapabilityField, RunSetup>>;
  /** Releases that have the event, as a semver range. Default: all. */
  releases?: string;
  /** Releases that show here what the user sees, as a semver range. Default: the driver's. */
  tells?: string;
  /** Fields for which it can't be shown that the host ignores them or treats them differently, and why. */
  unshown?: Partial<Record<CapabilityField, string>>;
  /** Fields that can't be observed here, and why. */
  unseen?: Partial<Record<CapabilityField, string>>;
  /** What the model reads if no hook replaces the call's result. Default: `RESULT_TEXT`. */
  original?: string;
  /** Whether session variables arrived where the table says. Default: the model reads one that a shell call printed. */
  variables?: (run: HostRun) => boolean;
}

/** A tool call, and a check that it took place. */
export interface ToolAction {
  /** The call, after those that must come before it. */
  calls: readonly ToolUse[];
  /** The tool's name in payloads. */
  tool: string;
  done: (run: HostRun) => boolean;
  /** Additional setup for the call. */
  setup?: Partial<RunSetup>;
}

/** The fields for which a host may have a format of its own. */
export type RawField = Exclude<CapabilityField, "allow" | "reason">;

/** Everything that the runs need to know about a host, besides its table. */
export interface HostDriver {
  host: Host;
  /** The host version in payloads, if it sends one. */
  says?: string;
  /** The executable of an installed release. */
  program: (folder: string) => string;
  /** Completes the installation of a release, without its install scripts. */
  prepare?: (folder: string) => void;
  runner: (release: Release, probe: string) => HostRunner;
  /** Further releases that evidence may name: not locked here, but supplied by the person. */
  versions?: readonly string[];
  /** By native event. */
  scenarios: Readonly<Record<string, HostScenario>>;
  /** Events of the table without a scenario, and why. */
  unprovoked: Readonly<Record<string, string>>;
  /**
   * A field in the host's own format, as the host would take it at this event if it did. Absent or undefined: it has no
   * format besides ours.
   */
  raw?: (field: RawField, native_event: string) => RawAnswer | undefined;
  /** What the person at the keyboard sees. */
  shown: (run: HostRun) => string;
  /** A shell call that creates `marker.txt`, and other calls by name. */
  bash: (command: string) => ToolUse;
  actions: Readonly<Record<string, ToolAction>>;
  /** The calls of `actions` do not disturb each other, so one session makes all of them. */
  sharesCalls?: true;
  /** A setup in which a subagent makes the shell call. Absent: not possible here. */
  inAgent?: RunSetup;
  /** The number of requests to the model for one call and the end. Default 2. */
  turns?: number;
  /** A run that a denial at Stop can prolong, and its number of requests to the model. Default: a shell call. */
  stopping?: { setup: RunSetup; turns: number };
  /** A run at whose end SessionEnd fires. Default: a shell call. */
  ending?: RunSetup;
  /** Its hooks at Stop may take a minute, which is tried. */
  waitsLong?: true;
  /** Releases whose runs show what the user sees, as a semver range. Default: all. */
  tells?: string;
  /** The start in which a person trusts what was installed for the user or in a project. Absent: no trust needed. */
  trust?: RunStep;
  /** How many times our process runs for a call that entries in several scopes match. */
  several: readonly { scopes: readonly InstallScope[]; times: number }[];
  /**
   * What happens if an entry asks to fail closed and its executable is missing: releases that block the call, and
   * releases that let it pass, as semver ranges.
   */
  missing: { blocks?: string; passes?: string };
  /** The host's own commands that install the plugin of a marketplace folder, and settings that do so for everybody. */
  plugin?: {
    install: (folder: string) => readonly (readonly string[])[];
    managed?: (folder: string) => Record<string, string>;
    /** Files with which a project turns it off, and all hooks as well. */
    turnOff?: Record<string, string>;
    turnAllOff?: Record<string, string>;
  };
  /** A hook that exits with code 1 blocks the call. Absent: the call goes on. */
  closes?: true;
  /**
   * The executable does not start in the project's directory: files there are not loaded, not even by an unhardened
   * one.
   */
  elsewhere?: true;
  /** The host itself obeys these files and variables, and does not get as far as a call. */
  obeysAttacks?: true;
  /** Files with which a project sets the environment of hooks. Absent: only the terminal can. */
  projectEnv?: (env: Readonly<Record<string, string>>) => Record<string, string>;
  /** Cases of this host only. */
  cases: readonly HostCase[];
}

/** An expected behaviour of a real host. */
export interface HostCase {
  name: string;
  setup: RunSetup;
  /** Describes the problem; undefined if the host behaves as expected. */
  judge: (run: HostRun) => string | undefined;
  /** The cell of the table that it proves. */
  cell?: { native_event: string; field: CapabilityField; versions?: string };
  /** Releases that it applies to, as a semver range. Default: all. */
  releases?: string;
  /** Only the host's newest release is tried. */
  newest?: true;
  /** It needs files laid over /etc. */
  mounts?: true;
  /** The host's records of the run have to rebuild to the calls that hooks were asked about, if there is a reader. */
  rebuilds?: true;
  /** Its answer changes nothing that other cases with the same setup look at: they share a run. */
  harmless?: true;
  /**
   * An executable other than the probe's: the product with the starter hooks, one that is not hardened, or one without
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

/** The token of a text that is sent at one event: answers at several events share a run. */
export const createEventToken = (field: "user_message" | "additional_context", native_event: string): string =>
  `${TOKENS[field]}(${native_event})`;

/** A shell command that prints a session variable. */
export const PRINT_VARIABLE_COMMAND = `echo "is=$${SESSION_VARIABLE}"`;
/** The output of `PRINT_RESULT_COMMAND`, which does not contain it literally. */
export const RESULT_TEXT = "RESULT-42";
export const PRINT_RESULT_COMMAND = "echo RESULT-$((40+2))";

/** A field in Claude Code's format, which Codex shares. */
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
      // An approval has a format of its own.
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

/** Problems of a run that make every case fail. */
export function findRunProblem({ sessions, leftProcesses, refusal }: HostRun): string | undefined {
  if (refusal !== undefined) return refusal;
  const hung = sessions.find((session) => session.hung);
  if (hung) return `the host did not end within its ${hung.seconds.toFixed(0)} s and was killed`;
  if (leftProcesses.length > 0) return `the host left processes running: ${leftProcesses.join("; ")}`;
  return undefined;
}

/** The first problem. */
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

/** Seconds from the first call at an event until the host had ended. */
export function getSecondsAfter({ sessions }: HostRun, native_event: string): number {
  const times = sessions.flatMap(({ calls, ended }) =>
    calls.filter((call) => call.native_event === native_event).map(({ at }) => (ended - at) / 1000),
  );
  return times[0] ?? 0;
}

/** Whether a text reached the model. */
export const hasReachedModel = ({ requests }: HostRun, text: string): boolean =>
  requests.some((request) => request.text.includes(text));

/** How many requests the agent itself, or a subagent, made to the model. */
export const countModelRequests = ({ requests }: HostRun, who: ModelRequest["who"]): number =>
  requests.filter((request) => request.who === who).length;

/** Whether the shell call that creates `marker.txt` took place. */
export const hasMarker = (run: HostRun): boolean => readProjectFile(run, "marker.txt") !== undefined;

/** Reads a file of the project; undefined if it does not exist. */
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

/** Judges a limit: the host does not call its hooks, and the run shows that. */
export const judgeSkippedHooks = (run: HostRun): string | undefined =>
  findFirstProblem(
    findRunProblem(run),
    run.calls.length > 0 && "our process ran: the limit is gone; tell docs/operate/limits.md",
    !hasMarker(run) && "the call did not take place",
  );
