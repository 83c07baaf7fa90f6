import { hasContinuingDenial, pickCell, type CapabilityRow } from "../protocol/capability.ts";
import type { FailurePolicy, HookDescriptor } from "../protocol/hook.ts";
import type {
  Host,
  HostAnswer,
  HostOptionValues,
  Payload,
  ProcessInput,
  RegisteredHost,
} from "../protocol/host/host.ts";
import { hostRegistry } from "../hosts/registry.ts";
import type { ModePolicy } from "../policy/modes.ts";
import { listModeSources } from "../policy/sources.ts";
import type { LoadHookFilter } from "../system/quick-types.ts";
import type { ArmedDeadline, Deadline } from "./deadline/deadline.ts";
import type { LoadBinding } from "./exceptions/apply.ts";
import { findHost } from "./identify/find-host.ts";
import { type AnyOptions, getHostOptionValues, readOptions } from "./options.ts";

/**
 * Default time limit of a call in milliseconds: with everything that comes after, below the 5 s of the most impatient
 * host.
 */
export const DEADLINE_MS = 4_000;

/** The process that a call runs in. */
export interface CallWorld extends ProcessInput {
  /** Nothing is written for the host but the answer. */
  isTrial?: boolean;
  /** Ends the process when the time is up, if the call has the process to itself. */
  deadline?: Deadline;
  /** What calls with the same flags, host and event get at the deadline, where a process has many of them. */
  lastAnswers?: Pick<Map<string, HostAnswer>, "get" | "set">;
  /** The time that is left of the call's limit, in milliseconds. Default: all. */
  remainingMs?: number | undefined;
  /** When the call began, in `performance.now()` time. Default: now. */
  started?: number;
  /** What `read` returns, where it has been parsed already. */
  payload?: Payload | undefined;
  /** Why no hooks can run. */
  problem?: string | undefined;
  /** Loads what tells the hooks that the call concerns, where that is known. */
  loadHookFilter?: LoadHookFilter | undefined;
  /** Loads what exceptions that a person made on purpose are bound by. Absent, as in trials: there are none. */
  loadBinding?: LoadBinding;
}

/** What is known about a call so far; failures are reported with it. */
export interface CallContext {
  /** The host that was named or detected. */
  readonly host?: RegisteredHost | undefined;
  /** Empty while unknown. */
  readonly native_event: string;
  readonly policy: FailurePolicy;
  readonly options: AnyOptions;
  /** The payload's event is unknown, and judged as a known one. */
  readonly isStandIn?: boolean;
  /** Absent: everything is enforced. */
  readonly modes?: ModePolicy | undefined;
}

/** A call before its first stage. */
export interface OpenedCall {
  /** All hooks, in the order in which they run. */
  entries: readonly HookDescriptor[];
  argv: readonly string[];
  world: CallWorld;
  options: AnyOptions;
  /** The first invalid flag. */
  flagProblem: string | undefined;
  /** The host that the entry names, if it is registered. */
  named: RegisteredHost | undefined;
  context: CallContext;
  /** In `performance.now()` time: the start, and when the hooks must be done. */
  started: number;
  end: number;
  timeoutMs: number;
  /** The deadline, once it is armed. */
  armed?: ArmedDeadline;
}

/** What a call is opened with. */
export interface CallArguments {
  entries: readonly HookDescriptor[];
  /** Options from code; they win over `argv`. */
  explicit: AnyOptions;
  argv: readonly string[];
}

/** Reads the options of a call, and the modes that hold for it. */
export async function openCall({ entries, explicit, argv }: CallArguments, world: CallWorld): Promise<OpenedCall> {
  const { options, problem: flagProblem } = readOptions(argv, explicit, hostRegistry);
  const named = findHost(options.host);
  const { event: native_event = "", onError: policy = "allow", timeoutMs = DEADLINE_MS } = options;
  const modes = await loadModes();
  const context = { host: named, native_event, policy, options, modes };
  const started = world.started ?? performance.now();
  const end = started + (world.remainingMs ?? timeoutMs);
  return { entries, argv, world, options, flagProblem, named, context, started, end, timeoutMs };
}

/** The modes that config files set; undefined where everything is enforced, as in most calls. */
async function loadModes(): Promise<ModePolicy | undefined> {
  const sources = listModeSources();
  return sources.length === 0 ? undefined : (await import("./configured.ts")).readModes(sources);
}

/** The host's option values for this call. */
export const getHostSettings = (host: Host, { options, isStandIn }: CallContext): HostOptionValues => ({
  ...getHostOptionValues(host, options),
  ...(isStandIn && host.unknownEventOptions),
});

/**
 * Whether a failure may be answered with a denial here. Not at Stop: a denial there would make the agent go on because
 * of a fault.
 */
export const canDeny = (row: CapabilityRow, version: string | undefined): boolean =>
  !hasContinuingDenial(row) && pickCell(row.deny, version).support !== "unenforceable";

/** Formats warnings as lines for stderr. */
export function formatWarnings({ host, native_event }: CallContext, warnings: readonly string[]): string {
  const place = host?.id && native_event ? `${host.id} ${native_event}` : host?.id || native_event;
  const start = place ? `bridge-hooks: ${place}: ` : "bridge-hooks: ";
  let lines = "";
  // A loop: the deadline's answer has such a line, and the engine would compile `map` for it.
  for (const warning of warnings) lines += `${lines && "\n"}${start}${warning}`;
  return lines;
}
