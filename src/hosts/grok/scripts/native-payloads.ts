import { type AnyEvent, isToolCallEvent } from "../../../protocol/event.ts";
import type { Payload } from "../../../protocol/host/host.ts";
import type { ScriptCodec } from "../../../protocol/host/scripts.ts";
import { findCapabilityRow } from "../../doctor-helpers.ts";
import {
  readCallMetadata,
  type CallEvent,
  omitUndefined,
  pickPresentFields,
  listMcpReadings,
  type NativeCall,
  joinNewText,
  type CallOutput,
  splitIntoReplacements,
  buildNativeResult,
  buildSessionFields,
  getShellFolder,
  buildNativePayloads,
  buildTableCall,
} from "../../native-payloads.ts";
import { capabilities, createUnknownEventRow } from "../capabilities.ts";
import { decodePayload } from "../call/decode.ts";
import { SPELLINGS } from "../call/wire.ts";
import samples from "../samples.json" with { type: "json" };
import { TOOLS } from "../tools.ts";
import { parseAnswer } from "../read-answers.ts";

// Field and tool names are those of the guide [shipped 1.0.41, read and not run]; the result format is unverified.

const HOST = "grok";

const decodeEvent = (payload: Payload, native_event: string): AnyEvent =>
  decodePayload(payload, native_event, findCapabilityRow(capabilities, createUnknownEventRow, native_event)).event;

const output = ({ text, exit_code = 0 }: CallOutput) => ({ exit_code, output_for_prompt: text });

/**
 * Builds Grok Build's calls for an event. Grok Build has no tool that deletes or moves a file, or that edits several
 * places at once.
 */
function buildNativeCalls(event: CallEvent): NativeCall[] {
  switch (event.tool) {
    case "Edit":
      return event.input.files.flatMap((file): NativeCall[] =>
        file.operation === "add"
          ? buildTableCall(TOOLS, event.tool, {
              file_path: file.file_path,
              old_string: "",
              new_string: joinNewText(file),
            })
          : splitIntoReplacements([file]).flatMap((change) => buildTableCall(TOOLS, event.tool, change)),
      );
    case "MCP":
      return listMcpReadings(event.input).map(({ server, tool }) => ({
        tool_name: `${server}__${tool}`,
        tool_input: event.input.arguments,
        result: ({ text }) => text,
      }));
    case "Other":
      return [{ tool_name: event.tool_name, tool_input: event.input }];
    default:
      return buildTableCall(TOOLS, event.tool, event.input);
  }
}

/** Returns the fields in both spellings, if the payload has the second one. */
function spellFields(base: Payload, fields: Payload): Payload {
  const found: Payload = { ...base };
  for (const [camel, snake] of SPELLINGS) {
    const value = fields[snake];
    if (value === undefined) continue;
    found[camel] = value;
    if (Object.hasOwn(base, snake)) found[snake] = value;
  }
  const names = new Set(SPELLINGS.map(([, snake]) => snake));
  return omitUndefined({
    ...found,
    ...Object.fromEntries(Object.entries(fields).filter(([name]) => !names.has(name))),
  });
}

/** Neutral values: the recorded ones belong to another session. */
const NEUTRAL = { toolInputTruncated: false, toolResultTruncated: false, backgroundTasks: [], sessionCrons: [] };

function buildPayloadsAt(event: AnyEvent, native_event: string, recorded: Payload): Payload[] {
  const { transcript_path, permission_mode, agent_id, agent_type } = event;
  const base = { ...recorded, ...pickPresentFields(recorded, NEUTRAL) };
  const common = {
    permission_mode,
    agent_id,
    agent_type,
    // Scripts expect transcripts in their own host's format.
    ...(event.host === HOST && { transcript_path }),
  };
  if (!isToolCallEvent(event)) return [spellFields(base, { ...common, ...buildSessionFields(event) })];
  const { id: tool_use_id, error, duration_ms } = readCallMetadata(event);
  return buildNativeCalls(event).map(({ tool_name, tool_input, result = output }) => {
    const tool_response = buildNativeResult(event, HOST, native_event, result);
    const fields = { tool_name, tool_input, tool_response, tool_use_id, duration_ms };
    return spellFields(
      { ...base, ...pickPresentFields(base, { cwd: getShellFolder(event) }) },
      { ...common, ...fields, error },
    );
  });
}

export const scriptCodec: ScriptCodec = {
  buildPayloads: (event) =>
    buildNativePayloads(
      {
        host: HOST,
        recorded: samples,
        decodeEvent,
        listNativeEvents: ({ event }) => (Object.hasOwn(capabilities, event) ? [event] : []),
        buildPayloadsAt,
      },
      event,
    ),
  parseAnswer,
  buildScriptEnv: (root, { sessionId }) => ({
    GROK_WORKSPACE_ROOT: root,
    ...(typeof sessionId === "string" && { GROK_SESSION_ID: sessionId }),
    CLAUDE_PROJECT_DIR: root,
  }),
};
