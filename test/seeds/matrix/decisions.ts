import assert from "node:assert/strict";
import { checkResponse } from "../../../src/protocol/response.ts";
import type { ClaimCase, ClaimSection } from "../claim.ts";
import { installEntries, judgeAnswer, createRecordedCase } from "../host.ts";

const deny = { decision: "deny", reason: "R" } as const;
const ask = { decision: "ask", reason: "R" } as const;
const permission = (permissionDecision: string) => ({
  hookSpecificOutput: { hookEventName: "PreToolUse", permissionDecision, permissionDecisionReason: "R" },
});

const CURSOR_GATES = ["preToolUse.Shell", "beforeShellExecution", "beforeMCPExecution", "beforeReadFile"];

const DENIED = { permission: "deny", user_message: "R", agent_message: "R" };

/** The effect of a denial on Cursor. */
export const CURSOR_DENIES =
  "a denial is the document with exit code 0, which blocks just as well: with 2 Cursor shows the raw document to people and the model [seen @cursor/sdk 1.0.32, 2026-11-21]. `--cursor-deny exit` sends both";

/** A shell call on a Cursor release that mishandles questions. */
const asking = (cursor_version: string, expected: Partial<ClaimCase>) =>
  createRecordedCase("cursor", "beforeShellExecution", { answer: ask, exit_code: 0, ...expected }, { cursor_version });

