import assert from "node:assert/strict";
import { hosts } from "../../../src/hosts/index.ts";
import { getCapabilityRow } from "../../../src/protocol/host/host.ts";
import { mergeResponses } from "../../../src/protocol/merge.ts";
import { omitNulls } from "../../../src/protocol/object.ts";
import { detectHost } from "../../../src/call/identify/detect.ts";
import { getPayload } from "../../support/fixtures.ts";
import { addition, allow, answered, ask, BLOCK, blocks, calledWith, context, deny, message } from "../answers.ts";
import { permission as permits, PERMITTED, recorded, rewritten, sees, sends, sendsSilently } from "../answers.ts";
import { specific, testsIn, warns } from "../answers.ts";
import { createSection } from "../claim.ts";
import { assertSupport, getHost, judgeAnswer } from "../host.ts";
import { arrives, atEachTool, getsInput, ignoresText, judged, native, PERMISSION } from "./calls.ts";
import { readsText, takes, TURN } from "./calls.ts";

const BASH = "PreToolUse-Bash";
const AFTER = "PostToolUse-Bash";
const START = "SessionStart-startup";
const ECHO = "mcp__tiny__echo";
const everywhere = [START, ...TURN, "SessionEnd-other"];
const MODES = ["default", "acceptEdits", "dontAsk", "bypassPermissions"];

export const input = createSection("Common input", {
  "`session_id`: the session": [arrives(everywhere, "session_id")],
  "`transcript_path`: the transcript, or null": [
    arrives(BASH, "transcript_path"),
    // The host is also detected without this field.
    async () => {
      for (const recording of everywhere) {
        const payload = omitNulls(getPayload("codex", recording, { transcript_path: null }));
        assert.deepEqual(await detectHost(hosts, payload, { env: {} }), { host: getHost("codex") }, recording);
      }
    },
  ],
  "`cwd`: the session's folder": [arrives(everywhere, "cwd", "/w")],
  "`hook_event_name`: the event": everywhere.map((recording) => {
    const [name] = recording.split("-");
    return sees("codex", recording, { event: name, native_event: name });
  }),
  "`model`: the model": [arrives(everywhere, "model")],
  "`turn_id` comes with the events of a turn, as Codex's own extension": [native(TURN, { turn_id: "T" })],
  "`permission_mode` at six events: default, acceptEdits, plan, dontAsk or bypassPermissions": [
    arrives(everywhere.slice(0, -1), "permission_mode", "plan"),
    ...MODES.map((mode) => arrives(BASH, "permission_mode", mode)),
  ],
  "The format of a transcript is not stable: nothing here reads one, and a missing file is not an error": [
    sends("codex", "Stop", {}, "", { stderr: "" }, { transcript_path: "/nowhere/t", session_id: "none" }),
  ],
  "Future releases may add fields: they are in `_native`": [
    sends("codex", BASH, {}, "", { sees: { _native: { new_field: [1] } }, stderr: "" }, { new_field: [1] }),
  ],
});

const UNSUPPORTED = [{ continue: false }, { stopReason: "R" }, { suppressOutput: true }];

export const output = createSection("Common output", {
  "Exit code 0 without output is a success: nothing is printed when no hook has an opinion": [
    sends("codex", everywhere, {}, "", { stderr: "" }, { session_id: "silent" }),
    takes("PreToolUse", "passed", ""),
    takes("PermissionRequest", "passed", ""),
  ],
  "PreToolUse and PermissionRequest take `systemMessage`": [
    sendsSilently("codex", [BASH, PERMISSION], message, { systemMessage: "M" }),
  ],
  "There `continue`, `stopReason` and `suppressOutput` are not supported: none is sent, and `doctor` counts them as a failed hook":
    [
      answered("to codex repeats on stderr what the model reads about a denial"),
      takes("PreToolUse", "broken", ...UNSUPPORTED),
      takes("PermissionRequest", "broken", ...UNSUPPORTED),
    ],
  "PostToolUse takes `systemMessage`, `continue: false` and `stopReason`": [
    sendsSilently("codex", AFTER, message, { systemMessage: "M" }),
    takes("PostToolUse", "passed", { systemMessage: "M" }),
    takes("PostToolUse", "denied", { continue: false, stopReason: "R" }),
  ],
  "There `suppressOutput` is parsed and does nothing: it is never sent": [
    blocks("codex", AFTER, addition("PostToolUse", { ...BLOCK, systemMessage: "M" }), {
      answer: { ...deny, ...message, ...context },
      stderr: /^R\n\nC\n?$/,
    }),
    takes("PostToolUse", "passed", { suppressOutput: true }),
  ],
});

