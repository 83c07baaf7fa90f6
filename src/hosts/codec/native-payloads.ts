import { resolve } from "node:path";
import { type AnyEvent, type CallEvent, type EventName, isToolCallEvent } from "../../protocol/event.ts";
import { getCapabilityRow, type Host } from "../../protocol/host/host.ts";
import type { Payload } from "../../protocol/host/payload.ts";
import type { NativePayload, ScriptCodec } from "../../protocol/host/scripts.ts";
import { omitNulls, omitUndefined } from "../../protocol/object.ts";
import type { FileChange, MCPInput, Tool, ToolOutput } from "../../protocol/tool.ts";
import type { ToolTable } from "./tool-table.ts";

export type SessionEvent = Exclude<AnyEvent, CallEvent>;

/** A tool call in the host's own format. */
export interface NativeCall {
  tool_name: string;
  /** Usually an object, but a string on hosts whose tools take a string. */
  tool_input: Payload | string;
  result?: (output: CallOutput) => unknown;
  /** Additional payload fields for this call. */
  extraFields?: Payload;
}

/** A completed call's result, in a format that fits any tool. */
export type CallOutput = ToolOutput & { stdout?: string; stderr?: string; exit_code?: number; is_error?: boolean };

/** A native call whose result is already in the host's format. */
interface BuiltCall extends Omit<NativeCall, "result" | "more"> {
  result: unknown;
  extraFields: Payload | undefined;
}

export type CallBuilders = {
  [T in Tool]?: (event: Extract<CallEvent, { tool: T }>, base: Payload) => readonly NativeCall[];
};

/**
 * Describes how to build a host's payloads from recordings and event values. Also contains the other functions of the
 * script codec, which are used unchanged.
 */
interface PayloadSpec extends Omit<ScriptCodec, "buildPayloads"> {
  host: Host;
  /** One recorded payload per native event. */
  samples: Readonly<Record<string, Payload>>;
  tools: ToolTable;
  /**
   * Returns the native events for a unified event, in the order in which the host fires them. By default, uses the
   * capability table's events in table order.
   */
  listNativeEvents?: (event: AnyEvent) => readonly string[];
  /** Fields that overwrite the recorded values. Fields that the recording lacks are skipped. */
  replace?: (event: AnyEvent) => Payload;
  /** Fields added to every payload if the event has a value for them. */
  add?: (event: AnyEvent) => Payload;
  /**
   * Fields added only if the event came from this host, such as the transcript: scripts can't read a transcript in
   * another host's format.
   */
  addOwn?: (event: AnyEvent) => Payload;
  /** Call builders for tools that the tool table doesn't describe. */
  calls?: CallBuilders;
  /** Returns the tool name to use on an event; undefined to use the first name in the table. */
  nameTool?: (tool: Tool, base: Payload) => string | undefined;
  /** Whether one call can read several files. If not, each file becomes a separate call. */
  readsSeveralFiles?: true;
  /** Builds calls to MCP tools. Omitted if `calls` already has a builder for them. */
  mcp?: (reading: { server: string; tool: string }) => Omit<NativeCall, "tool_input">;
  /** Formats the result of a call that has no `result` converter. */
  formatResult?: (output: CallOutput, base: Payload) => unknown;
  /**
   * Call metadata that the host's payloads contain. `cwd` and `tool_use_id` are written only if the recording has them.
   */
  metadata?: readonly ("cwd" | "tool_use_id" | "error" | "duration_ms")[];
  /** Builds a call's payload. By default, uses the field names that most hosts share. */
  buildCall?: (call: BuiltCall, event: CallEvent, base: Payload) => Payload;
  /** Builds the payloads for events that report calls in their own format; returns undefined for other events. */
  buildSpecificPayloads?: (event: CallEvent, native_event: string, base: Payload) => readonly Payload[] | undefined;
  /** Builds a session event's payload. By default, uses the field names that most hosts share. */
  buildSession?: (event: SessionEvent, fields: Payload, base: Payload) => Payload;
}

const isFromNativeEvent = (event: AnyEvent, host: string, native_event: string) =>
  event.host === host && event.native_event === native_event;

const decodeEvent = ({ host }: PayloadSpec, payload: Payload, native_event: string): AnyEvent =>
  host.decodePayload(omitNulls(payload), native_event, getCapabilityRow(host, native_event)).event;

/** Whether the original payload still matches the event, since an earlier hook could have changed the call. */
function isUnchanged(event: AnyEvent, spec: PayloadSpec): boolean {
  if (Object.keys(event._native).length === 0) return false;
  const original = decodeEvent(spec, event._native, event.native_event);
  return !isToolCallEvent(event) || (isToolCallEvent(original) && Bun.deepEquals(original.input, event.input));
}

