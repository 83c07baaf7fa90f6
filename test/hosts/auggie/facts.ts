import type { FileChange } from "../../../src/protocol/tool.ts";
import {
  expectServers,
  command,
  deny,
  expectPatch,
  hasOnlyUpdates,
  type HostFacts,
  json,
  pickFields,
  specific,
} from "../facts.ts";

export const facts: HostFacts = {
  shell: { file: "PreToolUse-launch-process", event: "PreToolUse", tool: "launch-process" },
  buildCall: (tool_name, tool_input) => ({
    hook_event_name: "PreToolUse",
    conversation_id: "s-1",
    workspace_roots: ["/srv/it"],
    tool_name,
    tool_input,
  }),
  at: (folder) => ({ workspace_roots: [folder] }),
  hasShellFolder: true,
  keeps: { UserPromptSubmit: ["prompt"], Notification: ["message", "notification_type"] },
  denial: (reason) => ({
    hookSpecificOutput: {
      hookEventName: "PreToolUse",
      permissionDecision: "deny",
      permissionDecisionReason: reason,
    },
  }),
  heard: {
    Bash: (input) => [["Bash", pickFields(input, "command", "cwd")]],
    Read: (input) => [["Read", pickFields(input, "file_path")]],
    Edit: ({ files }: { files: FileChange[] }) =>
      hasOnlyUpdates(files) ? files.map((file) => ["Edit", { files: [file] }]) : expectPatch(files),
    WebFetch: (input) => [["WebFetch", pickFields(input, "url")]],
    Task: (input) => [["Task", pickFields(input, "prompt", "agent_type")]],
    MCP: expectServers,
  },
  answers: [
    // These come from the package's code and haven't been observed.
    ["PreToolUse", "", "", 0, {}],
    ["PreToolUse", "", "R\n", 2, deny("R")],
    ["PreToolUse", specific({ permissionDecision: "deny", permissionDecisionReason: "X" }), "R", 2, deny("R")],
    ["PreToolUse", specific({ permissionDecision: "deny", permissionDecisionReason: "R" }), "", 0, deny("R")],
    // The host ignores a document without an event name, and a decision outside its event-specific part.
    ["PreToolUse", json({ hookSpecificOutput: { permissionDecision: "deny" } }), "", 0, {}],
    ["PreToolUse", json({ decision: "deny", reason: "R" }), "", 0, {}],
    ["PreToolUse", json({ continue: true }), "R", 2, {}],
    ["PreToolUse", specific({ permissionDecision: "ask" }), "", 0, {}],
    ["PreToolUse", specific({ updatedInput: { command: "NEW" } }), "", 0, command("NEW")],
    ["PreToolUse", "", "oops", 1, "exited with code 1 (oops)"],
    ["PostToolUse", specific({ decision: "block", reason: "R" }, {}, "PostToolUse"), "", 0, deny("R")],
    ["PostToolUse", specific({ additionalContext: "C" }, {}, "PostToolUse"), "", 0, { additional_context: "C" }],
    ["Stop", specific({ decision: "block", reason: "R" }, {}, "Stop"), "", 0, {}],
    ["Stop", "", "go on", 2, {}],
    ["PromptSubmit", json({ systemMessage: "M" }), "", 0, { user_message: "M" }],
  ],
};