export const start = createSection("SessionStart", {
  "`source` is startup, resume or clear": [
    "differs: Codex also sends `compact` [seen 0.169.0, 2026-11-21]. The value is in `event.source`",
    ...["startup", "resume", "clear", "compact"].map((source) => arrives(START, "source", source)),
  ],
  "Plain text on stdout becomes context; here it is `additional_context`, and a script's plain text is read as that": [
    sends("codex", START, context, addition("SessionStart")),
    readsText("SessionStart", "note"),
  ],
});

/** Checks that the capability table lists calls that hooks don't receive. */
const untold = (calls: string) => () => {
  for (const event of ["PreToolUse", "PostToolUse"]) {
    const { unreportedCalls: untold = [] } = getCapabilityRow(getHost("codex"), event);
    assert(
      untold
        .map((one) => one.calls)
        .join()
        .includes(calls),
      event,
    );
  }
};

/** The document's statements about the events before and after a call. */
export const reach = createSection("What PreToolUse and PostToolUse see", {
  "Hooks see only some shell calls of `unified_exec`": [
    "differs: All of its commands arrive as Bash. Input to a running command (`write_stdin`) doesn't reach hooks [seen 0.169.0, 2026-11-22]",
    recorded("codex", BASH),
    untold("write_stdin"),
  ],
  "Hooks don't see web searches": [
    untold("web search"),
    async () => assert.equal((await getHost("codex").setup()).tools.WebSearch, undefined),
  ],
  "Hooks see only shell, patch and MCP calls": [
    "differs: Hooks also see `view_image` (as Read) and `spawn_agent` (as Task) [seen 0.169.0, 2026-11-22]",
    recorded("codex", "PreToolUse-view_image", "PreToolUse-spawn_agent"),
  ],
});

const PATCHING = "apply_patch <<'EOF'\n*** Begin Patch\n*** Delete File: a\n*** End Patch\nEOF";
const unsupported = (what: string) =>
  `PreToolUse: ${what} is parsed and not supported, so it fails open; it is never sent`;

export const pre = createSection("PreToolUse", {
  "It sees Bash, edits by `apply_patch`, and MCP calls": [recorded("codex", ...atEachTool("PreToolUse"))],
  "It is a guard rail: another tool may do the same": [
    sees("codex", BASH, { tool: "Bash" }, { tool_input: { command: PATCHING } }),
  ],
  "The input still says `apply_patch`, whichever name the matcher used": [
    sees("codex", "PreToolUse-apply_patch", { tool_name: "apply_patch", _native: { tool_name: "apply_patch" } }),
  ],
  "PreToolUse: `turn_id` and `tool_use_id`": [native(BASH, { turn_id: "T" }), arrives(BASH, "tool_use_id")],
  "PreToolUse: `tool_name` and `tool_input`, where Bash and apply_patch have `command` and MCP tools all their arguments":
    getsInput(atEachTool("PreToolUse")),
  "`tool_input` may be any JSON value: one that is not an object arrives as `value`": [["a", 1], "text", 7].map(
    (value) => sees("codex", `PreToolUse-${ECHO}`, { input: { arguments: { value } } }, { tool_input: value }),
  ),
  "PreToolUse: plain text on stdout is ignored": ignoresText("PreToolUse"),
  'A denial is permissionDecision "deny" with a reason in `hookSpecificOutput`': [
    judged("codex PreToolUse a bare document"),
    blocks("codex", atEachTool("PreToolUse"), permits("deny")),
  ],
  "Or exit code 2 with the reason on stderr": [
    answered("to codex repeats on stderr what the model reads about a denial"),
    async () => assert.equal(await judgeAnswer("codex", "PreToolUse", { stderr: "R", exit_code: 2 }), "denied"),
  ],
  "`additionalContext` alone reaches the model and blocks nothing": [
    sendsSilently("codex", BASH, context, addition("PreToolUse")),
    takes("PreToolUse", "passed", addition("PreToolUse")),
  ],
  [unsupported('permissionDecision "ask"')]: [judged("codex PreToolUse ask")],
  [unsupported('decision "approve"')]: [judged("codex PreToolUse approve")],
  "PreToolUse parses `updatedInput` but doesn't support it": [
    'differs: With permissionDecision "allow", the call runs with the rewritten input [seen 0.169.0, 2026-11-21]',
    answered("to codex contains a rewritten command"),
    judged("codex PreToolUse a rewrite", "codex PreToolUse a rewrite without allow"),
  ],
  [unsupported("`continue: false`")]: [judged("codex PreToolUse continue false")],
  [unsupported("`stopReason`")]: takes("PreToolUse", "broken", { stopReason: "R" }),
  [unsupported("`suppressOutput`")]: [judged("codex PreToolUse suppressOutput")],
});

