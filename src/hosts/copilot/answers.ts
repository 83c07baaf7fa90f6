import {
  type AnswerTable,
  type AnswerTemplate,
  buildField,
  joinFields,
  nestFields,
  writeDecision,
} from "../codec/answer.ts";
import { formatOutput } from "../codec/wire.ts";
import type { CopilotAnswerShape } from "./capabilities.ts";

const block = writeDecision({ deny: "block" });
const decision = writeDecision({ allow: "allow", deny: "deny", ask: "ask" });
const informedContext = joinFields("context", "denial", "context");
const permission: AnswerTemplate = { permissionDecision: decision, permissionDecisionReason: "reason" };
const behavior: AnswerTemplate = { behavior: decision, message: "reason" };
// When a result is blocked, Copilot reads only the reason [seen 1.0.102, 2026-11-22].
const blockFields: AnswerTemplate = { decision: block, reason: joinFields("reason", "output", "denial", "context") };
const result: AnswerTemplate = {
  modifiedResult: buildField("output", ({ output }) =>
    output === undefined ? undefined : { resultType: "success", textResultForLlm: output },
  ),
  additionalContext: "context",
};

/** The answer format that VS Code reads [docs https://code.visualstudio.com/docs/agents/reference/hooks-reference]. */
const createNestedShape = (fields: AnswerTemplate): AnswerTemplate => ({
  systemMessage: "message",
  hookSpecificOutput: nestFields({ hookEventName: "event", ...fields }),
});
const nestedContext = createNestedShape({ additionalContext: "context" });

/**
 * The CLI and the cloud agent read the flat document. For Claude Code's event names, the fields are repeated in VS
 * Code's nested format, which the CLI ignores. A denied call also exits with code 2, so that the denial takes effect
 * even if noise makes the document unreadable; otherwise, the model receives the reason from the document. PreToolUse,
 * one of Claude Code's names, is an exception: with exit code 2, Copilot would ignore the document and lose the reason,
 * so only the document denies [seen 1.0.102, 2026-11-22].
 */
export const answers: AnswerTable<CopilotAnswerShape> = {
  formatResult: formatOutput,
  acceptedFields: {
    permissionDecisionReason: "reason",
    message: "reason",
    reason: "reason",
    additionalContext: "context",
  },
  shapes: {
    permission: { exitCode: "always", fields: { ...permission, modifiedArgs: "input", additionalContext: "context" } },
    behavior: { exitCode: "always", fields: behavior },
    block: { needsReason: true, fields: result, deniedFields: blockFields },
    context: { fields: { additionalContext: informedContext } },
    any: { exitCode: "always", fields: { ...permission, decision: block, reason: "denial" } },
    none: { fields: {} },
    "nested permission": {
      exitCode: "optional",
      fields: {
        ...permission,
        modifiedArgs: "input",
        additionalContext: "context",
        ...createNestedShape({ ...permission, updatedInput: "input", additionalContext: "context" }),
      },
      // The CLI reads this field from the nested object.
      acceptedFields: { updatedInput: "input" },
    },
    "nested behavior": { exitCode: "always", fields: { ...behavior, ...nestedContext } },
    "nested block": {
      needsReason: true,
      fields: { ...result, ...nestedContext },
      deniedFields: { ...blockFields, ...nestedContext },
    },
    "nested prompt": {
      needsReason: true,
      fields: { ...result, ...nestedContext },
      deniedFields: {
        ...blockFields,
        systemMessage: "message",
        continue: writeDecision({ deny: false }),
        stopReason: "denial",
      },
    },
    "nested stop": {
      needsReason: true,
      fields: nestedContext,
      deniedFields: { ...blockFields, ...createNestedShape({ decision: block, reason: "denial" }) },
    },
    "nested context": {
      fields: { additionalContext: informedContext, ...createNestedShape({ additionalContext: informedContext }) },
    },
    "nested none": { fields: nestedContext },
  },
};
