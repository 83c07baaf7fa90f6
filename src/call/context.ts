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
 * Default time limit of a call in milliseconds. Together with everything that follows, it stays below 5 s, the shortest
 * timeout of any host.
 */
export const DEADLINE_MS = 4_000;

/** The process in which a call runs. */
export interface CallWorld extends ProcessInput {
  /** Whether nothing but the answer is written for the host. */
  isTrial?: boolean;
  /** Ends the process when the time is up, if the call has its own process. */
  deadline?: Deadline;
  /** In a process with many calls, the deadline answers of calls with the same flags, host and event. */
  lastAnswers?: Pick<Map<string, HostAnswer>, "get" | "set">;
  /** Remaining part of the call's time limit, in milliseconds. Defaults to all of it. */
  remainingMs?: number | undefined;
  /** When the call began, in `performance.now()` time. Defaults to now. */
  started?: number;
  /** The payload that `read` returns, if it has already been parsed. */
  payload?: Payload | undefined;
  /** Why no hooks can run. */
  problem?: string | undefined;
  /** Loads the filter of the hooks that the call concerns, if it is known. */
  loadHookFilter?: LoadHookFilter | undefined;
  /**
   * Loads the function that computes which call an exception is bound to. Absent in trials, which have no exceptions.
   */
  loadBinding?: LoadBinding;
}

/** What is known about a call so far; failures are reported with it. */
export interface CallContext {
  /** The host that was named or detected. */
  readonly host?: RegisteredHost | undefined;
  /** Empty while it is unknown. */
  readonly native_event: string;
  readonly policy: FailurePolicy;
  readonly options: AnyOptions;
  /** Whether the payload's event is unknown and judged as a known one. */
  readonly isStandIn?: boolean;
  /** Absent if everything is enforced. */
  readonly modes?: ModePolicy | undefined;
}

/** A call before its first stage. */
export interface OpenedCall {
  /** All hooks, in the order in which they run. */
  entries: readonly HookDescriptor[];
  argv: readonly string[];
  world: CallWorld;
  options: AnyOptions;
  /** Describes the first invalid flag. */
  flagProblem: string | undefined;
  /** The host that the entry names, if it is registered. */
  named: RegisteredHost | undefined;
  context: CallContext;
  /** When the call started, and when the hooks must be done (`end`), in `performance.now()` time. */
  started: number;
  end: number;
  timeoutMs: number;
  /** The deadline, once it is armed. */
  armed?: ArmedDeadline;
}

export interface CallArguments {
  entries: readonly HookDescriptor[];
  /** Options from code, which override `argv`. */
  explicit: AnyOptions;
  argv: readonly string[];
}

/** Reads the options of a call and the modes in force. */
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

/** Reads the modes that config files set; returns undefined if everything is enforced, as in most calls. */
async function loadModes(): Promise<ModePolicy | undefined> {
  const sources = listModeSources();
  return sources.length === 0 ? undefined : (await import("./configured.ts")).readModes(sources);
}

/** Returns the values of the host's own options for this call. */
export const getHostSettings = (host: Host, { options, isStandIn }: CallContext): HostOptionValues => ({
  ...getHostOptionValues(host, options),
  ...(isStandIn && host.unknownEventOptions),
});

/**
 * Returns whether a failure may be answered with a denial. Not on Stop, where a denial would make the agent continue
 * because of a fault.
 */
export const canDeny = (row: CapabilityRow, version: string | undefined): boolean =>
  !hasContinuingDenial(row) && pickCell(row.deny, version).support !== "unenforceable";

/** Formats warnings as lines for stderr. */
export function formatWarnings({ host, native_event }: CallContext, warnings: readonly string[]): string {
  const place = host?.id && native_event ? `${host.id} ${native_event}` : host?.id || native_event;
  const start = place ? `bridge-hooks: ${place}: ` : "bridge-hooks: ";
  let lines = "";
  // A loop, because the deadline's answer contains a warning and the engine would have to compile `map` for it.
  for (const warning of warnings) lines += `${lines && "\n"}${start}${warning}`;
  return lines;
}
