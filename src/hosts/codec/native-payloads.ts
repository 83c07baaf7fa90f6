import { resolve } from "node:path";
import { type AnyEvent, type CallEvent, type EventName, isToolCallEvent } from "../../protocol/event.ts";
import { getCapabilityRow, type Host } from "../../protocol/host/host.ts";
import type { Payload } from "../../protocol/host/payload.ts";
import type { NativePayload, ScriptCodec } from "../../protocol/host/scripts.ts";
import { omitNulls, omitUndefined } from "../../protocol/object.ts";
import type { FileChange, MCPInput, Tool, ToolOutput } from "../../protocol/tool.ts";
import type { ToolTable } from "./tool-table.ts";

export type SessionEvent = Exclude<AnyEvent, CallEvent>;

/** A call in the host's own format. */
export interface NativeCall {
  tool_name: string;
  /** An object, or a text on hosts with such tools. */
  tool_input: Payload | string;
  /** Converts the result to the host's format. */
  result?: (output: CallOutput) => unknown;
  /** Payload fields that only this call has. */
  more?: Payload;
}

/** The result of a finished call of any tool. */
export type CallOutput = ToolOutput & { stdout?: string; stderr?: string; exit_code?: number; is_error?: boolean };

/** A call as it goes into a payload: the result is built. */
interface BuiltCall extends Omit<NativeCall, "result" | "more"> {
  result: unknown;
  more: Payload | undefined;
}

export type CallBuilders = {
  [T in Tool]?: (event: Extract<CallEvent, { tool: T }>, base: Payload) => readonly NativeCall[];
};

/** How a host's payloads are built from its recordings and an event's values, and the rest of its script codec. */
interface PayloadSpec extends Omit<ScriptCodec, "buildPayloads"> {
  host: Host;
  /** A recorded payload for each native event. */
  samples: Readonly<Record<string, Payload>>;
  tools: ToolTable;
  /**
   * Native events of a unified one; the one that reaches an installation first comes first. Default: those of the
   * capability table, in its order.
   */
  listNativeEvents?: (event: AnyEvent) => readonly string[];
  /** Fields that replace recorded ones, where the recording has them. */
  replace?: (event: AnyEvent) => Payload;
  /** Fields that every payload gets, if the event has them. */
  add?: (event: AnyEvent) => Payload;
  /** The same for events of this host: scripts expect transcripts, for example, in their own host's format. */
  addOwn?: (event: AnyEvent) => Payload;
  /** The calls of a tool, where the tool table doesn't describe them. */
  calls?: CallBuilders;
  /** The name of a tool at an event, if it isn't the table's first one. */
  nameTool?: (tool: Tool, base: Payload) => string | undefined;
  /** A call may read several files; on other hosts each of them is a call. */
  readsSeveralFiles?: true;
  /** Calls of MCP tools; absent on hosts with a builder in `calls`. */
  mcp?: (reading: { server: string; tool: string }) => Omit<NativeCall, "tool_input">;
  /** The result of a call that has no format of its own. */
  formatResult?: (output: CallOutput, base: Payload) => unknown;
  /** Metadata of a call that its payload has; the first two only where the recording has them. */
  metadata?: readonly ("cwd" | "tool_use_id" | "error" | "duration_ms")[];
  /** The payload of a call. Default: the fields that most hosts share. */
  buildCall?: (call: BuiltCall, event: CallEvent, base: Payload) => Payload;
  /** The payloads at events that report calls in a format of their own; undefined: the event is none of them. */
  buildSpecificPayloads?: (event: CallEvent, native_event: string, base: Payload) => readonly Payload[] | undefined;
  /** The payload of a session event. Default: the fields that most hosts share. */
  buildSession?: (event: SessionEvent, fields: Payload, base: Payload) => Payload;
}

/** Whether an event came from this host's native event. */
const isFromNativeEvent = (event: AnyEvent, host: string, native_event: string) =>
  event.host === host && event.native_event === native_event;

/** Decodes a payload with the host's adapter. */
const decodeEvent = ({ host }: PayloadSpec, payload: Payload, native_event: string): AnyEvent =>
  host.decodePayload(omitNulls(payload), native_event, getCapabilityRow(host, native_event)).event;

/** Whether the original payload still matches the event; an earlier hook may have changed the call. */
function isUnchanged(event: AnyEvent, spec: PayloadSpec): boolean {
  if (Object.keys(event._native).length === 0) return false;
  const original = decodeEvent(spec, event._native, event.native_event);
  return !isToolCallEvent(event) || (isToolCallEvent(original) && Bun.deepEquals(original.input, event.input));
}

/** Adapts a recorded payload to the event's session and directory. */
function adaptRecording(recorded: Payload, native_event: string, event: AnyEvent, spec: PayloadSpec): Payload {
  const before = decodeEvent(spec, recorded, native_event);
  const inJson = (text: string) => JSON.stringify(text).slice(1, -1);
  const put = (json: string, from: string, to: string) =>
    from && to ? json.replaceAll(inJson(from), () => inJson(to)) : json;
  return JSON.parse(
    put(put(JSON.stringify(recorded), before.session_id, event.session_id), before.cwd, event.cwd),
  ) as Payload;
}

/** The native events of a unified one, by the capability table. */
export const listTableEvents = ({ capabilities }: Pick<Host, "capabilities">, name: EventName): string[] =>
  Object.keys(capabilities).filter((native_event) => capabilities[native_event]?.().event === name);

