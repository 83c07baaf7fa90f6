import assert from "node:assert/strict";
import { getCapabilityRow } from "../../../src/protocol/host/host.ts";
import type { Claim, ClaimSection } from "../claim.ts";
import { getHost, judgeAnswer, createRecordedCase } from "../host.ts";
import { RECORDED_TOOLS, claimIgnoredText, claimInputFields, readPlainText, createSeenCases } from "./calls.ts";

const deny = { decision: "deny", reason: "R" } as const;
const context = { additional_context: "C" } as const;
const denial = {
  hookSpecificOutput: { hookEventName: "PreToolUse", permissionDecision: "deny", permissionDecisionReason: "R" },
};
const specific = (fields: object) => ({ hookSpecificOutput: { hookEventName: "PreToolUse", ...fields } });

/** @throws Error unless the capability table says that such calls are not reported to hooks. */
function isUntold(calls: string): void {
  for (const event of ["PreToolUse", "PostToolUse"])
    assert(
      getCapabilityRow(getHost("codex"), event).untold?.some((one) => one.calls.includes(calls)),
      `${event}: ${calls}`,
    );
}

/** How Codex takes a document before a call. */
const before = (stdout: string | object) => judgeAnswer("codex", "PreToolUse", { stdout });

const neverSent = (what: string, document: object): Claim => ({
  says: `PreToolUse: ${what} is parsed and not supported, so it fails open; it is never sent`,
  check: async () => assert.equal(await before(document), "broken"),
});

export const start: ClaimSection = {
  title: "SessionStart",
  claims: [
    {
      says: "`source` is startup, resume or clear",
      differs: "there is `compact` as well [seen 0.169.0, 2026-11-21]; its value is `event.source`",
      cases: ["startup", "resume", "clear", "compact"].map((source) =>
        createRecordedCase("codex", "SessionStart-startup", { sees: { event: "SessionStart", source } }, { source }),
      ),
    },
    {
      says: "Plain text on stdout becomes context; here it is `additional_context`, and a script's plain text is read as that",
      cases: [
        createRecordedCase("codex", "SessionStart-startup", {
          answer: context,
          stdout: { hookSpecificOutput: { hookEventName: "SessionStart", additionalContext: "C" } },
        }),
      ],
      check: async () => assert.equal(await readPlainText("SessionStart"), "note this"),
    },
  ],
};

/** What the document says about both events around a call. */
export const reach: ClaimSection = {
  title: "What PreToolUse and PostToolUse see",
  claims: [
    {
      says: "Hooks don't see every shell call: those of `unified_exec` only in part",
      differs:
        "all of its commands arrive as Bash, also those in a terminal; input typed into a running command (`write_stdin`) reaches no hook [seen 0.169.0, 2026-11-22]",
      cases: [createRecordedCase("codex", "PreToolUse-Bash", { sees: { tool: "Bash", tool_name: "Bash" } })],
      check: () => isUntold("write_stdin"),
    },
    {
      says: "Hooks don't see web searches",
      async check() {
        isUntold("web search");
        assert.equal((await getHost("codex").setup()).tools.WebSearch, undefined);
      },
    },
    {
      says: "Hooks don't see other calls that are neither shell, patch nor MCP",
      differs: "`view_image` (as Read) and `spawn_agent` (as Task) are seen as well [seen 0.169.0, 2026-11-22]",
      cases: [
        createRecordedCase("codex", "PreToolUse-view_image", { sees: { tool: "Read" } }),
        createRecordedCase("codex", "PreToolUse-spawn_agent", { sees: { tool: "Task" } }),
      ],
    },
  ],
};

export const pre: ClaimSection = {
  title: "PreToolUse",
  claims: [
    { says: "It sees Bash, edits by `apply_patch`, and MCP calls", cases: createSeenCases("PreToolUse") },
    {
      says: "It is a guard rail: another tool may do the same",
      cases: [
        createRecordedCase(
          "codex",
          "PreToolUse-Bash",
          { sees: { tool: "Bash" } },
          { tool_input: { command: "apply_patch <<'EOF'\n*** Begin Patch\n*** Delete File: a\n*** End Patch\nEOF" } },
        ),
      ],
    },
    {
      says: "The input still says `apply_patch`, whichever name the matcher used",
      cases: [
        createRecordedCase("codex", "PreToolUse-apply_patch", {
          sees: { tool_name: "apply_patch", _native: { tool_name: "apply_patch" } },
        }),
      ],
    },
    {
      says: "PreToolUse: `turn_id` and `tool_use_id`",
      cases: [
        createRecordedCase(
          "codex",
          "PreToolUse-Bash",
          { sees: { tool_use_id: "U", _native: { turn_id: "T" } } },
          { tool_use_id: "U", turn_id: "T" },
        ),
      ],
    },
    claimInputFields(
      "PreToolUse",
      RECORDED_TOOLS.map((tool) => `PreToolUse-${tool}`),
    ),
    {
      says: "`tool_input` may be any JSON value: one that is not an object arrives as `value`",
      cases: [["a", 1], "text", 7].map((tool_input) =>
        createRecordedCase(
          "codex",
          "PreToolUse-mcp__tiny__echo",
          {
            sees: { tool: "MCP", input: { arguments: { value: tool_input } }, _native: { tool_input } },
            stderr: "",
            exit_code: 0,
          },
          { tool_input },
        ),
      ),
    },
    claimIgnoredText("PreToolUse"),
    {
      says: 'A denial is permissionDecision "deny" with a reason in `hookSpecificOutput`',
      cases: RECORDED_TOOLS.map((tool) =>
        createRecordedCase("codex", `PreToolUse-${tool}`, { answer: deny, stdout: denial }),
      ),
      check: async () => assert.equal(await before(denial), "denied"),
    },
    {
      says: "Or exit code 2 with the reason on stderr",
      cases: [createRecordedCase("codex", "PreToolUse-Bash", { answer: deny, stderr: /^R\n?$/, exit_code: 2 })],
      check: async () =>
        assert.equal(await judgeAnswer("codex", "PreToolUse", { stderr: "R", exit_code: 2 }), "denied"),
    },
    {
      says: "`additionalContext` alone reaches the model and blocks nothing",
      cases: [
        createRecordedCase("codex", "PreToolUse-Bash", {
          answer: context,
          stdout: specific({ additionalContext: "C" }),
          stderr: "",
          exit_code: 0,
        }),
      ],
      check: async () => assert.equal(await before(specific({ additionalContext: "C" })), "passed"),
    },
    neverSent('permissionDecision "ask"', specific({ permissionDecision: "ask", permissionDecisionReason: "R" })),
    neverSent('decision "approve"', { decision: "approve" }),
    {
      says: "PreToolUse: `updatedInput` is parsed and not supported",
      differs:
        'with permissionDecision "allow" the rewritten input runs [seen 0.169.0, 2026-11-21], so `modified_input` is sent',
      cases: [
        createRecordedCase("codex", "PreToolUse-Bash", {
          answer: { modified_input: { command: "ls" } },
          stdout: specific({ permissionDecision: "allow", updatedInput: { command: "ls" } }),
          stderr: "",
          exit_code: 0,
        }),
      ],
      check: async () =>
        assert.deepEqual(
          [
            await before(specific({ permissionDecision: "allow", updatedInput: {} })),
            await before(specific({ updatedInput: {} })),
          ],
          ["passed", "broken"],
        ),
    },
    neverSent("`continue: false`", { continue: false }),
    neverSent("`stopReason`", { stopReason: "R" }),
    neverSent("`suppressOutput`", { suppressOutput: true }),
  ],
};
