import { objectOf, rowIn } from "../../check.ts";
import { answerIn } from "../../resident.ts";
import { documentIn, patchOf, response, resultOf, text, type Told, understood } from "../../understand.ts";
import { capabilities, unknown } from "../capabilities.ts";
import { toolCall } from "../call/decode.ts";
import { verdict } from "../doctor/verdict.ts";

/** The patch that changed params are. */
const patch = ({ payload }: Told, params: unknown) =>
  patchOf(
    objectOf(payload.params),
    params,
    (input) => toolCall(String(payload.toolName), input, text(payload.toolKind)).input,
  );

/** What plugin.js makes of an answer in its own form, and OpenClaw of that. */
export const understand = understood({
  name: "the plugin for OpenClaw",
  verdict,
  find: (result) => documentIn(answerIn(result).stdout),
  read(document, told, result, denied) {
    const { shape } = rowIn(capabilities, unknown, told.native_event);
    const user_message = text(document.log);
    const reason = text(document.blockReason) ?? text(document.message) ?? text(document.reason);
    const additional_context = text(document.context) ?? text(document.prependContext);
    // At a result the reason is what is written behind it.
    const append = text(document.append);
    const modified_output = shape === "result" ? resultOf(document.output) : undefined;
    if (denied)
      return response({
        decision: "deny",
        reason: reason ?? append ?? text(answerIn(result).stderr),
        user_message,
        additional_context,
        modified_output,
      });
    const { description } = objectOf(document.requireApproval);
    const asks = shape === "gate" && document.requireApproval !== undefined;
    return response({
      decision: asks ? "ask" : undefined,
      reason: asks ? text(description) : undefined,
      user_message,
      additional_context: additional_context ?? append,
      modified_output,
      modified_input: shape === "gate" ? patch(told, document.params) : undefined,
    });
  },
});
