import type { AnyEvent, CallEvent } from "../../protocol/event.ts";
import type { Payload } from "../../protocol/host/payload.ts";
import { omitUndefined } from "../../protocol/object.ts";
import { renderPatch } from "../../protocol/patch.ts";
import type { FileChange, MCPInput, Tool } from "../../protocol/tool.ts";
import {
  buildTableCall,
  createScriptCodec,
  getShellFolder,
  joinNewText,
  joinOldText,
  listTableEvents,
  type NativeCall,
  pickPresentFields,
  readCallMetadata,
  splitIntoReplacements,
} from "../codec/native-payloads.ts";
import { CAMEL_FIELDS } from "./call.ts";
import { EVENT_ALIASES } from "./capabilities.ts";
import { copilot } from "./index.ts";
import { parseAnswer, translatePatch } from "./read-answers.ts";
import samples from "./samples.json" with { type: "json" };
import { TOOLS } from "./tools.ts";

const HOST = "copilot";

/**
 * Returns a tool's first PascalCase name, which payloads with Claude Code's event names use [seen 1.0.102, 2026-11-22].
 */
const getPascalCaseTool = (tool: Tool) =>
  Object.keys(TOOLS).find((name) => TOOLS[name]?.[0] === tool && /^[A-Z]/.test(name)) as string;

/** Whether a payload has one of Claude Code's event names, and therefore Claude Code's spelling. */
const usesPascalCase = (base: Payload) => Object.hasOwn(base, "session_id");

/** Builds a call with the tool name that fits the spelling of the event's name. */
const buildCallForEventCase = (base: Payload, tool: Tool, input: object, extraInput?: Payload): NativeCall[] =>
  buildTableCall(TOOLS, tool, input, {
    extraInput,
    ...(usesPascalCase(base) && { tool_name: getPascalCaseTool(tool) }),
  });

const isApproval = ({ event }: CallEvent) => event === "PermissionRequest";

const formatDiffLines = (sign: string, text: string) =>
  text
    .replace(/\n$/, "")
    .split("\n")
    .map((line) => `${sign}${line}\n`);

/** Builds the input of an edit's approval payload, which contains only a diff [seen 1.0.102, 2026-11-22]. */
function buildApprovalInput(file: FileChange): Payload {
  const { file_path, operation, moved_to = file_path } = file;
  const [oldPath, newPath] = [
    operation === "add" ? "/dev/null" : file_path,
    operation === "delete" ? "/dev/null" : moved_to,
  ];
  const [removedText, addedText] = [joinOldText(file), joinNewText(file)];
  const changes = [
    ...(removedText ? formatDiffLines("-", removedText) : []),
    ...(addedText ? formatDiffLines("+", addedText) : []),
  ].join("");
  return {
    file_path,
    diff: `\ndiff --git a${file_path} b${moved_to}\n--- a${oldPath}\n+++ b${newPath}\n@@ @@\n${changes}`,
  };
}

/** Joins the server and tool names with a hyphen, or with "/" in an approval payload [seen 1.0.102, 2026-11-22]. */
function formatMcpName({ server, tool }: MCPInput, separator: "/" | "-"): string {
  if (server !== undefined) return `${server}${separator}${tool}`;
  return tool.includes("-") ? tool : `unknown-${tool}`;
}

/** Builds the calls for an edit: one call per change, or a single patch if the edit adds, moves or deletes files. */
function buildEditCalls(files: readonly FileChange[], base: Payload): NativeCall[] {
  if (files.some(({ operation }) => operation !== "update"))
    return [
      { tool_name: usesPascalCase(base) ? getPascalCaseTool("Edit") : "apply_patch", tool_input: renderPatch(files) },
    ];
  return splitIntoReplacements(files).flatMap((change) => buildCallForEventCase(base, "Edit", change));
}

/**
 * Converts field names to the payload's spelling, which can differ from that of the event's name [seen 1.0.102,
 * 2026-11-22].
 */