/** Replaces the recorded session ID and working directory with the event's values. */
function adaptRecording(recording: Payload, native_event: string, event: AnyEvent, spec: PayloadSpec): Payload {
  const recordedEvent = decodeEvent(spec, recording, native_event);
  const escapeForJson = (text: string) => JSON.stringify(text).slice(1, -1);
  const replaceInJson = (json: string, original: string, replacement: string) =>
    original && replacement ? json.replaceAll(escapeForJson(original), () => escapeForJson(replacement)) : json;
  return JSON.parse(
    replaceInJson(
      replaceInJson(JSON.stringify(recording), recordedEvent.session_id, event.session_id),
      recordedEvent.cwd,
      event.cwd,
    ),
  ) as Payload;
}

/** Lists the native events that the capability table maps to a unified event. */
export const listTableEvents = ({ capabilities }: Pick<Host, "capabilities">, name: EventName): string[] =>
  Object.keys(capabilities).filter((native_event) => capabilities[native_event]?.().event === name);

export const createScriptCodec = (spec: PayloadSpec): ScriptCodec => ({
  ...spec,
  buildPayloads: (event) => buildNativePayloads(spec, event),
});

/** Builds the payloads that a host would send for an event. */
function buildNativePayloads(spec: PayloadSpec, event: AnyEvent): readonly NativePayload[] {
  const { host, samples, listNativeEvents = ({ event: name }) => listTableEvents(host, name) } = spec;
  const isOwnEvent = event.host === host.id;
  // An event from this host keeps its original payload, and its native event is listed first.
  const nativeEvents = event.event === "Native" ? (isOwnEvent ? [event.native_event] : []) : listNativeEvents(event);
  const ownEvents = isOwnEvent && nativeEvents.includes(event.native_event) ? [event.native_event] : [];
  return [...ownEvents, ...nativeEvents.filter((name) => !ownEvents.includes(name))].flatMap(
    (native_event): NativePayload[] => {
      const isOriginal = isFromNativeEvent(event, host.id, native_event);
      if (isOriginal && isUnchanged(event, spec)) return [{ native_event, payload: event._native, call: 0 }];
      const sample = isOriginal && Object.keys(event._native).length > 0 ? event._native : samples[native_event];
      if (!sample) return [];
      const recording = sample === event._native ? sample : adaptRecording(sample, native_event, event, spec);
      return buildPayloadsForEvent(spec, event, native_event, recording).map((payload, call) => ({
        native_event,
        payload,
        call,
      }));
    },
  );
}

