import { deepEqual } from "node:assert/strict";
import type { ClaimSection } from "../claim.ts";
import {
  createAllowedCase,
  createAnswerCase,
  approvalText,
  askingResponse,
  bothTexts,
  bothSent,
  createDenialCase,
  judgeDecision,
  createRefusalCase,
  buildPayload,
  createUnheardCase,
} from "./shared.ts";

export const sessionOutput: ClaimSection[] = [
  {
    title: "Subagents: output",
    claims: [
      { says: "`permission` `allow` lets a subagent start", cases: [createAllowedCase("subagentStart", {})] },
      { says: "`permission` `deny` blocks a subagent", cases: [createRefusalCase("subagentStart", {})] },
      {
        says: "`ask` counts as `deny` at `subagentStart`",
        cases: [
          {
            ...createDenialCase(
              "subagentStart",
              {},
              {},
              { permission: "deny", user_message: approvalText, agent_message: approvalText },
            ),
            answer: askingResponse,
            stderr: /Cursor treats "ask" as "deny" at this event/,
          },
        ],
      },
      {
        says: "`user_message` is shown to the user when a subagent is denied",
        cases: [createDenialCase("subagentStart", {}, bothTexts, bothSent)],
      },
      {
        says: "`subagentStop` accepts a `followup_message`, with which the subagent goes on",
        cases: [
          createAnswerCase(
            "subagentStop",
            { status: "completed", loop_count: 0 },
            { decision: "deny", reason: "Look again." },
            { followup_message: "Look again." },
          ),
        ],
      },
      {
        says: "A subagent's `followup_message` is used only after `completed`",
        cases: ["error", "aborted"].map((status) =>
          createAnswerCase(
            "subagentStop",
            { status, loop_count: 0 },
            { decision: "deny", reason: "Look again." },
            {},
            { stderr: /decision "deny" can't be enforced; Cursor makes a subagent go on only if it completed/ },
          ),
        ),
      },
      {
        says: "Follow-ups of subagents have the same limit as those at `stop`",
        cases: [
          createAnswerCase(
            "subagentStop",
            { status: "completed", loop_count: 1 },
            { decision: "deny", reason: "Look again." },
            {},
          ),
          createAnswerCase(
            "subagentStop",
            { status: "completed", loop_count: 1 },
            { decision: "deny", reason: "Look again." },
            { followup_message: "Look again." },
            { args: ["--max-continuations", "5"] },
          ),
        ],
      },
    ],
  },
  {
    title: "Prompts and answers: output",
    claims: [
      {
        says: "`continue: true` lets a prompt through",
        cases: [
          createAnswerCase(
            "beforeSubmitPrompt",
            { prompt: "hi" },
            { decision: "allow" },
            { continue: true },
            { stderr: "" },
          ),
          createAnswerCase(
            "beforeSubmitPrompt",
            { prompt: "hi" },
            { decision: "allow", reason: "fine" },
            { continue: true },
            { stderr: /the reason for "allow" was dropped; continue true: Cursor shows no reason with it/ },
          ),
        ],
      },
      {
        says: "`continue: false` stops a prompt",
        cases: [
          createDenialCase(
            "beforeSubmitPrompt",
            { prompt: "hi" },
            { reason: "not here" },
            { continue: false, user_message: "not here" },
          ),
        ],
      },
      {
        says: "`user_message` is shown to the user when a prompt is stopped",
        cases: [
          createDenialCase(
            "beforeSubmitPrompt",
            { prompt: "hi" },
            { user_message: "A key is in it." },
            { continue: false, user_message: "A key is in it." },
          ),
        ],
      },
      {
        says: "`afterAgentResponse` accepts no output",
        cases: [createUnheardCase("afterAgentResponse", { text: "Done." })],
      },
      {
        says: "`afterAgentThought` accepts no output",
        cases: [createUnheardCase("afterAgentThought", { text: "Hm." })],
      },
      {
        says: "A `followup_message` at `stop` is sent as the user's next message",
        cases: [
          createAnswerCase(
            "stop",
            { status: "completed", loop_count: 0 },
            { decision: "deny", reason: "Run the tests." },
            { followup_message: "Run the tests." },
          ),
        ],
      },
      {
        says: "An empty `followup_message`, or none, lets the agent stop",
        check: () =>
          deepEqual(
            [judgeDecision("stop", { followup_message: "" }).kind, judgeDecision("stop", {}).kind],
            ["passed", "passed"],
          ),
        cases: [
          createAnswerCase("stop", { loop_count: 0 }, {}, {}, { stderr: "" }),
          createAnswerCase("stop", { loop_count: 0 }, { decision: "allow" }, {}),
        ],
      },
      {
        says: "A script may send five follow-ups in a row",
        differs:
          "a hook makes the agent go on once in a row unless it sets `maxContinuations`, or the call has `--max-continuations` [docs docs/guide/matchers.md]",
        cases: [
          createAnswerCase("stop", { loop_count: 4 }, { decision: "deny", reason: "More." }, {}),
          createAnswerCase(
            "stop",
            { loop_count: 4 },
            { decision: "deny", reason: "More." },
            { followup_message: "More." },
            { args: ["--max-continuations", "5"] },
          ),
        ],
      },
    ],
  },
  {
    title: "Sessions and compaction: output",
    claims: [
      {
        says: "Cursor neither waits for `sessionStart` nor enforces its answer",
        differs:
          "the SDK waits, and `continue: false` ends the run there, so a denial is sent [seen @cursor/sdk 1.0.32, 2026-11-22]",
        cases: [
          createDenialCase("sessionStart", {}, { reason: "not here" }, { continue: false, user_message: "not here" }),
        ],
      },
      {
        says: "`env` sets variables for the session",
        cases: [createAnswerCase("sessionStart", {}, { session_env: { STAGE: "test" } }, { env: { STAGE: "test" } })],
      },
      {
        says: "`additional_context` goes into the session's first context",
        differs:
          "it is sent, except to the SDK, which reports version 1.0.0 and does not pass it on: there a warning says to add it after a tool call [seen @cursor/sdk 1.0.32, 2026-11-22]",
        cases: [
          createAnswerCase("sessionStart", {}, { additional_context: "Use npm." }, { additional_context: "Use npm." }),
          createAnswerCase(
            "sessionStart",
            { cursor_version: "1.0.0" },
            { additional_context: "Use npm." },
            {},
            { stderr: /additional_context was dropped/ },
          ),
        ],
      },
      {
        says: "`continue` and `user_message` are accepted at `sessionStart`",
        cases: [
          createAnswerCase(
            "sessionStart",
            {},
            { decision: "allow", user_message: "Welcome." },
            { continue: true, user_message: "Welcome." },
          ),
        ],
      },
      { says: "`sessionEnd` accepts no output", cases: [createUnheardCase("sessionEnd", { reason: "completed" })] },
      {
        says: "`user_message` of `preCompact` is shown to the user",
        cases: [
          createAnswerCase(
            "preCompact",
            { trigger: "auto" },
            { user_message: "Compacting." },
            { user_message: "Compacting." },
          ),
        ],
      },
      {
        says: "`preCompact` can't block or change the compaction",
        cases: [
          {
            host: "cursor",
            stdin: buildPayload("preCompact", { trigger: "auto" }),
            answer: { decision: "deny", reason: "no" },
            stdout: {
              user_message: 'bridge-hooks: a hook answered "deny", but Cursor can\'t do that at preCompact. no',
            },
            stderr: /decision "deny" can't be enforced/,
            exit_code: 0,
          },
        ],
      },
    ],
  },
];
