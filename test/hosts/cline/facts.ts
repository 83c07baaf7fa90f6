import { DENIAL_PREFIX } from "../../../src/hosts/cline/denials.ts";
import type { FileChange } from "../../../src/protocol/tool.ts";
import {
  AFTER,
  command,
  createEdit,
  deny,
  expectPatch,
  expectServers,
  FULL,
  type HeardCall,
  type HostFacts,
  joinNewStrings,
  json,
  ONE,
  pickFields,
} from "../facts.ts";

export const facts: HostFacts = {
  shell: { file: "PreToolUse-run_commands", event: "PreToolUse", tool: "run_commands" },
  buildCall: (name, input) => ({
    ...{ clineVersion: "", hookName: "tool_call", taskId: "s1", workspaceRoots: ["/"] },
    tool_call: { name, input },
  }),
  change: (name, input) => ({ tool_call: { id: "call_0001", name, input } }),
  at: (folder) => ({ workspaceRoots: [folder] }),
  hasShellFolder: false,
  keeps: {
    SessionStart: ["source"],
    SessionEnd: ["reason"],
    UserPromptSubmit: ["prompt"],
    Stop: ["last_message"],
  },
  denial: (reason) => ({
    overrideInput: { commands: [{ command: "/dev/null/denied-by-a-hook", args: [reason] }] },
    contextModification: `${DENIAL_PREFIX}${reason}`,
  }),
  denialCode: 0,
  denialStderr: /^bridge-hooks: .* was sent in a different form; overrideInput, /,
  heard: {
    Bash: (input) => [["Bash", pickFields(input, "command")]],
    Read: (input) => [["Read", pickFields(input, "file_path", "offset", "limit")]],
    Edit: ({ files }: { files: FileChange[] }) =>
      files.some(({ operation }) => operation === "delete" || operation === "move")
        ? expectPatch(files)
        : files.flatMap(({ file_path, operation, edits }): HeardCall[] =>
            operation === "add"
              ? [["Write", { file_path, content: joinNewStrings(edits) }]]
              : (edits.length > 0 ? edits : [createEdit("", "")]).map(({ old_string, new_string }): HeardCall => [
                  "Edit",
                  { files: [{ file_path, operation: "update", edits: [createEdit(old_string, new_string)] }] },
                ]),
          ),
    Glob: () => [],
    Grep: (input) => [["Grep", pickFields(input, "pattern")]],
    WebSearch: () => [],
    Task: (input) => [["Task", pickFields(input, "prompt")]],
    MCP: expectServers,
  },
  answers: [
    ["PreToolUse", "", "", 0, {}],
    ["PreToolUse", json({ cancel: true, errorMessage: "R" }), "", 0, deny("R")],
    ["PreToolUse", json({ cancel: true, contextModification: "R" }), "", 1, deny("R")],
    ["PreToolUse", `noise\nHOOK_CONTROL\t${json({ cancel: true, errorMessage: "R" })}\nnoise`, "", 0, deny("R")],
    ["PreToolUse", json({ cancel: "yes" }), "", 0, {}],
    ["PreToolUse", json({ overrideInput: { commands: ["NEW"] } }), "", 0, command("NEW")],
    ["PreToolUse", json({ contextModification: "C", errorMessage: "E" }), "", 0, { additional_context: "C" }],
    ["PreToolUse", json({ context: "C", contextModification: "D" }), "", 0, { additional_context: "C" }],
    ["PreToolUse", json({ review: true, errorMessage: "E" }), "", 0, { additional_context: "E" }],
    ["PreToolUse", json({ overrideInput: {}, contextModification: `${DENIAL_PREFIX}R` }), "", 0, deny("R")],
    ["PreToolUse", `noise\n${json({ cancel: true })}`, "", 0, "its stdout is not a JSON object"],
    ["PreToolUse", "", "oops", 1, "exited with code 1 (oops)"],
    ["PostToolUse", json({ contextModification: "C" }), "", 0, { additional_context: "C" }],
    ["PostToolUse", json({ cancel: true, errorMessage: "R" }), "", 0, deny("R")],
    ["TaskStart", json({ cancel: true, contextModification: "C" }), "", 0, {}],
  ],
  changed: [
    [/^PreToolUse$/, FULL, deny("R\n\nC"), ONE],
    [/^PostToolUse$/, deny("R"), { additional_context: "R" }, AFTER],
    [/^PostToolUse$/, FULL, { additional_context: "R\n\nC" }, AFTER],
  ],
};
