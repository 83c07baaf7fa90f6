import { expect } from "bun:test";
import { chmodSync, statSync } from "node:fs";
import formatAfterEdit from "../../../hooks/format-after-edit.ts";
import { checkProgram } from "../../../src/operate/machine/program.ts";
import { collectEventRequirements } from "../../../src/operate/machine/desired-entries.ts";
import { judgeAnswer as judgeForClaude } from "../../../src/hosts/claude/read-answers.ts";
import { setup } from "../../../src/hosts/cursor/install.ts";
import { createHookEntry, createHome, writeTestFile } from "../../support/homes.ts";
import { allows, denies, gets, passes } from "./answers.ts";
import { createEntry, sees } from "./calls.ts";
import { shellFields, shellTool, SHELL, TOOL, READ, TAB_READ, EDIT, TAB_EDIT } from "./fields.ts";
import { accepts, buildConfig, failing, install, installs, judges, reads, refuses } from "./machine.ts";
import { recorded, sections } from "./section.ts";
import { CURSOR_EXIT_CODE, CURSOR_PATHS } from "../differences.ts";

const input = { command: "ls", file_path: "/a", content: "x", pattern: "x", prompt: "look", description: "look" };
const tools = "Shell:Bash Read:Read Write:Write Delete:Edit Grep:Grep Task:Task MCP:search:MCP TodoWrite:Other";
/** Expects that calls of all tools are decoded. */
const allTools = (native_event: string, event: string, result: object = {}, expected: object = {}) =>
  tools.split(" ").map((names) => {
    const [, tool_name, tool] = /^(.*):(.*)$/.exec(names) ?? [];
    return sees(native_event, { tool_name, tool_input: input, ...result }, { event, tool, tool_name, ...expected });
  });
const said = { text: "hm" };
/** Events that hooks in Claude Code's configs may use. */
const imported = "preToolUse postToolUse beforeSubmitPrompt stop subagentStop sessionStart sessionEnd preCompact";

const format = { afterFileEdit: [{ command: "./hooks/format.sh" }] };
const network = { command: "./scripts/approve-network.sh", timeout: 30, matcher: "curl|wget|nc" };
const prompt = { type: "prompt", prompt: "Is $ARGUMENTS safe?", model: "fast", timeout: 10 };
const gates = ["preToolUse", "beforeShellExecution", "beforeMCPExecution", "beforeReadFile", "subagentStart"];
/** Expects the answer to a hook that fails. */
const fails = (args: string[], document: object | undefined, stderr: RegExp, exit_code: number) =>
  gets(...SHELL, { decision: "maybe" } as never, document, { args, stderr, exit_code });

