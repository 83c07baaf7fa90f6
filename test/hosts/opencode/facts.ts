import {
  json,
  deny,
  command,
  AFTER,
  FULL,
  pickFields,
  expectChanges,
  expectPatch,
  expectServers,
  hasOnlyUpdates,
  type HostFacts,
} from "../facts.ts";

export const facts: HostFacts = {
  shell: { file: "tool.execute.before.bash", event: "tool.execute.before", tool: "bash" },
  buildCall: (tool, args) => ({
    host: "opencode",
    event: "tool.execute.before",
    cwd: "/",
    input: { tool },
    output: { args },
    mcp: [],
  }),
  change: (tool, args, { input }) => ({ input: { ...(input as object), tool }, output: { args } }),
  hasShellFolder: true,
  keeps: { SessionStart: ["source"], UserPromptSubmit: ["prompt", "attachments"] },
  denial: (reason) => ({ deny: reason }),
  heard: {
    Bash: (input) => [["Bash", pickFields(input, "command", "description", "cwd", "timeout_ms")]],
    Read: (input) => [["Read", pickFields(input, "file_path", "offset", "limit")]],
    Edit: ({ files }) => (hasOnlyUpdates(files) ? expectChanges(files) : expectPatch(files)),
    WebFetch: (input) => [["WebFetch", pickFields(input, "url")]],
    MCP: expectServers,
  },
  answers: [
    ["tool.execute.before", json({ deny: "R" }), "", 0, deny("R")],
    [
      "tool.execute.before",
      json({ args: { command: "NEW" }, message: "M" }),
      "",
      0,
      { ...command("NEW"), user_message: "M" },
    ],
    ["tool.execute.before", "", "R", 2, deny("R")],
    ["tool.execute.before", json({ zz: 1 }), "", 0, "its document is not one that the plugin accepts"],
    ["session.idle", json({ go_on: "go on" }), "", 0, deny("go on")],
    ["chat.message", json({ context: "C" }), "", 0, { additional_context: "C" }],
  ],
  changed: [
    [/^tool\.execute\.after$/, deny("R"), { additional_context: "R" }, AFTER],
    [/^tool\.execute\.after$/, FULL, { user_message: "M", additional_context: "R\n\nC" }, AFTER],
  ],
};
