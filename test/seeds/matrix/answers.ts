import assert from "node:assert/strict";
import { checkResponse, type IHookResponse } from "../../../src/protocol/response.ts";
import { getPayload } from "../../support/fixtures.ts";
import { addition, allow, answered, ask, BLOCK, blocks, context, deny, message, permission } from "../answers.ts";
import { CURSOR_DENIED, CURSOR_GATES, PERMITTED, rewritten, sends, sendsSilently, testsIn, warns } from "../answers.ts";
import { type ClaimCase, createSection } from "../claim.ts";
import { assertSupport, installEntries, judgeAnswer, runLibrary } from "../host.ts";
import { CURSOR_CHANGES, CURSOR_CONTEXT, CURSOR_EXIT_CODE, CURSOR_REASON } from "../differences.ts";

const BASH = "PreToolUse-Bash";
const AFTER = "PostToolUse-Bash";
const PROMPT = "beforeSubmitPrompt";
/** The effect of a denial on Cursor. */
export const CURSOR_DENIES = `differs: ${CURSOR_EXIT_CODE}`;
const EXIT = { args: ["--cursor-deny", "exit"], stdout: "", stderr: /^R\n?$/, exit_code: 2 };

export const decisions = createSection("Response: decision", {
  "A response has `decision` (allow, deny or ask), `reason`, `user_message`, `modified_input` and `additional_context`, all optional":
    () => {
      const rest = { reason: "r", user_message: "u", modified_input: { command: "c" }, additional_context: "c" };
      for (const decision of ["allow", "deny", "ask"])
        for (const one of [{}, { decision }, { decision, ...rest }]) assert.deepEqual(checkResponse(one), one);
      assert.throws(() => checkResponse({ decision: "block" }));
    },
  "A response has no other field": [
    "differs: A response can also have `modified_output` and `session_env`, which hosts now accept [docs https://cursor.com/docs/hooks.md, https://code.claude.com/docs/en/hooks]. Any other field makes the hook fail",
    [...testsIn("call/executable.test.ts")("misspelled"), ...testsIn("call/fields.test.ts")("… is accepted")],
  ],
  "allow, Claude Code: yes": [sends("claude", BASH, { ...allow, reason: "R" }, permission("allow"))],
  "allow, Cursor: yes on permission events, `continue: true` on beforeSubmitPrompt": [
    sends("cursor", CURSOR_GATES, allow, { permission: "allow" }),
    sends("cursor", PROMPT, allow, { continue: true }),
  ],
  "Codex supports `allow`": [
    'differs: On PreToolUse, nothing is sent, because Codex treats a bare "allow" as a failed hook [seen 0.169.0, 2026-11-21]. On PermissionRequest, Codex gets behavior "allow"',
    answered("to codex is empty for an allow"),
    testsIn("hosts/codex/doctor.test.ts")("codex PreToolUse a bare allow"),
    sends("codex", "PermissionRequest-Bash-mode-default", allow, PERMITTED),
  ],
  "deny, Claude Code: yes (exit 2)": [
    answered("to claude contains every text of a denial"),
    blocks("claude", "UserPromptSubmit", BLOCK),
  ],
  "Cursor supports `deny` (exit 2)": [
    CURSOR_DENIES,
    sends("cursor", CURSOR_GATES, deny, CURSOR_DENIED),
    sends("cursor", CURSOR_GATES, deny, "", EXIT),
    sends("cursor", PROMPT, deny, { continue: false, user_message: "R" }),
    async () => {
      assert.equal(await judgeAnswer("cursor", "preToolUse", { stdout: CURSOR_DENIED }), "denied");
      const { entries } = await installEntries("cursor", "user");
      assert(entries.every(({ command }) => !command.includes("--cursor-deny exit")));
    },
  ],
  "deny, Codex: yes (exit 2)": [
    answered("to codex repeats on stderr what the model reads about a denial"),
    blocks("codex", "UserPromptSubmit", BLOCK),
  ],
  "ask, Claude Code: yes": [sends("claude", BASH, ask, permission("ask"))],
  'ask, Cursor: a denial on 2.4.21 and later, 3.2.16 included, unless cursorAskFallback is "ask"': [
    answered("to cursor … denies instead of asking", "to cursor asks under --cursor-ask-fallback ask"),
  ],
  "Codex supports `ask`": [
    "differs: `ask` becomes a denial, because Codex would run the call [seen 0.169.0, 2026-11-21]. With `--codex-ask-fallback ask`, Codex's own approval applies",
    answered("to codex denies instead of asking"),
    sends("codex", BASH, ask, "", {
      args: ["--codex-ask-fallback", "ask"],
      stderr: /decision "ask" was left to Codex/,
    }),
  ],
});

