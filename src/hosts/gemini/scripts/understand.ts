import { objectOf, rowIn } from "../../check.ts";
import { patchOf, response, text, understood } from "../../understand.ts";
import { capabilities, unknown } from "../capabilities.ts";
import { toolCall } from "../call/decode.ts";
import { documentIn, verdict } from "../doctor/verdict.ts";

/** What Gemini CLI makes of a command's answer. */
export const understand = understood({
  name: "Gemini CLI",
  verdict,
  unsaid: ["tailToolCallRequest", "llm_request", "llm_response", "toolConfig"],
  find: ({ stdout, stderr }) => documentIn(stdout.trim() || stderr.trim()),
  read(document, { native_event, payload }, { stdout, stderr }, denied) {
    const { additionalContext, tool_input } = objectOf(document.hookSpecificOutput);
    const ends = document.continue === false;
    const atStop = rowIn(capabilities, unknown, native_event).shape === "stop";
    const why = text(document.reason) ?? text(document.stopReason);
    const heard = { user_message: text(document.systemMessage), additional_context: text(additionalContext) };
    // It ends the turn, which ends anyway.
    if (ends && atStop) return response({ ...heard, user_message: heard.user_message ?? why });
    // Without a document, what was said with exit code 2 is the reason.
    if (denied) return response({ decision: "deny", reason: why ?? text(stdout) ?? text(stderr), ...heard });
    const { tool_name, mcp_context } = payload;
    const { server_name, tool_name: name } = objectOf(mcp_context);
    const mcp = mcp_context ? { server_name: String(server_name), tool_name: String(name) } : undefined;
    const read = (input: object) => toolCall(String(tool_name), { ...input }, mcp).input;
    // "allow" leaves it to its own approval: there is nothing to say then.
    const decision = document.decision === "ask" ? "ask" : undefined;
    const modified_input = patchOf(objectOf(payload.tool_input), tool_input, read);
    return response({ decision, reason: decision && why, modified_input, ...heard });
  },
});
