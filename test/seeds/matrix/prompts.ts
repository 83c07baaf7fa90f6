import assert from "node:assert/strict";
import type { ClaimSection } from "../claim.ts";
import { getPayload } from "../../support/fixtures.ts";
import { createRecordedCase, runLibrary } from "../host.ts";

const context = { additional_context: "C" } as const;
const ask = { decision: "ask", reason: "R" } as const;
const shell = (cursor_version: string) => getPayload("cursor", "beforeShellExecution", { cursor_version });
const SENT = { permission: "ask", agent_message: "R" };

export const prompts: ClaimSection = {
  title: "Cursor's beforeSubmitPrompt",
  claims: [
    {
      says: "The answer is allow or deny only: `continue` and `user_message`",
      cases: [
        createRecordedCase("cursor", "beforeSubmitPrompt", {
          answer: { decision: "deny", user_message: "secrets detected" },
          stdout: { continue: false, user_message: "secrets detected" },
        }),
        createRecordedCase("cursor", "beforeSubmitPrompt", { answer: ask, stderr: /decision "ask" became a denial/ }),
      ],
    },
    {
      says: "Cursor can't inject context for the model; it is dropped there, and the drop is logged to stderr",
      differs:
        "Cursor accepts the field by now, so it is sent, with a warning on stderr: it was not seen to reach the model [seen @cursor/sdk 1.0.32, 2026-11-21]",
      cases: [
        createRecordedCase("cursor", "beforeSubmitPrompt", {
          answer: context,
          stdout: { additional_context: "C" },
          stderr: /additional_context/,
        }),
      ],
    },
    ...(["claude", "codex"] as const).map((host) => ({
      says: `On ${host === "claude" ? "Claude Code" : "Codex"} context at UserPromptSubmit is \`hookSpecificOutput.additionalContext\``,
      cases: [
        createRecordedCase(host, "UserPromptSubmit", {
          answer: context,
          stdout: { hookSpecificOutput: { hookEventName: "UserPromptSubmit", additionalContext: "C" } },
          stderr: "",
        }),
      ],
    })),
    {
      says: "On Cursor, context moved to SessionStart or PostToolUse arrives",
      cases: [
        createRecordedCase(
          "cursor",
          "sessionStart",
          { answer: context, stdout: { additional_context: "C" }, stderr: "" },
          { cursor_version: "3.2.16" },
        ),
        createRecordedCase("cursor", "postToolUse.Shell", {
          answer: context,
          stdout: { additional_context: "C" },
          stderr: "",
        }),
      ],
    },
  ],
};

export const regression: ClaimSection = {
  title: 'Cursor\'s permission "ask"',
  claims: [
    {
      says: "2.4.21 to 2.x take `ask` for a denial without an explanation; the author's intent would be lost",
      cases: ["2.4.21", "2.9.0"].map((version) => ({
        host: "cursor",
        stdin: shell(version),
        answer: ask,
        stderr: /decision "ask" became a denial/,
        stdout: {
          permission: "deny",
          user_message: "R\nThis needs the user's approval, which Cursor can't ask for here.",
          agent_message: "R\nThis needs the user's approval, which Cursor can't ask for here.",
        },
      })),
    },
    {
      says: "3.x up to 3.2.16 runs the call on `ask` without a prompt; here it is denied instead, the safer default",
      cases: ["3.0.0", "3.2.16"].map((version) => ({
        host: "cursor",
        stdin: shell(version),
        answer: ask,
        stdout: {
          permission: "deny",
          user_message: "R\nThis needs the user's approval, which Cursor can't ask for here.",
          agent_message: "R\nThis needs the user's approval, which Cursor can't ask for here.",
        },
      })),
    },
    {
      says: "The adapter reads `cursor_version` out of `_native`, and warns on stderr when it turns `ask` into a denial",
      cases: [
        {
          host: "cursor",
          stdin: shell("3.2.16"),
          answer: ask,
          sees: { host_version: "3.2.16", _native: { cursor_version: "3.2.16" } },
          stderr: /^bridge-hooks: cursor beforeShellExecution: decision "ask" became a denial; /m,
        },
      ],
    },
    {
      says: '`run(hooks, { cursorAskFallback: "ask" })` opts out',
      check() {
        const sent = runLibrary({ cursorAskFallback: "ask" }, shell("3.2.16"), ask);
        assert.deepEqual([sent.stdout, sent.exit_code], [SENT, 0]);
        assert.match(sent.stderr, /decision "ask" was left to Cursor/);
        const denied = runLibrary({}, shell("3.2.16"), ask).stdout as { permission: string };
        assert.equal(denied.permission, "deny");
      },
    },
    {
      says: "With it `ask` goes to Cursor unchanged, on every affected version",
      cases: ["2.4.21", "2.9.0", "3.2.16"].map((version) => ({
        host: "cursor",
        args: ["--cursor-ask-fallback", "ask"],
        stdin: shell(version),
        answer: ask,
        stdout: SENT,
        exit_code: 0,
      })),
    },
    {
      says: "Before 2.4.21 `ask` passes through as it is",
      cases: ["1.7.0", "2.4.20"].map((version) => ({
        host: "cursor",
        stdin: shell(version),
        answer: ask,
        stdout: SENT,
        stderr: "",
        exit_code: 0,
      })),
    },
  ],
};
