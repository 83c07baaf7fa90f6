import { type AnyEvent, type EventName, isToolCallEvent } from "../../../protocol/event.ts";
import type { Payload } from "../../../protocol/host/host.ts";
import type { ScriptCodec } from "../../../protocol/host/scripts.ts";
import type { FileChange, MCPInput, Tool } from "../../../protocol/tool.ts";
import { findCapabilityRow } from "../../doctor-helpers.ts";
import { renderPatch } from "../../../protocol/patch.ts";
import {
  readCallMetadata,
  type CallEvent,
  omitUndefined,
  pickPresentFields,
  joinNewText,
  joinOldText,
  type CallOutput,
  splitIntoReplacements,
  buildNativeResult,
  buildSessionFields,
  getShellFolder,
  buildNativePayloads,
  buildTableCall,
} from "../../native-payloads.ts";
import { ALIASES, capabilities, createUnknownEventRow } from "../capabilities.ts";
import { decodePayload } from "../call/decode.ts";
import samples from "../samples.json" with { type: "json" };
import { TOOLS } from "../tools.ts";
import { parseAnswer } from "../read-answers.ts";

const HOST = "copilot";

const decodeEvent = (payload: Payload, native_event: string): AnyEvent =>
  decodePayload(payload, native_event, findCapabilityRow(capabilities, createUnknownEventRow, native_event)).event;

/** The CLI's own names, which `install` writes, come first, followed by those of Claude Code. */
const EVENTS = Object.keys(capabilities).sort(
  (one, other) => Number(Object.hasOwn(ALIASES, one)) - Number(Object.hasOwn(ALIASES, other)),
);
const listNativeEvents = ({ event }: AnyEvent) =>
  event === ("Native" satisfies EventName)
    ? []
    : EVENTS.filter(
        (native_event) => findCapabilityRow(capabilities, createUnknownEventRow, native_event).event === event,
      );

/** The native name of a call and its input: an object, or a patch text. */
type CopilotCall = [tool_name: string, tool_input: Payload | string];

/**
 * Returns a tool's first name in Claude Code's spelling, which events with Claude Code's names use
 * [seen 1.0.102, 2026-11-22].
 */
const getPascalCaseTool = (tool: Tool) =>
  Object.keys(TOOLS).find((name) => TOOLS[name]?.[0] === tool && /^[A-Z]/.test(name)) as string;

/** Builds a call in its event's spelling. */
const buildSpelledCall = (pascal: boolean, tool: Tool, input: object, beside?: Payload): CopilotCall[] =>
  buildTableCall(TOOLS, tool, input, { beside }).map(({ tool_name, tool_input }) => [
    pascal ? getPascalCaseTool(tool) : tool_name,
    tool_input,
  ]);

const formatDiffLines = (sign: string, text: string) =>
  text
    .replace(/\n$/, "")
    .split("\n")
    .map((line) => `${sign}${line}\n`);

/** An approval only has the diff of an edit [seen 1.0.102, 2026-11-22]. */
function buildApprovalInput(file: FileChange): Payload {
  const { file_path, operation, moved_to = file_path } = file;
  const [from, to] = [operation === "add" ? "/dev/null" : file_path, operation === "delete" ? "/dev/null" : moved_to];
  const [gone, put] = [joinOldText(file), joinNewText(file)];
  const changes = [...(gone ? formatDiffLines("-", gone) : []), ...(put ? formatDiffLines("+", put) : [])].join("");
  return { file_path, diff: `\ndiff --git a${file_path} b${moved_to}\n--- a${from}\n+++ b${to}\n@@ @@\n${changes}` };
}

/** Server and tool are joined by a hyphen; an approval has "/" there [seen 1.0.102, 2026-11-22]. */
function formatMcpName({ server, tool }: MCPInput, isApproval: boolean): string {
  if (server !== undefined) return `${server}${isApproval ? "/" : "-"}${tool}`;
  return tool.includes("-") ? tool : `unknown-${tool}`;
}

/**
 * Builds an edit: one change of one file, several such calls, or a patch, which is the only way to add, move and delete
 * files.
 */
function buildEditCalls(files: readonly FileChange[], pascal: boolean): CopilotCall[] {
  if (files.some(({ operation }) => operation !== "update"))
    return [[pascal ? getPascalCaseTool("Edit") : "apply_patch", renderPatch(files)]];
  return splitIntoReplacements(files).flatMap((change) => buildSpelledCall(pascal, "Edit", change));
}

