import assert from "node:assert/strict";
import { mergeResponses } from "../../../src/protocol/merge.ts";
import { allow, answered, ask, blocks, recorded, sees, sends, sendsSilently } from "../answers.ts";
import { specific, warns } from "../answers.ts";
import type { ClaimSection } from "../claim.ts";
import { assertSupport } from "../host.ts";
import { allOf, havingInput, ignoringText, native, PERMISSION, takes } from "./calls.ts";

const behavior = (decision: object) => specific("PermissionRequest", { decision });
const ALLOWED = behavior({ behavior: "allow" });
const DENIED = behavior({ behavior: "deny", message: "R" });
const RESERVED = [{ updatedInput: {} }, { updatedPermissions: [] }, { interrupt: true }];

export const permission: ClaimSection = {
  title: "PermissionRequest",
  claims: [
    {
      says: "It fires when Codex is about to ask for an approval, and not for commands that need none",
      shownBy: recorded("codex", PERMISSION),
      // An approval for the network, under a name that was never recorded.
      cases: blocks(
        "codex",
        PERMISSION,
        DENIED,
        { sees: { tool: "Other" } },
        { tool_name: "network", tool_input: { host: "example.com" } },
      ),
    },
    {
      says: "It can allow, deny, or leave it to Codex's own prompt",
      shownBy: answered("codex: a permission request"),
      cases: [
        ...sends("codex", PERMISSION, allow, ALLOWED),
        ...[{}, { decision: ask.decision }].flatMap((answer) => sendsSilently("codex", PERMISSION, answer, "")),
      ],
    },
    { says: "PermissionRequest: `turn_id`", cases: native(PERMISSION, { turn_id: "T" }) },
    havingInput("PermissionRequest", [PERMISSION, PERMISSION, PERMISSION]),
    {
      says: "`tool_input.description` is the reason for the request; it may be null or missing",
      cases: [{ description: "why" }, { description: null }, {}].flatMap((more) => {
        const input = more.description ? { command: "ls", ...more } : { command: "ls" };
        return sees("codex", PERMISSION, { input }, { tool_input: { command: "ls", ...more } });
      }),
    },
    ignoringText("PermissionRequest"),
    {
      says: 'An approval is `decision: { behavior: "allow" }`',
      cases: sends("codex", PERMISSION, allow, ALLOWED),
      check: takes("PermissionRequest", "passed", ALLOWED),
    },
    {
      says: 'A denial is `decision: { behavior: "deny", message }`',
      shownBy: answered("codex: a permission request"),
      check: takes("PermissionRequest", "denied", behavior({ behavior: "deny" })),
    },
    {
      says: "Of several hooks any denial wins, else an approval stands; if none decides, Codex asks",
      shownBy: [["run/core.test.ts", "the strictest decision wins"]],
      check() {
        assert.equal(mergeResponses([{}, allow]).decision, "allow");
        assert.equal(mergeResponses([{}, {}]).decision, undefined);
      },
    },
    {
      says: "`updatedInput`, `updatedPermissions` and `interrupt` are reserved and approve nothing: none is sent, a rewrite becomes a denial",
      cases: warns(
        "codex",
        PERMISSION,
        { decision: "allow", modified_input: { command: "ls" } },
        /modified_input became a denial/,
        { exit_code: 2 },
      ),
      check: allOf(
        () => assertSupport("codex", ["PermissionRequest"], "modified_input", "downgrade"),
        takes("PermissionRequest", "broken", ...RESERVED.map((one) => behavior({ behavior: "allow", ...one }))),
      ),
    },
  ],
};