const behavior = (decision: object) => specific("PermissionRequest", { decision });
const REFUSED = behavior({ behavior: "deny", message: "R" });
const RESERVED = [{ updatedInput: {} }, { updatedPermissions: [] }, { interrupt: true }];
const LS = { command: "ls" };
const givesInput = (tool_input: object, input: object) => sees("codex", PERMISSION, { input }, { tool_input });
/** A network approval with a name that was never recorded. */
const NETWORK = { tool_name: "network", tool_input: { host: "example.com" } };

export const permission = createSection("PermissionRequest", {
  "It fires when Codex is about to ask for an approval, and not for commands that need none": [
    recorded("codex", PERMISSION),
    blocks("codex", PERMISSION, REFUSED, { sees: { tool: "Other" } }, NETWORK),
  ],
  "It can allow, deny, or leave it to Codex's own prompt": [
    answered("to codex denies a permission request with the reason"),
    sends("codex", PERMISSION, allow, PERMITTED),
    sendsSilently("codex", PERMISSION, {}, ""),
    sendsSilently("codex", PERMISSION, { decision: "ask" }, ""),
  ],
  "PermissionRequest: `turn_id`": [native(PERMISSION, { turn_id: "T" })],
  "PermissionRequest: `tool_name` and `tool_input`, where Bash and apply_patch have `command` and MCP tools all their arguments":
    getsInput([PERMISSION, PERMISSION, PERMISSION]),
  "`tool_input.description` is the reason for the request; it may be null or missing": [
    givesInput({ ...LS, description: "why" }, { ...LS, description: "why" }),
    givesInput({ ...LS, description: null }, LS),
    givesInput(LS, LS),
  ],
  "PermissionRequest: plain text on stdout is ignored": ignoresText("PermissionRequest"),
  'An approval is `decision: { behavior: "allow" }`': [
    sends("codex", PERMISSION, allow, PERMITTED),
    takes("PermissionRequest", "passed", PERMITTED),
  ],
  'A denial is `decision: { behavior: "deny", message }`': [
    answered("to codex denies a permission request with the reason"),
    takes("PermissionRequest", "denied", behavior({ behavior: "deny" })),
  ],
  "Of several hooks any denial wins, else an approval stands; if none decides, Codex asks": [
    testsIn("call/core.test.ts")("has the strictest decision"),
    () => assert.deepEqual([mergeResponses([{}, allow]), mergeResponses([{}, {}])], [allow, {}]),
  ],
  "`updatedInput`, `updatedPermissions` and `interrupt` are reserved and approve nothing: none is sent, a rewrite becomes a denial":
    [
      warns(
        "codex",
        PERMISSION,
        { ...allow, ...rewritten },
        /A hook wanted to replace the command in this Bash call, but Codex can't do that here; run this instead: .+$/m,
        { exit_code: 2 },
      ),
      () => assertSupport("codex", ["PermissionRequest"], "modified_input", "downgrade"),
      takes("PermissionRequest", "broken", ...RESERVED.map((one) => behavior({ behavior: "allow", ...one }))),
    ],
});

/** On a denial with exit code 2, Codex reads stderr. */
const BOTH = { stderr: /^R\n\nC\n?$/, exit_code: 2 };
const ECHOED = { text: "echo: hello", raw: { content: [{ text: "echo: hello" }] } };

