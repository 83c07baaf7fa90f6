import assert from "node:assert/strict";
import { getCapabilityRow } from "../../../src/protocol/host/host.ts";
import { addition, answered, blocks, context, permission, recorded, sees, sends, sendsSilently } from "../answers.ts";
import type { Claim, ClaimSection, TestReference } from "../claim.ts";
import { getHost, judgeAnswer } from "../host.ts";
import { allOf, atEachTool, havingInput, ignoringText, judged, native, readsText, takes } from "./calls.ts";

const BASH = "PreToolUse-Bash";

/** The capability table says that such calls are not reported to hooks. */
const untold = (calls: string) => () => {
  for (const event of ["PreToolUse", "PostToolUse"])
    assert(
      getCapabilityRow(getHost("codex"), event).untold?.some((one) => one.calls.includes(calls)),
      `${event}: ${calls}`,
    );
};

const neverSent = (what: string, proof: { shownBy: TestReference[] } | { check: Claim["check"] }): Claim => ({
  says: `PreToolUse: ${what} is parsed and not supported, so it fails open; it is never sent`,
  ...proof,
});

export const start: ClaimSection = {
  title: "SessionStart",
  claims: [
    {
      says: "`source` is startup, resume or clear",
      differs: "there is `compact` as well [seen 0.169.0, 2026-11-21]; its value is `event.source`",
      cases: ["startup", "resume", "clear", "compact"].flatMap((source) =>
        sees("codex", "SessionStart-startup", { event: "SessionStart", source }, { source }),
      ),
    },
    {
      says: "Plain text on stdout becomes context; here it is `additional_context`, and a script's plain text is read as that",
      cases: sends("codex", "SessionStart-startup", context, addition("SessionStart")),
      check: readsText("SessionStart", "note"),
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
      shownBy: recorded("codex", BASH),
      check: untold("write_stdin"),
    },
    {
      says: "Hooks don't see web searches",
      check: allOf(untold("web search"), async () =>
        assert.equal((await getHost("codex").setup()).tools.WebSearch, undefined),
      ),
    },
    {
      says: "Hooks don't see other calls that are neither shell, patch nor MCP",
      differs: "`view_image` (as Read) and `spawn_agent` (as Task) are seen as well [seen 0.169.0, 2026-11-22]",
      shownBy: recorded("codex", "PreToolUse-view_image", "PreToolUse-spawn_agent"),
    },
  ],
};

export const pre: ClaimSection = {
  title: "PreToolUse",
  claims: [
    {
      says: "It sees Bash, edits by `apply_patch`, and MCP calls",
      shownBy: recorded("codex", ...atEachTool("PreToolUse")),
    },
    {
      says: "It is a guard rail: another tool may do the same",
      cases: sees(
        "codex",
        BASH,
        { tool: "Bash" },
        { tool_input: { command: "apply_patch <<'EOF'\n*** Begin Patch\n*** Delete File: a\n*** End Patch\nEOF" } },
      ),
    },
    {
      says: "The input still says `apply_patch`, whichever name the matcher used",
      cases: sees("codex", "PreToolUse-apply_patch", {
        tool_name: "apply_patch",
        _native: { tool_name: "apply_patch" },
      }),
    },
    {
      says: "PreToolUse: `turn_id` and `tool_use_id`",
      cases: [...native(BASH, { turn_id: "T" }), ...sees("codex", BASH, { tool_use_id: "U" }, { tool_use_id: "U" })],
    },
    havingInput("PreToolUse", atEachTool("PreToolUse")),
    {
      says: "`tool_input` may be any JSON value: one that is not an object arrives as `value`",
      cases: [["a", 1], "text", 7].flatMap((value) =>
        sees(
          "codex",
          "PreToolUse-mcp__tiny__echo",
          { tool: "MCP", input: { arguments: { value } }, _native: { tool_input: value } },
          { tool_input: value },
        ),
      ),
    },
    ignoringText("PreToolUse"),
    {
      says: 'A denial is permissionDecision "deny" with a reason in `hookSpecificOutput`',
      shownBy: judged("codex PreToolUse a bare document"),
      cases: blocks("codex", atEachTool("PreToolUse"), permission("deny")),
    },
    {
      says: "Or exit code 2 with the reason on stderr",
      shownBy: answered("codex: deny, everything on stderr"),
      check: async () =>
        assert.equal(await judgeAnswer("codex", "PreToolUse", { stderr: "R", exit_code: 2 }), "denied"),
    },
    {
      says: "`additionalContext` alone reaches the model and blocks nothing",
      cases: sendsSilently("codex", BASH, context, addition("PreToolUse")),
      check: takes("PreToolUse", "passed", addition("PreToolUse")),
    },
    neverSent('permissionDecision "ask"', { shownBy: judged("codex PreToolUse ask") }),
    neverSent('decision "approve"', { shownBy: judged("codex PreToolUse approve") }),
    {
      says: "PreToolUse: `updatedInput` is parsed and not supported",
      differs:
        'with permissionDecision "allow" the rewritten input runs [seen 0.169.0, 2026-11-21], so `modified_input` is sent',
      shownBy: [
        ...answered("codex: rewrite"),
        ...judged("codex PreToolUse a rewrite", "codex PreToolUse a rewrite without allow"),
      ],
    },
    neverSent("`continue: false`", { shownBy: judged("codex PreToolUse continue false") }),
    neverSent("`stopReason`", { check: takes("PreToolUse", "broken", { stopReason: "R" }) }),
    neverSent("`suppressOutput`", { shownBy: judged("codex PreToolUse suppressOutput") }),
  ],
};
