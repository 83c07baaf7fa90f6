import assert from "node:assert/strict";
import { mergeResponses } from "../../../src/protocol/merge.ts";
import type { ClaimSection } from "../claim.ts";
import { judgeAnswer, createRecordedCase, assertSupport } from "../host.ts";
import { claimIgnoredText, claimInputFields } from "./calls.ts";

const PERMISSION = "PermissionRequest-Bash-mode-default";
const deny = { decision: "deny", reason: "R" } as const;
const behavior = (decision: object) => ({ hookSpecificOutput: { hookEventName: "PermissionRequest", decision } });

export const permission: ClaimSection = {
  title: "PermissionRequest",
  claims: [
    {
      says: "It fires when Codex is about to ask for an approval, and not for commands that need none",
      cases: [
        createRecordedCase("codex", PERMISSION, {
          sees: { event: "PermissionRequest", tool: "Bash", tool_name: "Bash" },
        }),
        // An approval for the network, under a name that was never recorded.
        createRecordedCase(
          "codex",
          PERMISSION,
          { answer: deny, sees: { tool: "Other" }, stdout: behavior({ behavior: "deny", message: "R" }), exit_code: 2 },
          { tool_name: "network", tool_input: { host: "example.com" } },
        ),
      ],
    },
    {
      says: "It can allow, deny, or leave it to Codex's own prompt",
      cases: [
        createRecordedCase("codex", PERMISSION, {
          answer: { decision: "allow" },
          stdout: behavior({ behavior: "allow" }),
          exit_code: 0,
        }),
        createRecordedCase("codex", PERMISSION, {
          answer: deny,
          stdout: behavior({ behavior: "deny", message: "R" }),
          exit_code: 2,
        }),
        createRecordedCase("codex", PERMISSION, { stdout: "", stderr: "", exit_code: 0 }),
        createRecordedCase("codex", PERMISSION, { answer: { decision: "ask" }, stdout: "", stderr: "", exit_code: 0 }),
      ],
    },
    {
      says: "PermissionRequest: `turn_id`",
      cases: [createRecordedCase("codex", PERMISSION, { sees: { _native: { turn_id: "T" } } }, { turn_id: "T" })],
    },
    claimInputFields("PermissionRequest", [PERMISSION, PERMISSION, PERMISSION]),
    {
      says: "`tool_input.description` is the reason for the request; it may be null or missing",
      cases: [
        createRecordedCase(
          "codex",
          PERMISSION,
          { sees: { input: { command: "ls", description: "why" } } },
          { tool_input: { command: "ls", description: "why" } },
        ),
        createRecordedCase(
          "codex",
          PERMISSION,
          { sees: { input: { command: "ls" } }, stderr: "" },
          { tool_input: { command: "ls", description: null } },
        ),
        createRecordedCase(
          "codex",
          PERMISSION,
          { sees: { input: { command: "ls" } }, stderr: "" },
          { tool_input: { command: "ls" } },
        ),
      ],
    },
    claimIgnoredText("PermissionRequest"),
    {
      says: 'An approval is `decision: { behavior: "allow" }`',
      cases: [
        createRecordedCase("codex", PERMISSION, {
          answer: { decision: "allow" },
          stdout: behavior({ behavior: "allow" }),
          exit_code: 0,
        }),
      ],
      check: async () =>
        assert.equal(
          await judgeAnswer("codex", "PermissionRequest", { stdout: behavior({ behavior: "allow" }) }),
          "passed",
        ),
    },
    {
      says: 'A denial is `decision: { behavior: "deny", message }`',
      cases: [
        createRecordedCase("codex", PERMISSION, {
          answer: deny,
          stdout: behavior({ behavior: "deny", message: "R" }),
          stderr: /^R\n?$/,
          exit_code: 2,
        }),
      ],
      check: async () =>
        assert.equal(
          await judgeAnswer("codex", "PermissionRequest", { stdout: behavior({ behavior: "deny" }) }),
          "denied",
        ),
    },
    {
      says: "Of several hooks any denial wins, else an approval stands; if none decides, Codex asks",
      check() {
        assert.equal(mergeResponses([{ decision: "allow" }, deny, {}]).decision, "deny");
        assert.equal(mergeResponses([{}, { decision: "allow" }]).decision, "allow");
        assert.equal(mergeResponses([{}, {}]).decision, undefined);
      },
    },
    {
      says: "`updatedInput`, `updatedPermissions` and `interrupt` are reserved and approve nothing: none is sent, a rewrite becomes a denial",
      cases: [
        createRecordedCase("codex", PERMISSION, {
          answer: { decision: "allow", modified_input: { command: "ls" } },
          stderr: /modified_input became a denial/,
          exit_code: 2,
        }),
      ],
      async check() {
        assertSupport("codex", ["PermissionRequest"], "modified_input", "downgrade");
        for (const reserved of [{ updatedInput: {} }, { updatedPermissions: [] }, { interrupt: true }])
          assert.equal(
            await judgeAnswer("codex", "PermissionRequest", { stdout: behavior({ behavior: "allow", ...reserved }) }),
            "broken",
          );
      },
    },
  ],
};
