import { type AnyEvent, isToolCallEvent } from "../../../protocol/event.ts";
import type { Payload } from "../../../protocol/host/host.ts";
import type { ScriptCodec } from "../../../protocol/host/scripts.ts";
import type { FileChange } from "../../../protocol/tool.ts";
import { findCapabilityRow } from "../../doctor-helpers.ts";
import { renderPatch } from "../../../protocol/patch.ts";
import {
  readCallMetadata,
  type CallEvent,
  omitUndefined,
  pickPresentFields,
  listMcpReadings,
  type NativeCall,
  type CallOutput,
  buildNativeResult,
  buildSessionFields,
  getShellFolder,
  buildNativePayloads,
  buildTableCall,
} from "../../native-payloads.ts";
import { capabilities, createUnknownEventRow } from "../capabilities.ts";
import { decodePayload } from "../call/decode.ts";
import samples from "../samples.json" with { type: "json" };
import { TOOLS } from "../tools.ts";
import { parseAnswer } from "../read-answers.ts";

const HOST = "codex";

const decodeEvent = (payload: Payload, native_event: string): AnyEvent =>
  decodePayload(payload, native_event, findCapabilityRow(capabilities, createUnknownEventRow, native_event)).event;

// Result formats [seen 0.169.0, 2026-11-21]: text, except for MCP tools.
const formatText = ({ text }: CallOutput) => text;
const formatMcpResult = ({ text, is_error = false }: CallOutput) => ({
  content: [{ type: "text", text }],
  isError: is_error,
});

const buildPatchCall = (files: readonly FileChange[]): NativeCall => ({
  tool_name: "apply_patch",
  tool_input: { command: renderPatch(files) },
});

/** Builds Codex's calls for an event. Codex does not report searches and fetches to hooks. */
function buildNativeCalls(event: CallEvent): NativeCall[] {
  switch (event.tool) {
    case "Write": {
      const { file_path, content: new_string } = event.input;
      return [buildPatchCall([{ file_path, operation: "add", edits: [{ old_string: "", new_string }] }])];
    }
    case "Edit":
      return [buildPatchCall(event.input.files)];
    case "MCP":
      return listMcpReadings(event.input).map(({ server, tool }) => ({
        tool_name: `mcp__${server}__${tool}`,
        tool_input: event.input.arguments,
        result: formatMcpResult,
      }));
    case "Other":
      return [{ tool_name: event.tool_name, tool_input: event.input }];
    default:
      return buildTableCall(TOOLS, event.tool, event.input);
  }
}

function buildPayloadsAt(event: AnyEvent, native_event: string, recorded: Payload): Payload[] {
  const { permission_mode = "default", model = "unknown", agent_id, agent_type, transcript_path } = event;
  const base = {
    ...recorded,
    ...pickPresentFields(recorded, { permission_mode, model }),
    ...omitUndefined({ agent_id, agent_type }),
    // Scripts expect transcripts in their own host's format.
    ...(event.host === HOST && omitUndefined({ transcript_path })),
  };
  if (!isToolCallEvent(event)) {
    const fields = buildSessionFields(event);
    // The only reason that exists [shipped 0.169.0]; it distinguishes the payload from other hosts' ones.
    return [omitUndefined({ ...base, ...fields, ...(event.event === "SessionEnd" && { reason: "other" }) })];
  }
  const { id: tool_use_id } = readCallMetadata(event);
  return buildNativeCalls(event).map(({ tool_name, tool_input, result = formatText }) =>
    omitUndefined({
      ...base,
      ...pickPresentFields(base, { cwd: getShellFolder(event), tool_use_id }),
      tool_name,
      tool_input,
      tool_response: buildNativeResult(event, HOST, native_event, result),
    }),
  );
}

const listNativeEvents = ({ event }: AnyEvent) => (Object.hasOwn(capabilities, event) ? [event] : []);

export const scriptCodec: ScriptCodec = {
  buildPayloads: (event) =>
    buildNativePayloads({ host: HOST, recorded: samples, decodeEvent, listNativeEvents, buildPayloadsAt }, event),
  parseAnswer,
  // Codex adds no variables of its own [seen 0.169.0].
  buildScriptEnv: () => ({}),
};
