import type { HostAnswer, LoweredResponse } from "../../../protocol/host/host.ts";
import { isPascalCase } from "../../value-tests.ts";
import { isStdoutPolluted, formatDocument, formatOutput } from "../../wire.ts";
import type { CopilotAnswerShape } from "../capabilities.ts";

/**
 * A denied call has exit code 2 besides the document: it holds even where noise keeps the document from being read, and the
 * model is still told the document's reason. Not so at PreToolUse, of Claude Code's names: there the document is not read
 * then, and the reason is lost; it alone denies [seen 1.0.102, 2026-11-22].
 */
export function encodeAnswer(response: LoweredResponse, shape: CopilotAnswerShape, native_event: string): HostAnswer {
  const gate =
    shape === "any" ||
    shape === "behavior" ||
    (shape === "permission" && (!isPascalCase(native_event) || isStdoutPolluted()));
  const blocks = gate && response.decision === "deny";
  return {
    stdout: formatDocument(buildDocument(response, shape, native_event)),
    stderr: blocks ? (response.reason ?? "") : "",
    exit_code: blocks ? 2 : 0,
  };
}

/** Flat, as the CLI and the cloud agent read it; under Claude Code's event names once more in the form that VS Code reads. */
function buildDocument(response: LoweredResponse, shape: CopilotAnswerShape, native_event: string) {
  const flat = buildFlatFields(response, shape);
  return isPascalCase(native_event) ? { ...flat, ...buildNestedFields(response, shape, native_event) } : flat;
}

function buildFlatFields(
  { decision, reason, additional_context: context, input: modifiedArgs, output }: LoweredResponse,
  shape: CopilotAnswerShape,
) {
  const text = output === undefined ? undefined : formatOutput(output);
  const denied = decision === "deny";
  const block = denied ? { decision: "block", reason } : {};
  const permission = { permissionDecision: decision, permissionDecisionReason: reason };
  switch (shape) {
    case "permission":
      return { ...permission, modifiedArgs, additionalContext: context };
    case "behavior":
      return { behavior: decision, message: reason };
    case "block":
      // Of a result that is blocked nothing but the reason is read [seen 1.0.102, 2026-11-22].
      return denied
        ? { ...block, reason: joinParagraphs(text, reason, context) }
        : {
            modifiedResult: text === undefined ? undefined : { resultType: "success", textResultForLlm: text },
            additionalContext: context,
          };
    case "context":
      return { additionalContext: joinParagraphs(denied ? reason : undefined, context) };
    case "any":
      return { ...permission, ...block };
    case "none":
      return {};
  }
}

/** What VS Code reads of it [docs https://code.visualstudio.com/docs/agents/reference/hooks-reference]; the CLI minds none of it. */
function buildNestedFields(
  { decision, reason, user_message, additional_context, input: updatedInput }: LoweredResponse,
  shape: CopilotAnswerShape,
  hookEventName: string,
) {
  const denied = decision === "deny";
  const systemMessage = user_message;
  const additionalContext = additional_context;
  const specific = (fields: object) => ({ systemMessage, hookSpecificOutput: { hookEventName, ...fields } });
  if (shape === "permission") {
    if (!decision && !updatedInput && !additionalContext) return { systemMessage };
    return specific({
      permissionDecision: decision,
      permissionDecisionReason: reason,
      updatedInput,
      additionalContext,
    });
  }
  if (denied && hookEventName === "Stop") return specific({ decision: "block", reason });
  if (denied && hookEventName === "UserPromptSubmit") return { systemMessage, continue: false, stopReason: reason };
  const said = shape === "context" && denied ? joinParagraphs(reason, additionalContext) : additionalContext;
  return said ? specific({ additionalContext: said }) : { systemMessage };
}

const joinParagraphs = (...texts: (string | undefined)[]) => texts.filter(Boolean).join("\n\n") || undefined;
