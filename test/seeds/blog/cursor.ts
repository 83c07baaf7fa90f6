import { expect } from "bun:test";
import { allow, modify } from "bridge-hooks";
import type { Payload } from "../../../src/protocol/host/host.ts";
import { buildPayload, denies, gets, type HostAnswer, judged, observes, sees, type Verdict } from "./calls.ts";
import { installs } from "./hosts.ts";
import { answers, called, differs, recorded, section, shown } from "./proofs.ts";
import { CURSOR_ASK, CURSOR_CONTINUE, CURSOR_FAILURE, CURSOR_REASON, CURSOR_STOP } from "../differences.ts";

const id = "cursor";
const ours = { command: expect.stringContaining("--host cursor") };
const file = (hooks: object) => ({ ".cursor/hooks.json": { version: 1, hooks } });
/** Our entries for these events, in the user's or a project's file. */
const entries = (scope: "user" | "project", ...events: string[]) =>
  installs(id, file(Object.fromEntries(events.map((event) => [event, [ours]]))), { scope, events });
/** Another tool's entry before ours. */
export const besideCursorEntry = (event: string, theirs: object) =>
  installs(id, file({ [event]: [theirs, ours] }), { events: [event], before: file({ [event]: [theirs] }) });

// Payloads, the fields that hooks see, and the answers.
const EVENTS = ["beforeShellExecution", "afterFileEdit", "stop"];
const shell = buildPayload(id, "beforeShellExecution", { command: "git status", cwd: "/w" });
const takes = (verdict: Verdict, answer: HostAnswer, handler?: Payload) =>
  judged(id, "preToolUse", verdict, answer, handler);
const takesShell = (verdict: Verdict, answer: HostAnswer) => judged(id, "beforeShellExecution", verdict, answer);
const denial = { permission: "deny", user_message: "No.", agent_message: "No." };
const refuses = (event: string, fields: Payload, sees: Payload, stdout: object = denial) =>
  denies(id, event, fields, sees, stdout);
const audited = { decision: "allow", reason: "Passed.", user_message: "Audited." } as const;
const mcpCall = { tool_name: "echo", tool_input: '{"text":"hey"}', mcp_server_name: "tiny", command: "node tiny.js" };
const mcp = { event: "PreToolUse", tool: "MCP", input: { server: "tiny", tool: "echo", arguments: { text: "hey" } } };
const mcpSeen = sees(id, buildPayload(id, "beforeMCPExecution", mcpCall), { ...mcp, _native: mcpCall });
const content = { file_path: "/w/.env", content: "A=1" };
const read = { event: "PreToolUse", tool: "Read" };
const tabRead = { ...read, tool_name: "TabRead" };
const reads = buildPayload(id, "beforeReadFile", content);
const refusesChange = gets(id, reads, modify({ file_path: "/a" }), expect.objectContaining({ permission: "deny" }));
const edit = { file_path: "/w/a.ts", edits: [{ old_string: "1", new_string: "2" }] };
const edited = { event: "PostToolUse", tool: "Edit", input: { files: [edit] } };
const subscriptions = (title: string) => shown("hosts/subscriptions.test.ts", `on Cursor, ${title}`);
const decidedOnce = subscriptions("shell calls and reads have a second event after preToolUse");
const [ran, text] = [{ command: "ls", output: "a\n", duration: 5 }, { text: "Done." }];
const mcpResult = { ...mcpCall, result_json: '{"isError":false}', duration: 5 };
const stopped = { continue: false, user_message: "No." };
const go = { prompt: "go" };
const stopsPrompt = refuses("beforeSubmitPrompt", go, { event: "UserPromptSubmit", ...go }, stopped);
/** Entries for PreToolUse hooks. Cursor reports a shell call twice, but only one of the events decides the call. */
const second = { command: expect.stringContaining("--after preToolUse") };
const both = file({ preToolUse: [{ failClosed: true }], beforeShellExecution: [second] });
const gateEntries = installs(id, both, { events: ["PreToolUse"] });
const exitCodes = [
  takes("denied", { exit_code: 2 }),
  takes("let pass", { exit_code: 1 }),
  takes("blocked", { exit_code: 1 }, { failClosed: true }),
];

const config = section("Cursor: configuration", {
  "Hooks are declared in a project's `.cursor/hooks.json`": entries("project", "stop"),
  "Hooks for all projects are declared in the user's Cursor folder": entries("user", "stop"),
  'The form is `"version": 1` and `hooks` → event → a list of `command`s': entries("user", ...EVENTS),
  "All hooks of an event run, whoever configured them": besideCursorEntry("stop", { command: "./hooks/guard.sh" }),
});