export const hooks = sections(
  "# What hooks can do",
  "A hook is a process that gets JSON on stdin and answers JSON on stdout",
  "shown by call/executable.test.ts: gets the host's denial if a hook denies",
  "shown by call/executable.test.ts: gets the host's neutral answer if no hook decides",
  allows(...SHELL),
  "Hooks observe, block, or modify what an agent does",
  sees("afterShellExecution", shellFields, { event: "PostToolUse" }),
  denies(...TOOL),
  "shown by call/answers.test.ts: the whole answer",
  "Formatters can run after edits",
  () => {
    const found = setup.planSubscriptions(collectEventRequirements([createEntry(formatAfterEdit)]));
    expect(found.map(({ native_event }) => native_event)).toEqual(["postToolUse", "afterTabFileEdit"]);
  },
  "Analytics can be collected for every event",
  "shown by hosts/decode.test.ts: … has a row for every documented event",
  ...recorded("afterAgentThought"),
  sees("anEventOfTomorrow", said, { event: "Native", native_event: "anEventOfTomorrow", _native: said }),
  ["Secrets can be looked for", "shown by hooks/protect-secrets/cases.test.ts: protect-secrets denies"],
  "Risky operations, such as SQL that writes, can be stopped",
  "shown by hooks/block-destructive/cases.test.ts: denies …",
  ["Subagents (the Task tool) can be controlled", denies("subagentStart", { subagent_type: "explore", task: "look" })],
  ["Context can be added at the start of a session", passes("sessionStart", { additional_context: "Use npm." })],
  "Cursor also runs hooks from Claude Code's configs",
  "shown by call/executable-payloads.test.ts: answers as Cursor, with a warning",
  denies(...TOOL, {
    host: "claude",
    stderr: /Cursor called bridge-hooks with --host claude, but the answer is for cursor/,
  }),
  ...imported
    .split(" ")
    .flatMap((event) => [
      sees(event, { ...shellTool, prompt: "hi" }, { host: "cursor", native_event: event }, { host: "claude" }),
      gets(event, { ...shellTool, prompt: "hi" }, {}, {}, { host: "claude" }),
    ]),
  "# Events of the agent and of Tab",
  ["`sessionStart` and `sessionEnd` report a session's lifecycle", ...recorded("sessionStart", "sessionEnd")],
  ["`preToolUse` fires for all tools", ...allTools("preToolUse", "PreToolUse")],
  ["`postToolUse` fires for all tools", ...allTools("postToolUse", "PostToolUse", { tool_output: "{}" })],
  "`postToolUseFailure` fires for all tools",
  ...allTools("postToolUseFailure", "PostToolUseFailure", { error_message: "no" }, { error: "no" }),
  ["`subagentStart` and `subagentStop` report a subagent's lifecycle", ...recorded("subagentStart", "subagentStop")],
  "`beforeShellExecution` and `afterShellExecution` are about shell commands",
  ...recorded("beforeShellExecution", "afterShellExecution"),
  "`beforeMCPExecution` and `afterMCPExecution` are about MCP tools",
  ...recorded("beforeMCPExecution", "afterMCPExecution"),
  ["`beforeReadFile` and `afterFileEdit` are about files", ...recorded("beforeReadFile", "afterFileEdit")],
  ["`beforeSubmitPrompt` checks prompts", ...recorded("beforeSubmitPrompt")],
  ["`preCompact` observes compaction", ...recorded("preCompact")],
  ["`stop` reports that the agent is done", ...recorded("stop")],
  "`afterAgentResponse` and `afterAgentThought` report what the agent says and thinks",
  ...recorded("afterAgentResponse", "afterAgentThought"),
  sees("afterAgentResponse", said),
  sees("afterAgentThought", said),
  "`beforeTabFileRead` and `afterTabFileEdit` are about what Tab reads and edits",
  sees(...TAB_READ, { event: "PreToolUse", tool: "Read", native_event: "beforeTabFileRead" }),
  sees(...TAB_EDIT, { event: "PostToolUse", tool: "Edit", native_event: "afterTabFileEdit" }),
  "Tab and the agent can have different policies",
  sees(...READ, { tool_name: "Read" }),
  sees(...TAB_READ, { tool_name: "TabRead" }),
  sees(...EDIT, { tool_name: "Write" }),
  sees(...TAB_EDIT, { tool_name: "TabWrite" }),
  "Cloud agents run a project's hooks too",
  "shown by cli/install/install.test.ts: says in one line what happens if their image lacks the executable",
  "Cloud agents also run team and enterprise hooks",
  "missing: Team hooks can't be configured in a file. Install the executable, also in the cloud agents' image, and paste the entries from `bridge-hooks mdm` for each system into the dashboard",
  "# Quickstart",
  "`hooks.json` lives in the project or in the home directory",
  reads("project", "/project/.cursor/hooks.json"),
  reads("user", "/home/dev/.cursor/hooks.json"),
  "A project's hooks apply to that project, those in the home directory to all",
  installs({ scope: "project" }, ({ path, home }) => expect(path).toStartWith(home.machine.roots[0] as string)),
  installs({ scope: "user" }, ({ path, home }) => expect(path).toStartWith(home.machine.home)),
  "A file has `version` 1 and `hooks`, with a list of commands for each event",
  "shown by hosts/check.test.ts: findConfigProblems finds none in what install writes",
  accepts(format),
  installs({}, ({ text }) => expect(text).toMatch(/"version": 1,\s+"hooks": \{\s+"\w+": \[\s+\{\s+"command": "/)),
  "A hook may read its input, print nothing and exit with 0",
  judges("afterFileEdit", "", "passed"),
  gets(...EDIT, {}, {}, { stderr: "" }),
  "The program has to be executable",
  () => {
    using home = createHome();
    chmodSync(home.self, 0o644);
    expect(checkProgram(home.self, home.self, home.machine, "")).toMatchObject([{ check: "not-executable" }]);
  },
  "Hook paths are relative to the project root (`.cursor/hooks/format.sh`)",
  `differs: ${CURSOR_PATHS}`,
  installs({ scope: "project" }, ({ entries, home }) => {
    for (const { command } of entries) expect(command).toStartWith(`${home.self} --host cursor`);
  }),
  "Cursor watches the file and reloads it: hooks run after the next edit",
  // The file is replaced atomically, so a reload never sees a partial file.
  installs({ before: format }, async ({ path, home }) => {
    const { ino } = statSync(path);
    writeTestFile(path, buildConfig(format));
    await install(home, { events: ["Stop"] });
    expect(statSync(path).ino).not.toBe(ino);
  }),
  "# Types of hooks",
  "There are command hooks (the default) and prompt hooks",
  accepts({ stop: [{ command: "a" }, { type: "command", command: "a" }, { type: "prompt", prompt: "Fine?" }] }),
  "A complete file with a command hook needs no `version`",
  "differs: Cursor accepts versions 1 and 2 and ignores a file without a version, which `doctor` reports [seen @cursor/sdk 1.0.32, 2026-11-21]",
  refuses({ beforeShellExecution: [network] }, /"version": 1 is missing.*ignores the whole file/, {}),
  accepts({ beforeShellExecution: [network] }),
  "With exit code 0 the JSON on stdout counts",
  judges("preToolUse", { permission: "deny" }, "denied"),
  allows(...TOOL),
  'Exit code 2 blocks, as `permission: "deny"` does',
  `differs: ${CURSOR_EXIT_CODE}`,
  ...gates.map((event) => judges(event, "", "denied", 2)),
  denies(...SHELL),
  gets(...SHELL, { decision: "deny", reason: "R" }, "", {
    args: ["--cursor-deny", "exit"],
    stderr: /^R\n?$/,
    exit_code: 2,
  }),
  "Exit code 2 means the same to Claude Code",
  () => expect(judgeForClaude("PreToolUse", { stdout: "", stderr: "no", exit_code: 2 }, {}).kind).toBe("denied"),
  "Any other exit code is a failure: the action goes on",
  ...failing(false, "preToolUse"),
  judges("preToolUse", {}, "goes on", 1),
  fails([], {}, /hook "answer" failed: it returned decision "maybe"/, 1),
  fails(["--on-error", "deny", "--cursor-deny", "exit"], undefined, /its failure policy is to deny/, 2),
  "A prompt hook lets a model judge a condition",
  "missing: bridge-hooks calls no model, but a handler can. `install` keeps the host's own prompt and agent hooks",
  installs({ before: { preToolUse: [prompt] }, entries: [createHookEntry(["PreToolUse"])] }, (found) =>
    expect(found.hooks.preToolUse).toEqual([prompt, expect.anything()]),
  ),
  "A prompt hook answers `{ ok, reason? }`",
  "missing: bridge-hooks calls no model, but a handler can. `install` keeps the host's own prompt and agent hooks",
  judges("preToolUse", { ok: false, reason: "no" }, "passed"),
  "`$ARGUMENTS` in a prompt is replaced with the input; without it, the input is appended",
  "missing: bridge-hooks calls no model, but a handler can. `install` keeps the host's own prompt and agent hooks",
  sees(...SHELL),
  "`model` names another model for a prompt hook",
  "missing: bridge-hooks calls no model, but a handler can. `install` keeps the host's own prompt and agent hooks",
  accepts({ stop: [{ type: "prompt", prompt: "Fine?", model: "fast" }] }),
);
