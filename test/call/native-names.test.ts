import { describe, expect, test } from "bun:test";
import { passCall } from "../../src/call/answer.ts";
import { createHookEntry, defineHook } from "../../src/protocol/hook.ts";
import type { Payload } from "../../src/protocol/host/host.ts";
import { getPayload } from "../support/fixtures.ts";

/** Answers a recorded call with several hooks, each of which changes the call's input. */
async function rewrite(host: string, file: string, change: Payload, ...patches: Payload[]) {
  const seen: unknown[] = [];
  const entries = [...patches, undefined].map((patch, at) =>
    createHookEntry(
      defineHook({
        event: "PreToolUse",
        handler: ({ input }) => {
          seen.push(input);
          return patch && { modified_input: patch };
        },
      }),
      `hook-${at}`,
    ),
  );
  const world = { env: {}, read: () => JSON.stringify(getPayload(host, file, change)), isTrial: true };
  const { answer } = await passCall({ entries, explicit: {}, argv: ["--host", host] }, world);
  const { updated_input, hookSpecificOutput, permission, args } = answer.stdout ? JSON.parse(answer.stdout) : {};
  const updated = updated_input ?? hookSpecificOutput?.updatedInput ?? args;
  return {
    updated,
    decision: permission ?? hookSpecificOutput?.permissionDecision,
    seen: seen.at(-1),
    stderr: answer.stderr,
  };
}

const bash = { tool_input: { command: "ls", description: "list", timeout: 1000 } };
const edit = {
  tool_name: "Edit",
  tool_input: { file_path: "/a", old_string: "x", new_string: "y", replace_all: true },
};
const mcp = { tool_name: "mcp__memory__search", tool_input: { query: "a", limit: 5 } };

describe("modified_input in the host's own names", () => {
  const cases: [
    name: string,
    host: string,
    file: string,
    change: Payload,
    patch: Payload,
    updated: Payload,
    seen: Payload,
  ][] = [
    [
      "changes an existing field of the call",
      "claude",
      "PreToolUse-Bash",
      bash,
      { timeout: 5 },
      { command: "ls", description: "list", timeout: 5 },
      { command: "ls", description: "list", timeout_ms: 5 },
    ],
    [
      "adds a field of the tool",
      "claude",
      "PreToolUse-Bash",
      { tool_input: { command: "ls" } },
      { timeout: 5 },
      { command: "ls", timeout: 5 },
      { command: "ls", timeout_ms: 5 },
    ],
    [
      "removes a field with null",
      "claude",
      "PreToolUse-Bash",
      bash,
      { timeout: null },
      { command: "ls", description: "list" },
      { command: "ls", description: "list" },
    ],
    [
      "removes a field with null by its unified name",
      "claude",
      "PreToolUse-Bash",
      bash,
      { timeout_ms: null, command: "pwd" },
      { command: "pwd", description: "list" },
      { command: "pwd", description: "list" },
    ],
    [
      "changes one string of an edit",
      "claude",
      "PreToolUse-Bash",
      edit,
      { new_string: "z" },
      { ...edit.tool_input, new_string: "z" },
      { files: [{ file_path: "/a", operation: "update", edits: [{ old_string: "x", new_string: "z" }] }] },
    ],
    [
      "changes MCP arguments as they are sent",
      "claude",
      "PreToolUse-Bash",
      mcp,
      { query: "b", limit: null },
      { query: "b" },
      { server: "memory", tool: "search", arguments: { query: "b" } },
    ],
    [
      "changes a directory",
      "cursor",
      "preToolUse.Shell",
      { tool_input: { command: "ls", working_directory: "/a" } },
      { working_directory: "/b" },
      { command: "ls", working_directory: "/b", cwd: "/b" },
      { command: "ls", cwd: "/b" },
    ],
    [
      "changes a directory given under both names",
      "cursor",
      "preToolUse.Shell",
      { tool_input: { command: "ls", cwd: "/a" } },
      { working_directory: "/b" },
      { command: "ls", cwd: "/b" },
      { command: "ls", cwd: "/b" },
    ],
  ];
  for (const [name, host, file, change, patch, updated, seen] of cases)
    test(`${name} on ${host}, and the next hook sees it: ${JSON.stringify(patch)}`, async () => {
      const found = await rewrite(host, file, change, patch);
      expect([found.updated, found.seen]).toEqual([updated, seen]);
    });

  for (const patch of [{ comand: "pwd" }, { command: null }, { timeout: "soon", comand: "x" }])
    test(`is a denial if the host would run the original: ${JSON.stringify(patch)}`, async () => {
      expect(await rewrite("claude", "PreToolUse-Bash", bash, patch)).toMatchObject({ decision: "deny" });
    });

  test("does not undo an earlier hook's change to an edit", async () => {
    const files = [{ file_path: "/b", operation: "update", edits: [{ old_string: "x", new_string: "y" }] }];
    const found = await rewrite("claude", "PreToolUse-Bash", edit, { files }, { new_string: "z" });
    expect(found.decision).toBe("deny");
  });
});
