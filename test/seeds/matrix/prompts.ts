import assert from "node:assert/strict";
import type { IHookResponse } from "../../../src/protocol/response.ts";
import { getPayload } from "../../support/fixtures.ts";
import { addition, answered, ask, context, sends, sendsSilently, warns } from "../answers.ts";
import type { ClaimCase, ClaimSection } from "../claim.ts";
import { runLibrary } from "../host.ts";

const shell = (cursor_version: string) => getPayload("cursor", "beforeShellExecution", { cursor_version });
/** A question at a shell call on each release of Cursor. */
const asking = (versions: readonly string[], stdout: unknown, more: Partial<ClaimCase> = {}): ClaimCase[] =>
  versions.map((version) => ({ host: "cursor", stdin: shell(version), answer: ask, stdout, exit_code: 0, ...more }));
const SENT = { permission: "ask", agent_message: "R" };
const TOLD = "R\nThis needs the user's approval, which Cursor can't ask for here.";
const DENIED = { permission: "deny", user_message: TOLD, agent_message: TOLD };
const named: IHookResponse = { decision: "deny", user_message: "secrets detected" };

export const prompts: ClaimSection = {
  title: "Cursor's beforeSubmitPrompt",
  claims: [
    {
      says: "The answer is allow or deny only: `continue` and `user_message`",
      cases: [
        ...sends("cursor", "beforeSubmitPrompt", named, { continue: false, user_message: "secrets detected" }),
        ...warns("cursor", "beforeSubmitPrompt", ask, /decision "ask" became a denial/),
      ],
    },
    {
      says: "Cursor can't inject context for the model; it is dropped there, and the drop is logged to stderr",
      differs:
        "Cursor accepts the field by now, so it is sent, with a warning on stderr: it was not seen to reach the model [seen @cursor/sdk 1.0.32, 2026-11-21]",
      cases: sends(
        "cursor",
        "beforeSubmitPrompt",
        context,
        { additional_context: "C" },
        { stderr: /additional_context/ },
      ),
    },
    ...(["claude", "codex"] as const).map((host) => ({
      says: `On ${host === "claude" ? "Claude Code" : "Codex"} context at UserPromptSubmit is \`hookSpecificOutput.additionalContext\``,
      cases: sendsSilently(host, "UserPromptSubmit", context, addition("UserPromptSubmit")),
    })),
    {
      says: "On Cursor, context moved to SessionStart or PostToolUse arrives",
      shownBy: answered("cursor: context in the IDE's session start"),
      cases: sendsSilently("cursor", "postToolUse.Shell", context, { additional_context: "C" }),
    },
  ],
};

export const regression: ClaimSection = {
  title: 'Cursor\'s permission "ask"',
  claims: [
    {
      says: "2.4.21 to 2.x take `ask` for a denial without an explanation; the author's intent would be lost",
      cases: asking(["2.4.21", "2.9.0"], DENIED, { stderr: /decision "ask" became a denial/ }),
    },
    {
      says: "3.x up to 3.2.16 runs the call on `ask` without a prompt; here it is denied instead, the safer default",
      cases: asking(["3.0.0", "3.2.16"], DENIED),
    },
    {
      says: "The adapter reads `cursor_version` out of `_native`, and warns on stderr when it turns `ask` into a denial",
      cases: asking(["3.2.16"], DENIED, {
        sees: { host_version: "3.2.16", _native: { cursor_version: "3.2.16" } },
        stderr: /^bridge-hooks: cursor beforeShellExecution: decision "ask" became a denial; /m,
      }),
    },
    {
      says: '`run(hooks, { cursorAskFallback: "ask" })` opts out',
      check() {
        const sent = runLibrary({ cursorAskFallback: "ask" }, shell("3.2.16"), ask);
        assert.deepEqual([sent.stdout, sent.exit_code], [SENT, 0]);
        assert.match(sent.stderr, /decision "ask" was left to Cursor/);
        assert.deepEqual(runLibrary({}, shell("3.2.16"), ask).stdout, DENIED);
      },
    },
    {
      says: "With it `ask` goes to Cursor unchanged, on every affected version",
      cases: asking(["2.4.21", "2.9.0", "3.2.16"], SENT, { args: ["--cursor-ask-fallback", "ask"] }),
    },
    { says: "Before 2.4.21 `ask` passes through as it is", cases: asking(["1.7.0", "2.4.20"], SENT, { stderr: "" }) },
  ],
};