/** Builds Copilot's calls for an event. */
function buildNativeCalls(event: CallEvent, pascal: boolean): CopilotCall[] {
  const isApproval = event.event === "PermissionRequest";
  const approved = (file: FileChange): CopilotCall[] => buildSpelledCall(pascal, "Edit", {}, buildApprovalInput(file));
  switch (event.tool) {
    case "Read": {
      const { offset = 1, limit } = event.input;
      const range = event.input.offset !== undefined || limit !== undefined;
      // -1: to the end of the file [unverified].
      const view_range = range ? [offset, limit === undefined ? -1 : offset + limit - 1] : undefined;
      return buildSpelledCall(pascal, event.tool, event.input, { view_range });
    }
    case "Write": {
      const { file_path, content: new_string } = event.input;
      if (!isApproval) return buildSpelledCall(pascal, event.tool, event.input);
      return approved({ file_path, operation: "add", edits: [{ old_string: "", new_string }] });
    }
    case "Edit":
      return isApproval ? event.input.files.flatMap(approved) : buildEditCalls(event.input.files, pascal);
    case "MCP":
      return [[formatMcpName(event.input, isApproval), event.input.arguments]];
    case "Other":
      return [[event.tool_name, event.input]];
    default:
      return buildSpelledCall(pascal, event.tool, event.input);
  }
}

/** The camelCase names of fields. */
const CAMEL: Readonly<Record<string, string>> = {
  tool_name: "toolName",
  tool_input: "toolArgs",
  tool_result: "toolResult",
  agent_id: "agentId",
  agent_type: "agentType",
  transcript_path: "transcriptPath",
};

/**
 * Converts fields to the payload's spelling; some payloads have another spelling than their event's name
 * [seen 1.0.102, 2026-11-22].
 */
const spellFields = (recorded: Payload, fields: Payload): Payload =>
  Object.hasOwn(recorded, "session_id")
    ? fields
    : Object.fromEntries(
        Object.entries(fields).map(([name, value]) => [
          Object.hasOwn(recorded, name) ? name : (CAMEL[name] ?? name),
          value,
        ]),
      );

/** Neutral values: the recorded ones belong to another session. */
const NEUTRAL = { initialPrompt: "", initial_prompt: "", customInstructions: "", permissionSuggestions: [] };

function buildPayloadsAt(event: AnyEvent, native_event: string, recorded: Payload): Payload[] {
  const { transcript_path } = event;
  // With an agent it would be a subagent's own stop, which is reported again as such [seen 1.0.102, 2026-11-22].
  const { agent_id, agent_type } = event.event === "Stop" ? {} : event;
  // Scripts expect transcripts in their own host's format.
  const own = event.host === HOST ? { transcript_path } : {};
  const name = pickPresentFields(recorded, { agentName: agent_type, agent_name: agent_type });
  const base = {
    ...recorded,
    ...pickPresentFields(recorded, NEUTRAL),
    ...spellFields(recorded, omitUndefined({ agent_id, agent_type, ...own })),
    ...name,
  };
  if (isToolCallEvent(event)) return buildCallPayloads(event, native_event, base);
  const { last_assistant_message, ...fields } = buildSessionFields(event);
  const last =
    event.event === "SubagentStop"
      ? { [Object.hasOwn(recorded, "response") ? "response" : "last_assistant_message"]: last_assistant_message }
      : {};
  return [omitUndefined({ ...base, ...fields, ...last })];
}

function buildCallPayloads(event: CallEvent, native_event: string, base: Payload): Payload[] {
  const pascal = Object.hasOwn(base, "session_id");
  const { error } = readCallMetadata(event);
  const result = buildNativeResult(event, HOST, native_event, ({ text }: CallOutput) =>
    pascal ? { result_type: "success", text_result_for_llm: text } : { resultType: "success", textResultForLlm: text },
  );
  const folder = pickPresentFields(base, { cwd: getShellFolder(event) });
  return buildNativeCalls(event, pascal).map(([tool_name, input]) => {
    const fields = spellFields(base, { tool_name, tool_input: input, tool_result: result });
    // An approval has its own name for the input.
    const { toolArgs, ...rest } = fields;
    const named = Object.hasOwn(base, "toolInput") ? { ...rest, toolInput: toolArgs } : fields;
    return omitUndefined({ ...base, ...folder, ...named, error });
  });
}

export const scriptCodec: ScriptCodec = {
  buildPayloads: (event) =>
    buildNativePayloads({ host: HOST, recorded: samples, decodeEvent, listNativeEvents, buildPayloadsAt }, event),
  parseAnswer,
  buildScriptEnv: (root) => ({ COPILOT_CLI: "1", COPILOT_PROJECT_DIR: root, CLAUDE_PROJECT_DIR: root }),
};
