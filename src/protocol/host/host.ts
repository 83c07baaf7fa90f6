import type { Capabilities, EvidenceTable, CapabilityRow } from "../capability.ts";
import type { AnyEvent, EventName } from "../event.ts";
import type { Decision } from "../response.ts";
import type { HostDoctor, PackFile, PackSpec, MachineContext, Setup } from "./install.ts";
import type { Env, Payload } from "./payload.ts";
import type { ScriptCodec } from "./scripts.ts";

export type { Env, Payload };

/** What a payload carries. Data where it can be: every call looks at the signs of all hosts. */
export interface PayloadTrait {
  /** One of these keys is there. */
  any?: readonly string[];
  /** All of these keys are there. */
  all?: readonly string[];
  /** Whatever else it takes. */
  test?: (payload: Payload, env: Env) => boolean;
}

/** What no other host's payloads carry. */
export interface HostSign extends PayloadTrait {
  /** What it is, for a message: its key, in quotes. */
  label: string;
  /** How many marks it is, each of which would be enough to doubt another host. Default 1. */
  weight?: number;
}

/** A trait that other hosts' payloads may carry too: points for this host, or against it. */
export interface HostHint extends PayloadTrait {
  points: number;
  /** Several hosts' payloads have it: it is not a mark of this one, which would speak against another. */
  isShared?: true;
}

/** What a payload says, before the state of the session is known. */
export interface DecodedPayload {
  event: AnyEvent;
  /** True when the host says that this stop follows a continuation. */
  isContinuing?: boolean;
  /** How often in a row the agent went on, where the host counts. */
  continuations?: number;
  /** What goes on, where it is not the agent itself: each is counted for itself. */
  subject?: string;
}

/** A response as far as this host honours it: what is left is written. */
export interface LoweredResponse {
  decision?: Decision;
  reason?: string;
  user_message?: string;
  additional_context?: string;
  /** The whole native input after a rewrite. */
  input?: Payload;
  /** The new result, as the host's `replace` made it of the hook's. */
  output?: unknown;
  session_env?: Readonly<Record<string, string>>;
}

/** A rewritten input, or why this host cannot change it so. */
export type RewriteResult = { input: Payload } | { unsupported: string };

/** A new result in the form that the host takes for this call, or why it can't be replaced. */
export type ReplaceResult = { output: unknown } | { unsupported: string };

/** What the host's process gets from us. */
export interface HostAnswer {
  /** One document, or nothing. */
  stdout: string;
  /** For people (and for the model on hosts that read it there). */
  stderr: string;
  exit_code: number;
  /** The exit code where stderr is closed, if the host takes a denial from the document then, and not from `exit_code` alone. */
  unheard?: number;
  /** The document denies, asks or rewrites: losing it would let something pass. */
  restricts?: boolean;
  /** Text for the end of the file that this variable names: what the host reads of `session_env`, where it is not in the document. */
  append?: { variable: string; text: string };
}

/** The state of the process that a call may use; main.ts and tests give it. */
export interface ProcessInput {
  env: Env;
  /** The payload's text, or the payload where that was read already. @throws Error when stdin stays open without a document. */
  read: (timeoutMs: number) => unknown;
}

/** Values of the host's own options, by name. */
export type HostOptionValues = Readonly<Record<string, string>>;

/** An option that only one host has. */
export interface HostOption<Value extends string = string> {
  /** What it may be, the default first. */
  values: readonly [Value, ...Value[]];
  /** In the help. */
  meaning: string;
}

/** What an agent has to leave alone if the host is to go on asking hooks. */
export interface HookControls {
  /**
   * Files that say which hooks are called, or that none are; one that ends in "/" is a folder with all in it. In any folder where it
   * begins with "**\/", with "/" on every system.
   */
  files: (place: Pick<MachineContext, "home" | "platform" | "env">) => string[];
  /** Words behind the program that keep it from asking hooks; what they do, to follow "it". */
  describeBypass: (args: readonly string[]) => string | undefined;
  /** Variables by which it asks none, or reads other configs than the ones that are guarded. */
  variables: readonly string[];
}

/** Where a host keeps its config; no folder need be there. */
export interface HostFolders {
  /** The user's. */
  user: (place: Pick<MachineContext, "home" | "env">) => string;
  /** The administrators', below an image's root; absent where the host has none. */
  managed?: (place: Pick<MachineContext, "platform" | "env" | "system">) => string;
  /** Another one of the administrators'. */
  settings?: (place: Pick<MachineContext, "platform" | "env" | "system">) => string;
}

