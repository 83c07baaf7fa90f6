import assert from "node:assert/strict";
import { addition, ask, BLOCK, blocks, context, deny, recorded, rewritten, sees } from "../answers.ts";
import { sendsSilently, warns } from "../answers.ts";
import type { ClaimSection } from "../claim.ts";
import { getHost } from "../host.ts";
import { atEachTool, havingInput, ignoringText, native, takes } from "./calls.ts";

const BASH = "PostToolUse-Bash";

export const post: ClaimSection = {
  title: "PostToolUse",
  claims: [
    {
      says: "It fires after Bash, `apply_patch` and MCP calls",
      shownBy: recorded("codex", ...atEachTool("PostToolUse")),
    },
    {
      says: "For Bash it also fires after a command that failed",
      cases: sees("codex", BASH, { event: "PostToolUse", output: { text: "bad" } }, { tool_response: "bad" }),
      check: () => assert(getHost("codex").absentEvents.includes("PostToolUseFailure")),
    },
    {
      says: "It can't undo the call: a rewrite is dropped with a warning, and a warning says that `ask` comes too late",
      cases: [
        ...warns("codex", BASH, rewritten, /modified_input was dropped/, { stdout: "" }),
        ...warns("codex", BASH, ask, /can't be enforced; there is nothing left to ask/),
      ],
    },
    {
      says: "PostToolUse: `turn_id` and `tool_use_id`",
      cases: [...native(BASH, { turn_id: "T" }), ...sees("codex", BASH, { tool_use_id: "U" }, { tool_use_id: "U" })],
    },
    havingInput("PostToolUse", atEachTool("PostToolUse")),
    {
      says: "`tool_response` is the tool's output; for an MCP call its result",
      cases: [
        ...sees("codex", BASH, { output: { text: "out\n", raw: "out\n" } }, { tool_response: "out\n" }),
        ...sees("codex", "PostToolUse-mcp__tiny__echo", {
          output: { text: "echo: hey", is_error: false, raw: { content: [{ text: "echo: hey" }], isError: false } },
        }),
      ],
    },
    ignoringText("PostToolUse"),
    {
      says: "`additionalContext` is added for the model, also beside a block",
      cases: [
        ...sendsSilently("codex", BASH, context, addition("PostToolUse")),
        ...blocks("codex", BASH, addition("PostToolUse", BLOCK), {
          answer: { ...deny, ...context },
          stderr: /^R\n\nC\n?$/,
        }),
      ],
    },
    {
      says: '`decision: "block"` does not undo the call: the model gets the reason instead of the output, and goes on',
      cases: blocks("codex", BASH, BLOCK),
      check: takes("PostToolUse", "denied", BLOCK),
    },
  ],
};