const protocol = section("Cursor: protocol", {
  "`beforeShellExecution` has `conversation_id`, `generation_id`, `command`, `cwd`, `hook_event_name`, `workspace_roots`":
    [
      sees(id, shell, {
        ...{ event: "PreToolUse", native_event: "beforeShellExecution", session_id: "c", cwd: "/w", tool: "Bash" },
        ...{ input: { command: "git status", cwd: "/w" }, _native: { generation_id: "g", workspace_roots: ["/w"] } },
      }),
      sees(undefined, { ...shell, cursor_version: undefined }, { host: id, tool: "Bash" }),
    ],
  "`beforeMCPExecution` has `tool_name`, `tool_input` and the server's `command`": mcpSeen,
  "The answer is JSON on stdout": called(
    "gets the host's denial if a hook denies",
    "gets the host's neutral answer if no hook decides",
  ),
  '`permission` may be "allow"': gets(id, shell, allow(), { permission: "allow" }, { exit_code: 0 }),
  '`permission` may be "deny", which blocks': [
    called("gets the host's denial if a hook denies"),
    refuses("preToolUse", { tool_name: "Shell", tool_input: { command: "git status", cwd: "/w" } }, {}),
    takesShell("denied", { stdout: denial }),
  ],
  '`permission` may be "ask"': differs(CURSOR_ASK).by(answers),
  "The messages are called `userMessage` and `agentMessage`": differs(
    "The names are `user_message` and `agent_message`. With other names, Cursor shows no text [seen @cursor/sdk 1.0.32, 2026-11-21]",
  ).by(answers),
  "One message goes to the user, the other to the model": differs(CURSOR_REASON).by(
    answers,
    gets(id, shell, audited, { permission: "allow", user_message: "Audited.", agent_message: "Passed." }),
  ),
  '`"continue": false` ends the whole task, at every event': differs(CURSOR_CONTINUE).by(
    answers,
    takesShell("passed", { stdout: { continue: false } }),
  ),
});

const events = section("Cursor: events", {
  "`beforeSubmitPrompt` fires before the model gets the prompt, and can block": stopsPrompt,
  "`beforeShellExecution` can block": [
    called("gets the host's denial if a hook denies"),
    recorded(id, "beforeShellExecution"),
  ],
  "`beforeShellExecution` is the main place to enforce policies": differs(
    "`preToolUse` fires first, for every tool. `install` adds both entries, and each shell call gets one decision [seen @cursor/sdk 1.0.32, 2026-11-21]",
  ).by(answers, gateEntries, shown("call/judged.test.ts", "a call that Cursor reports with two events")),
  "`afterShellExecution` only observes": observes(id, "afterShellExecution", ran, { output: { text: "a\n" } }),
  "`beforeMCPExecution` can block calls of MCP tools": refuses("beforeMCPExecution", mcpCall, mcp),
  "`afterMCPExecution` only observes": observes(id, "afterMCPExecution", mcpResult, { tool: "MCP", duration_ms: 5 }),
  "`beforeReadFile` can block": refuses("beforeReadFile", content, { ...read, input: content }),
  "`beforeReadFile` can redact the content before the model reads it": differs(
    "The answer can't contain changed content. Deny the read, and name a file that the model may read [docs https://cursor.com/docs/hooks.md]",
  ).by(refusesChange),
  "`afterFileEdit` only observes: formatters, version control": observes(id, "afterFileEdit", edit, edited),
  "`beforeTabFileRead` can block what Tab reads": refuses("beforeTabFileRead", content, tabRead),
  "`afterTabFileEdit` only observes": observes(id, "afterTabFileEdit", edit, { ...edited, tool_name: "TabWrite" }),
  "`afterAgentResponse` only observes": observes(id, "afterAgentResponse", text, { event: "Native", _native: text }),
  "`afterAgentThought` only observes": observes(id, "afterAgentThought", text, { event: "Native", _native: text }),
  "`stop` can't block; it is for notifications and cleanup": differs(CURSOR_STOP).by(recorded(id, "stop"), answers),
  "There is no `sessionStart`": differs(
    "Cursor has 21 events, including `preToolUse`, `postToolUse`, `sessionStart` and `sessionEnd` [shipped @cursor/sdk 1.0.32]",
  ).by(recorded(id, "sessionStart"), answers),
  "There is no `sessionEnd`": differs(
    "Cursor has 21 events, including `preToolUse`, `postToolUse`, `sessionStart` and `sessionEnd` [shipped @cursor/sdk 1.0.32]",
  ).by(recorded(id, "sessionEnd")),
  "Cursor has twelve events": differs(
    "Cursor has 21 events, including `preToolUse`, `postToolUse`, `sessionStart` and `sessionEnd` [shipped @cursor/sdk 1.0.32]",
  ).by(
    subscriptions("all 21 events are subscribed, and calls with two events are answered once"),
    shown("hosts/decode.test.ts", "… has a row for every documented event"),
  ),
});

const differences = section("Cursor: differences from Claude Code", {
  "The config has no matchers": differs(
    "An entry may have a matcher, and `install` writes one if hooks name tools [seen @cursor/sdk 1.0.22 and 1.0.32, 2026-11-22]",
  ).by(decidedOnce),
  'A hook blocks with `"permission": "deny"` in its JSON': [
    takes("denied", { stdout: { permission: "deny" } }),
    takes("passed", { stdout: {} }),
  ],
  "Exit codes have no effect": differs(CURSOR_FAILURE).by(answers, ...exitCodes),
  "Malformed JSON silently allows a command": differs(CURSOR_FAILURE).by(
    takesShell("blocked", { stdout: "{" }),
    called("a faulty call by …", "with --on-error deny, is denied with its reason: …"),
  ),
  "Claude Code has one text, for the model": differs(
    "`user_message` is sent as `systemMessage`, in addition to the reason [seen 2.1.330, 2026-11-22]",
  ).by(answers),
  "Cursor's CLI fires only `beforeShellExecution` and `afterShellExecution`": differs(
    "The SDK fires all events. The CLI was not run [unverified]",
  ).by(decidedOnce),
});

export const cursor = [config, protocol, events, differences];
