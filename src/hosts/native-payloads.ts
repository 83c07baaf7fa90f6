import { resolve } from "node:path";
import { type AnyEvent, isToolCallEvent } from "../protocol/event.ts";
import type { Payload } from "../protocol/host/host.ts";
import type { NativePayload } from "../protocol/host/scripts.ts";
import type { FileChange, MCPInput, Tool, ToolOutput } from "../protocol/tool.ts";
import type { ToolTable } from "./tool-table.ts";
import { omitNulls } from "../protocol/object.ts";

/** An event about a tool call. */
export type CallEvent = Extract<AnyEvent, { tool: unknown }>;
type SessionEvent = Exclude<AnyEvent, CallEvent>;

/** A call in the host's own format. */
export interface NativeCall {
  tool_name: string;
  tool_input: Payload;
  /** Converts the result to the host's format. */
  result?: (output: CallOutput) => unknown;
  /** Payload fields that only this call has. */
  more?: Payload;
}

/** The result of a finished call of any tool. */
export type CallOutput = ToolOutput & { stdout?: string; stderr?: string; exit_code?: number; is_error?: boolean };

/** How to build a host's payloads from its recordings and an event's values. */
interface PayloadBuilder {
  host: string;
  /** A recorded payload for each native event. */
  recorded: Readonly<Record<string, Payload>>;
  /** Decodes a payload with the host's adapter. */
  decodeEvent: (payload: Payload, native_event: string) => AnyEvent;
  /** Returns the native events of a unified one; the one that reaches an installation first comes first. */
  listNativeEvents: (event: AnyEvent) => readonly string[];
  /** Returns the payloads at a native event, one per call; `base` is the recording, adapted to this session. */
  buildPayloadsAt: (event: AnyEvent, native_event: string, base: Payload) => readonly Payload[];
}

/** Whether an event came from this host's native event. */
const isFromNativeEvent = (event: AnyEvent, host: string, native_event: string) =>
  event.host === host && event.native_event === native_event;

/** Whether the original payload still matches the event; an earlier hook may have changed the call. */
function isUnchanged(event: AnyEvent, { decodeEvent }: PayloadBuilder): boolean {
  if (Object.keys(event._native).length === 0) return false;
  const told = decodeEvent(omitNulls(event._native), event.native_event);
  return !isToolCallEvent(event) || (isToolCallEvent(told) && Bun.deepEquals(told.input, event.input));
}

/** Adapts a recorded payload to the event's session and directory. */
function adaptRecording(
  recorded: Payload,
  native_event: string,
  { session_id, cwd }: AnyEvent,
  { decodeEvent }: PayloadBuilder,
): Payload {
  const before = decodeEvent(omitNulls(recorded), native_event);
  const inJson = (text: string) => JSON.stringify(text).slice(1, -1);
  const put = (json: string, from: string, to: string) =>
    from && to ? json.replaceAll(inJson(from), () => inJson(to)) : json;
  return JSON.parse(put(put(JSON.stringify(recorded), before.session_id, session_id), before.cwd, cwd)) as Payload;
}

/** Builds the payloads that a host sends for an event. */
export function buildNativePayloads(words: PayloadBuilder, event: AnyEvent): readonly NativePayload[] {
  const { host, recorded, listNativeEvents, buildPayloadsAt } = words;
  const own = event.host === host;
  // The original native event comes first, with its payload unchanged.
  const named = event.event === "Native" ? (own ? [event.native_event] : []) : listNativeEvents(event);
  const first = own && named.includes(event.native_event) ? [event.native_event] : [];
  return [...first, ...named.filter((name) => !first.includes(name))].flatMap((native_event): NativePayload[] => {
    const here = isFromNativeEvent(event, host, native_event);
    if (here && isUnchanged(event, words)) return [{ native_event, payload: event._native, call: 0 }];
    const sample = here && Object.keys(event._native).length > 0 ? event._native : recorded[native_event];
    if (!sample) return [];
    const base = sample === event._native ? sample : adaptRecording(sample, native_event, event, words);
    return buildPayloadsAt(event, native_event, base).map((payload, call) => ({ native_event, payload, call }));
  });
}

/** Removes fields without a value. */
export const omitUndefined = (fields: Payload): Payload =>
  Object.fromEntries(Object.entries(fields).filter(([, value]) => value !== undefined));

