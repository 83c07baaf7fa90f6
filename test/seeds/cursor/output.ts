import { expect } from "bun:test";
import type { IHookResponse } from "../../../src/protocol/response.ts";
import { createHookEntry } from "../../support/homes.ts";
import { allows, ASK_ANYWAY, asks, denies, deniesQuestion, failing } from "./answers.ts";
import { FOLLOWUP, gets, goesOn, judges, passes, takesNothing, tellsBoth } from "./answers.ts";
import { mcpFields, shellFields, shellTool, SHELL, TOOL, MCP, READ, TAB_READ, EDIT, TAB_EDIT } from "./fields.ts";
import { installs } from "./machine.ts";
import { sections } from "./section.ts";

const NO_JSON =
  "differs: Cursor blocks at the events before a call, whatever `failClosed` says [seen @cursor/sdk 1.0.32, 2026-11-21]; the executable prints one document or `{}`";
/** Expects that Cursor blocks after output of a hook that it does not take. */
const noisy = (native_event: string) =>
  ["not JSON", "[]", '{"permission":"maybe"}'].map((stdout) => judges(native_event, stdout, "blocks"));
/** Rewrites the input of a call. */
const rewrites = (patch: object, document: object, decision?: "allow") =>
  gets(...TOOL, { ...(decision && { decision }), modified_input: { ...patch } }, document);
