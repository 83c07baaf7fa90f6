import assert from "node:assert/strict";
import type { ClaimSection } from "../claim.ts";
import { getHost, judgeAnswer, createRecordedCase } from "../host.ts";
import { RECORDED_TOOLS, claimIgnoredText, claimInputFields, createSeenCases } from "./calls.ts";

const deny = { decision: "deny", reason: "R" } as const;
const context = { additional_context: "C" } as const;

export const post: ClaimSection = {
  title: "PostToolUse",
  claims: [
    { says: "It fires after Bash, `apply_patch` and MCP calls", cases: createSeenCases("PostToolUse") },
    {
      says: "For Bash it also fires after a command that failed",
      cases: [
        createRecordedCase(
          "codex",
          "PostToolUse-Bash",
          { sees: { event: "PostToolUse", output: { text: "bad" } } },
          { tool_response: "bad" },
        ),
      ],
      check: () => assert(getHost("codex").absentEvents.includes("PostToolUseFailure")),
    },
    {
      says: "It can't undo the call: a rewrite is dropped with a warning, and a warning says that `ask` comes too late",
      cases: [
        createRecordedCase("codex", "PostToolUse-Bash", {
          answer: { modified_input: { command: "ls" } },
          stdout: "",
          stderr: /modified_input was dropped/,
        }),
        createRecordedCase("codex", "PostToolUse-Bash", {
          answer: { decision: "ask", reason: "R" },
          stderr: /can't be enforced; there is nothing left to ask/,
        }),
      ],
    },
    {
      says: "PostToolUse: `turn_id` and `tool_use_id`",
      cases: [
        createRecordedCase(
          "codex",
          "PostToolUse-Bash",
          { sees: { tool_use_id: "U", _native: { turn_id: "T" } } },
          { tool_use_id: "U", turn_id: "T" },
        ),
      ],
    },
    claimInputFields(
      "PostToolUse",
      RECORDED_TOOLS.map((tool) => `PostToolUse-${tool}`),
    ),
    {
      says: "`tool_response` is the tool's output; for an MCP call its result",
      cases: [
        createRecordedCase(
          "codex",
          "PostToolUse-Bash",
          { sees: { output: { text: "out\n", raw: "out\n" } } },
          { tool_response: "out\n" },
        ),
        createRecordedCase("codex", "PostToolUse-mcp__tiny__echo", {
          sees: {
            output: {
              text: "echo: hey",
              is_error: false,
              raw: { content: [{ type: "text", text: "echo: hey" }], isError: false },
            },
          },
        }),
      ],
    },
    claimIgnoredText("PostToolUse"),
    {
      says: "`additionalContext` is added for the model, also beside a block",
      cases: [
        createRecordedCase("codex", "PostToolUse-Bash", {
          answer: context,
          stdout: { hookSpecificOutput: { hookEventName: "PostToolUse", additionalContext: "C" } },
          exit_code: 0,
        }),
        createRecordedCase("codex", "PostToolUse-Bash", {
          answer: { ...deny, ...context },
          stdout: {
            decision: "block",
            reason: "R",
            hookSpecificOutput: { hookEventName: "PostToolUse", additionalContext: "C" },
          },
          stderr: /^R\n\nC\n?$/,
        }),
      ],
    },
    {
      says: '`decision: "block"` does not undo the call: the model gets the reason instead of the output, and goes on',
      cases: [
        createRecordedCase("codex", "PostToolUse-Bash", {
          answer: deny,
          stdout: { decision: "block", reason: "R" },
          stderr: /^R\n?$/,
          exit_code: 2,
        }),
      ],
      check: async () =>
        assert.equal(
          await judgeAnswer("codex", "PostToolUse", { stdout: { decision: "block", reason: "R" } }),
          "denied",
        ),
    },
  ],
};
