import assert from "node:assert/strict";
import type { ClaimSection } from "../claim.ts";
import { getHost, judgeAnswer, createRecordedCase } from "../host.ts";

const deny = { decision: "deny", reason: "R" } as const;

export const prompt: ClaimSection = {
  title: "UserPromptSubmit",
  claims: [
    {
      says: "`turn_id` and `prompt`, the prompt about to be sent",
      cases: [
        createRecordedCase(
          "codex",
          "UserPromptSubmit",
          { sees: { event: "UserPromptSubmit", prompt: "P", _native: { turn_id: "T" } } },
          { prompt: "P", turn_id: "T" },
        ),
      ],
    },
    {
      says: "Plain text on stdout becomes context there too",
      async check() {
        const { parseAnswer } = await getHost("codex").loadScriptCodec();
        const told = { native_event: "UserPromptSubmit", payload: {} };
        assert.equal(parseAnswer(told, { stdout: "note", stderr: "", exit_code: 0 }).additional_context, "note");
      },
    },
  ],
};

export const stop: ClaimSection = {
  title: "Stop",
  claims: [
    {
      says: "`turn_id`",
      cases: [
        createRecordedCase(
          "codex",
          "Stop",
          { sees: { _native: { turn_id: "T" } } },
          { turn_id: "T", session_id: "stop-turn" },
        ),
      ],
    },
    {
      says: "`stop_hook_active`: whether a Stop hook already made this turn go on",
      cases: [
        createRecordedCase("codex", "Stop", { sees: { continuations: 0 } }, { session_id: "stop-first" }),
        createRecordedCase(
          "codex",
          "Stop",
          { sees: { continuations: 1 } },
          { session_id: "stop-again", stop_hook_active: true },
        ),
      ],
    },
    {
      says: "`last_assistant_message`: the last message, or null",
      cases: [
        createRecordedCase(
          "codex",
          "Stop",
          { sees: { last_message: "L" } },
          { last_assistant_message: "L", session_id: "stop-last" },
        ),
        createRecordedCase(
          "codex",
          "Stop",
          { sees: { event: "Stop" }, stderr: "" },
          { last_assistant_message: null, session_id: "stop-null" },
        ),
      ],
    },
    {
      says: "With exit code 0 it expects JSON on stdout; plain text is invalid: a document or nothing is printed",
      cases: [
        createRecordedCase("codex", "Stop", { stdout: "", stderr: "", exit_code: 0 }, { session_id: "stop-silent" }),
        createRecordedCase(
          "codex",
          "Stop",
          { answer: { user_message: "M" }, stdout: { systemMessage: "M" }, exit_code: 0 },
          { session_id: "stop-message" },
        ),
      ],
      check: async () => assert.equal(await judgeAnswer("codex", "Stop", { stdout: "note" }), "broken"),
    },
    {
      says: "Exit code 2 with the reason on stderr makes it go on as well",
      cases: [
        createRecordedCase(
          "codex",
          "Stop",
          { answer: deny, stderr: /^R\n?$/, exit_code: 2 },
          { session_id: "stop-exit" },
        ),
      ],
    },
    {
      says: '`decision: "block"` makes Codex go on, with the reason as a new prompt',
      cases: [
        createRecordedCase(
          "codex",
          "Stop",
          { answer: deny, stdout: { decision: "block", reason: "R" } },
          { session_id: "stop-block" },
        ),
      ],
      check: async () =>
        assert.equal(await judgeAnswer("codex", "Stop", { stdout: { decision: "block", reason: "R" } }), "denied"),
    },
    {
      says: "A hook may block every stop of a turn; only `stop_hook_active` shows that",
      differs:
        "a denial makes the agent go on once in a row unless `maxContinuations` allows more: Codex itself was seen to go on endlessly [seen 0.169.0, 2026-11-21]",
      cases: [
        createRecordedCase(
          "codex",
          "Stop",
          { answer: deny, stdout: "", stderr: /could not make the agent go on/, exit_code: 0 },
          {
            session_id: "stop-endless",
            stop_hook_active: true,
          },
        ),
      ],
    },
  ],
};
