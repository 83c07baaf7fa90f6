import { BLOCK, blocks, calledWith, message, sees, sends } from "../answers.ts";
import type { ClaimSection } from "../claim.ts";
import { native, readsText, takes } from "./calls.ts";

export const prompt: ClaimSection = {
  title: "UserPromptSubmit",
  claims: [
    {
      says: "`turn_id` and `prompt`, the prompt about to be sent",
      cases: [
        ...native("UserPromptSubmit", { turn_id: "T" }),
        ...sees("codex", "UserPromptSubmit", { event: "UserPromptSubmit", prompt: "P" }, { prompt: "P" }),
      ],
    },
    { says: "Plain text on stdout becomes context there too", check: readsText("UserPromptSubmit", "note") },
  ],
};

/** A stop of a session of its own: the count of continuations is kept by session. */
const stopping = (session_id: string, fields: object, change: object = {}) =>
  sees("codex", "Stop", { event: "Stop", ...fields }, { session_id, ...change });

export const stop: ClaimSection = {
  title: "Stop",
  claims: [
    { says: "`turn_id`", cases: native("Stop", { turn_id: "T" }) },
    {
      says: "`stop_hook_active`: whether a Stop hook already made this turn go on",
      cases: [
        ...stopping("stop-first", { continuations: 0 }),
        ...stopping("stop-again", { continuations: 1 }, { stop_hook_active: true }),
      ],
    },
    {
      says: "`last_assistant_message`: the last message, or null",
      cases: [
        ...stopping("stop-last", { last_message: "L" }, { last_assistant_message: "L" }),
        ...stopping("stop-null", { _native: { last_assistant_message: null } }, { last_assistant_message: null }),
      ],
    },
    {
      says: "With exit code 0 it expects JSON on stdout; plain text is invalid: a document or nothing is printed",
      cases: [
        ...sends("codex", "Stop", {}, "", { stderr: "" }, { session_id: "stop-silent" }),
        ...sends("codex", "Stop", message, { systemMessage: "M" }, {}, { session_id: "stop-message" }),
      ],
      check: takes("Stop", "broken", "note"),
    },
    {
      says: "Exit code 2 with the reason on stderr makes it go on as well",
      shownBy: calledWith("…: the first time it goes on, the second it ends"),
    },
    {
      says: '`decision: "block"` makes Codex go on, with the reason as a new prompt',
      cases: blocks("codex", "Stop", BLOCK, {}, { session_id: "stop-block" }),
      check: takes("Stop", "denied", BLOCK),
    },
    {
      says: "A hook may block every stop of a turn; only `stop_hook_active` shows that",
      differs:
        "a denial makes the agent go on once in a row unless `maxContinuations` allows more: Codex itself was seen to go on endlessly [seen 0.169.0, 2026-11-21]",
      shownBy: calledWith(
        "…: the first time it goes on, the second it ends",
        "…: --max-continuations counts, and starts anew",
      ),
    },
  ],
};