/** Creates a host's script codec: its payloads from this description, and its answers. */
export const createScriptCodec = (spec: PayloadSpec): ScriptCodec => ({
  ...spec,
  buildPayloads: (event) => buildNativePayloads(spec, event),
});

/** Builds the payloads that a host sends for an event. */
function buildNativePayloads(spec: PayloadSpec, event: AnyEvent): readonly NativePayload[] {
  const { host, samples, listNativeEvents = ({ event: name }) => listTableEvents(host, name) } = spec;
  const own = event.host === host.id;
  // The original native event comes first, with its payload unchanged.
  const named = event.event === "Native" ? (own ? [event.native_event] : []) : listNativeEvents(event);
  const first = own && named.includes(event.native_event) ? [event.native_event] : [];
  return [...first, ...named.filter((name) => !first.includes(name))].flatMap((native_event): NativePayload[] => {
    const here = isFromNativeEvent(event, host.id, native_event);
    if (here && isUnchanged(event, spec)) return [{ native_event, payload: event._native, call: 0 }];
    const sample = here && Object.keys(event._native).length > 0 ? event._native : samples[native_event];
    if (!sample) return [];
    const recorded = sample === event._native ? sample : adaptRecording(sample, native_event, event, spec);
    return buildPayloadsAt(spec, event, native_event, recorded).map((payload, call) => ({
      native_event,
      payload,
      call,
    }));
  });
}

/** Builds the payloads at a native event, one per call; `recorded` is the recording, adapted to this session. */
function buildPayloadsAt(
  spec: PayloadSpec,
  event: AnyEvent,
  native_event: string,
  recorded: Payload,
): readonly Payload[] {
  const { host, replace, add, addOwn, buildSession, formatResult = ({ text }) => text } = spec;
  const base = {
    ...recorded,
    ...(replace && pickPresentFields(recorded, replace(event))),
    ...(add && omitUndefined(add(event))),
    ...(addOwn && event.host === host.id && omitUndefined(addOwn(event))),
  };
  if (!isToolCallEvent(event)) {
    const fields = buildSessionFields(event);
    return [omitUndefined(buildSession ? buildSession(event, fields, base) : { ...base, ...fields })];
  }
  const specific = spec.buildSpecificPayloads?.(event, native_event, base);
  if (specific) return specific.map(omitUndefined);
  return listNativeCalls(spec, event, base).map(({ result, more, ...call }) => {
    const format = result ?? ((output: CallOutput) => formatResult(output, base));
    const built = { ...call, result: buildNativeResult(event, host.id, native_event, format), more };
    return omitUndefined((spec.buildCall ?? buildSharedCall)(built, event, base, spec.metadata));
  });
}

function listNativeCalls(spec: PayloadSpec, event: CallEvent, base: Payload): readonly NativeCall[] {
  const { calls = {}, mcp, tools, nameTool, readsSeveralFiles } = spec;
  if (event.tool === "Read" && event.input.file_paths && !readsSeveralFiles)
    return event.input.file_paths.flatMap((file_path) =>
      listNativeCalls(spec, { ...event, input: { file_path } }, base),
    );
  const build = calls[event.tool] as ((event: CallEvent, base: Payload) => readonly NativeCall[]) | undefined;
  if (build) return build(event, base);
  if (event.tool === "Other") return [{ tool_name: event.tool_name, tool_input: event.input }];
  if (event.tool === "MCP" && mcp)
    return listMcpReadings(event.input).map((reading) => ({ ...mcp(reading), tool_input: event.input.arguments }));
  const tool_name = nameTool?.(event.tool, base);
  return buildTableCall(tools, event.tool, event.input, tool_name === undefined ? {} : { tool_name });
}

/** Builds a call's payload with the field names that most hosts share. */
function buildSharedCall(
  { tool_name, tool_input, result: tool_response, more }: BuiltCall,
  event: CallEvent,
  base: Payload,
  names: PayloadSpec["metadata"] = [],
): Payload {
  const { id: tool_use_id, error, duration_ms } = readCallMetadata(event);
  const pick = (fields: Payload) =>
    Object.fromEntries(Object.entries(fields).filter(([name]) => (names as readonly string[]).includes(name)));
  return {
    ...base,
    ...pickPresentFields(base, pick({ cwd: getShellFolder(event), tool_use_id })),
    tool_name,
    tool_input,
    tool_response,
    ...pick({ error, duration_ms }),
    ...more,
  };
}

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
  format: (output: CallOutput) => unknown,
): unknown {
  if (event.event !== "PostToolUse") return undefined;
  const { output } = event;
  // An output whose `raw` equals its text came without a native format.
  return isFromNativeEvent(event, host, native_event) && output.raw !== output.text ? output.raw : format(output);
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
function buildSessionFields(event: SessionEvent): Payload {
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
function listMcpReadings({ server, tool }: MCPInput): { server: string; tool: string }[] {
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

/** Builds the calls of a tool that makes one replacement in one file, and creates a file from an empty old text. */
export const buildCreatingEdits = (tools: ToolTable, files: readonly FileChange[]): NativeCall[] =>
  files.flatMap((file) =>
    (file.operation === "add"
      ? [{ file_path: file.file_path, old_string: "", new_string: joinNewText(file) }]
      : splitIntoReplacements([file])
    ).flatMap((change) => buildTableCall(tools, "Edit", change)),
  );

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
