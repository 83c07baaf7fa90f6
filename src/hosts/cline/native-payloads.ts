import type { AnyEvent, CallEvent } from "../../protocol/event.ts";
import type { Payload } from "../../protocol/host/payload.ts";
import { omitUndefined, toObject } from "../../protocol/object.ts";
import { renderPatch } from "../../protocol/patch.ts";
import {
  buildTableCall,
  type CallOutput,
  createScriptCodec,
  getShellFolder,
  joinNewText,
  listTableEvents,
  type NativeCall,
  readCallMetadata,
  type SessionEvent,
  splitIntoReplacements,
} from "../codec/native-payloads.ts";
import { wrapItem } from "./inputs.ts";
import { cline } from "./index.ts";
import { parseAnswer, translatePatch } from "./read-answers.ts";
import samples from "./samples.json" with { type: "json" };
import { TOOLS } from "./tools.ts";

// Native field and tool names [seen 3.0.65, 2026-11-29].

/** Builds the call fields of the older format, in which every value is a string. Other values are encoded as JSON. */
const toParameters = (input: unknown): Payload =>
  Object.fromEntries(
    Object.entries(toObject(input)).map(([name, value]) => [
      name,
      typeof value === "string" ? value : JSON.stringify(value),
    ]),
  );

/** Formats a shell result as a list with one element per command. */
const formatShellResult = ({ text, exit_code = 0 }: CallOutput) => [
  {
    query: "",
    result: text,
    ...(exit_code !== 0 && { error: `Command exited with code ${exit_code}` }),
    success: exit_code === 0,
  },
];

const createFile = (path: string, new_text: string): NativeCall => ({
  tool_name: "editor",
  tool_input: { path, new_text },
});

/**
 * Builds the calls for an edit. New files and single replacements each become a call; deletions and moves need a patch.
 */
function buildEditCalls({ host, tool_name, input: { files } }: Extract<CallEvent, { tool: "Edit" }>): NativeCall[] {
  const isPatch = host === cline.id && tool_name === "apply_patch";
  if (isPatch || files.some(({ operation }) => operation === "delete" || operation === "move"))
    return [{ tool_name: "apply_patch", tool_input: { input: renderPatch(files) } }];
  return files.flatMap((file) =>
    file.operation === "add"
      ? [createFile(file.file_path, joinNewText(file))]
      : splitIntoReplacements([file]).flatMap((change) =>
          buildTableCall(TOOLS, "Edit", change, change.old_string ? {} : { extraInput: { insert_line: 1 } }),
        ),
  );
}

/** In a subagent, a call also identifies the parent agent. */
const addParentAgent = ({ agent_id }: AnyEvent, { agent_id: parent_agent_id }: Payload): Payload =>
  agent_id ? { agent_id, parent_agent_id } : {};

function buildSession(event: SessionEvent, fields: Payload, base: Payload): Payload {
  switch (event.event) {
    case "UserPromptSubmit":
      return { ...base, userPromptSubmit: { ...toObject(base.userPromptSubmit), prompt: event.prompt } };
    case "SubagentStart":
      return { ...base, ...addParentAgent(event, base) };
    case "SubagentStop":
      return {
        ...base,
        ...addParentAgent(event, base),
        turn: { ...toObject(base.turn), outputText: event.last_message },
      };
    case "Stop":
      return { ...base, turn: { ...toObject(base.turn), outputText: event.last_message } };
    case "SessionEnd":
      return { ...base, reason: fields.reason };
    default:
      return base;
  }
}

export const scriptCodec = createScriptCodec({
  host: cline,
  samples,
  tools: TOOLS,
  listNativeEvents(event) {
    // Subagents don't have their own scripts; they fire the main agent's events.
    if (event.host === cline.id && event.event === "SubagentStart") return ["TaskStart"];
    if (event.host === cline.id && event.event === "SubagentStop") return ["TaskComplete"];
    if (event.event !== "SessionStart") return listTableEvents(cline, event.event);
    return [event.source === "resume" ? "TaskResume" : "TaskStart"];
  },
  readsSeveralFiles: true,
  mcp: ({ server, tool }) => ({
    tool_name: `${server}__${tool}`,
    result: ({ text, is_error }) => ({ content: [{ type: "text", text }], ...(is_error && { isError: true }) }),
  }),
  calls: {
    Bash: ({ tool, input }) => buildTableCall(TOOLS, tool, input, { result: formatShellResult }),
    Read({ input: { file_path, file_paths = [file_path], offset, limit } }) {
      const range = { start_line: offset, end_line: limit === undefined ? undefined : (offset ?? 1) + limit - 1 };
      const files = file_paths.map((path) => omitUndefined({ path, ...(file_paths.length === 1 && range) }));
      return [{ tool_name: "read_files", tool_input: { files } }];
    },
    Write: ({ input: { file_path, content } }) => [createFile(file_path, content)],
    Edit: (event) => buildEditCalls(event),
    Task: ({ tool, input }) => buildTableCall(TOOLS, tool, input, { extraInput: { systemPrompt: "" } }),
  },
  buildSession,
  buildCall({ tool_name: name, tool_input, result: output }, event, base) {
    const { id, duration_ms: durationMs } = readCallMetadata(event);
    const isWrapped = name === "read_files" || typeof tool_input === "string";
    const input = isWrapped ? tool_input : wrapItem(name, tool_input);
    // Cline's shell calls have no working directory of their own.
    const folder = getShellFolder(event);
    const callFields = { ...base, ...addParentAgent(event, base), ...(folder && { workspaceRoots: [folder] }) };
    const call = { ...toObject(base.tool_call ?? base.tool_result), ...omitUndefined({ id }), name, input };
    const parameters = toParameters(input);
    if (event.event !== "PostToolUse")
      return { ...callFields, tool_call: call, preToolUse: { toolName: name, parameters } };
    const result = typeof output === "string" ? output : JSON.stringify(output);
    const postToolUse = { ...toObject(base.postToolUse), toolName: name, parameters, result };
    return { ...callFields, tool_result: { ...call, output, ...omitUndefined({ durationMs }) }, postToolUse };
  },
  parseAnswer,
  translatePatch,
  // Cline sets no environment variables that describe the session.
  buildScriptEnv: () => ({}),
});