/** Checks that context is sent in the event-specific fields for each of a host's events. */
const adds = (host: string, recordings: readonly string[]) =>
  recordings.flatMap((one) => sendsSilently(host, one, context, addition(/^\w+/.exec(one)?.[0] as string)));
const added = { additional_context: "C" };
const dropped = { stderr: /modified_input was dropped/ };

export const texts = createSection("Response: reason, messages, context, rewrites", {
  "reason, Claude Code: `permissionDecisionReason` or `reason`": [
    [...blocks("claude", BASH, permission("deny")), ...blocks("claude", AFTER, BLOCK)],
  ],
  "On Cursor, `reason` is `agent_message` on permission events and is dropped on beforeSubmitPrompt": [
    `differs: ${CURSOR_REASON}`,
    answered("to cursor contains the reason and message of a denial, but not its context"),
    sends("cursor", CURSOR_GATES, deny, CURSOR_DENIED),
    sends(
      "cursor",
      PROMPT,
      deny,
      { continue: false, user_message: "R" },
      { stderr: /reason was sent in a different form/ },
    ),
    sends(
      "cursor",
      PROMPT,
      { ...allow, reason: "R" },
      { continue: true },
      { stderr: /reason for "allow" was dropped/ },
    ),
  ],
  "On Codex, `reason` is sent as `permissionDecisionReason` or `reason`": [
    "differs: A denial repeats the reason on stderr, because with exit code 2 Codex reads nothing else [seen 0.169.0, 2026-11-21]",
    [...blocks("codex", BASH, permission("deny")), ...blocks("codex", AFTER, BLOCK)],
  ],
  "On Claude Code, `user_message` is dropped with a warning": [
    "differs: The message is sent as `systemMessage`, which the user sees [seen 2.1.330, 2026-11-22]",
    sendsSilently("claude", BASH, message, { systemMessage: "M" }),
  ],
  "user_message, Cursor: `user_message` on permission events": [
    sends("cursor", CURSOR_GATES, { ...allow, ...message }, { permission: "allow", user_message: "M" }),
  ],
  "On Codex, `user_message` is dropped with a warning": [
    "differs: The message is sent as `systemMessage`, which the user sees [seen 0.169.0, 2026-11-22]. With a denial, the message is dropped unless the entry has `--codex-deny json`, because Codex reads only stderr",
    sendsSilently("codex", BASH, message, { systemMessage: "M" }),
    blocks("codex", BASH, permission("deny", { systemMessage: "M" }), { answer: { ...deny, ...message } }),
  ],
  "additional_context, Claude Code: SessionStart, PreToolUse, UserPromptSubmit and PostToolUse": [
    adds("claude", ["SessionStart-startup", BASH, "UserPromptSubmit", AFTER]),
  ],
  "Cursor accepts `additional_context` on sessionStart and postToolUse; it is dropped on beforeSubmitPrompt": [
    `differs: ${CURSOR_CONTEXT}`,
    answered("to cursor's IDE contains context at the session's start"),
    sendsSilently("cursor", ["postToolUse.Shell", "preToolUse.Shell", "postToolUseFailure.Shell"], context, added),
    sends("cursor", PROMPT, context, added, { stderr: /was sent in a different form/ }),
    sends("cursor", "sessionStart", context, {}, { stderr: /additional_context was dropped/ }),
  ],
  "Codex accepts `additional_context` on SessionStart, UserPromptSubmit and PostToolUse, and as `systemMessage` on Stop":
    [
      "differs: PreToolUse and SubagentStart also accept context [seen 0.169.0, 2026-11-22]. Context on Stop causes a warning",
      adds("codex", ["SessionStart-startup", BASH, "UserPromptSubmit", AFTER, "SubagentStart-in-subagent"]),
      sends("codex", "Stop", context, { systemMessage: "C" }, { stderr: /was sent in a different form/ }),
    ],
  "modified_input, Claude Code: `updatedInput` on PreToolUse, dropped with a warning elsewhere": [
    answered("to claude merges a patch into the whole input"),
    sends("claude", [AFTER, "UserPromptSubmit", "SessionStart-startup", "Stop"], rewritten, "", dropped),
  ],
  "On Cursor, `modified_input` is `updated_input` on preToolUse and is dropped on the specific events": [
    `differs: ${CURSOR_CHANGES}`,
    answered("to cursor contains a rewritten command", "to cursor denies a rewrite at beforeShellExecution"),
    sends("cursor", "afterShellExecution", rewritten, {}, dropped),
    () => assertSupport("cursor", CURSOR_GATES.slice(1), "modified_input", "downgrade"),
  ],
  "On Codex, `modified_input` is dropped with a warning": [
    "differs: Before a call, the input is sent as `updatedInput`, and the rewritten call runs [seen 0.169.0, 2026-11-22]. On other events, the input is dropped with a warning",
    answered("to codex contains a rewritten command"),
    sends("codex", AFTER, rewritten, "", dropped),
  ],
});

