import type { FileChange } from "../../../src/protocol/tool.ts";
import {
  json,
  deny,
  command,
  AFTER,
  FULL,
  ONE,
  pickFields,
  expectServers,
  createEdit,
  type HeardCall,
  type HostFacts,
  joinNewStrings,
} from "../facts.ts";

/** Returns one call per file. A new file becomes a write, and any other change an edit. */
const expectCalls = ({ files }: { files: FileChange[] }): HeardCall[] =>
  files.map(({ file_path, operation, edits }) =>
    operation === "add"
      ? ["Write", { file_path, content: joinNewStrings(edits) }]
      : [
          "Edit",
          {
            files: [
              {
                file_path,
                operation: "update",
                edits: edits.map(({ old_string, new_string }) => createEdit(old_string, new_string)),
              },
            ],
          },
        ],
  );

export const facts: HostFacts = {
  shell: { file: "tool_call-bash", event: "tool_call", tool: "bash" },
  buildCall: (toolName, input) => ({ host: "pi", event: "tool_call", cwd: "/", toolName, input }),
  change: (toolName, input) => ({ toolName, input }),
  hasShellFolder: false,
  continuing: 2,
  keeps: {
    SessionStart: ["source"],
    SessionEnd: ["reason"],
    UserPromptSubmit: ["prompt"],
    Stop: ["last_message"],
    PreCompact: ["trigger"],
    PostCompact: ["trigger"],
    Notification: ["notification_type"],
  },
  denial: (reason) => ({ deny: reason }),
  heard: {
    Bash: (input) => [["Bash", pickFields(input, "command", "timeout_ms")]],
    Read: (input) => [["Read", pickFields(input, "file_path", "offset", "limit")]],
    Edit: expectCalls,
    Grep: (input) => [["Grep", pickFields(input, "pattern", "path", "glob")]],
    // Names in pi contain only letters, digits and "_".
    MCP: (input) =>
      expectServers(input).map(([tool, named]) => [
        tool,
        Object.fromEntries(
          Object.entries(named).map(([key, one]) => [key, typeof one === "string" ? one.replaceAll(/\W/g, "_") : one]),
        ),
      ]),
    WebFetch: () => [],
    WebSearch: () => [],
    Task: () => [],
  },
  answers: [
    ["tool_call", json({ deny: "R" }), "", 0, deny("R")],
    ["tool_call", "", "R", 2, deny("R")],
    ["tool_call", json({ ask: "R" }), "", 0, { decision: "ask", reason: "R" }],
    ["tool_call", json({ input: { command: "NEW" } }), "", 0, command("NEW")],
    ["tool_call", json({ zz: 1 }), "", 0, "its document is not one that the plugin accepts"],
    ["input", json({ deny: "R", message: "M" }), "R", 2, deny("R", { user_message: "M" })],
    ["agent_before_settle", json({ go_on: "go on" }), "", 0, deny("go on")],
    ["tool_result", json({ context: "C", output: "NEW" }), "", 0, { additional_context: "C", modified_output: "NEW" }],
  ],
  changed: [
    [/^tool_call$/, FULL, deny("R\n\nC", { user_message: "M" }), ONE],
    [/^tool_(?:result|failure)$/, deny("R"), { additional_context: "R" }, AFTER],
    [/^tool_(?:result|failure)$/, FULL, { user_message: "M", additional_context: "R\n\nC" }, AFTER],
  ],
};
