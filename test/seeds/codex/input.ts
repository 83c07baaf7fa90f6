import assert from "node:assert/strict";
import type { Claim, ClaimSection } from "../claim.ts";
import { judgeAnswer, createRecordedCase } from "../host.ts";

const TURN_EVENTS = [
  "SessionStart-startup",
  "PreToolUse-Bash",
  "PermissionRequest-Bash-mode-default",
  "PostToolUse-Bash",
  "UserPromptSubmit",
  "Stop",
];
const everywhere = [...TURN_EVENTS, "SessionEnd-other"];

const common = (says: string, field: string, seen: string, value = "V"): Claim => ({
  says,
  cases: everywhere.map((recording) =>
    createRecordedCase("codex", recording, { sees: { [seen]: value } }, { [field]: value }),
  ),
});

export const input: ClaimSection = {
  title: "Common input",
  claims: [
    common("`session_id`: the session", "session_id", "session_id"),
    {
      says: "`transcript_path`: the transcript, or null",
      cases: [
        createRecordedCase(
          "codex",
          "PreToolUse-Bash",
          { sees: { transcript_path: "/t.jsonl" } },
          { transcript_path: "/t.jsonl" },
        ),
        ...everywhere.map((recording) => ({
          ...createRecordedCase(
            "codex",
            recording,
            { sees: { host: "codex", _native: { transcript_path: null } } },
            { transcript_path: null },
          ),
          // The host is detected without it, too.
          host: undefined,
        })),
      ],
    },
    common("`cwd`: the session's folder", "cwd", "cwd", "/w"),
    {
      says: "`hook_event_name`: the event",
      cases: everywhere.map((recording) => {
        const name = recording.split("-")[0] as string;
        return createRecordedCase("codex", recording, { sees: { event: name, native_event: name } });
      }),
    },
    common("`model`: the model", "model", "model"),
    {
      says: "`turn_id` comes with the events of a turn, as Codex's own extension",
      cases: TURN_EVENTS.slice(1).map((recording) =>
        createRecordedCase("codex", recording, { sees: { _native: { turn_id: "T" } } }, { turn_id: "T" }),
      ),
    },
    {
      says: "`permission_mode` at six events: default, acceptEdits, plan, dontAsk or bypassPermissions",
      cases: [
        ...TURN_EVENTS.map((recording) =>
          createRecordedCase("codex", recording, { sees: { permission_mode: "plan" } }, { permission_mode: "plan" }),
        ),
        ...["default", "acceptEdits", "dontAsk", "bypassPermissions"].map((permission_mode) =>
          createRecordedCase("codex", "PreToolUse-Bash", { sees: { permission_mode } }, { permission_mode }),
        ),
      ],
    },
    {
      says: "The format of a transcript is not stable: nothing here reads one, and a missing file is not an error",
      cases: [
        createRecordedCase(
          "codex",
          "Stop",
          { stderr: "", exit_code: 0 },
          { transcript_path: "/nowhere/t.jsonl", session_id: "no-transcript" },
        ),
      ],
    },
    {
      says: "Future releases may add fields: they are in `_native`",
      cases: [
        createRecordedCase(
          "codex",
          "PreToolUse-Bash",
          { sees: { tool: "Bash", _native: { new_field: [1] } }, stderr: "", exit_code: 0 },
          { new_field: [1] },
        ),
      ],
    },
  ],
};

const kinds = (native_event: string, documents: readonly object[]) =>
  Promise.all(documents.map((stdout) => judgeAnswer("codex", native_event, { stdout })));
const GATES = ["PreToolUse", "PermissionRequest"] as const;
const message = { user_message: "M" } as const;

export const output: ClaimSection = {
  title: "Common output",
  claims: [
    {
      says: "Exit code 0 without output is a success: nothing is printed when no hook has an opinion",
      cases: everywhere.map((recording) =>
        createRecordedCase("codex", recording, { stdout: "", stderr: "", exit_code: 0 }, { session_id: "silent" }),
      ),
      check: async () =>
        assert.deepEqual(await Promise.all(GATES.map((event) => judgeAnswer("codex", event, {}))), [
          "passed",
          "passed",
        ]),
    },
    {
      says: "PreToolUse and PermissionRequest take `systemMessage`",
      cases: ["PreToolUse-Bash", "PermissionRequest-Bash-mode-default"].map((recording) =>
        createRecordedCase("codex", recording, {
          answer: message,
          stdout: { systemMessage: "M" },
          stderr: "",
          exit_code: 0,
        }),
      ),
    },
    {
      says: "There `continue`, `stopReason` and `suppressOutput` are not supported: none is sent, and `doctor` counts them as a failed hook",
      cases: [
        createRecordedCase("codex", "PreToolUse-Bash", {
          answer: { decision: "deny", reason: "R", ...message },
          stdout: {
            systemMessage: "M",
            hookSpecificOutput: {
              hookEventName: "PreToolUse",
              permissionDecision: "deny",
              permissionDecisionReason: "R",
            },
          },
        }),
      ],
      async check() {
        for (const event of GATES)
          assert.deepEqual(
            await kinds(event, [{ continue: false }, { stopReason: "R" }, { suppressOutput: true }]),
            Array(3).fill("broken"),
          );
      },
    },
    {
      says: "PostToolUse takes `systemMessage`, `continue: false` and `stopReason`",
      cases: [
        createRecordedCase("codex", "PostToolUse-Bash", {
          answer: message,
          stdout: { systemMessage: "M" },
          stderr: "",
          exit_code: 0,
        }),
      ],
      check: async () =>
        assert.deepEqual(await kinds("PostToolUse", [{ systemMessage: "M" }, { continue: false, stopReason: "R" }]), [
          "passed",
          "denied",
        ]),
    },
    {
      says: "There `suppressOutput` is parsed and does nothing: it is never sent",
      cases: [
        createRecordedCase("codex", "PostToolUse-Bash", {
          answer: { decision: "deny", reason: "R", ...message, additional_context: "C" },
          stdout: {
            decision: "block",
            reason: "R",
            systemMessage: "M",
            hookSpecificOutput: { hookEventName: "PostToolUse", additionalContext: "C" },
          },
        }),
      ],
      check: async () => assert.deepEqual(await kinds("PostToolUse", [{ suppressOutput: true }]), ["passed"]),
    },
  ],
};
