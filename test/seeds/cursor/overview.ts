import { deepEqual, equal, match, ok } from "node:assert/strict";
import blockDestructive from "../../../hooks/block-destructive.ts";
import formatAfterEdit from "../../../hooks/format-after-edit.ts";
import protectSecrets from "../../../hooks/protect-secrets.ts";
import { capabilities } from "../../../src/hosts/cursor/capabilities.ts";
import { simulate } from "../../../src/author/testing/index.ts";
import type { ClaimSection } from "../claim.ts";
import { installed } from "./installed.ts";
import {
  createAnswerCase,
  fileFields,
  mcpFields,
  createRefusalCase,
  createSeenCase,
  buildPayload,
  shellFields,
  shellTool,
  listSubscriptions,
} from "./shared.ts";

const tools = {
  Shell: "Bash",
  Read: "Read",
  Write: "Write",
  Delete: "Edit",
  Grep: "Grep",
  Task: "Task",
  "MCP:search": "MCP",
  TodoWrite: "Other",
};
const input = {
  command: "ls",
  file_path: "/project/a",
  content: "x",
  pattern: "x",
  prompt: "look",
  description: "look",
};

export const overview: ClaimSection[] = [
  {
    title: "What hooks can do",
    claims: [
      {
        says: "A hook is a process that gets JSON on stdin and answers JSON on stdout",
        cases: [
          createAnswerCase(
            "beforeShellExecution",
            shellFields,
            { decision: "allow" },
            { permission: "allow" },
            { stderr: "" },
          ),
        ],
      },
      {
        says: "Hooks observe, block, or modify what an agent does",
        cases: [
          createSeenCase("afterShellExecution", shellFields, { event: "PostToolUse" }),
          createRefusalCase("preToolUse", shellTool),
          createAnswerCase(
            "preToolUse",
            shellTool,
            { modified_input: { command: "npm ci" } },
            { updated_input: { command: "npm ci", working_directory: "/project" } },
          ),
        ],
      },
      {
        says: "Formatters can run after edits",
        check: () =>
          deepEqual(
            listSubscriptions(formatAfterEdit).map(({ native_event }) => native_event),
            ["postToolUse", "afterTabFileEdit"],
          ),
      },
      {
        says: "Analytics can be collected for every event",
        check: () => ok(Object.keys(capabilities).length > 20),
        cases: [
          createSeenCase(
            "afterAgentThought",
            { text: "hm" },
            { event: "Native", native_event: "afterAgentThought", _native: { text: "hm" } },
          ),
          createSeenCase(
            "anEventOfTomorrow",
            { text: "hm" },
            { event: "Native", native_event: "anEventOfTomorrow", _native: { text: "hm" } },
          ),
        ],
      },
      {
        says: "Secrets can be looked for",
        async check() {
          const { decision } = await simulate(protectSecrets, {
            event: "PreToolUse",
            tool: "Read",
            input: { file_path: "/project/.env" },
            cwd: "/project",
          });
          equal(decision, "deny");
        },
      },
      {
        says: "Risky operations, such as SQL that writes, can be stopped",
        async check() {
          const command = 'psql -c "DROP TABLE users"';
          const { decision } = await simulate(blockDestructive, {
            event: "PreToolUse",
            tool: "Bash",
            input: { command },
            cwd: "/project",
          });
          equal(decision, "deny");
        },
      },
      {
        says: "Subagents (the Task tool) can be controlled",
        cases: [createRefusalCase("subagentStart", { subagent_type: "explore", task: "look" })],
      },
      {
        says: "Context can be added at the start of a session",
        cases: [
          createAnswerCase("sessionStart", {}, { additional_context: "Use npm." }, { additional_context: "Use npm." }),
        ],
      },
      {
        says: "Cursor also runs hooks from Claude Code's configs",
        cases: [
          {
            host: "claude",
            stdin: buildPayload("preToolUse", shellTool),
            answer: { decision: "deny", reason: "not here" },
            sees: { host: "cursor", event: "PreToolUse", tool: "Bash" },
            stdout: { permission: "deny", user_message: "not here", agent_message: "not here" },
            stderr: /called with --host claude by Cursor; answered as cursor/,
          },
          ...[
            "postToolUse",
            "beforeSubmitPrompt",
            "stop",
            "subagentStop",
            "sessionStart",
            "sessionEnd",
            "preCompact",
          ].map((native_event) => ({
            host: "claude",
            stdin: buildPayload(native_event, { ...shellTool, prompt: "hi" }),
            sees: { host: "cursor", native_event },
            stdout: {},
          })),
        ],
      },
    ],
  },
  {
    title: "Events of the agent and of Tab",
    claims: [
      {
        says: "`sessionStart` and `sessionEnd` report a session's lifecycle",
        cases: [
          createSeenCase("sessionStart", {}, { event: "SessionStart" }),
          createSeenCase("sessionEnd", {}, { event: "SessionEnd" }),
        ],
      },
      {
        says: "`preToolUse` fires for all tools",
        cases: Object.entries(tools).map(([tool_name, tool]) =>
          createSeenCase("preToolUse", { tool_name, tool_input: input }, { event: "PreToolUse", tool, tool_name }),
        ),
      },
      {
        says: "`postToolUse` fires for all tools",
        cases: Object.entries(tools).map(([tool_name, tool]) =>
          createSeenCase(
            "postToolUse",
            { tool_name, tool_input: input, tool_output: "{}" },
            { event: "PostToolUse", tool, tool_name },
          ),
        ),
      },
      {
        says: "`postToolUseFailure` fires for all tools",
        cases: Object.entries(tools).map(([tool_name, tool]) =>
          createSeenCase(
            "postToolUseFailure",
            { tool_name, tool_input: input, error_message: "no" },
            { event: "PostToolUseFailure", tool, error: "no" },
          ),
        ),
      },
      {
        says: "`subagentStart` and `subagentStop` report a subagent's lifecycle",
        cases: [
          createSeenCase("subagentStart", {}, { event: "SubagentStart" }),
          createSeenCase("subagentStop", {}, { event: "SubagentStop" }),
        ],
      },
      {
        says: "`beforeShellExecution` and `afterShellExecution` are about shell commands",
        cases: [
          createSeenCase("beforeShellExecution", shellFields, {
            event: "PreToolUse",
            tool: "Bash",
            input: { command: "npm install" },
          }),
          createSeenCase(
            "afterShellExecution",
            { ...shellFields, output: "ok" },
            { event: "PostToolUse", tool: "Bash", output: { text: "ok" } },
          ),
        ],
      },
      {
        says: "`beforeMCPExecution` and `afterMCPExecution` are about MCP tools",
        cases: [
          createSeenCase("beforeMCPExecution", mcpFields, {
            event: "PreToolUse",
            tool: "MCP",
            input: { tool: "search", arguments: { query: "x" } },
          }),
          createSeenCase(
            "afterMCPExecution",
            { ...mcpFields, result_json: "{}" },
            { event: "PostToolUse", tool: "MCP" },
          ),
        ],
      },
      {
        says: "`beforeReadFile` and `afterFileEdit` are about files",
        cases: [
          createSeenCase("beforeReadFile", fileFields, {
            event: "PreToolUse",
            tool: "Read",
            input: { file_path: fileFields.file_path },
          }),
          createSeenCase("afterFileEdit", { ...fileFields, edits: [] }, { event: "PostToolUse", tool: "Edit" }),
        ],
      },
      {
        says: "`beforeSubmitPrompt` checks prompts",
        cases: [createSeenCase("beforeSubmitPrompt", { prompt: "hi" }, { event: "UserPromptSubmit" })],
      },
      { says: "`preCompact` observes compaction", cases: [createSeenCase("preCompact", {}, { event: "PreCompact" })] },
      { says: "`stop` reports that the agent is done", cases: [createSeenCase("stop", {}, { event: "Stop" })] },
      {
        says: "`afterAgentResponse` and `afterAgentThought` report what the agent says and thinks",
        cases: ["afterAgentResponse", "afterAgentThought"].map((native_event) =>
          createSeenCase(native_event, { text: "done" }, { event: "Native", native_event, _native: { text: "done" } }),
        ),
      },
      {
        says: "`beforeTabFileRead` and `afterTabFileEdit` are about what Tab reads and edits",
        cases: [
          createSeenCase("beforeTabFileRead", fileFields, {
            event: "PreToolUse",
            tool: "Read",
            native_event: "beforeTabFileRead",
          }),
          createSeenCase(
            "afterTabFileEdit",
            { ...fileFields, edits: [] },
            { event: "PostToolUse", tool: "Edit", native_event: "afterTabFileEdit" },
          ),
        ],
      },
      {
        says: "Tab and the agent can have different policies",
        cases: [
          createSeenCase("beforeReadFile", fileFields, { tool_name: "Read" }),
          createSeenCase("beforeTabFileRead", fileFields, { tool_name: "TabRead" }),
          createSeenCase("afterFileEdit", { ...fileFields, edits: [] }, { tool_name: "Write" }),
          createSeenCase("afterTabFileEdit", { ...fileFields, edits: [] }, { tool_name: "TabWrite" }),
        ],
      },
      {
        says: "Cloud agents run a project's hooks too",
        check: () =>
          installed({ scope: "project" }, ({ by_hand, home }) => {
            match(by_hand.join("\n"), /cloud agents run a project's hooks too: .* every call is blocked; put it there/);
            ok(by_hand.some((line) => line.includes(home.self)));
          }),
      },
      {
        says: "Cloud agents of Enterprise plans also run team and enterprise hooks",
        missing:
          "no file on a machine reaches them: put the executable into the agents' image, and the entries of `bridge-hooks mdm` into the dashboard",
      },
    ],
  },
];
