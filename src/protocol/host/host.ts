import type { Capabilities, EvidenceTable, CapabilityRow } from "../capability.ts";
import { type AnyEvent, type CallEvent, type EventName, EVENTS } from "../event.ts";
import type { Decision } from "../response.ts";
import type { HistoryReader } from "./history.ts";
import type { HostDoctor, MachineContext, Setup } from "./install.ts";
import type { PackFile, PackSpec, PluginBuilder } from "./pack.ts";
import type { ProjectTraits } from "../project.ts";
import type { Env, Payload, PayloadProfile } from "./payload.ts";
import type { ScriptCodec } from "./scripts.ts";

export type { Env, Payload };

/**
 * A payload property that helps identify the host. Prefer keys to `test`, since every call checks all signs.
 */
export interface PayloadTrait {
  /** At least one of these keys must be present. */
  any?: readonly string[];
  /** All of these keys must be present. */
  all?: readonly string[];
  /** An additional condition that keys can't express. */
  test?: (payload: Payload, env: Env) => boolean;
}

/** A trait that only this host's payloads have. */
export interface HostSign extends PayloadTrait {
  /** Name of the sign in messages: its key, in quotes. */
  label: string;
  /** Weight in host detection. One point is enough to contradict another host. Defaults to 1. */
  weight?: number;
}

/** A trait that other hosts' payloads might share. Positive points count for this host, negative points against it. */
export interface HostHint extends PayloadTrait {
  points: number;
  /** Set if multiple hosts' payloads have this trait, so that it doesn't contradict another host. */
  isShared?: true;
}

/** A payload after decoding, before the session state is read. */
export interface DecodedPayload {
  event: AnyEvent;
  /** Whether the host reports that this stop follows a continuation. */
  isContinuing?: boolean;
  /** Number of consecutive continuations, on hosts that count them. */
  continuations?: number;
  /** Id of the agent that continues; absent for the main agent. Continuations are counted per agent. */
  subject?: string;
}

/** The part of a response that the host honors on this event, ready for `encodeAnswer`. */
export interface LoweredResponse {
  decision?: Decision;
  reason?: string;
  user_message?: string;
  additional_context?: string;
  /** The complete native input after a rewrite. */
  input?: Payload;
  /** The new result, converted by the host's `replaceOutput`. */
  output?: unknown;
  session_env?: Readonly<Record<string, string>>;
}

/** The rewritten native input, or the reason why this host can't apply the rewrite. */
export type RewriteResult = { input: Payload } | { unsupported: string };

/** The new result in the host's format for this call, or the reason why the result can't be replaced. */
export type ReplaceResult = { output: unknown } | { unsupported: string };

/** The executable's output, as the host's process receives it. */
export interface HostAnswer {
  /** Text for stdout: one document, or an empty string. */
  stdout: string;
  /** Text for the user. Some hosts also pass stderr to the model, especially if stderr is the answer. */
  stderr: string;
  /** Advice for the hook's author. Never written to stderr, because the model might read stderr. */
  advice?: string;
  exit_code: number;
  /** Exit code to use if stderr is closed, on hosts that also read a denial from the document. */
  exitCodeIfStderrClosed?: number;
  /** Set if the host parses stderr as a document. */
  documentOnStderr?: true;
  /**
   * Whether the document denies, asks or rewrites. If such a document is lost, the host allows a call that should be
   * restricted.
   */
  restricts?: boolean;
  /**
   * Text to append to the file named by this environment variable, for hosts that read `session_env` from a file
   * instead of the document.
   */
  append?: { variable: string; text: string };
}

/** Process state for a call; provided by main.ts and by tests. */
export interface ProcessInput {
  env: Env;
  /**
   * Returns the payload's text, or the parsed payload if it has already been read.
   * @throws Error if stdin stays open without delivering a document.
   */
  read: (timeoutMs: number) => unknown;
}

/** Values of the host-specific options, keyed by option name. */
export type HostOptionValues = Readonly<Record<string, string>>;

/** A host-specific command-line option. */
export interface HostOption<Value extends string = string> {
  /** Allowed values; the first is the default. */
  values: readonly [Value, ...Value[]];
  /** Help text. */
  meaning: string;
}