/** A host as a call sees it before it knows whose call it is. Every call loads all of them, so there is nothing else in it. */
export interface HostIdentity {
  /** As in `--host <id>`. */
  id: string;
  /** As people write it. */
  name: string;
  /** The host's own options, by name. */
  options: Readonly<Record<string, HostOption>>;
  /** What the payloads of no other host carry. */
  signs: readonly HostSign[];
  /** Looked at where no host is named, or the named one contradicted. Absent: the signs say it all. */
  loadHints?: () => Promise<readonly HostHint[]>;
  /** Its programs on PATH, which tell their releases with `--version`; the first that is there stands for the host. */
  programs: readonly string[];
  /** The npm packages that they come in. */
  packages: readonly string[];
  folders: HostFolders;
  /** The name of our plugin, where the host tells plugins apart by one. */
  plugin?: string;
  /** Where the system keeps managed settings that are not files: a domain of macOS preferences, a key below the registry's hives. */
  preferences?: { domain: string; registryKey?: string };
  hookControls: HookControls;
}

/** A line of the registry. */
export interface RegisteredHost extends HostIdentity {
  loadHost: () => Promise<Host>;
}

/** All that the bridge knows about a host. */
export interface Host<Shape extends string = string> extends HostIdentity {
  capabilities: Capabilities<Shape>;
  /** Holds for native events that have no row, and where the event is not known. */
  createUnknownEventRow: () => CapabilityRow<Shape>;
  /** Unified events this host does not have. */
  absentEvents: readonly EventName[];
  /** The most characters the host takes in one text; absent: no limit known. */
  textLimit?: number;
  /** The payload's native event name; `hint` is the one from the command line. */
  getEventName: (payload: Payload, hint?: string) => string;
  /** @throws Error when a known event lacks what it must have. */
  decodePayload: (payload: Payload, native_event: string, row: CapabilityRow<Shape>) => DecodedPayload;
  /** The native input after a patch in unified names. */
  rewriteInput: (event: AnyEvent, patch: Payload, decision: Decision | undefined) => RewriteResult;
  /** The result that takes the place of a finished call's. Absent: any text or object does. */
  replaceOutput?: (event: AnyEvent, output: string | Payload) => ReplaceResult;
  encodeAnswer: (
    response: LoweredResponse,
    shape: Shape,
    native_event: string,
    settings: HostOptionValues,
  ) => HostAnswer;
  /** Options of an answer to an event that the host is not known to have: it may not read a document there. */
  unknownEventOptions?: HostOptionValues;
  /** What to print when nothing was decided. */
  neutralOutput: string;
  /** The exit code of a failure that lets the call go on, where the host takes 1 for a denial. Default 1. */
  failureExitCode?: number;
  /** Events after which another one tells of some of the calls once more, with `--after` in its entry. */
  repeatedEvents?: readonly string[];
  /** Another name that configs may give a native event: by that name, the one that entries of ours have. */
  eventAliases?: Readonly<Record<string, string>>;
  /** Project roots named in the payload. */
  listRoots: (payload: Payload) => string[];
  /** The server of an MCP call that does not name it, as configured; or why it is not known, and what to do. */
  findServer?: (payload: Payload, place: Pick<MachineContext, "roots" | "home">) => Promise<FoundServer>;
  setup: () => Promise<Setup>;
  /** How it is seen whether the host obeys an entry. */
  loadDoctor: () => Promise<HostDoctor>;
  /** What an administrator ships. */
  loadPackBuilder: () => Promise<(order: PackSpec) => PackFile[]>;
  loadScriptCodec: () => Promise<ScriptCodec>;
  /** What runs of the real host have shown; loaded only when needed. */
  loadEvidence: () => Promise<EvidenceTable>;
}

export type FoundServer = { server: string } | { why: string; advice: string };

/** Checks a host with the literal types of its own table, for code that knows no host. */
export const defineHost = <Shape extends string>(host: Host<Shape>): Host => host as unknown as Host;

/** Whether any release of the host was run: of one that was not, all is documentation. */
export const wasRun = async (host: Host): Promise<boolean> => Object.keys(await host.loadEvidence()).length > 0;

/** The row of a native event, or of one call of it. */
export function getCapabilityRow(host: Host, native_event: string, payload?: Payload): CapabilityRow {
  const row = Object.hasOwn(host.capabilities, native_event) ? host.capabilities[native_event] : undefined;
  return row ? row(payload) : host.createUnknownEventRow();
}