/** Keeps only fields that the recorded payload has: each host sends its own set of fields at an event. */
export const pickPresentFields = (base: Payload, fields: Payload): Payload =>
  Object.fromEntries(Object.entries(omitUndefined(fields)).filter(([name]) => Object.hasOwn(base, name)));

/**
 * Builds a call under the host's first name for the tool, with the table's fields and those in `beside`; undefined if
 * the host has no such tool.
 */
export function buildTableCall(
  tools: ToolTable,
  tool: Tool,
  input: object,
  more: Partial<NativeCall> & { beside?: Payload } = {},
): NativeCall[] {
  const [[tool_name, [, names = {}]] = ["", [tool]]] = Object.entries(tools).filter(([, [one]]) => one === tool);
  const { beside, ...native } = more;
  const said = Object.entries(names).map(([field, name]) => [[name].flat()[0], (input as Payload)[field]]);
  return tool_name
    ? [{ tool_name, tool_input: omitUndefined({ ...Object.fromEntries(said), ...beside }), ...native }]
    : [];
}

/**
 * Returns a finished call's result in the native event's format: the original if it came from there, or else one built
 * from the unified output.
 */
export function buildNativeResult(
  event: AnyEvent,
  host: string,
  native_event: string,
  make: (output: CallOutput) => unknown,
): unknown {
  if (event.event !== "PostToolUse") return undefined;
  const { output } = event;
  // An output whose `raw` equals its text came without a native format.
  return isFromNativeEvent(event, host, native_event) && output.raw !== output.text ? output.raw : make(output);
}

/** Returns the event's fields about the call, other than tool and input. */
export function readCallMetadata(event: CallEvent): { id?: string; error?: string; duration_ms?: number } {
  return {
    id: "tool_use_id" in event ? event.tool_use_id : undefined,
    error: event.event === "PostToolUseFailure" ? event.error : undefined,
    duration_ms: "duration_ms" in event ? event.duration_ms : undefined,
  };
}

/** Returns a shell command's working directory, if it differs from the session's. */
export const getShellFolder = (event: CallEvent): string | undefined =>
  event.tool === "Bash" && event.input.cwd ? resolve(event.cwd || "/", event.input.cwd) : undefined;

/**
 * Returns a session event's fields, under the names that most hosts share. A recorded message of the model is never
 * used.
 */
export function buildSessionFields(event: SessionEvent): Payload {
  switch (event.event) {
    case "SessionStart":
      return omitUndefined({ source: event.source });
    case "SessionEnd":
      return omitUndefined({ reason: event.reason });
    case "UserPromptSubmit":
      return { prompt: event.prompt };
    case "PreCompact":
    case "PostCompact":
      return omitUndefined({ trigger: event.trigger });
    case "Notification":
      return omitUndefined({ message: event.message, notification_type: event.notification_type });
    case "Stop":
    case "SubagentStop":
      return { stop_hook_active: event.continuations > 0, last_assistant_message: event.last_message };
    case "SubagentStart":
    case "Native":
      return {};
  }
}

/**
 * Returns the server and the tool of an MCP call. If the original host joins them with a hyphen, every possible split
 * is returned as a call, so that no policy is bypassed.
 */
export function listMcpReadings({ server, tool }: MCPInput): { server: string; tool: string }[] {
  if (server !== undefined) return [{ server, tool }];
  const readings = [...tool.matchAll(/(?<=.)-(?=.)/g)].map(({ index }) => ({
    server: tool.slice(0, index),
    tool: tool.slice(index + 1),
  }));
  return readings.length > 0 ? readings : [{ server: "unknown", tool }];
}

/** The text that an edit adds to a file, and the text that it removes, each joined. */
export const joinNewText = ({ edits }: FileChange): string => edits.map(({ new_string }) => new_string).join("");
export const joinOldText = ({ edits }: FileChange): string => edits.map(({ old_string }) => old_string).join("");

/**
 * Splits an edit into calls of a tool that makes one replacement in one file. Deleted and moved files are reported as
 * changed: what matters to a policy is which files are touched.
 */
export const splitIntoReplacements = (
  files: readonly FileChange[],
): { file_path: string; old_string: string; new_string: string }[] =>
  files.flatMap(({ file_path, operation, moved_to, edits }) => {
    const empty = { old_string: "", new_string: "" };
    const changes = (edits.length > 0 ? edits : [empty]).map(({ old_string, new_string }) => ({
      file_path,
      old_string,
      new_string,
    }));
    return operation === "move" && moved_to !== undefined ? [...changes, { file_path: moved_to, ...empty }] : changes;
  });
