import assert from "node:assert/strict";
import type { Claim } from "../claim.ts";
import { getHost, judgeAnswer, createRecordedCase } from "../host.ts";

/** Tools with recorded calls, and their unified names. */
const TOOLS = { Bash: "Bash", apply_patch: "Edit", mcp__tiny__echo: "MCP" } as const;
export const RECORDED_TOOLS = ["Bash", "apply_patch", "mcp__tiny__echo"] as const;

export const createSeenCases = (event: "PreToolUse" | "PostToolUse") =>
  RECORDED_TOOLS.map((tool) =>
    createRecordedCase("codex", `${event}-${tool}`, { sees: { event, tool: TOOLS[tool], tool_name: tool } }),
  );

/** How Codex reads a command's plain text. */
export async function readPlainText(native_event: string, stdout = "note this") {
  const { parseAnswer } = await getHost("codex").loadScriptCodec();
  return parseAnswer({ native_event, payload: {} }, { stdout, stderr: "", exit_code: 0 }).additional_context;
}

export const claimIgnoredText = (native_event: string): Claim => ({
  says: `${native_event}: plain text on stdout is ignored`,
  check: async () =>
    assert.deepEqual(
      [await judgeAnswer("codex", native_event, { stdout: "note" }), await readPlainText(native_event)],
      ["passed", undefined],
    ),
});

export const claimInputFields = (
  event: "PreToolUse" | "PermissionRequest" | "PostToolUse",
  recordings: readonly string[],
): Claim => ({
  says: `${event}: \`tool_name\` and \`tool_input\`, where Bash and apply_patch have \`command\` and MCP tools all their arguments`,
  cases: [
    createRecordedCase(
      "codex",
      recordings[0] as string,
      { sees: { tool_name: "Bash", input: { command: "ls" } } },
      { tool_input: { command: "ls" } },
    ),
    createRecordedCase(
      "codex",
      recordings[1] as string,
      { sees: { tool_name: "apply_patch", input: { files: [{ file_path: "a", operation: "delete" }] } } },
      { tool_name: "apply_patch", tool_input: { command: "*** Begin Patch\n*** Delete File: a\n*** End Patch\n" } },
    ),
    createRecordedCase(
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
