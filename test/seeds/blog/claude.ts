import { expect } from "bun:test";
import { allow, ask, context, modify } from "bridge-hooks";
import format from "../../../hooks/format-after-edit.ts";
import type { EventName } from "../../../src/protocol/event.ts";
import type { Payload } from "../../../src/protocol/host/host.ts";
import type { GivenEvent } from "../../../src/author/testing/index.ts";
import { answered, asks, buildPayload, denies, gets, type HostAnswer, judged } from "./calls.ts";
import { observes, sees, shell, type Verdict } from "./calls.ts";
import { installs, listEvents, row, subscribed } from "./hosts.ts";
import { answers, anyScript, called, differs, missing, recorded, section, shown } from "./proofs.ts";

const id = "claude";
const SETTINGS = ".claude/settings.json";
const groups = (event: string, ...list: object[]) => ({ [SETTINGS]: { hooks: { [event]: list } } });
/** Our entry in the user's or a project's settings. */
const entry = (event: string, scope: "user" | "project", group: object = {}) => {
  const command = expect.stringMatching(new RegExp(`--host claude .*--event ${event}$`));
  return installs(id, groups(event, { ...group, hooks: [{ type: "command", command }] }), { scope, events: [event] });
};
const gateEntry = entry("PreToolUse", "user", { matcher: "*" });
/** Adds another tool's handler next to ours, in a separate group. */
const beside = (handler: object) => {
  const theirs = { matcher: "Edit", hooks: [handler, { type: "command", command: "true" }] };
  const both = groups("PreToolUse", theirs, { matcher: "*", hooks: [{ type: "command" }] });
  return installs(id, both, { events: ["PreToolUse"], before: groups("PreToolUse", theirs) });
};

// Payloads, the fields that hooks see, and the answers.
const specific = (hookEventName: string, fields: object) => ({ hookSpecificOutput: { hookEventName, ...fields } });
const addedContext = (event: string) => specific(event, { additionalContext: "It is Monday." });
const monday = context("It is Monday.");
const blocked = { decision: "block", reason: "No." };
const denial = specific("PreToolUse", { permissionDecision: "deny", permissionDecisionReason: "No." });
const tool = { tool_name: "Bash", tool_input: { command: "ls" }, tool_use_id: "t" };
const bash = buildPayload(id, "PreToolUse", tool);
const stop = buildPayload(id, "Stop");
const TRANSCRIPT = "/home/user/.claude/projects/app/transcript.jsonl";

const write: GivenEvent = { event: "PreToolUse", tool: "Write", input: { file_path: "/a", content: "" } };
const files = [{ file_path: "/a", operation: "update" as const, edits: [] }];
const edit: GivenEvent = { event: "PreToolUse", tool: "Edit", input: { files } };
const mcp = (server: string): GivenEvent => ({
  ...{ event: "PreToolUse", tool: "MCP", input: { server, tool: "read", arguments: {} } },
});

const GATE = { deny: "native", ask: "native", modified_input: "native" } as const;
const UNMATCHED = "SessionStart UserPromptSubmit Stop SessionEnd SubagentStop PreCompact Notification";
const unmatched = UNMATCHED.split(" ").map((event) => subscribed(id, { event: event as EventName }));
const takes = (verdict: Verdict, answer: HostAnswer) => judged(id, "PreToolUse", verdict, answer);
const blocks = (event: string, fields: Payload, sees: Payload, stdout: object = blocked) =>
  denies(id, event, fields, sees, stdout, 2);