const inPrompt = (host: string) => [sendsSilently(host, "UserPromptSubmit", context, addition("UserPromptSubmit"))];
const found: IHookResponse = { decision: "deny", user_message: "secrets detected" };

export const prompts = createSection("Cursor's beforeSubmitPrompt", {
  "The answer is allow or deny only: `continue` and `user_message`": [
    sends("cursor", PROMPT, found, { continue: false, user_message: "secrets detected" }),
    warns("cursor", PROMPT, ask, /decision "ask" became a denial/),
  ],
  "Cursor can't give the model context; context is dropped, and the drop is logged to stderr": [
    `differs: ${CURSOR_CONTEXT}`,
    sends("cursor", PROMPT, context, added, { stderr: /additional_context/ }),
  ],
  "On Claude Code context at UserPromptSubmit is `hookSpecificOutput.additionalContext`": inPrompt("claude"),
  "On Codex context at UserPromptSubmit is `hookSpecificOutput.additionalContext`": inPrompt("codex"),
  "On Cursor, context moved to SessionStart or PostToolUse arrives": [
    answered("to cursor's IDE contains context at the session's start"),
    sendsSilently("cursor", "postToolUse.Shell", context, added),
  ],
});

const shell = (cursor_version: string, recording = "beforeShellExecution") =>
  getPayload("cursor", recording, { cursor_version });
/** Checks the answer "ask" to a call for each release of Cursor. */
const asking = (
  versions: readonly string[],
  stdout: unknown,
  { recording, ...more }: Partial<ClaimCase> & { recording?: string } = {},
): ClaimCase[] =>
  versions.map((version) => ({
    host: "cursor",
    stdin: shell(version, recording),
    answer: ask,
    stdout,
    exit_code: 0,
    ...more,
  }));
const SENT = { permission: "ask", agent_message: "R" };
const TOLD = "R\nThis needs the user's approval, which Cursor can't ask for here.";
const DENIED = { permission: "deny", user_message: TOLD, agent_message: TOLD };

export const regression = createSection('Cursor\'s permission "ask"', {
  "2.4.21 to 2.x take `ask` for a denial without an explanation; the author's intent would be lost": [
    asking(["2.4.21", "2.9.0"], DENIED, { stderr: /decision "ask" became a denial/ }),
  ],
  "3.x up to 3.2.16 runs the call on `ask` without a prompt; here it is denied instead, the safer default": [
    asking(["3.0.0", "3.2.16"], DENIED),
  ],
  "The adapter reads `cursor_version` out of `_native`, and warns on stderr when it turns `ask` into a denial": [
    asking(["3.2.16"], DENIED, {
      sees: { host_version: "3.2.16", _native: { cursor_version: "3.2.16" } },
      stderr: /^bridge-hooks: cursor beforeShellExecution: decision "ask" became a denial; /m,
    }),
  ],
  '`run(hooks, { cursorAskFallback: "ask" })` opts out': () => {
    const sent = runLibrary({ cursorAskFallback: "ask" }, shell("3.2.16"), ask);
    assert.deepEqual([sent.stdout, sent.exit_code], [SENT, 0]);
    assert.match(sent.stderr, /decision "ask" was left to Cursor/);
    assert.deepEqual(runLibrary({}, shell("3.2.16"), ask).stdout, DENIED);
  },
  "With it `ask` goes to Cursor unchanged, on every affected version": [
    asking(["2.4.21", "2.9.0", "3.2.16"], SENT, { args: ["--cursor-ask-fallback", "ask"] }),
    ["preToolUse.Shell", "beforeMCPExecution", "beforeReadFile", "subagentStart"].flatMap((recording) =>
      asking(["3.2.16"], SENT, { recording, args: ["--cursor-ask-fallback", "ask"] }),
    ),
  ],
  "Before 2.4.21 `ask` passes through as it is": [
    asking(["1.7.0", "2.4.20"], SENT, { stderr: "" }),
    asking(["2.4.20"], SENT, { recording: "preToolUse.Shell" }),
  ],
});
