import { toObject, findCapabilityRow } from "../../doctor-helpers.ts";
import {
  diffInput,
  omitEmptyFields,
  extractModifiedOutput,
  toNonEmptyText,
  createAnswerParser,
} from "../../parse-answer.ts";
import { capabilities, createUnknownEventRow } from "../capabilities.ts";
import { decodeToolCall } from "../call/decode.ts";
import { toSnakeCase } from "../call/wire.ts";
import { decisionOf, judgeAnswer } from "../doctor/verdict.ts";

/** Converts a command's answer the way Grok Build is documented to read it [shipped 1.0.41, read and not run]. */
export const parseAnswer = createAnswerParser({
  name: "Grok Build",
  verdict: judgeAnswer,
  readDocument(document, { native_event, payload }, { stderr, exit_code }, denied) {
    const { shape } = findCapabilityRow(capabilities, createUnknownEventRow, native_event);
    const specific = toObject(document.hookSpecificOutput);
    const why = toNonEmptyText(specific.permissionDecisionReason) ?? toNonEmptyText(document.reason);
    const additional_context = toNonEmptyText(specific.additionalContext);
    if (denied) return omitEmptyFields({ decision: "deny", reason: why ?? toNonEmptyText(stderr), additional_context });
    switch (shape) {
      case "gate": {
        const { tool_name, tool_input } = toSnakeCase(payload);
        const decision = decisionOf(document);
        // A person decides on a deferred call, and all other fields are ignored. "allow" is not an approval.
        if (decision === "defer") return omitEmptyFields({});
        // If the hook failed, the other fields are lost.
        const updated = exit_code === 0 ? specific.updatedInput : undefined;
        return omitEmptyFields({
          decision: decision === "ask" ? decision : undefined,
          reason: decision === "ask" ? why : undefined,
          modified_input: diffInput(
            toObject(tool_input),
            updated,
            (input) => decodeToolCall(String(tool_name), { ...input }).input,
          ),
          additional_context: exit_code === 0 ? additional_context : undefined,
        });
      }
      case "feedback":
        return omitEmptyFields({
          additional_context,
          modified_output: extractModifiedOutput(specific.updatedToolOutput ?? specific.updatedMCPToolOutput),
        });
      case "context":
        return omitEmptyFields({ additional_context });
      // Context makes it continue.
      case "stop":
        return additional_context && document.continue !== false
          ? omitEmptyFields({ decision: "deny", reason: additional_context })
          : omitEmptyFields({});
      case "prompt":
      case "none":
        return omitEmptyFields({});
    }
  },
});