const everyTool = shown(
  "hosts/subscriptions.test.ts",
  "entries of … for Bash or Write receive calls of every tool, including later ones",
);
const ran = { ...tool, tool_response: { stdout: "a\n", stderr: "" } };
const printed = { tool: "Bash", output: { text: "a\n" } };
const failed = buildPayload(id, "PostToolUseFailure", { ...tool, error: "Exit code 3" });
const [waiting, go] = [{ message: "waiting", notification_type: "idle_prompt" }, { prompt: "go" }];
const denialOfRequest = specific("PermissionRequest", { decision: { behavior: "deny", message: "No." } });
const question = specific("PreToolUse", { permissionDecision: "ask", permissionDecisionReason: "Sure?" });
const edits = { event: "PostToolUse", tools: ["Edit", "Write"] } as const;
const editsMatched = subscribed(id, edits, "Edit|MultiEdit|NotebookEdit|Write");
const agent = { agent_id: "a1", agent_type: "Explore" };
const npm = ["cd a && npm test -- -u", "npm run x", 'echo "npm test"'].map(shell);
const writing = buildPayload(id, "PreToolUse", { tool_name: "Write", tool_input: { file_path: "/a", content: "" } });
const sandboxed = { file_path: "/sandbox/a", content: "[secret]" };
const sandboxes = gets(id, writing, modify(sandboxed), specific("PreToolUse", { updatedInput: sandboxed }));

const config = section("Claude Code: configuration", {
  "Hooks are declared in `~/.claude/settings.json` for all projects": gateEntry,
  "Hooks of one project are declared in its `.claude/settings.json`": entry("Stop", "project"),
  'The form is `hooks` → event → groups with a `matcher` → `hooks` of `type: "command"` with a `command`': gateEntry,
  "A group's matcher lists its tools, as in `Edit|Write` at PostToolUse": editsMatched,
  "A group's matcher is `Bash` at PreToolUse": differs(
    "The entry matches every tool, because the shell tool may have another name [seen 2.1.330, 2026-11-22]",
  ).by(everyTool, shown("hosts/decode.test.ts", "a tool call")),
  "A formatter can run after each edit (`npx prettier --write`)": () =>
    expect([format.event, format.tool]).toEqual(["PostToolUse", ["Edit", "Write"]]),
});

const protocol = section("Claude Code: protocol", {
  "A hook gets JSON on stdin: `session_id`, `transcript_path`, `hook_event_name`, `tool_name`, `tool_input`": [
    sees(id, bash, {
      ...{ event: "PreToolUse", session_id: "abc123", transcript_path: "/t.jsonl", _native: bash },
      ...{ tool: "Bash", tool_name: "Bash", input: { command: "ls" } },
    }),
    // The blog's example, without a directory and without the host's name.
    sees(undefined, { ...bash, transcript_path: TRANSCRIPT, cwd: undefined }, { host: id, tool: "Bash" }),
  ],
  "Exit code 0 lets the action go on": [
    called("gets the host's neutral answer if no hook decides"),
    answered(id, bash, allow(), { exit_code: 0 }),
  ],
  "With exit code 0, anything on stdout goes into the transcript": differs(
    "Stdout is one JSON document or nothing. Text for the model belongs in `additional_context` [seen 2.1.330, 2026-11-21]",
  ).by(
    called("has no output of hooks or their child processes on stdout"),
    gets(id, bash, monday, addedContext("PreToolUse"), { exit_code: 0 }),
  ),
  "Exit code 1 is a warning: the action goes on": [
    called("a faulty call by …", "is reported and proceeds with --on-error allow: …"),
    takes("let pass", { exit_code: 1 }),
  ],
  "Exit code 2 blocks the action, and the model reads stderr": [
    called("gets the host's denial if a hook denies"),
    takes("denied", { exit_code: 2 }),
  ],
  '`hookSpecificOutput` with `hookEventName`, `permissionDecision: "deny"` and `permissionDecisionReason` blocks with a reason':
    [called("gets the host's denial if a hook denies"), takes("denied", { stdout: denial })],
  'At Stop the answer is `{"decision": "block", "reason": …}`': answers,
  "JSON on stdout is optional: only decisions finer than exit code 0 or 2 need it": [
    takes("denied", { exit_code: 2 }),
    takes("passed", {}),
    gets(id, bash, ask("Sure?"), question),
  ],
});

const handlers = section("Claude Code: handler types", {
  "A `command` handler runs a program": entry("Stop", "user"),
  "A `prompt` handler lets a Claude model judge the payload": missing(
    "bridge-hooks calls no model, but a handler can. `install` keeps the host's own prompt and agent hooks",
  ).by(beside({ type: "prompt", prompt: "Deny edits of auth code." })),
  "An `agent` handler starts a subagent with tools to check the action": missing(
    "bridge-hooks calls no model, but a handler can. `install` keeps the host's own prompt and agent hooks",
  ).by(beside({ type: "agent", prompt: "Check the edit." })),
  "A hook may be written in any language": anyScript,
});