/** Files and settings that an agent must not change, because changing them could keep the host from calling hooks. */
export interface HookControls {
  /**
   * Files that configure or disable hooks. A path that ends in "/" stands for a directory with all its contents. A path
   * that starts with "**\/" matches in any directory. Paths use "/" on every operating system.
   */
  files: (machine: Pick<MachineContext, "home" | "platform" | "env">) => string[];
  /**
   * Describes how these arguments would keep the program from calling hooks, as a predicate whose subject is "it".
   * Returns undefined for arguments that don't affect hooks.
   * @param readText returns the text of a file that an argument names, or undefined if the file can't be read
   */
  describeBypass: (args: readonly string[], readText: (path: string) => string | undefined) => string | undefined;
  /** Environment variables that disable hooks, or that make the host read configs other than the guarded ones. */
  variables: readonly string[];
}

/** The host's config directories, which might not exist. */
export interface HostFolders {
  /** The user's config directory. */
  user: (machine: Pick<MachineContext, "home" | "env">) => string;
  /** The administrators' config directory, relative to `system` if set; absent on hosts without one. */
  managed?: (machine: Pick<MachineContext, "platform" | "env" | "system">) => string;
  /** The administrators' second config directory; absent on hosts without one. */
  settings?: (machine: Pick<MachineContext, "platform" | "env" | "system">) => string;
}

/** Data for detecting a host. Every call loads this data for all hosts, so keep it small. */
export interface HostIdentity {
  /** Host id, the value of `--host <id>`. */
  id: string;
  /** Display name. */
  name: string;
  /** Host-specific options, keyed by option name. */
  options: Readonly<Record<string, HostOption>>;
  /** Traits that only this host's payloads have. */
  signs: readonly HostSign[];
  /**
   * Loads the hints, which are used if no host is named or a sign contradicts the named host. Absent if the signs
   * suffice.
   */
  loadHints?: () => Promise<readonly HostHint[]>;
  /**
   * Programs on PATH that print the host's version with `--version`. The first one found counts as the host's program.
   */
  programs: readonly string[];
  /** npm packages that contain the programs. */
  packages: readonly string[];
  /** Environment variables that the host sets for its child processes. Several hosts can list the same variable. */
  childVariables: readonly string[];
  folders: HostFolders;
  project: ProjectTraits;
  /** Name of the bridge-hooks plugin, on hosts that identify plugins by name. */
  plugin?: string;
  /**
   * Managed settings that aren't stored in files: a macOS preferences domain, and a key in the Windows registry hives.
   */
  preferences?: { domain: string; registryKey?: string };
  hookControls: HookControls;
}

/** An entry of the host registry. */
export interface RegisteredHost extends HostIdentity {
  loadHost: () => Promise<Host>;
}

/** The complete definition of a host. */
export interface Host<Shape extends string = string> extends HostIdentity {
  capabilities: Capabilities<Shape>;
  /** Returns the capability row for unknown events and for native events that have no row in the table. */
  createUnknownEventRow: () => CapabilityRow<Shape>;
  /** Unified events that this host doesn't have. */
  absentEvents: readonly EventName[];
  /** Maximum length of one string, in UTF-16 code units; absent if no limit is known. */
  textLimit?: number;
  /** Returns the payload's native event name. `hint` is the name from the command line. */
  getEventName: (payload: Payload, hint?: string) => string;
  /** @throws Error if a required field of a known event is missing. */
  decodePayload: (payload: Payload, native_event: string, row: CapabilityRow<Shape>) => DecodedPayload;
  /** Applies a patch that uses unified field names, and returns the native input. */
  rewriteInput: (event: CallEvent, patch: Payload, decision: Decision | undefined) => RewriteResult;
  /** Converts a hook's `modified_output` to the host's format. Absent if the host accepts any string or object. */
  replaceOutput?: (event: AnyEvent, output: string | Payload) => ReplaceResult;
  encodeAnswer: (
    response: LoweredResponse,
    shape: Shape,
    native_event: string,
    settings: HostOptionValues,
  ) => HostAnswer;
  /** Option values for answers to unknown events, on which the host might not read a document. */
  unknownEventOptions?: HostOptionValues;
  /**
   * Fields that distinguish the host's payloads from similar payloads sent by other programs that run the host's
   * entries. Absent if no such program is known.
   */
  payloadProfile?: PayloadProfile;
  /** Output for a call on which no hook has an opinion. */
  neutralOutput: string;
  /** Exit code for a failure that allows the call. Defaults to 1, which some hosts treat as a denial. */
  failureExitCode?: number;
  /** How many times in a row the host lets hooks make the agent continue; absent if no limit is known. */
  maxContinuations?: number;
  /** Events whose calls the host might report again on another event. The other event's entry has `--after`. */
  repeatedEvents?: readonly string[];
  /** Alternative native event names in configs, mapped to the names in our entries. */
  eventAliases?: Readonly<Record<string, string>>;
  /** Looks up a call's MCP server in the host's config, if the call doesn't name its server. */
  findServer?: (payload: Payload, machine: Pick<MachineContext, "roots" | "home">) => Promise<FoundServer>;
  setup: () => Promise<Setup>;
  /** Loads the checks for whether the host obeys an entry. */
  loadDoctor: () => Promise<HostDoctor>;
  /** Loads the builder of the enterprise pack. */
  loadPackBuilder: () => Promise<(order: PackSpec) => PackFile[]>;
  /**
   * Loads the code that builds a marketplace directory. The directory holds one plugin, which contains our entries.
   * Resolves to undefined if the host doesn't support plugins.
   */
  loadPluginBuilder: () => Promise<PluginBuilder | undefined>;
  loadScriptCodec: () => Promise<ScriptCodec>;
  /** Loads the reader for the host's own session records. Absent if the format of the records is unknown. */
  loadHistory?: () => Promise<HistoryReader>;
  /** Loads the results of runs with the real host. Called only when needed. */
  loadEvidence: () => Promise<EvidenceTable>;
}

