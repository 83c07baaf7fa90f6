import {
  buildTableCall,
  createScriptCodec,
  joinNewText,
  pickPresentFields,
  readCallMetadata,
  splitIntoReplacements,
} from "../codec/native-payloads.ts";
import { omitUndefined } from "../../protocol/object.ts";
import { kimi } from "./index.ts";
import { parseAnswer, translatePatch } from "./read-answers.ts";
import samples from "./samples.json" with { type: "json" };
import { TOOLS } from "./tools.ts";

// Native field names [seen 2.1.0, 2026-11-27].

/** Maximum length of a result that Kimi Code reports [shipped 2.1.0]. */
const MAX_OUTPUT_LENGTH = 2_000;

export const scriptCodec = createScriptCodec({
  host: kimi,
  samples,
  tools: TOOLS,
  // Use a neutral title, because the recorded title belongs to another session.
  replace: ({ model }) => omitUndefined({ model, session_title: "" }),
  mcp: ({ server, tool }) => ({ tool_name: `mcp__${server}__${tool}` }),
  // Kimi Code has no tool that deletes or moves files or makes several edits at once.
  calls: {
    Edit: ({ tool, input }) =>
      input.files.flatMap((file) =>
        file.operation === "add"
          ? buildTableCall(TOOLS, "Write", { file_path: file.file_path, content: joinNewText(file) })
          : splitIntoReplacements([file]).flatMap((change) => buildTableCall(TOOLS, tool, change)),
      ),
  },
  buildSession(event, fields, base) {
    const { stop_hook_active, last_assistant_message, prompt, message, ...otherFields } = fields;
    switch (event.event) {
      case "UserPromptSubmit":
        return { ...base, prompt: [{ type: "text", text: prompt }] };
      // Kimi Code's payloads don't show whether a Stop hook has already continued the turn.
      case "Stop":
        return { ...base, stop_hook_active: false };
      case "SubagentStart":
        return { ...base, ...pickPresentFields(base, { agent_name: event.agent_type }), prompt: event.task ?? "" };
      case "SubagentStop":
        return {
          ...base,
          ...pickPresentFields(base, { agent_name: event.agent_type }),
          response: last_assistant_message ?? "",
        };
      case "Notification":
        return { ...base, ...otherFields, title: message, body: "" };
      default:
        return { ...base, ...otherFields };
    }
  },
  buildCall({ tool_name, tool_input, result }, event, base) {
    const { id: tool_call_id, error: message } = readCallMetadata(event);
    return {
      ...base,
      ...pickPresentFields(base, { tool_call_id }),
      tool_name,
      tool_input,
      tool_output: typeof result === "string" ? result.slice(0, MAX_OUTPUT_LENGTH) : result,
      ...(event.event === "PostToolUseFailure" && { error: { code: "internal", message, retryable: false } }),
    };
  },
  parseAnswer,
  translatePatch,
  // Kimi Code doesn't add environment variables.
  buildScriptEnv: () => ({}),
});
