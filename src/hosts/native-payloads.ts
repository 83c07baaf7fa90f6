import { resolve } from "node:path";
import { type AnyEvent, isToolCallEvent } from "../protocol/event.ts";
import type { Payload } from "../protocol/host/host.ts";
import type { NativePayload } from "../protocol/host/scripts.ts";
import type { FileChange, MCPInput, Tool, ToolOutput } from "../protocol/tool.ts";
import type { ToolTable } from "./tool-table.ts";
import { omitNulls } from "./wire.ts";

/** An event about a call, and one of the session. */
export type CallEvent = Extract<AnyEvent, { tool: unknown }>;
type SessionEvent = Exclude<AnyEvent, CallEvent>;

/** A call in a host's own words. */
export interface NativeCall {
  tool_name: string;
  tool_input: Payload;
  /** What it gave, in the host's form. */
  result?: (output: CallOutput) => unknown;
  /** Fields of the payload that only such a call has. */
  more?: Payload;
}

/** What a finished call gave, whatever the tool. */
export type CallOutput = ToolOutput & { stdout?: string; stderr?: string; exit_code?: number; is_error?: boolean };

/** How a host's words are made: from what was recorded of it, with the event's own values in it. */
interface PayloadBuilder {
  host: string;
  /** A recorded payload for each native event. */
  recorded: Readonly<Record<string, Payload>>;
  /** A payload as the host's adapter reads it. */
  decodeEvent: (payload: Payload, native_event: string) => AnyEvent;
  /** The native events that tell of a unified one, the one that an installation hears of first in front. */
  listNativeEvents: (event: AnyEvent) => readonly string[];
  /** The payloads at a native event, one a call; `base` is the recorded one, of this session. */
  buildPayloadsAt: (event: AnyEvent, native_event: string, base: Payload) => readonly Payload[];
}

/** Whether an event came from this host, and at this event of its own. */
const isFromNativeEvent = (event: AnyEvent, host: string, native_event: string) =>
  event.host === host && event.native_event === native_event;

/** Whether the payload still says what the event does: a hook before may have changed the call. */
function isUnchanged(event: AnyEvent, { decodeEvent }: PayloadBuilder): boolean {
  if (Object.keys(event._native).length === 0) return false;
  const told = decodeEvent(omitNulls(event._native), event.native_event);
  return !isToolCallEvent(event) || (isToolCallEvent(told) && Bun.deepEquals(told.input, event.input));
}

/** A recorded payload, of the event's session and folder wherever it names them. */
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

/** What a host tells of an event. */
export function buildNativePayloads(words: PayloadBuilder, event: AnyEvent): readonly NativePayload[] {
  const { host, recorded, listNativeEvents, buildPayloadsAt } = words;
  const own = event.host === host;
  // Its own event comes first, and as it came.
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

/** The fields that have a value. */
export const omitUndefined = (fields: Payload): Payload =>
  Object.fromEntries(Object.entries(fields).filter(([, value]) => value !== undefined));

/** Those of the fields that stand in the payload already: a host has its own idea of what it tells at an event. */
export const pickPresentFields = (base: Payload, fields: Payload): Payload =>
  Object.fromEntries(Object.entries(omitUndefined(fields)).filter(([name]) => Object.hasOwn(base, name)));

/** A call by the host's first name for the tool, in its own words, with fields `beside` those that its table has; none without such a tool. */
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

/** What a finished call gave, in the form of the native event: as it came from there, or else made of what is known of it. */
export function buildNativeResult(
  event: AnyEvent,
  host: string,
  native_event: string,
  make: (output: CallOutput) => unknown,
): unknown {
  if (event.event !== "PostToolUse") return undefined;
  const { output } = event;
  // A text is all that somebody gives who has no host.
  return isFromNativeEvent(event, host, native_event) && output.raw !== output.text ? output.raw : make(output);
}

/** What an event tells of a call beside the call. */
export function readCallMetadata(event: CallEvent): { id?: string; error?: string; duration_ms?: number } {
  return {
    id: "tool_use_id" in event ? event.tool_use_id : undefined,
    error: event.event === "PostToolUseFailure" ? event.error : undefined,
    duration_ms: "duration_ms" in event ? event.duration_ms : undefined,
  };
}

/** The folder that a shell command runs in, where it is not the session's. */
export const getShellFolder = (event: CallEvent): string | undefined =>
  event.tool === "Bash" && event.input.cwd ? resolve(event.cwd || "/", event.input.cwd) : undefined;

/** What an event of the session says, in the names that most hosts share. What a model said is nobody's, where the event has none. */
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
 * The server and the tool of an MCP call. Where the host that told it joins both by a hyphen, every reading counts as a call, so that
 * no policy is passed by.
 */
export function listMcpReadings({ server, tool }: MCPInput): { server: string; tool: string }[] {
  if (server !== undefined) return [{ server, tool }];
  const readings = [...tool.matchAll(/(?<=.)-(?=.)/g)].map(({ index }) => ({
    server: tool.slice(0, index),
    tool: tool.slice(index + 1),
  }));
  return readings.length > 0 ? readings : [{ server: "unknown", tool }];
}

/** What an edit puts into a file, and what it takes away, each as one text. */
export const joinNewText = ({ edits }: FileChange): string => edits.map(({ new_string }) => new_string).join("");
export const joinOldText = ({ edits }: FileChange): string => edits.map(({ old_string }) => old_string).join("");

/**
 * An edit as calls of a tool that makes one replacement in one file. A file that is deleted, or that another becomes, is told as a
 * change of it: what matters to a policy is which files are touched.
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
