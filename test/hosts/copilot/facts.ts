import {
  specific,
  json,
  DENY,
  deny,
  command,
  AFTER,
  ONE,
  FULL,
  pickFields,
  expectChanges,
  expectPatch,
  hasOnlyUpdates,
  createEdit,
  type HostFacts,
} from "../facts.ts";

export const facts: HostFacts = {
  shell: { file: "preToolUse", event: "preToolUse", tool: "Bash" },
  change: (tool, input) => ({ toolName: tool, toolArgs: input }),
  flags: ["--event", "preToolUse"],
  hasShellFolder: false,
  continuing: true,
  keeps: {
    SessionStart: ["source"],
    SessionEnd: ["reason"],
    UserPromptSubmit: ["prompt"],
    SubagentStart: ["agent_type"],
    SubagentStop: ["last_message"],
    PreCompact: ["trigger"],
    Notification: ["message", "notification_type"],
  },
  denial: (reason) => ({ permissionDecision: "deny", permissionDecisionReason: reason }),
  heard: {
    Bash: (input) => [["Bash", pickFields(input, "command", "description")]],
    Read: (input) => [["Read", pickFields(input, "file_path", "offset", "limit")]],
    Write: (input, { event }) =>
      event === "PermissionRequest"
        ? expectPatch([{ file_path: input.file_path, operation: "add", edits: [createEdit("", input.content)] }])
        : [["Write", input]],
    Edit: ({ files }, { event }) =>
      event === "PermissionRequest"
        ? expectPatch(files)
        : hasOnlyUpdates(files)
          ? expectChanges(files)
          : expectPatch(files),
    MCP: ({ server, tool, arguments: args }, { event }) => {
      const joined = server === undefined ? (tool.includes("-") ? tool : `unknown-${tool}`) : `${server}-${tool}`;
      return [
        ["MCP", event === "PermissionRequest" ? { server, tool, arguments: args } : { tool: joined, arguments: args }],
      ];
    },
  },
  answers: [
    ["preToolUse", json({ permissionDecision: "deny", permissionDecisionReason: "R" }), "", 0, deny("R")],
    ["preToolUse", json({ permissionDecision: "allow" }), "", 0, { decision: "allow" }],
    [
      "preToolUse",
      json({ permissionDecision: "ask", permissionDecisionReason: "R" }),
      "",
      0,
      { decision: "ask", reason: "R" },
    ],
    ["preToolUse", json({ modifiedArgs: { command: "NEW" } }), "", 0, command("NEW")],
    ["preToolUse", "", "R", 2, deny("R")],
    ["preToolUse", "", "boom", 1, deny("it exited with code 1 (boom)")],
    ["preToolUse", specific(DENY), "", 0, {}],
    ["PreToolUse", specific(DENY), "", 0, deny("R")],
    ["PreToolUse", specific({ updatedInput: { command: "NEW" } }), "", 0, command("NEW")],
    ["preToolUse", "fine", "", 0, "its stdout is not a document"],
    ["permissionRequest", json({ behavior: "deny", message: "R" }), "", 0, deny("R")],
    ["permissionRequest", json({ behavior: "allow" }), "", 0, { decision: "allow" }],
    ["postToolUse", json({ decision: "block", reason: "R" }), "", 0, deny("R")],
    ["postToolUse", json({ modifiedResult: { textResultForLlm: "new" } }), "", 0, { modified_output: "new" }],
    ["postToolUse", json({ modifiedResult: {} }), "", 0, { modified_output: "" }],
    ["postToolUse", "", "R", 2, {}],
    ["postToolUseFailure", "", "try again", 2, { additional_context: "try again" }],
    ["userPromptSubmitted", json({ decision: "block", reason: "R" }), "", 0, deny("R")],
    ["agentStop", json({ decision: "block", reason: "go on" }), "", 0, deny("go on")],
  ],
  changed: [
    [/^(postToolUse|userPromptSubmitted)$/, FULL, deny("R\n\nC"), ONE],
    [/^(PostToolUse|UserPromptSubmit)$/, FULL, deny("R\n\nC", { user_message: "M" }), ONE],
    [/^postToolUseFailure$/, deny("R"), { additional_context: "R" }, AFTER],
    [/^postToolUseFailure$/, FULL, { additional_context: "R\n\nC" }, AFTER],
    [/^PostToolUseFailure$/, deny("R"), { additional_context: "R" }, AFTER],
    [/^PostToolUseFailure$/, FULL, { user_message: "M", additional_context: "R\n\nC" }, AFTER],
  ],
};