const spellFields = (recording: Payload, fields: Payload): Payload =>
  Object.hasOwn(recording, "session_id")
    ? fields
    : Object.fromEntries(
        Object.entries(fields).map(([name, value]) => [
          Object.hasOwn(recording, name) ? name : (CAMEL_FIELDS.get(name) ?? name),
          value,
        ]),
      );

function addAgent(event: AnyEvent, recording: Payload): Payload {
  const { transcript_path, host } = event;
  // Omit the agent. A Stop with an agent would be a subagent's Stop, which Copilot reports separately [seen 1.0.102,
  // 2026-11-22].
  const { agent_id, agent_type } = event.event === "Stop" ? {} : event;
  // Scripts expect transcripts in their own host's format.
  const ownFields = host === HOST ? { transcript_path } : {};
  return {
    ...recording,
    ...spellFields(recording, omitUndefined({ agent_id, agent_type, ...ownFields })),
    ...pickPresentFields(recording, { agentName: agent_type, agent_name: agent_type }),
  };
}

export const scriptCodec = createScriptCodec({
  host: copilot,
  samples,
  tools: TOOLS,
  // The CLI's own event names, which `install` writes, come before Claude Code's names.
  listNativeEvents({ event }) {
    const names = listTableEvents(copilot, event);
    const isAlias = (name: string) => Object.hasOwn(EVENT_ALIASES, name);
    return [...names.filter((name) => !isAlias(name)), ...names.filter(isAlias)];
  },
  // Use neutral values, because the recorded values belong to another session.
  replace: () => ({ initialPrompt: "", initial_prompt: "", customInstructions: "", permissionSuggestions: [] }),
  formatResult: ({ text }, base) =>
    usesPascalCase(base)
      ? { result_type: "success", text_result_for_llm: text }
      : { resultType: "success", textResultForLlm: text },
  nameTool: (tool, base) => (usesPascalCase(base) ? getPascalCaseTool(tool) : undefined),
  calls: {
    Read({ tool, input }, base) {
      const { offset = 1, limit } = input;
      const isPartialRead = input.offset !== undefined || limit !== undefined;
      // The end line -1 means "to the end of the file" [unverified].
      const view_range = isPartialRead ? [offset, limit === undefined ? -1 : offset + limit - 1] : undefined;
      return buildCallForEventCase(base, tool, input, { view_range });
    },
    Write(event, base) {
      const { file_path, content: new_string } = event.input;
      if (!isApproval(event)) return buildCallForEventCase(base, event.tool, event.input);
      const file: FileChange = { file_path, operation: "add", edits: [{ old_string: "", new_string }] };
      return buildCallForEventCase(base, "Edit", {}, buildApprovalInput(file));
    },
    Edit: (event, base) =>
      isApproval(event)
        ? event.input.files.flatMap((file) => buildCallForEventCase(base, "Edit", {}, buildApprovalInput(file)))
        : buildEditCalls(event.input.files, base),
    MCP: (event) => [
      { tool_name: formatMcpName(event.input, isApproval(event) ? "/" : "-"), tool_input: event.input.arguments },
    ],
  },
  buildCall({ tool_name, tool_input, result }, event, recording) {
    const base = addAgent(event, recording);
    const { error } = readCallMetadata(event);
    const fields = spellFields(base, { tool_name, tool_input, tool_result: result });
    // In an approval payload, the field with the input is named `toolInput`.
    const { toolArgs, ...otherFields } = fields;
    const callFields = Object.hasOwn(base, "toolInput") ? { ...otherFields, toolInput: toolArgs } : fields;
    return { ...base, ...pickPresentFields(base, { cwd: getShellFolder(event) }), ...callFields, error };
  },
  buildSession(event, { last_assistant_message, ...fields }, recording) {
    const name = Object.hasOwn(recording, "response") ? "response" : "last_assistant_message";
    const lastMessage = event.event === "SubagentStop" ? { [name]: last_assistant_message } : {};
    return { ...addAgent(event, recording), ...fields, ...lastMessage };
  },
  parseAnswer,
  translatePatch,
  buildScriptEnv: (root) => ({ COPILOT_CLI: "1", COPILOT_PROJECT_DIR: root, CLAUDE_PROJECT_DIR: root }),
});
