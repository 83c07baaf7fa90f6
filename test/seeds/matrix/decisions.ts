import assert from "node:assert/strict";
import { checkResponse } from "../../../src/protocol/response.ts";
import { allow, answered, ask, blocks, BLOCK, deny, permission, sends, warns } from "../answers.ts";
import type { ClaimSection } from "../claim.ts";
import { installEntries, judgeAnswer } from "../host.ts";

export const CURSOR_GATES = ["preToolUse.Shell", "beforeShellExecution", "beforeMCPExecution", "beforeReadFile"];
export const CURSOR_DENIED = { permission: "deny", user_message: "R", agent_message: "R" };
/** The effect of a denial on Cursor. */
export const CURSOR_DENIES =
  "a denial is the document with exit code 0, which blocks just as well: with 2 Cursor shows the raw document to people and the model [seen @cursor/sdk 1.0.32, 2026-11-21]. `--cursor-deny exit` sends both";
const EXIT = { args: ["--cursor-deny", "exit"], stderr: /^R\n?$/, exit_code: 2 };

export const decisions: ClaimSection = {
  title: "Response: decision",
  claims: [
    {
      says: "A response has `decision` (allow, deny or ask), `reason`, `user_message`, `modified_input` and `additional_context`, all optional",
      check() {
        const rest = { reason: "r", user_message: "u", modified_input: { command: "c" }, additional_context: "c" };
        for (const decision of ["allow", "deny", "ask"])
          for (const one of [{}, { decision }, { decision, ...rest }]) assert.deepEqual(checkResponse(one), one);
        assert.throws(() => checkResponse({ decision: "block" }));
      },
    },
    {
      says: "A response has no other field",
      differs:
        "`modified_output` and `session_env` were added: today's hosts accept a replacement for a call's result, and variables at the start of a session [docs https://cursor.com/docs/hooks.md, https://code.claude.com/docs/en/hooks]. Any other field makes the hook fail",
      shownBy: [
        ["run/executable.test.ts", "misspelt"],
        ["run/fields.test.ts", "… is fine"],
      ],
    },
    {
      says: "allow, Claude Code: yes",
      cases: sends("claude", "PreToolUse-Bash", { ...allow, reason: "R" }, permission("allow")),
    },
    {
      says: "allow, Cursor: yes on permission events, `continue: true` on beforeSubmitPrompt",
      cases: [
        ...sends("cursor", CURSOR_GATES, allow, { permission: "allow" }),
        ...sends("cursor", "beforeSubmitPrompt", allow, { continue: true }),
      ],
    },
    {
      says: "allow, Codex: yes",
      differs:
        'nothing is printed before a call: a bare "allow" counts as a failed hook [seen 0.169.0, 2026-11-21]. The call goes on under Codex\'s own approval; PermissionRequest gets behavior "allow"',
      shownBy: [
        ["run/answers.test.ts", "codex: allow prints nothing"],
        ["hosts/codex/doctor.test.ts", "codex PreToolUse a bare allow"],
      ],
      cases: sends("codex", "PermissionRequest-Bash-mode-default", allow, {
        hookSpecificOutput: { hookEventName: "PermissionRequest", decision: { behavior: "allow" } },
      }),
    },
    {
      says: "deny, Claude Code: yes (exit 2)",
      shownBy: answered("claude: deny with all texts"),
      cases: blocks("claude", "UserPromptSubmit", BLOCK),
    },
    {
      says: "deny, Cursor: yes (exit 2)",
      differs: CURSOR_DENIES,
      cases: [
        ...sends("cursor", CURSOR_GATES, deny, CURSOR_DENIED),
        ...sends("cursor", CURSOR_GATES, deny, CURSOR_DENIED, EXIT),
        ...sends("cursor", "beforeSubmitPrompt", deny, { continue: false, user_message: "R" }),
      ],
      async check() {
        assert.equal(await judgeAnswer("cursor", "preToolUse", { stdout: CURSOR_DENIED }), "denied");
        const { entries } = await installEntries("cursor", "user");
        assert(entries.every(({ command }) => !command.includes("--cursor-deny exit")));
      },
    },
    {
      says: "deny, Codex: yes (exit 2)",
      shownBy: answered("codex: deny, everything on stderr"),
      cases: blocks("codex", "UserPromptSubmit", BLOCK),
    },
    { says: "ask, Claude Code: yes", cases: sends("claude", "PreToolUse-Bash", ask, permission("ask")) },
    {
      says: 'ask, Cursor: a denial on 2.4.21 and later, 3.2.16 included, unless cursorAskFallback is "ask"',
      shownBy: answered("cursor …: ask is denied", "cursor: ask, with the fallback turned off"),
    },
    {
      says: "ask, Codex: yes",
      differs:
        'it becomes a denial that says so: on "ask" Codex counts a failed hook and runs the call unasked [seen 0.169.0, 2026-11-21]. With --codex-ask-fallback ask nothing is sent, stderr says so, and Codex\'s own approval applies',
      shownBy: answered("codex: ask is denied"),
      cases: warns("codex", "PreToolUse-Bash", ask, /decision "ask" was left to Codex/, {
        args: ["--codex-ask-fallback", "ask"],
        stdout: "",
        exit_code: 0,
      }),
    },
  ],
};
