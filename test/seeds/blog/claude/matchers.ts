import { expect } from "bun:test";
import { defineHook, modify } from "bridge-hooks";
import { type GivenEvent, simulate } from "../../../../src/author/testing/index.ts";
import type { ClaimSection } from "../../claim.ts";
import { buildClaudePayload, claudeShell } from "../calls.ts";
import { listAskedCalls, installEntries, expectRow } from "../checks.ts";

const shell = (command: string): GivenEvent => ({ event: "PreToolUse", tool: "Bash", input: { command } });
const edit: GivenEvent = {
  event: "PreToolUse",
  tool: "Edit",
  input: { files: [{ file_path: "/a", operation: "update", edits: [] }] },
};
const write: GivenEvent = { event: "PreToolUse", tool: "Write", input: { file_path: "/a", content: "" } };
const mcp = (server: string): GivenEvent => ({
  event: "PreToolUse",
  tool: "MCP",
  input: { server, tool: "read", arguments: {} },
});
const matching = (matcher: string) => (handler: () => undefined) =>
  defineHook({ event: "PreToolUse", matcher, handler });

export const matchers: ClaimSection = {
  title: "Claude Code: matchers and changed inputs",
  claims: [
    {
      says: "Matchers are case-sensitive",
      check: async () => expect(await listAskedCalls(matching("bash"), [shell("ls")])).toEqual([false]),
    },
    {
      says: "`Bash` matches the tool of exactly that name",
      check: async () => expect(await listAskedCalls(matching("Bash"), [shell("ls"), write])).toEqual([true, false]),
    },
    {
      says: "`Edit|Write` matches either tool",
      check: async () =>
        expect(await listAskedCalls(matching("Edit|Write"), [edit, write, shell("ls")])).toEqual([true, true, false]),
    },
    {
      says: "`*` matches every tool",
      check: async () =>
        expect(await listAskedCalls(matching("*"), [edit, shell("ls"), mcp("x")])).toEqual([true, true, true]),
    },
    {
      says: "`Bash(npm test*)` matches a tool and a pattern of its argument",
      check: async () =>
        expect(
          await listAskedCalls(matching("Bash(npm test*)"), [
            shell("cd a && npm test -- -u"),
            shell("npm run x"),
            shell('echo "npm test"'),
          ]),
        ).toEqual([true, false, false]),
    },
    {
      says: "`Bash(npm test*)` is a matcher in Claude Code's settings file",
      differs:
        "Claude Code has the field `if` for that, and its matchers are names or regular expressions; here the matcher belongs to `defineHook`, means the same on every host, and is not written into the config [docs https://code.claude.com/docs/en/hooks]",
      check: async (executable) =>
        expect(
          JSON.stringify(await installEntries(executable, { host: "claude", events: ["PreToolUse"] })),
        ).not.toMatch(/"if"|Bash\(/),
    },
    {
      says: "`mcp__memory__.*` matches the tools of an MCP server by a regular expression",
      check: async () =>
        expect(await listAskedCalls(matching("mcp__memory__.*"), [mcp("memory"), mcp("other"), shell("ls")])).toEqual([
          true,
          false,
          false,
        ]),
      cases: [
        {
          host: "claude",
          stdin: buildClaudePayload("PreToolUse", { tool_name: "mcp__memory__read", tool_input: { key: "a" } }),
          sees: { tool: "MCP", input: { server: "memory", tool: "read", arguments: { key: "a" } } },
        },
      ],
    },
    {
      says: "A hook at PreToolUse can change a tool's input before it runs",
      cases: [
        {
          host: "claude",
          stdin: claudeShell,
          answer: modify({ command: "rm -rf ./build" }),
          stdout: { hookSpecificOutput: { hookEventName: "PreToolUse", updatedInput: { command: "rm -rf ./build" } } },
          exit_code: 0,
        },
      ],
    },
    {
      says: "The changed input is written to stdout as valid JSON, in full",
      cases: [
        {
          host: "claude",
          stdin: buildClaudePayload("PreToolUse", {
            tool_name: "Bash",
            tool_input: { command: "npm i", description: "install", timeout: 5 },
          }),
          answer: modify({ command: "npm ci" }),
          stdout: {
            hookSpecificOutput: {
              hookEventName: "PreToolUse",
              updatedInput: { command: "npm ci", description: "install", timeout: 5 },
            },
          },
        },
      ],
    },
    {
      says: "Changed inputs are used for sandboxing, redaction of secrets, and correction of paths",
      check: async () => {
        const hook = defineHook({
          event: "PreToolUse",
          tool: "Write",
          handler: () => modify({ file_path: "/sandbox/a", content: "[secret]" }),
        });
        const { answer } = await simulate(hook, write, { host: "claude" });
        expect(JSON.parse(answer?.stdout ?? "")).toMatchObject({
          hookSpecificOutput: { updatedInput: { file_path: "/sandbox/a", content: "[secret]" } },
        });
      },
    },
    {
      says: "Changed inputs need release 2.0.10 or later",
      differs:
        "it is sent to every release; the oldest one tested, 2.1.197, honours it [seen 2.1.197 and 2.1.330, 2026-11-22]",
      check: () => expectRow("claude", "PreToolUse", "PreToolUse", { modified_input: "native" }),
    },
  ],
};
