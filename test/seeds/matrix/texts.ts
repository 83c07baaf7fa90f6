import { addition, answered, BLOCK, blocks, context, deny, message, permission, rewritten, sends } from "../answers.ts";
import { sendsSilently, warns } from "../answers.ts";
import type { ClaimSection } from "../claim.ts";
import { assertSupport } from "../host.ts";
import { CURSOR_DENIED, CURSOR_GATES } from "./decisions.ts";

const BASH = "PreToolUse-Bash";
const AFTER = "PostToolUse-Bash";
const PROMPT = "beforeSubmitPrompt";

/** At each of a host's events, context is in the fields for the event. */
const adds = (host: string, recordings: readonly string[]) =>
  recordings.flatMap((one) => sendsSilently(host, one, context, addition(/^\w+/.exec(one)?.[0] as string)));
const dropped = /modified_input was dropped/;

export const texts: ClaimSection = {
  title: "Response: reason, messages, context, rewrites",
  claims: [
    {
      says: "reason, Claude Code: `permissionDecisionReason` or `reason`",
      cases: [...blocks("claude", BASH, permission("deny")), ...blocks("claude", AFTER, BLOCK)],
    },
    {
      says: "reason, Cursor: `agent_message` on permission events, dropped on beforeSubmitPrompt",
      differs:
        "it is sent as `agent_message`, and as `user_message` too unless the hook gave one: when one of Cursor's own tools is denied, only `user_message` reaches the model [seen @cursor/sdk 1.0.32, 2026-11-21]. At beforeSubmitPrompt the reason of a denial becomes the `user_message`, with a warning; the reason of an approval is dropped, with a warning",
      shownBy: answered("cursor: deny with all texts"),
      cases: [
        ...sends("cursor", CURSOR_GATES, deny, CURSOR_DENIED),
        ...warns("cursor", PROMPT, deny, /reason was sent another way/, {
          stdout: { continue: false, user_message: "R" },
        }),
        ...warns("cursor", PROMPT, { decision: "allow", reason: "R" }, /the reason for "allow" was dropped/, {
          stdout: { continue: true },
        }),
      ],
    },
    {
      says: "reason, Codex: `permissionDecisionReason` or `reason`",
      differs:
        "a denial puts it on stderr as well as in those fields: with exit code 2 Codex reads nothing but stderr [seen 0.169.0, 2026-11-21]",
      cases: [...blocks("codex", BASH, permission("deny")), ...blocks("codex", AFTER, BLOCK)],
    },
    {
      says: "user_message, Claude Code: dropped with a warning",
      differs: "it is sent as `systemMessage`, which the user is shown [seen 2.1.330, 2026-11-22]",
      cases: sendsSilently("claude", BASH, message, { systemMessage: "M" }),
    },
    {
      says: "user_message, Cursor: `user_message` on permission events",
      cases: sends(
        "cursor",
        CURSOR_GATES,
        { decision: "allow", ...message },
        { permission: "allow", user_message: "M" },
      ),
    },
    {
      says: "user_message, Codex: dropped with a warning",
      differs: "it is sent as `systemMessage`, which the user is shown [seen 0.169.0, 2026-11-22]",
      cases: sendsSilently("codex", BASH, message, { systemMessage: "M" }),
    },
    {
      says: "additional_context, Claude Code: SessionStart, PreToolUse, UserPromptSubmit and PostToolUse",
      cases: adds("claude", ["SessionStart-startup", BASH, "UserPromptSubmit", AFTER]),
    },
    {
      says: "additional_context, Cursor: sessionStart and postToolUse, dropped on beforeSubmitPrompt",
      differs:
        "preToolUse and postToolUseFailure take it as well [seen @cursor/sdk 1.0.32, 2026-11-22]; at beforeSubmitPrompt it is sent with a warning, since Cursor takes it but was not seen to show it to the model; at sessionStart it is dropped with a warning for the SDK, which reports version 1.0.0 and does not pass it on",
      shownBy: answered("cursor: context in the IDE's session start"),
      cases: [
        ...sendsSilently("cursor", ["postToolUse.Shell", "preToolUse.Shell", "postToolUseFailure.Shell"], context, {
          additional_context: "C",
        }),
        ...warns("cursor", PROMPT, context, /was sent another way/, { stdout: { additional_context: "C" } }),
        ...warns("cursor", "sessionStart", context, /additional_context was dropped/, { stdout: {} }),
      ],
    },
    {
      says: "additional_context, Codex: SessionStart, UserPromptSubmit and PostToolUse, `systemMessage` on Stop",
      differs:
        "PreToolUse and SubagentStart take it as well [seen 0.169.0, 2026-11-22]; the rest holds, with a warning on Stop",
      cases: [
        ...adds("codex", ["SessionStart-startup", BASH, "UserPromptSubmit", AFTER, "SubagentStart-in-subagent"]),
        ...warns("codex", "Stop", context, /was sent another way/, { stdout: { systemMessage: "C" } }),
      ],
    },
    {
      says: "modified_input, Claude Code: `updatedInput` on PreToolUse, dropped with a warning elsewhere",
      shownBy: answered("claude: rewrite keeps what the patch does not name"),
      cases: ["PostToolUse-Bash", "UserPromptSubmit", "SessionStart-startup", "Stop"].flatMap((recording) =>
        sends("claude", recording, rewritten, "", { stderr: dropped }),
      ),
    },
    {
      says: "modified_input, Cursor: `updated_input` on preToolUse, dropped on the specific events",
      differs:
        "at the specific events before a call it becomes a denial, since Cursor would run the original [seen @cursor/sdk 1.0.32, 2026-11-22]; after a call it is dropped with a warning",
      shownBy: answered("cursor: a rewritten command", "cursor: a rewrite at a specific event is denied"),
      cases: sends("cursor", "afterShellExecution", rewritten, {}, { stderr: dropped }),
      check: () => assertSupport("cursor", CURSOR_GATES.slice(1), "modified_input", "downgrade"),
    },
    {
      says: "modified_input, Codex: dropped with a warning",
      differs:
        'before a call it is sent as permissionDecision "allow" with the whole input in `updatedInput`, and the rewritten call runs [seen 0.169.0, 2026-11-22]; elsewhere it is dropped with a warning',
      shownBy: answered("codex: rewrite"),
      cases: sends("codex", AFTER, rewritten, "", { stderr: dropped }),
    },
  ],
};
