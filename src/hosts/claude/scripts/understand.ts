import type { Payload } from "../../../protocol/host/host.ts";
import type { IHookResponse } from "../../../protocol/response.ts";
import { objectOf, rowIn } from "../../check.ts";
import { patchOf, response, resultOf, text, type Told, understood } from "../../understand.ts";
import { capabilities, unknown } from "../capabilities.ts";
import { output, toolCall } from "../call/decode.ts";
import { verdict } from "../doctor/verdict.ts";

type Decision = IHookResponse["decision"];
type Decided = Pick<IHookResponse, "decision" | "reason" | "modified_input">;

/** Where plain text on stdout is a context [seen 2.1.330, 2026-11-21]. */
const PLAIN = ["SessionStart", "UserPromptSubmit", "UserPromptExpansion"];
/** A person decides on what is deferred. */
const DECISIONS: Readonly<Record<string, Decision>> = { allow: "allow", deny: "deny", ask: "ask", defer: "ask" };
/** The older form. */
const OLDER: Readonly<Record<string, Decision>> = { approve: "allow", block: "deny" };

/** The decision of a document in the form of the event, and what goes with it. */
function decided({ native_event, payload }: Told, document: Payload, specific: Payload): Decided {
  const reason = text(document.reason) ?? text(document.stopReason);
  const patch = (updated: unknown) => {
    const { tool_name, tool_input, mcp_server } = payload;
    return patchOf(
      objectOf(tool_input),
      updated,
      (input) => toolCall(String(tool_name), input, text(objectOf(mcp_server).name)).input,
    );
  };
  switch (rowIn(capabilities, unknown, native_event).shape) {
    case "permission": {
      const { permissionDecision, permissionDecisionReason, updatedInput } = specific;
      const decision = DECISIONS[String(permissionDecision)] ?? OLDER[String(document.decision)];
      return { decision, reason: text(permissionDecisionReason) ?? reason, modified_input: patch(updatedInput) };
    }
    case "behavior": {
      const { behavior, message, updatedInput } = objectOf(specific.decision);
      return { decision: DECISIONS[String(behavior)], reason: text(message), modified_input: patch(updatedInput) };
    }
    case "elicitation":
      return { decision: specific.action === "accept" ? "allow" : undefined };
    case "block":
    case "context":
    case "message":
    case "exit":
      return { reason };
  }
}

/** The text of a new result, where Claude Code shows one of it. */
function newResult(
  { payload }: Told,
  { updatedToolOutput, updatedMCPToolOutput }: Payload,
): IHookResponse["modified_output"] {
  const raw = updatedToolOutput ?? updatedMCPToolOutput;
  if (raw === undefined) return undefined;
  const { tool } = toolCall(String(payload.tool_name), objectOf(payload.tool_input));
  return tool === "Bash" || tool === "Read" ? output(tool, raw).text : resultOf(raw);
}

/** What Claude Code makes of a command's answer. */
export const understand = understood({
  name: "Claude Code",
  verdict,
  read(document, told, { stdout, stderr, exit_code }, denied) {
    const { native_event } = told;
    const atStop = native_event === "Stop" || native_event === "SubagentStop";
    // Without the event's name it is ignored [seen 2.1.330, 2026-11-21].
    const named = objectOf(document.hookSpecificOutput);
    const specific = named.hookEventName === native_event ? named : {};
    const { decision, reason, modified_input } = decided(told, document, specific);
    const isPlain = exit_code === 0 && PLAIN.includes(native_event) && !stdout.trimStart().startsWith("{");
    const additional_context = text(specific.additionalContext) ?? (isPlain ? text(stdout) : undefined);
    const user_message = text(document.systemMessage);
    const modified_output = native_event === "PostToolUse" ? newResult(told, specific) : undefined;
    const ends = document.continue === false;
    // It ends the turn, for which there is no unified word: a denial is the nearest, and at Stop the turn ends anyway.
    if (ends && atStop) return response({ user_message: user_message ?? text(document.stopReason) });
    if (denied || ends || decision === "deny")
      return response({
        decision: "deny",
        reason: reason ?? text(stderr),
        user_message,
        additional_context,
        modified_output,
      });
    // A context at Stop makes Claude Code go on [seen 2.1.330, 2026-11-21].
    if (atStop && additional_context) return response({ decision: "deny", reason: additional_context, user_message });
    // Where nothing can be stopped the user is shown what was said to stop it [docs https://code.claude.com/docs/en/hooks].
    const shown = exit_code === 2 ? text(stderr) : undefined;
    return response({
      decision,
      reason: decision && reason,
      modified_input,
      user_message: user_message ?? shown,
      additional_context,
      modified_output,
    });
  },
});