export type FoundServer = { server: string } | { why: string; advice: string };

/**
 * Host code that only commands and a few calls need. It's kept in one module, because each module slows down a call.
 */
interface HostCommands {
  hostDoctor: HostDoctor;
  buildPack: (order: PackSpec) => PackFile[];
  buildPlugin?: PluginBuilder;
  scriptCodec: ScriptCodec;
  evidence: object;
  history?: HistoryReader;
}

type DefaultParts = "getEventName" | "neutralOutput";
type DerivedParts =
  "absentEvents" | "loadDoctor" | "loadPackBuilder" | "loadPluginBuilder" | "loadScriptCodec" | "loadEvidence";
type HostParts<Shape extends string> = Omit<Host<Shape>, DefaultParts | DerivedParts> &
  Partial<Pick<Host, DefaultParts>> & {
    /** The payload field that contains the event name. Defaults to `hook_event_name`. */
    eventField?: string;
    loadCommands: () => Promise<HostCommands>;
  };

/** Type-checks a host against the literal types of its own table, adds default fields, and widens the type. */
export function defineHost<Shape extends string>(parts: HostParts<Shape>): Host {
  const { eventField = "hook_event_name", loadCommands, ...own } = parts;
  const defaults: Pick<Host, DefaultParts> = {
    getEventName: ({ [eventField]: name }, hint) => (typeof name === "string" ? name : (hint ?? "")),
    neutralOutput: "",
  };
  return {
    ...defaults,
    get absentEvents() {
      const ownEvents = new Set(Object.values(parts.capabilities).map((row) => row().event));
      return EVENTS.filter((event) => event !== "Native" && !ownEvents.has(event));
    },
    loadDoctor: async () => (await loadCommands()).hostDoctor,
    loadPackBuilder: async () => (await loadCommands()).buildPack,
    loadPluginBuilder: async () => (await loadCommands()).buildPlugin,
    loadScriptCodec: async () => (await loadCommands()).scriptCodec,
    loadEvidence: async () => (await loadCommands()).evidence as EvidenceTable,
    ...own,
  } as unknown as Host;
}

/** Returns whether any evidence comes from a run of the real host. Otherwise, all facts come from documentation. */
export const isBasedOnRun = async (host: Host): Promise<boolean> => Object.keys(await host.loadEvidence()).length > 0;

/** Returns the capability row of a native event, or of a single call if `payload` is given. */
export function getCapabilityRow(host: Host, native_event: string, payload?: Payload): CapabilityRow {
  const row = Object.hasOwn(host.capabilities, native_event) ? host.capabilities[native_event] : undefined;
  return row ? row(payload) : host.createUnknownEventRow();
}
