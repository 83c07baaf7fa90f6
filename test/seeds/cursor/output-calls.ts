import { deepEqual, equal, match } from "node:assert/strict";
import { createHookEntry } from "../../support/homes.ts";
import type { ClaimSection } from "../claim.ts";
import { installed } from "./installed.ts";
import {
  createAllowedCase,
  createAnswerCase,
  approvalText,
  askingResponse,
  bothTexts,
  bothSent,
  createDenialCase,
  fileFields,
  judgeDecision,
  mcpFields,
  createRefusalCase,
  shellFields,
  shellTool,
  createUnheardCase,
} from "./shared.ts";

/** How Cursor takes a failed hook. */
const failing = (native_event: string, failClosed: boolean) =>
  [judgeDecision(native_event, "", 1, { failClosed }), judgeDecision(native_event, "", null, { failClosed })].map(
    (found) => "blocks" in found && found.blocks,
  );
const NO_JSON =
  "Cursor blocks at the events before a call, whatever `failClosed` says [seen @cursor/sdk 1.0.32, 2026-11-21]; the executable prints one document or `{}`";
/** Expects that invalid output of a hook is judged as broken, with a verdict on blocking. */
const noisy = (native_event: string) => () => {
  for (const stdout of ["not JSON", "[]", '{"permission":"maybe"}'])
    deepEqual(
      [stdout, judgeDecision(native_event, stdout).kind, "blocks" in judgeDecision(native_event, stdout)],
      [stdout, "broken", true],
    );
};
export const callOutput: ClaimSection[] = [
  {
    title: "preToolUse: output",
    claims: [
      { says: "`permission` `allow` lets a tool run", cases: [createAllowedCase("preToolUse", shellTool)] },
      { says: "`permission` `deny` blocks a tool", cases: [createRefusalCase("preToolUse", shellTool)] },
      {
        says: "`ask` is accepted at `preToolUse`, but not enforced",
        differs:
          "hence `ask` becomes a denial that says so; `--cursor-ask-fallback ask` sends it anyway [seen @cursor/sdk 1.0.32, 2026-11-22]",
        cases: [
          {
            ...createDenialCase(
              "preToolUse",
              shellTool,
              {},
              { permission: "deny", user_message: approvalText, agent_message: approvalText },
            ),
            answer: askingResponse,
            stderr: /decision "ask" became a denial; Cursor does not enforce "ask" on preToolUse/,
          },
          createAnswerCase(
            "preToolUse",
            shellTool,
            askingResponse,
            { permission: "ask", agent_message: "It is prod." },
            { args: ["--cursor-ask-fallback", "ask"] },
          ),
        ],
      },
      {
        says: "`user_message` is shown to the user when a tool is denied",
        cases: [createDenialCase("preToolUse", shellTool, bothTexts, bothSent)],
      },
      {
        says: "`agent_message` is fed back to the agent",
        differs:
          "for tools that Cursor runs itself only `user_message` reaches the model, so a reason without a `user_message` is sent as both [seen @cursor/sdk 1.0.32, 2026-11-22]",
        cases: [createRefusalCase("preToolUse", shellTool)],
      },
      {
        says: "`updated_input` is used in place of the tool's input",
        cases: [
          createAnswerCase(
            "preToolUse",
            shellTool,
            { decision: "allow", modified_input: { command: "npm ci" } },
            { permission: "allow", updated_input: { command: "npm ci", working_directory: "/project" } },
          ),
          // Under both names, since it depends on the release which one counts.
          createAnswerCase(
            "preToolUse",
            shellTool,
            { modified_input: { cwd: "/x" } },
            { updated_input: { command: "npm install", working_directory: "/x", cwd: "/x" } },
          ),
        ],
      },
      {
        says: "`updated_input` changes any tool",
        differs:
          "Cursor applies changes of `command` and `cwd` for `Shell`, of `file_path` for `Read` and `Write`, and of arguments for MCP tools; any other change becomes a denial, so that the original does not run [seen @cursor/sdk 1.0.32, 2026-11-21]",
        cases: [
          createAnswerCase(
            "preToolUse",
            { tool_name: "MCP:search", tool_input: { query: "x" } },
            { modified_input: { arguments: { query: "y" } } },
            { updated_input: { query: "y" } },
          ),
          {
            ...createAnswerCase(
              "preToolUse",
              { tool_name: "Write", tool_input: fileFields },
              { modified_input: { content: "" } },
              undefined,
            ),
            stderr: /Cursor ignores a new content for Write/,
          },
        ],
      },
    ],
  },
  {
    title: "postToolUse and postToolUseFailure: output",
    claims: [
      {
        says: "`additional_context` is added after the tool's result",
        cases: [
          createAnswerCase(
            "postToolUse",
            { ...shellTool, tool_output: "{}" },
            { additional_context: "Test coverage report attached." },
            { additional_context: "Test coverage report attached." },
          ),
        ],
      },
      {
        says: "`updated_mcp_tool_output` replaces an MCP tool's result",
        cases: [
          createAnswerCase(
            "postToolUse",
            { tool_name: "MCP:search", tool_input: {}, tool_output: "{}" },
            { modified_output: { modified: "output" } },
            { updated_mcp_tool_output: { modified: "output" } },
          ),
        ],
      },
      {
        says: "`updated_mcp_tool_output` is for MCP tools only",
        cases: [
          createAnswerCase(
            "postToolUse",
            { ...shellTool, tool_output: "{}" },
            { modified_output: "[hidden]" },
            {},
            {
              stderr:
                /modified_output can't be enforced: the model reads the original; Cursor replaces results of MCP tools only/,
            },
          ),
        ],
      },
      {
        says: "`postToolUseFailure` accepts no output",
        differs:
          "Cursor passes its `additional_context` to the model too, so it is sent [seen @cursor/sdk 1.0.32, 2026-11-22]",
        cases: [
          createAnswerCase(
            "postToolUseFailure",
            { ...shellTool, error_message: "no" },
            { additional_context: "Use npm ci." },
            { additional_context: "Use npm ci." },
          ),
        ],
      },
    ],
  },
  {
    title: "beforeShellExecution and beforeMCPExecution: output",
    claims: [
      {
        says: "A permission decides on a shell command",
        cases: [
          createAllowedCase("beforeShellExecution", shellFields),
          createRefusalCase("beforeShellExecution", shellFields),
        ],
      },
      {
        says: "A permission decides on an MCP tool",
        cases: [createAllowedCase("beforeMCPExecution", mcpFields), createRefusalCase("beforeMCPExecution", mcpFields)],
      },
      {
        says: "A shell command is decided at `preToolUse` and at `beforeShellExecution`",
        check: () =>
          installed({ entries: [createHookEntry(["PreToolUse"], { tools: ["Bash"] })] }, ({ hooks }) => {
            deepEqual(Object.keys(hooks).sort(), ["beforeShellExecution", "preToolUse"]);
            match(String(hooks.beforeShellExecution?.[0]?.command), / --after preToolUse$/);
          }),
        cases: [
          // A call that was answered before gets no second answer, unless it is a denial.
          createAnswerCase(
            "beforeShellExecution",
            shellFields,
            { decision: "allow", user_message: "Fine." },
            {},
            { args: ["--after", "preToolUse"] },
          ),
          { ...createRefusalCase("beforeShellExecution", shellFields), args: ["--after", "preToolUse"] },
        ],
      },
      {
        says: "`user_message` and `agent_message` go with the permission",
        cases: [
          createDenialCase("beforeShellExecution", shellFields, bothTexts, bothSent),
          createDenialCase("beforeMCPExecution", mcpFields, bothTexts, bothSent),
        ],
      },
      {
        says: "`ask` has the user decide on an MCP tool",
        differs:
          "Cursor 2.4.21 and later was not seen to ask, so `ask` becomes a denial that says so; `--cursor-ask-fallback ask` sends it anyway [seen @cursor/sdk 1.0.32, 2026-11-22]",
        cases: [
          {
            ...createDenialCase(
              "beforeMCPExecution",
              mcpFields,
              {},
              { permission: "deny", user_message: approvalText, agent_message: approvalText },
            ),
            answer: askingResponse,
          },
          createAnswerCase(
            "beforeMCPExecution",
            mcpFields,
            askingResponse,
            { permission: "ask", agent_message: "It is prod." },
            { args: ["--cursor-ask-fallback", "ask"] },
          ),
          createAnswerCase("beforeMCPExecution", { ...mcpFields, cursor_version: "1.7.2" }, askingResponse, {
            permission: "ask",
            agent_message: "It is prod.",
          }),
        ],
      },
      {
        says: "A crash or a timeout of a hook lets the call pass",
        check: () =>
          deepEqual([failing("beforeShellExecution", false), failing("beforeMCPExecution", false)].flat(), [
            false,
            false,
            false,
            false,
          ]),
      },
      { says: "Invalid JSON of a hook lets the call pass", differs: NO_JSON, check: noisy("beforeShellExecution") },
      {
        says: "`failClosed: true` blocks the call if a hook fails",
        check: () =>
          deepEqual([failing("beforeShellExecution", true), failing("beforeMCPExecution", true)].flat(), [
            true,
            true,
            true,
            true,
          ]),
      },
      {
        says: "It is recommended for hooks that guard MCP tools",
        check: () =>
          installed({ entries: [createHookEntry(["PreToolUse"], { matcher: "mcp__docs__.*" })] }, ({ hooks }) => {
            deepEqual(
              Object.values(hooks)
                .flat()
                .map(({ failClosed }) => failClosed),
              Object.values(hooks)
                .flat()
                .map(() => true),
            );
            equal(Object.keys(hooks).length > 0, true);
          }),
      },
    ],
  },
  {
    title: "Files: output",
    claims: [
      { says: "`permission` `allow` lets a file be read", cases: [createAllowedCase("beforeReadFile", fileFields)] },
      {
        says: "`permission` `deny` keeps a file from being read",
        cases: [createRefusalCase("beforeReadFile", fileFields)],
      },
      {
        says: "`user_message` is shown to the user when a file is denied",
        cases: [createDenialCase("beforeReadFile", fileFields, bothTexts, bothSent)],
      },
      {
        says: "A crash or a timeout lets a file be read",
        check: () => deepEqual(failing("beforeReadFile", false), [false, false]),
      },
      { says: "Invalid JSON lets a file be read", differs: NO_JSON, check: noisy("beforeReadFile") },
      {
        says: "`failClosed: true` keeps a file from being read if a hook fails",
        check: () => deepEqual(failing("beforeReadFile", true), [true, true]),
      },
      {
        says: "`permission` `allow` lets Tab read a file",
        cases: [createAllowedCase("beforeTabFileRead", fileFields)],
      },
      {
        says: "`permission` `deny` keeps Tab from reading a file",
        cases: [createRefusalCase("beforeTabFileRead", fileFields)],
      },
      {
        says: "`beforeTabFileRead` accepts a permission and nothing else",
        differs:
          "the shipped runtime accepts the messages of `beforeReadFile` there too, so they are sent [shipped @cursor/sdk 1.0.32]",
        cases: [createDenialCase("beforeTabFileRead", fileFields, bothTexts, bothSent)],
      },
      {
        says: "`afterTabFileEdit` accepts no output",
        cases: [createUnheardCase("afterTabFileEdit", { ...fileFields, edits: [] })],
      },
      {
        says: "`afterFileEdit` accepts no output",
        cases: [createUnheardCase("afterFileEdit", { ...fileFields, edits: [] })],
      },
      {
        says: "`afterShellExecution` accepts no output",
        cases: [createUnheardCase("afterShellExecution", { ...shellFields, output: "" })],
      },
      {
        says: "`afterMCPExecution` accepts no output",
        cases: [createUnheardCase("afterMCPExecution", { ...mcpFields, result_json: "{}" })],
      },
    ],
  },
];