const events = section("Claude Code: events", {
  "PreToolUse: takes a matcher, can block": [
    called("gets the host's denial if a hook denies"),
    row(id, "PreToolUse", "PreToolUse", GATE),
  ],
  "PostToolUse: takes a matcher, can't block the call, which has run": blocks("PostToolUse", ran, printed),
  "PermissionRequest: takes a matcher, can block": blocks("PermissionRequest", tool, {}, denialOfRequest),
  "PostToolUseFailure: takes a matcher, can't block": answered(id, failed, monday, {
    sees: { event: "PostToolUseFailure", tool: "Bash", error: "Exit code 3" },
    stdout: addedContext("PostToolUseFailure"),
    exit_code: 0,
  }),
  "UserPromptSubmit: no matcher, can block and can add context": [
    blocks("UserPromptSubmit", go, go),
    gets(id, buildPayload(id, "UserPromptSubmit", go), monday, addedContext("UserPromptSubmit")),
  ],
  "Stop: no matcher, can make the agent go on": [answers, sees(id, stop, { event: "Stop", continuations: 0 })],
  "SubagentStop: no matcher, can make the subagent go on": blocks("SubagentStop", agent, agent),
  "Notification: can't block": observes(id, "Notification", waiting, waiting),
  "SessionStart: can't block": observes(id, "SessionStart", { source: "startup" }, { source: "startup" }),
  "SessionEnd: can't block": observes(id, "SessionEnd", { reason: "clear" }, { reason: "clear" }),
  "PreCompact can't block": differs("A denial prevents the compaction [seen 2.1.330, 2026-11-22]").by(
    blocks("PreCompact", { trigger: "manual" }, { trigger: "manual" }),
  ),
  "InstructionsLoaded: can't block": observes(id, "InstructionsLoaded", { file_path: "/a" }, { event: "Native" }),
  "Claude Code has twelve events": differs(
    "Claude Code has 34 events. Events without a unified form arrive as `Native` [shipped 2.1.332, 2026-11-24]",
  ).by(() => expect(listEvents(id)).toHaveLength(34)),
  "UserPromptSubmit, Stop and the session's events have no matchers in the config": unmatched,
});

const matchers = section("Claude Code: matchers and changed inputs", {
  "Matchers are case-sensitive": shown("call/core.test.ts", "a matcher"),
  "`Bash` matches the tool of exactly that name": asks("Bash", [shell("ls"), write], [true, false]),
  "`Edit|Write` matches either tool": asks("Edit|Write", [edit, write, shell("ls")], [true, true, false]),
  "`*` matches every tool": asks("*", [edit, shell("ls"), mcp("x")], [true, true, true]),
  "`Bash(npm test*)` matches a tool and a pattern of its argument": asks("Bash(npm test*)", npm, [true, false, false]),
  "`Bash(npm test*)` is a matcher in the settings": differs(
    "The setting is called `if`. bridge-hooks doesn't write a hook's `matcher` to the config [docs https://code.claude.com/docs/en/hooks]",
  ).by(installs(id, { [SETTINGS]: /^(?!.*("if"|Bash\())/s }, { events: ["PreToolUse"] })),
  "`mcp__memory__.*` matches the tools of an MCP server by a regular expression": [
    asks("mcp__memory__.*", [mcp("memory"), mcp("other"), shell("ls")], [true, false, false]),
    recorded(id, "PreToolUse-mcp__tiny__echo"),
  ],
  "A hook at PreToolUse can change a tool's input before it runs": answers,
  "The changed input is written to stdout as valid JSON, in full": answers,
  "Changed inputs are used for sandboxing, redaction of secrets, and correction of paths": sandboxes,
  "Changed inputs need release 2.0.10 or later": differs(
    "2.1.197, the oldest tested release, honors them, and bridge-hooks sends them to every release [seen 2.1.197 and 2.1.330, 2026-11-22]",
  ).by(row(id, "PreToolUse", "PreToolUse", { modified_input: "native" })),
});

export const claude = [config, protocol, handlers, events, matchers];
