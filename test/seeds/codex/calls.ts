import assert from "node:assert/strict";
import type { Claim } from "../claim.ts";
import { hostOf, judged, recorded } from "../host.ts";

/** Tools of which calls were recorded, by their unified names. */
const TOOLS = { Bash: "Bash", apply_patch: "Edit", mcp__tiny__echo: "MCP" } as const;
export const CALLS = ["Bash", "apply_patch", "mcp__tiny__echo"] as const;

export const sees = (event: "PreToolUse" | "PostToolUse") =>
  CALLS.map((tool) => recorded("codex", `${event}-${tool}`, { sees: { event, tool: TOOLS[tool], tool_name: tool } }));

/** Reads what Codex would read of a command's plain text. */
export async function plain(native_event: string, stdout = "note this") {
  const { understand } = await hostOf("codex").speech();
  return understand({ native_event, payload: {} }, { stdout, stderr: "", exit_code: 0 }).additional_context;
}

export const ignoresText = (native_event: string): Claim => ({
  says: `${native_event}: plain text on stdout is ignored`,
  check: async () =>
    assert.deepEqual(
      [await judged("codex", native_event, { stdout: "note" }), await plain(native_event)],
      ["passed", undefined],
    ),
});

export const inputFields = (
  event: "PreToolUse" | "PermissionRequest" | "PostToolUse",
  recordings: readonly string[],
): Claim => ({
  says: `${event}: \`tool_name\` and \`tool_input\`, where Bash and apply_patch have \`command\` and MCP tools all their arguments`,
  cases: [
    recorded(
      "codex",
      recordings[0] as string,
      { sees: { tool_name: "Bash", input: { command: "ls" } } },
      { tool_input: { command: "ls" } },
    ),
    recorded(
      "codex",
      recordings[1] as string,
      { sees: { tool_name: "apply_patch", input: { files: [{ file_path: "a", operation: "delete" }] } } },
      { tool_name: "apply_patch", tool_input: { command: "*** Begin Patch\n*** Delete File: a\n*** End Patch\n" } },
    ),
    recorded(
      "codex",
      recordings[2] as string,
      {
        sees: {
          tool_name: "mcp__fs__read",
          input: { server: "fs", tool: "read", arguments: { path: "a", deep: { b: 1 } } },
        },
      },
      { tool_name: "mcp__fs__read", tool_input: { path: "a", deep: { b: 1 } } },
    ),
  ],
});
