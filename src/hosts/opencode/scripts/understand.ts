import { objectOf, rowIn } from "../../check.ts";
import { documentIn, patchOf, response, resultOf, text, type Told, understood, variablesIn } from "../../understand.ts";
import { answerIn } from "../../resident.ts";
import { capabilities, unknown } from "../capabilities.ts";
import { toolCall } from "../call/decode.ts";
import { verdict } from "../doctor/verdict.ts";

/** The patch that changed arguments are. */
function patch({ payload }: Told, args: unknown) {
  const servers = Array.isArray(payload.mcp) ? payload.mcp.map(String) : [];
  const tool_name = String(objectOf(payload.input).tool);
  return patchOf(objectOf(objectOf(payload.output).args), args, (input) => toolCall(tool_name, input, servers).input);
}

/** What plugin.js makes of an answer in its own form. */
export const understand = understood({
  name: "the plugin for OpenCode",
  verdict,
  find: (result) => documentIn(answerIn(result).stdout),
  read(document, told, result, denied) {
    const { shape } = rowIn(capabilities, unknown, told.native_event);
    const heard = { user_message: text(document.message), additional_context: text(document.context) };
    const reason = text(document.deny) ?? text(document.go_on) ?? text(answerIn(result).stderr);
    if (denied) return response({ decision: "deny", reason, ...heard });
    const modified_input = shape === "gate" ? patch(told, document.args) : undefined;
    return response({
      modified_input,
      modified_output: resultOf(document.output),
      session_env: variablesIn(document.env),
      ...heard,
    });
  },
});
