import { command, deny, expectChanges, FULL, type HostFacts, json, ONE, pickFields, specific } from "../facts.ts";

export const facts: HostFacts = {
  shell: { file: "PreToolUse-bash", event: "PreToolUse", tool: "bash" },
  buildCall: (tool_name, tool_input) => ({
    event: "PreToolUse",
    session_id: "s-1",
    cwd: "/srv/it",
    tool_name,
    tool_input,
  }),
  hasShellFolder: true,
  keeps: {},
  denial: () => undefined,
  heard: {
    Bash: (input) => [["Bash", pickFields(input, "command", "description", "cwd", "run_in_background")]],
    Read: (input) => [["Read", pickFields(input, "file_path", "offset", "limit")]],
    Edit: ({ files }) => expectChanges(files),
    WebFetch: (input) => [["WebFetch", pickFields(input, "url")]],
    Task: (input) => [["Task", pickFields(input, "prompt")]],
    // A single name combines the server and the tool.
    MCP: ({ server, tool, arguments: args }) => [
      ["MCP", { tool: server === undefined ? tool : `${server}_${tool}`, arguments: args }],
    ],
  },
  answers: [
    // These are documented but haven't been observed.
    ["PreToolUse", "", "", 0, {}],
    ["PreToolUse", "", "R\n", 2, deny("R")],
    ["PreToolUse", json({ decision: "allow" }), "R", 2, deny("R")],
    ["PreToolUse", "", "R", 49, deny("R")],
    ["PreToolUse", json({ halt: true, reason: "R" }), "", 0, deny("R")],
    ["PreToolUse", json({ decision: "deny", reason: "R" }), "", 0, deny("R")],
    [
      "PreToolUse",
      json({ decision: "allow", context: ["C", "D"] }),
      "",
      0,
      { decision: "allow", additional_context: "C\nD" },
    ],
    ["PreToolUse", json({ updated_input: { command: "NEW" } }), "", 0, command("NEW")],
    ["PreToolUse", specific({ permissionDecision: "deny", permissionDecisionReason: "R" }), "", 0, deny("R")],
    ["PreToolUse", json({ decision: "ask" }), "", 0, {}],
    ["PreToolUse", "", "oops", 1, "exited with code 1 (oops)"],
  ],
  changed: [[/^PreToolUse$/, FULL, deny("R\n\nC"), ONE]],
};
