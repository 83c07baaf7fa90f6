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
 * Default time limit for a call, in milliseconds. With the work after this limit, a call still ends within 5 s, the
 * shortest timeout of any host.
 */
export const DEADLINE_MS = 4_000;

/** The process in which a call runs. */
export interface CallRuntime extends ProcessInput {
  /** Whether the process writes nothing but the answer for the host. */
  isTrial?: boolean;
  /** Ends the process at the deadline, if the call runs in its own process. */
  deadline?: Deadline;
  /**
   * For a process that handles many calls: caches the answers to send at the deadline, keyed by flags, host and event.
   */
  lastAnswers?: Pick<Map<string, HostAnswer>, "get" | "set">;
  /** Remaining time of the call, in milliseconds. Defaults to the full limit. */
  remainingMs?: number | undefined;
  /** Start of the call, in `performance.now()` time. Defaults to now. */
  started?: number;
  /** The payload that `read` returns, if it has already been parsed. */
  payload?: Payload | undefined;
  /** The reason hooks can't run, if any. */
  problem?: string | undefined;
  /** Loads the filter that selects the hooks for this call, if there is one. */
  loadHookFilter?: LoadHookFilter | undefined;
  /**
   * Loads the function that computes the hashes binding an exception to a call. Absent in trials, which don't use
   * exceptions.
   */
  loadBinding?: LoadBinding;
}

/** What is known about a call so far. Failures are reported with this context. */
export interface CallContext {
  /** The named or detected host. */
  readonly host?: RegisteredHost | undefined;
  /** The host's event name; empty until the event is known. */
  readonly native_event: string;
  readonly policy: FailurePolicy;
  readonly options: AnyOptions;
  /** Whether the payload's event is unknown and therefore judged like a known one. */
  readonly isStandIn?: boolean;
  /** The modes in effect; absent if everything is enforced. */
  readonly modes?: ModePolicy | undefined;
}

/** A call before its first stage. */
export interface OpenedCall {
  /** All hooks, in the order they run. */
  entries: readonly HookDescriptor[];
  argv: readonly string[];
  runtime: CallRuntime;
  options: AnyOptions;
  /** Describes the first invalid flag. */
  flagProblem: string | undefined;
  /** The host named by the entry, if that host is registered. */
  namedHost: RegisteredHost | undefined;
  context: CallContext;
  /** When the call started and when the hooks must be done (`end`), in `performance.now()` time. */
  started: number;
  end: number;
  timeoutMs: number;
  /** The deadline, once armed. */
  armed?: ArmedDeadline;
}

export interface CallArguments {
  entries: readonly HookDescriptor[];
  /** Options passed in code, which override `argv`. */
  explicit: AnyOptions;
  argv: readonly string[];
}

/** Reads a call's options and the modes in effect. */
export async function openCall({ entries, explicit, argv }: CallArguments, runtime: CallRuntime): Promise<OpenedCall> {
  const { options, problem: flagProblem } = readOptions(argv, explicit, hostRegistry);
  const namedHost = findHost(options.host);
  const { event: native_event = "", onError: policy = "allow", timeoutMs = DEADLINE_MS } = options;
  const modes = await loadModes();
  const context = { host: namedHost, native_event, policy, options, modes };
  const started = runtime.started ?? performance.now();
  const end = started + (runtime.remainingMs ?? timeoutMs);
  return { entries, argv, runtime, options, flagProblem, namedHost, context, started, end, timeoutMs };
}

/** Reads the modes set by config files. Returns undefined if everything is enforced, as for most calls. */
async function loadModes(): Promise<ModePolicy | undefined> {
  const sources = listModeSources();
  return sources.length === 0 ? undefined : (await import("./config-modules.ts")).readModes(sources);
}

/** Returns the values of the host-specific options for this call. */
export const getHostSettings = (host: Host, { options, isStandIn }: CallContext): HostOptionValues => ({
  ...getHostOptionValues(host, options),
  ...(isStandIn && host.unknownEventOptions),
});

/**
 * Returns whether a failure may be answered with a denial. False on Stop, where a denial would make the agent continue
 * just because something broke.
 */
export const canDeny = (row: CapabilityRow, version: string | undefined): boolean =>
  !hasContinuingDenial(row) && pickCell(row.deny, version).support !== "unenforceable";

/** Formats warnings as lines for stderr. */
export function formatWarnings({ host, native_event }: CallContext, warnings: readonly string[]): string {
  const origin = host?.id && native_event ? `${host.id} ${native_event}` : host?.id || native_event;
  const start = origin ? `bridge-hooks: ${origin}: ` : "bridge-hooks: ";
  let lines = "";
  // Use a loop. Every call formats a warning for its deadline answer, and compiling `map` each time is slow.
  for (const warning of warnings) lines += `${lines && "\n"}${start}${warning}`;
  return lines;
}
