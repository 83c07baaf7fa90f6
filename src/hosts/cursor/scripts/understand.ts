import type { Payload } from "../../../protocol/host/host.ts";
import { objectOf, rowIn } from "../../check.ts";
import { patchOf, response, resultOf, text, type Told, understood, variablesIn } from "../../understand.ts";
import { capabilities, unknown } from "../capabilities.ts";
import { toolCall } from "../call/decode.ts";
import { documentIn, verdict } from "../doctor/verdict.ts";

/** A changed input; only preToolUse takes one [seen @cursor/sdk 1.0.32, 2026-11-21]. */
function patch({ native_event, payload }: Told, updated: unknown): Payload | undefined {
  if (native_event !== "preToolUse") return undefined;
  return patchOf(objectOf(payload.tool_input), updated, (input) => toolCall(String(payload.tool_name), input).input);
}

/** A decision that is no denial. */
function decided({ permission, continue: goes }: Payload, native_event: string): "allow" | "ask" | undefined {
  const { shape } = rowIn(capabilities, unknown, native_event);
  if (shape === "permission") return permission === "allow" || permission === "ask" ? permission : undefined;
  return shape === "continue" && goes === true ? "allow" : undefined;
}

/** What Cursor makes of a command's answer. */
export const understand = understood({
  name: "Cursor",
  verdict,
  // Behind other text too [seen @cursor/sdk 1.0.32, 2026-11-21].
  find: ({ stdout }) => objectOf(documentIn(stdout)),
  read(document, told, { stdout, stderr, exit_code }, denied) {
    const [shown, toAgent] = [text(document.user_message), text(document.agent_message)];
    const additional_context = text(document.additional_context) ?? text(document.additionalContext);
    // With exit code 2 the text is the reason, whatever it is.
    const said = exit_code === 2 && Object.keys(document).length === 0 ? (text(stdout) ?? text(stderr)) : undefined;
    const reason = said ?? text(document.followup_message) ?? text(document.reason) ?? toAgent ?? shown;
    const user_message = shown === reason ? undefined : shown;
    const isMcp =
      told.native_event === "postToolUse" &&
      toolCall(String(told.payload.tool_name), objectOf(told.payload.tool_input)).tool === "MCP";
    const modified_output = isMcp ? resultOf(document.updated_mcp_tool_output) : undefined;
    const session_env = told.native_event === "sessionStart" ? variablesIn(document.env) : undefined;
    const more = { additional_context, modified_output, session_env };
    if (denied) return response({ decision: "deny", reason, user_message, ...more });
    const decision = decided(document, told.native_event);
    const modified_input = patch(told, document.updated_input);
    if (decision === "ask") return response({ decision, reason, user_message, modified_input, ...more });
    return response({ decision, user_message: shown, modified_input, ...more });
  },
});
