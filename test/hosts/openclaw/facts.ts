import type { FileChange } from "../../../src/protocol/tool.ts";
import {
  json,
  deny,
  command,
  ONE,
  FULL,
  pickFields,
  expectPatch,
  expectServers,
  hasOnlyUpdates,
  type HostFacts,
} from "../facts.ts";

export const facts: HostFacts = {
  shell: { file: "before_tool_call-exec", event: "before_tool_call", tool: "exec" },
  buildCall: (toolName, params) => ({
    host: "openclaw",
    event: "before_tool_call",
    cwd: "/",
    toolName,
    params,
    ctx: {},
  }),
  change: (toolName, params) => ({ toolName, params }),
  hasShellFolder: true,
  continuing: 2,
  keeps: {
    SessionStart: ["source"],
    SessionEnd: ["reason"],
    UserPromptSubmit: ["prompt"],
    Stop: ["last_message"],
    SubagentStart: ["task"],
    SubagentStop: ["last_message"],
  },
  denial: (reason) => ({ block: true, blockReason: reason }),
  heard: {
    Read: (input) => [["Read", pickFields(input, "file_path", "offset", "limit")]],
    Edit: ({ files }: { files: FileChange[] }) =>
      hasOnlyUpdates(files) ? files.map((file) => ["Edit", { files: [file] }] as const) : expectPatch(files),
    WebFetch: (input) => [["WebFetch", pickFields(input, "url")]],
    MCP: expectServers,
    Glob: () => [],
    Grep: () => [],
  },
  answers: [
    ["before_tool_call", json({ block: true, blockReason: "R" }), "", 0, deny("R")],
    ["before_tool_call", json({ block: "yes" }), "", 0, {}],
    ["before_tool_call", json({ params: { command: "NEW" } }), "", 0, command("NEW")],
    [
      "before_tool_call",
      json({ requireApproval: { title: "T", description: "R" } }),
      "",
      0,
      { decision: "ask", reason: "R" },
    ],
    ["before_agent_run", json({ outcome: "block", message: "R" }), "", 0, deny("R")],
    ["before_agent_finalize", json({ action: "revise", reason: "go on" }), "", 0, deny("go on")],
    ["tool_result", json({ append: "C" }), "", 0, { additional_context: "C" }],
  ],
  changed: [
    [/^before_agent_run$/, FULL, deny("M\n\nR"), ONE],
    [/^(before_tool_call|tool_result|tool_failure)$/, FULL, deny("R\n\nC", { user_message: "M" }), ONE],
  ],
};
