import type { HostAnswer, LoweredResponse } from "../../../protocol/host/host.ts";
import { isPascalCase } from "../../value-tests.ts";
import { isStdoutPolluted, formatDocument, formatOutput } from "../../wire.ts";
import type { CopilotAnswerShape } from "../capabilities.ts";

/**
 * A denied call has exit code 2 besides the document: it holds even if noise makes the document unreadable, and the
 * model still receives the document's reason. PreToolUse, one of Claude Code's names, is different: the document is not
 * read then, and the reason would be lost; the document alone denies there [seen 1.0.102, 2026-11-22].
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

/**
 * Builds the flat document that the CLI and the cloud agent read; under Claude Code's event names, its fields are
 * repeated in the format that VS Code reads.
 */
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
      // For a blocked result, Copilot only reads the reason [seen 1.0.102, 2026-11-22].
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

/**
 * The fields that VS Code reads [docs https://code.visualstudio.com/docs/agents/reference/hooks-reference]; the CLI
 * ignores them.
 */
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