export const decisions: ClaimSection = {
  title: "Response: decision",
  claims: [
    {
      says: "A response has `decision` (allow, deny or ask), `reason`, `user_message`, `modified_input` and `additional_context`, all optional",
      check() {
        const full = {
          decision: "ask",
          reason: "r",
          user_message: "u",
          modified_input: { command: "c" },
          additional_context: "c",
        };
        assert.deepEqual(checkResponse(full), full);
        assert.deepEqual(checkResponse({}), {});
        for (const decision of ["allow", "deny"]) assert.deepEqual(checkResponse({ decision }), { decision });
        assert.throws(() => checkResponse({ decision: "block" }));
      },
    },
    {
      says: "A response has no other field",
      differs:
        "`modified_output` and `session_env` were added: today's hosts accept a replacement for a call's result, and variables at the start of a session [docs https://cursor.com/docs/hooks.md, https://code.claude.com/docs/en/hooks]. Any other field makes the hook fail",
      cases: [
        createRecordedCase("codex", "PreToolUse-Bash", {
          env: { SEEDS_ANSWER: '{"reasons":"R"}' },
          stderr: /hook "answer" failed: it returned an unknown field "reasons"/,
          exit_code: 1,
        }),
      ],
      check() {
        assert.deepEqual(checkResponse({ modified_output: "O" }), { modified_output: "O" });
        assert.deepEqual(checkResponse({ session_env: { A: "1" } }), { session_env: { A: "1" } });
      },
    },
    {
      says: "allow, Claude Code: yes",
      cases: [
        createRecordedCase("claude", "PreToolUse-Bash", {
          answer: { decision: "allow", reason: "R" },
          stdout: permission("allow"),
          exit_code: 0,
        }),
      ],
    },
    {
      says: "allow, Cursor: yes on permission events, `continue: true` on beforeSubmitPrompt",
      cases: [
        ...CURSOR_GATES.map((recording) =>
          createRecordedCase("cursor", recording, {
            answer: { decision: "allow" },
            stdout: { permission: "allow" },
            exit_code: 0,
          }),
        ),
        createRecordedCase("cursor", "beforeSubmitPrompt", {
          answer: { decision: "allow" },
          stdout: { continue: true },
          exit_code: 0,
        }),
      ],
    },
    {
      says: "allow, Codex: yes",
      differs:
        'nothing is printed before a call: a bare "allow" counts as a failed hook [seen 0.169.0, 2026-11-21]. The call goes on under Codex\'s own approval; PermissionRequest gets behavior "allow"',
      cases: [
        createRecordedCase("codex", "PreToolUse-Bash", {
          answer: { decision: "allow" },
          stdout: "",
          stderr: "",
          exit_code: 0,
        }),
        createRecordedCase("codex", "PermissionRequest-Bash-mode-default", {
          answer: { decision: "allow" },
          stdout: { hookSpecificOutput: { hookEventName: "PermissionRequest", decision: { behavior: "allow" } } },
          exit_code: 0,
        }),
      ],
    },
    {
      says: "deny, Claude Code: yes (exit 2)",
      cases: [
        createRecordedCase("claude", "PreToolUse-Bash", {
          answer: deny,
          stdout: permission("deny"),
          stderr: /^R\n?$/,
          exit_code: 2,
        }),
        createRecordedCase("claude", "UserPromptSubmit", {
          answer: deny,
          stdout: { decision: "block", reason: "R" },
          exit_code: 2,
        }),
      ],
    },
    {
      says: "deny, Cursor: yes (exit 2)",
      differs: CURSOR_DENIES,
      cases: [
        ...CURSOR_GATES.flatMap((recording) => [
          createRecordedCase("cursor", recording, { answer: deny, stdout: DENIED, exit_code: 0 }),
          createRecordedCase("cursor", recording, {
            answer: deny,
            args: ["--cursor-deny", "exit"],
            stdout: DENIED,
            stderr: /^R\n?$/,
            exit_code: 2,
          }),
        ]),
        createRecordedCase("cursor", "beforeSubmitPrompt", {
          answer: deny,
          stdout: { continue: false, user_message: "R" },
          exit_code: 0,
        }),
      ],
      async check() {
        assert.equal(await judgeAnswer("cursor", "preToolUse", { stdout: DENIED }), "denied");
        const { entries } = await installEntries("cursor", "user");
        assert(entries.every(({ command }) => !command.includes("--cursor-deny exit")));
      },
    },
    {
      says: "deny, Codex: yes (exit 2)",
      cases: [
        createRecordedCase("codex", "PreToolUse-Bash", {
          answer: deny,
          stdout: permission("deny"),
          stderr: /^R\n?$/,
          exit_code: 2,
        }),
        createRecordedCase("codex", "UserPromptSubmit", {
          answer: deny,
          stdout: { decision: "block", reason: "R" },
          exit_code: 2,
        }),
      ],
    },
    {
      says: "ask, Claude Code: yes",
      cases: [
        createRecordedCase("claude", "PreToolUse-Bash", { answer: ask, stdout: permission("ask"), exit_code: 0 }),
      ],
    },
    {
      says: 'ask, Cursor: a denial on 2.4.21 and later, 3.2.16 included, unless cursorAskFallback is "ask"',
      cases: ["2.4.21", "3.2.16"].flatMap((version) => [
        asking(version, { stderr: /decision "ask" became a denial/, exit_code: undefined }),
        asking(version, {
          args: ["--cursor-ask-fallback", "ask"],
          stdout: { permission: "ask", agent_message: "R" },
          stderr: /decision "ask" was left to Cursor/,
        }),
      ]),
    },
    {
      says: "ask, Codex: yes",
      differs:
        'it becomes a denial that says so: on "ask" Codex counts a failed hook and runs the call unasked [seen 0.169.0, 2026-11-21]. With --codex-ask-fallback ask nothing is sent, stderr says so, and Codex\'s own approval applies',
      cases: [
        createRecordedCase("codex", "PreToolUse-Bash", {
          answer: ask,
          stderr: /decision "ask" became a denial/,
          exit_code: 2,
        }),
        createRecordedCase("codex", "PreToolUse-Bash", {
          answer: ask,
          args: ["--codex-ask-fallback", "ask"],
          stdout: "",
          stderr: /decision "ask" was left to Codex/,
          exit_code: 0,
        }),
      ],
    },
  ],
};