/** Builds the payloads for a native event, one per call. `recording` has already been adapted to this session. */
function buildPayloadsForEvent(
  spec: PayloadSpec,
  event: AnyEvent,
  native_event: string,
  recording: Payload,
): readonly Payload[] {
  const { host, replace, add, addOwn, buildSession, formatResult = ({ text }) => text } = spec;
  const base = {
    ...recording,
    ...(replace && pickPresentFields(recording, replace(event))),
    ...(add && omitUndefined(add(event))),
    ...(addOwn && event.host === host.id && omitUndefined(addOwn(event))),
  };
  if (!isToolCallEvent(event)) {
    const fields = buildSessionFields(event);
    return [omitUndefined(buildSession ? buildSession(event, fields, base) : { ...base, ...fields })];
  }
  const specificPayloads = spec.buildSpecificPayloads?.(event, native_event, base);
  if (specificPayloads) return specificPayloads.map(omitUndefined);
  return listNativeCalls(spec, event, base).map(({ result, extraFields, ...call }) => {
    const format = result ?? ((output: CallOutput) => formatResult(output, base));
    const built = { ...call, result: buildNativeResult(event, host.id, native_event, format), extraFields };
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
    return listMcpInterpretations(event.input).map((reading) => ({
      ...mcp(reading),
      tool_input: event.input.arguments,
    }));
  const tool_name = nameTool?.(event.tool, base);
  return buildTableCall(tools, event.tool, event.input, tool_name === undefined ? {} : { tool_name });
}

/** Builds a call's payload with the field names that most hosts share. */
function buildSharedCall(
  { tool_name, tool_input, result: tool_response, extraFields }: BuiltCall,
  event: CallEvent,
  base: Payload,
  names: PayloadSpec["metadata"] = [],
): Payload {
  const { id: tool_use_id, error, duration_ms } = readCallMetadata(event);
  const pickFields = (fields: Payload) =>
    Object.fromEntries(Object.entries(fields).filter(([name]) => (names as readonly string[]).includes(name)));
  return {
    ...base,
    ...pickPresentFields(base, pickFields({ cwd: getShellFolder(event), tool_use_id })),
    tool_name,
    tool_input,
    tool_response,
    ...pickFields({ error, duration_ms }),
    ...extraFields,
  };
}

/** Keeps only the fields present in the recorded payload, because hosts send different fields for each event. */
export const pickPresentFields = (base: Payload, fields: Payload): Payload =>
  Object.fromEntries(Object.entries(omitUndefined(fields)).filter(([name]) => Object.hasOwn(base, name)));

/**
 * Builds a call to a unified tool under its first name in the table, and adds the fields in `extraInput`. Returns no
 * calls if the host lacks the tool.
 */
export function buildTableCall(
  tools: ToolTable,
  tool: Tool,
  input: object,
  options: Partial<NativeCall> & { extraInput?: Payload } = {},
): NativeCall[] {
  const [[tool_name, [, names = {}]] = ["", [tool]]] = Object.entries(tools).filter(
    ([, [rowTool]]) => rowTool === tool,
  );
  const { extraInput, ...native } = options;
  const fields = Object.entries(names).map(([field, name]) => [[name].flat()[0], (input as Payload)[field]]);
  return tool_name
    ? [{ tool_name, tool_input: omitUndefined({ ...Object.fromEntries(fields), ...extraInput }), ...native }]
    : [];
}

/**
 * Returns a completed call's result in the native event's format: the original result if the call came from that event,
 * otherwise one built from the unified output.
 */
export function buildNativeResult(
  event: AnyEvent,
  host: string,
  native_event: string,
  format: (output: CallOutput) => unknown,
): unknown {
  if (event.event !== "PostToolUse") return undefined;
  const { output } = event;
  // If the output had no native format, `raw` equals the text.
  return isFromNativeEvent(event, host, native_event) && output.raw !== output.text ? output.raw : format(output);
}

/** Returns a call's ID, error and duration. */
export function readCallMetadata(event: CallEvent): { id?: string; error?: string; duration_ms?: number } {
  return {
    id: "tool_use_id" in event ? event.tool_use_id : undefined,
    error: event.event === "PostToolUseFailure" ? event.error : undefined,
    duration_ms: "duration_ms" in event ? event.duration_ms : undefined,
  };
}

/** Returns a shell command's working directory if it differs from that of the session. */
export const getShellFolder = (event: CallEvent): string | undefined =>
  event.tool === "Bash" && event.input.cwd ? resolve(event.cwd || "/", event.input.cwd) : undefined;

/**
 * Builds a session event's fields under the names that most hosts share. Always sets last_assistant_message, so that
 * the recorded message never leaks into the payload.
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
 * Returns the server and tool names of an MCP call. If the original host joins them with a hyphen, returns every
 * possible split so that no policy can be bypassed.
 */
function listMcpInterpretations({ server, tool }: MCPInput): { server: string; tool: string }[] {
  if (server !== undefined) return [{ server, tool }];
  const readings = [...tool.matchAll(/(?<=.)-(?=.)/g)].map(({ index }) => ({
    server: tool.slice(0, index),
    tool: tool.slice(index + 1),
  }));
  return readings.length > 0 ? readings : [{ server: "unknown", tool }];
}

/** `joinNewText` joins the text that an edit adds to a file; `joinOldText` joins the text that it removes. */
export const joinNewText = ({ edits }: FileChange): string => edits.map(({ new_string }) => new_string).join("");
export const joinOldText = ({ edits }: FileChange): string => edits.map(({ old_string }) => old_string).join("");

/** Builds calls for a tool that makes one replacement per call and creates the file if the old text is empty. */
export const buildCreatingEdits = (tools: ToolTable, files: readonly FileChange[]): NativeCall[] =>
  files.flatMap((file) =>
    (file.operation === "add"
      ? [{ file_path: file.file_path, old_string: "", new_string: joinNewText(file) }]
      : splitIntoReplacements([file])
    ).flatMap((change) => buildTableCall(tools, "Edit", change)),
  );

/**
 * Splits edits into calls for a tool that makes one replacement in one file. Deletions and moves become ordinary edits,
 * because policies only need to know which files are touched.
 */
export const splitIntoReplacements = (
  files: readonly FileChange[],
): { file_path: string; old_string: string; new_string: string }[] =>
  files.flatMap(({ file_path, operation, moved_to, edits }) => {
    const emptyEdit = { old_string: "", new_string: "" };
    const changes = (edits.length > 0 ? edits : [emptyEdit]).map(({ old_string, new_string }) => ({
      file_path,
      old_string,
      new_string,
    }));
    return operation === "move" && moved_to !== undefined
      ? [...changes, { file_path: moved_to, ...emptyEdit }]
      : changes;
  });