const answers = "shown by run/answers.test.ts: whole answers";
const completed = { status: "completed", loop_count: 0 };
const UNHEARD = { stderr: /decision "deny" can't be enforced/ };
const FIVE = { args: ["--max-continuations", "5"] };
const again: IHookResponse = { decision: "allow", user_message: "Fine." };

export const output = sections(
  "# preToolUse: output",
  ["`permission` `allow` lets a tool run", allows(...TOOL)],
  ["`permission` `deny` blocks a tool", denies(...TOOL)],
  "`ask` is accepted at `preToolUse`, but not enforced",
  "differs: hence `ask` becomes a denial that says so; `--cursor-ask-fallback ask` sends it anyway [seen @cursor/sdk 1.0.32, 2026-11-22]",
  deniesQuestion(...TOOL, /became a denial; Cursor does not enforce "ask" on preToolUse/),
  asks(...TOOL, ASK_ANYWAY),
  ["`user_message` is shown to the user when a tool is denied", tellsBoth(...TOOL)],
  "`agent_message` is fed back to the agent",
  "differs: for tools that Cursor runs itself only `user_message` reaches the model, so a reason without a `user_message` is sent as both [seen @cursor/sdk 1.0.32, 2026-11-22]",
  denies(...TOOL),
  "`updated_input` is used in place of the tool's input",
  answers,
  // Under both names, since it depends on the release which one counts.
  rewrites({ cwd: "/x" }, { updated_input: { command: "npm install", working_directory: "/x", cwd: "/x" } }),
  "`updated_input` changes any tool",
  "differs: Cursor applies changes of `command` and `cwd` for `Shell`, of `file_path` for `Read` and `Write`, and of arguments for MCP tools; any other change becomes a denial, so that the original does not run [seen @cursor/sdk 1.0.32, 2026-11-21]",
  answers,
  "shown by run/core.test.ts: rewrites that the host would ignore are denied",
  "# postToolUse and postToolUseFailure: output",
  "`additional_context` is added after the tool's result",
  passes("postToolUse", { additional_context: "Use npm ci." }, { ...shellTool, tool_output: "{}" }),
  "`updated_mcp_tool_output` replaces an MCP tool's result",
  "shown by run/fields.test.ts: Cursor: an MCP tool's result is replaced, another tool's is not, loudly",
  "`updated_mcp_tool_output` is for MCP tools only",
  "shown by run/fields.test.ts: Cursor: an MCP tool's result is replaced, another tool's is not, loudly",
  "`postToolUseFailure` accepts no output",
  "differs: Cursor passes its `additional_context` to the model too, so it is sent [seen @cursor/sdk 1.0.32, 2026-11-22]",
  passes("postToolUseFailure", { additional_context: "Use npm ci." }, { ...shellTool, error_message: "no" }),
  "# beforeShellExecution and beforeMCPExecution: output",
  ["A permission decides on a shell command", allows(...SHELL), denies(...SHELL)],
  ["A permission decides on an MCP tool", allows(...MCP), denies(...MCP)],
  "A shell command is decided at `preToolUse` and at `beforeShellExecution`",
  "shown by hosts/subscriptions.test.ts: Cursor: each call is decided once; a shell call is told twice for front ends without preToolUse, a read for what is in the file",
  // A call that was answered before gets no second answer, unless it is a denial.
  "shown by run/executable.test.ts: asked a second time: a denial is told again, and nothing else",
  gets(...SHELL, again, {}, { args: ["--after", "preToolUse"] }),
  installs({ entries: [createHookEntry(["PreToolUse"], { tools: ["Bash"] })] }, ({ hooks }) =>
    expect(hooks.beforeShellExecution?.[0]?.command).toEndWith(" --after preToolUse"),
  ),
  ["`user_message` and `agent_message` go with the permission", tellsBoth(...SHELL), tellsBoth(...MCP)],
  "`ask` has the user decide on an MCP tool",
  "differs: Cursor 2.4.21 and later was not seen to ask, so `ask` becomes a denial that says so; `--cursor-ask-fallback ask` sends it anyway [seen @cursor/sdk 1.0.32, 2026-11-22]",
  deniesQuestion(...MCP),
  asks(...MCP, ASK_ANYWAY),
  asks("beforeMCPExecution", { ...mcpFields, cursor_version: "1.7.2" }),
  "A crash or a timeout of a hook lets the call pass",
  ...failing(false, "beforeShellExecution", "beforeMCPExecution"),
  ["Invalid JSON of a hook lets the call pass", NO_JSON, ...noisy("beforeShellExecution")],
  "`failClosed: true` blocks the call if a hook fails",
  ...failing(true, "beforeShellExecution", "beforeMCPExecution"),
  "It is recommended for hooks that guard MCP tools",
  installs({ entries: [createHookEntry(["PreToolUse"], { matcher: "mcp__docs__.*" })] }, ({ entries }) =>
    expect(new Set(entries.map(({ failClosed }) => failClosed))).toEqual(new Set([true])),
  ),
  "# Files: output",
  ["`permission` `allow` lets a file be read", allows(...READ)],
  ["`permission` `deny` keeps a file from being read", denies(...READ)],
  ["`user_message` is shown to the user when a file is denied", tellsBoth(...READ)],
  ["A crash or a timeout lets a file be read", ...failing(false, "beforeReadFile")],
  ["Invalid JSON lets a file be read", NO_JSON, ...noisy("beforeReadFile")],
  ["`failClosed: true` keeps a file from being read if a hook fails", ...failing(true, "beforeReadFile")],
  ["`permission` `allow` lets Tab read a file", allows(...TAB_READ)],
  ["`permission` `deny` keeps Tab from reading a file", denies(...TAB_READ)],
  "`beforeTabFileRead` accepts a permission and nothing else",
  "differs: the shipped runtime accepts the messages of `beforeReadFile` there too, so they are sent [shipped @cursor/sdk 1.0.32]",
  tellsBoth(...TAB_READ),
  ["`afterTabFileEdit` accepts no output", takesNothing(...TAB_EDIT)],
  ["`afterFileEdit` accepts no output", takesNothing(...EDIT)],
  ["`afterShellExecution` accepts no output", takesNothing("afterShellExecution", { ...shellFields, output: "" })],
  ["`afterMCPExecution` accepts no output", takesNothing("afterMCPExecution", { ...mcpFields, result_json: "{}" })],
  "# Subagents: output",
  ["`permission` `allow` lets a subagent start", allows("subagentStart")],
  ["`permission` `deny` blocks a subagent", denies("subagentStart")],
  "`ask` counts as `deny` at `subagentStart`",
  deniesQuestion("subagentStart", {}, /Cursor treats "ask" as "deny" at this event/),
  ["`user_message` is shown to the user when a subagent is denied", tellsBoth("subagentStart")],
  ["`subagentStop` accepts a `followup_message`, with which the subagent goes on", goesOn("subagentStop", completed)],
  ["A subagent's `followup_message` is used only after `completed`", answers],
  "Follow-ups of subagents have the same limit as those at `stop`",
  goesOn("subagentStop", { ...completed, loop_count: 1 }, {}),
  goesOn("subagentStop", { ...completed, loop_count: 1 }, FOLLOWUP, FIVE),
  "# Prompts and answers: output",
  "`continue: true` lets a prompt through",
  gets("beforeSubmitPrompt", { prompt: "hi" }, { decision: "allow" }, { continue: true }, { stderr: "" }),
  answers,
  ["`continue: false` stops a prompt", answers],
  ["`user_message` is shown to the user when a prompt is stopped", answers],
  ["`afterAgentResponse` accepts no output", takesNothing("afterAgentResponse", { text: "Done." })],
  ["`afterAgentThought` accepts no output", takesNothing("afterAgentThought", { text: "Hm." })],
  ["A `followup_message` at `stop` is sent as the user's next message", answers],
  "An empty `followup_message`, or none, lets the agent stop",
  judges("stop", { followup_message: "" }, "passed"),
  judges("stop", {}, "passed"),
  gets("stop", { loop_count: 0 }, {}, {}, { stderr: "" }),
  gets("stop", { loop_count: 0 }, { decision: "allow" }, {}),
  "A script may send five follow-ups in a row",
  "differs: a hook makes the agent go on once in a row unless it sets `maxContinuations`, or the call has `--max-continuations` [docs docs/guide/matchers.md]",
  goesOn("stop", { loop_count: 4 }, {}),
  goesOn("stop", { loop_count: 4 }, FOLLOWUP, FIVE),
  "# Sessions and compaction: output",
  "Cursor neither waits for `sessionStart` nor enforces its answer",
  "differs: the SDK waits, and `continue: false` ends the run there, so a denial is sent [seen @cursor/sdk 1.0.32, 2026-11-22]",
  gets("sessionStart", {}, { decision: "deny", reason: "no" }, { continue: false, user_message: "no" }),
  "`env` sets variables for the session",
  "shown by run/fields.test.ts: Cursor: variables go to later hooks, and a warning says so",
  "`additional_context` goes into the session's first context",
  "differs: it is sent, except to the SDK, which reports version 1.0.0 and does not pass it on: there a warning says to add it after a tool call [seen @cursor/sdk 1.0.32, 2026-11-22]",
  answers,
  "`continue` and `user_message` are accepted at `sessionStart`",
  gets("sessionStart", {}, { decision: "allow", user_message: "Hi." }, { continue: true, user_message: "Hi." }),
  ["`sessionEnd` accepts no output", takesNothing("sessionEnd", { reason: "completed" })],
  "`user_message` of `preCompact` is shown to the user",
  passes("preCompact", { user_message: "Compacting." }, { trigger: "auto" }),
  "`preCompact` can't block or change the compaction",
  goesOn("preCompact", {}, { user_message: expect.stringContaining("can't do that at preCompact. More.") }, UNHEARD),
);