export const post = createSection("PostToolUse", {
  "It fires after Bash, `apply_patch` and MCP calls": [recorded("codex", ...atEachTool("PostToolUse"))],
  "For Bash it also fires after a command that failed": [
    sees("codex", AFTER, { event: "PostToolUse", output: { text: "bad" } }, { tool_response: "bad" }),
    () => assert(getHost("codex").absentEvents.includes("PostToolUseFailure")),
  ],
  "It can't undo the call: a rewrite is dropped with a warning, and a warning says that `ask` comes too late": [
    warns("codex", AFTER, rewritten, /modified_input was dropped/, { stdout: "" }),
    warns("codex", AFTER, ask, /can't be enforced; it is too late to ask/),
  ],
  "PostToolUse: `turn_id` and `tool_use_id`": [native(AFTER, { turn_id: "T" }), arrives(AFTER, "tool_use_id")],
  "PostToolUse: `tool_name` and `tool_input`, where Bash and apply_patch have `command` and MCP tools all their arguments":
    getsInput(atEachTool("PostToolUse")),
  "`tool_response` is the tool's output; for an MCP call its result": [
    sees("codex", AFTER, { output: { text: "out\n", raw: "out\n" } }, { tool_response: "out\n" }),
    sees("codex", `PostToolUse-${ECHO}`, { output: ECHOED }),
  ],
  "PostToolUse: plain text on stdout is ignored": ignoresText("PostToolUse"),
  "`additionalContext` is added for the model, also beside a block": [
    sendsSilently("codex", AFTER, context, addition("PostToolUse")),
    sends("codex", AFTER, { ...deny, ...context }, addition("PostToolUse", BLOCK), BOTH),
  ],
  '`decision: "block"` does not undo the call: the model gets the reason instead of the output, and goes on': [
    blocks("codex", AFTER, BLOCK),
    takes("PostToolUse", "denied", BLOCK),
  ],
});

export const prompt = createSection("UserPromptSubmit", {
  "`turn_id` and `prompt`, the prompt about to be sent": [
    native("UserPromptSubmit", { turn_id: "T" }),
    arrives("UserPromptSubmit", "prompt"),
  ],
  "Plain text on stdout becomes context there too": readsText("UserPromptSubmit", "note"),
});

/** A Stop in a separate session, because continuations are counted per session. */
const stops = (session_id: string, fields: object, change: object = {}) =>
  sees("codex", "Stop", { event: "Stop", ...fields }, { session_id, ...change });
const TWICE = "works once at …'s Stop with --max-continuations 1, and then the agent ends";

export const stop = createSection("Stop", {
  "`turn_id`": [native("Stop", { turn_id: "T" })],
  "`stop_hook_active`: whether a Stop hook already made this turn go on": [
    stops("first", { continuations: 0 }),
    stops("again", { continuations: 1 }, { stop_hook_active: true }),
  ],
  "`last_assistant_message`: the last message, or null": [
    stops("last", { last_message: "L" }, { last_assistant_message: "L" }),
    stops("null", { _native: { last_assistant_message: null } }, { last_assistant_message: null }),
  ],
  "With exit code 0 it expects JSON on stdout; plain text is invalid: a document or nothing is printed": [
    judged("codex Stop plain text"),
    sends("codex", "Stop", {}, "", { stderr: "" }, { session_id: "silent" }),
    sends("codex", "Stop", message, { systemMessage: "M" }, {}, { session_id: "message" }),
  ],
  "Exit code 2 with the reason on stderr makes it go on as well": [calledWith(TWICE)],
  '`decision: "block"` makes Codex go on, with the reason as a new prompt': [
    blocks("codex", "Stop", BLOCK, {}, { session_id: "block" }),
    takes("Stop", "denied", BLOCK),
  ],
  "A hook may block every stop of a turn": [
    "differs: By default, a hook can do so only once in a row, because Codex was seen continuing endlessly. `maxContinuations` allows more [seen 0.169.0, 2026-11-21]",
    calledWith(
      "works at …'s Stop as often as the host itself allows",
      TWICE,
      "works at …'s Stop --max-continuations times, and again after the agent has ended",
    ),
  ],
});
