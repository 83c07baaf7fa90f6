import { deepEqual } from "node:assert/strict";
import type { Payload } from "../../../src/protocol/host/host.ts";
import { findServer } from "../../../src/hosts/cursor/call/servers.ts";
import { createHome, writeTestFile } from "../../support/homes.ts";
import type { ClaimSection } from "../claim.ts";
import { createNativeCase, createSeenCase, shellFields, shellTool } from "./shared.ts";

export const callInput: ClaimSection[] = [
  {
    title: "preToolUse: input",
    claims: [
      {
        says: "`tool_input` of `Shell` has `command` and `working_directory`",
        cases: [
          createSeenCase("preToolUse", shellTool, {
            tool: "Bash",
            tool_name: "Shell",
            input: { command: "npm install", cwd: "/project" },
          }),
        ],
      },
      {
        says: "`tool_use_id` names the call",
        cases: [createSeenCase("preToolUse", shellTool, { tool_use_id: "abc123" })],
      },
      {
        says: "`cwd` is the working directory of the call",
        cases: [
          createSeenCase("preToolUse", { ...shellTool, cwd: "/project/web" }, { cwd: "/project/web" }),
          createSeenCase("preToolUse", { ...shellTool, cwd: undefined }, { cwd: "/project" }),
        ],
      },
      {
        says: "`agent_message` is what the agent said before the call",
        cases: [createNativeCase("preToolUse", { ...shellTool, agent_message: "Installing dependencies..." })],
      },
    ],
  },
  {
    title: "beforeShellExecution and afterShellExecution: input",
    claims: [
      {
        says: "`beforeShellExecution` has `command` and `cwd`",
        cases: [
          createSeenCase("beforeShellExecution", shellFields, {
            tool: "Bash",
            cwd: "/project",
            input: { command: "npm install", cwd: "/project" },
          }),
        ],
      },
      {
        says: "`sandbox` says whether the command runs in a sandbox",
        cases: [
          createNativeCase("beforeShellExecution", { ...shellFields, sandbox: true }),
          createNativeCase("afterShellExecution", { ...shellFields, sandbox: false }),
        ],
      },
      {
        says: "`command` of `afterShellExecution` is the whole line",
        cases: [
          createSeenCase(
            "afterShellExecution",
            { ...shellFields, output: "" },
            { event: "PostToolUse", tool: "Bash", input: { command: "npm install" } },
          ),
        ],
      },
      {
        says: "`output` is everything that the terminal showed",
        cases: [
          createSeenCase(
            "afterShellExecution",
            { ...shellFields, output: "added 3\n" },
            { output: { text: "added 3\n", stdout: "added 3\n", raw: "added 3\n" } },
          ),
        ],
      },
      {
        says: "`duration` is in milliseconds, without the wait for approval",
        cases: [
          createSeenCase("afterShellExecution", { ...shellFields, output: "", duration: 1234 }, { duration_ms: 1234 }),
        ],
      },
    ],
  },
  {
    title: "beforeMCPExecution and afterMCPExecution: input",
    claims: [
      {
        says: "`tool_name` is the bare name of the tool",
        cases: [
          createSeenCase(
            "beforeMCPExecution",
            { tool_name: "search", tool_input: "{}" },
            { tool: "MCP", tool_name: "MCP:search", input: { tool: "search" } },
          ),
        ],
      },
      {
        says: "`tool_input` is the parameters as a JSON string",
        cases: [
          createSeenCase(
            "beforeMCPExecution",
            { tool_name: "search", tool_input: '{"query":"x","limit":3}' },
            { input: { arguments: { query: "x", limit: 3 } } },
          ),
        ],
      },
      {
        says: "`tool_input` may be an empty string",
        cases: [
          createSeenCase(
            "beforeMCPExecution",
            { tool_name: "search", tool_input: "" },
            { input: { tool: "search", arguments: {} } },
          ),
        ],
      },
      {
        says: "A server is identified by its `url` or by its `command`",
        async check() {
          using home = createHome();
          writeTestFile(
            `${home.place.home}/.cursor/mcp.json`,
            JSON.stringify({
              mcpServers: { docs: { url: "https://mcp.example.com" }, db: { command: "node", args: ["db.js"] } },
            }),
          );
          const found = async (payload: Payload) => findServer(payload, home.place);
          deepEqual(
            [await found({ url: "https://mcp.example.com" }), await found({ command: "node db.js" })],
            [{ server: "docs" }, { server: "db" }],
          );
        },
        cases: [
          createNativeCase("beforeMCPExecution", {
            tool_name: "search",
            tool_input: "{}",
            url: "https://mcp.example.com",
          }),
          createNativeCase("beforeMCPExecution", { tool_name: "search", tool_input: "{}", command: "node server.js" }),
          // Newer releases send its name as well.
          createSeenCase(
            "beforeMCPExecution",
            { tool_name: "search", tool_input: "{}", mcp_server_name: "docs" },
            { input: { server: "docs" } },
          ),
        ],
      },
      {
        says: "`afterMCPExecution` has the tool and its parameters again",
        cases: [
          createSeenCase(
            "afterMCPExecution",
            { tool_name: "search", tool_input: '{"query":"x"}', result_json: "{}" },
            {
              event: "PostToolUse",
              input: { tool: "search", arguments: { query: "x" } },
            },
          ),
        ],
      },
      {
        says: "`result_json` is the tool's answer as a JSON string",
        cases: [
          createSeenCase(
            "afterMCPExecution",
            {
              tool_name: "search",
              tool_input: "{}",
              result_json: '{"content":[{"type":"text","text":"found"}],"isError":false}',
            },
            { output: { text: "found", is_error: false, raw: { content: [{ type: "text", text: "found" }] } } },
          ),
        ],
      },
      {
        says: "`duration` of an MCP tool is in milliseconds, without the wait for approval",
        cases: [
          createSeenCase(
            "afterMCPExecution",
            { tool_name: "search", tool_input: "{}", result_json: "{}", duration: 1234 },
            { duration_ms: 1234 },
          ),
        ],
      },
    ],
  },
  {
    title: "Files: input",
    claims: [
      {
        says: "`beforeReadFile` has the file's absolute path",
        cases: [
          createSeenCase(
            "beforeReadFile",
            { file_path: "/project/.env", content: "A=1" },
            { tool: "Read", input: { file_path: "/project/.env" } },
          ),
        ],
      },
      {
        says: "`beforeReadFile` has the content of the file",
        cases: [
          createSeenCase(
            "beforeReadFile",
            { file_path: "/project/.env", content: "A=1" },
            { input: { content: "A=1" } },
          ),
        ],
      },
      {
        says: "`beforeReadFile` has the prompt's `attachments`, each a `file` or a `rule`",
        cases: [
          createNativeCase("beforeReadFile", {
            file_path: "/a",
            content: "",
            attachments: [{ type: "rule", file_path: "/project/.cursor/rules/a.mdc" }],
          }),
        ],
      },
      {
        says: "`afterFileEdit` has the path, and the old and new text of each edit",
        cases: [
          createSeenCase(
            "afterFileEdit",
            {
              file_path: "/project/a",
              edits: [
                { old_string: "2", new_string: "TWO" },
                { old_string: "", new_string: "end" },
              ],
            },
            {
              event: "PostToolUse",
              tool: "Edit",
              input: {
                files: [
                  {
                    file_path: "/project/a",
                    operation: "update",
                    edits: [
                      { old_string: "2", new_string: "TWO" },
                      { old_string: "", new_string: "end" },
                    ],
                  },
                ],
              },
            },
          ),
        ],
      },
      {
        says: "`beforeTabFileRead` has the path and the content of the file",
        cases: [
          createSeenCase(
            "beforeTabFileRead",
            { file_path: "/a", content: "x" },
            { tool: "Read", tool_name: "TabRead", input: { file_path: "/a", content: "x" } },
          ),
        ],
      },
      {
        says: "`beforeTabFileRead` has no `attachments`, and fires for Tab only",
        cases: [
          createSeenCase("beforeTabFileRead", { file_path: "/a", content: "x" }, { native_event: "beforeTabFileRead" }),
        ],
      },
      {
        says: "`afterTabFileEdit` fires for Tab only",
        cases: [
          createSeenCase(
            "afterTabFileEdit",
            { file_path: "/a", edits: [] },
            { native_event: "afterTabFileEdit", tool: "Edit", tool_name: "TabWrite" },
          ),
        ],
      },
      {
        says: "`afterTabFileEdit` has the `range`, `old_line` and `new_line` of each edit",
        cases: [
          (() => {
            const range = { start_line_number: 10, start_column: 5, end_line_number: 10, end_column: 20 };
            const edits = [{ old_string: "a", new_string: "b", range, old_line: "a;", new_line: "b;" }];
            return createSeenCase(
              "afterTabFileEdit",
              { file_path: "/a", edits },
              {
                input: { files: [{ file_path: "/a", edits: [{ old_string: "a", new_string: "b" }] }] },
                _native: { edits },
              },
            );
          })(),
        ],
      },
    ],
  },
];
