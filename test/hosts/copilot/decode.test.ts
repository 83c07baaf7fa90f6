import { describe, expect, test } from "bun:test";
import { hosts } from "../../../src/hosts/index.ts";
import type { Payload } from "../../../src/protocol/host/host.ts";
import { detectHost } from "../../../src/call/identify/detect.ts";
import { fixtures, getPayload } from "../../support/fixtures.ts";
import { getHost, decodePayload, getEventName } from "../decode-support.ts";

describe("a payload of copilot", () => {
  const copilot = getHost("copilot");
  const named = fixtures.filter((fixture) => fixture.host === copilot && !fixture.file.startsWith("Pascal"));
  test("without an event name is recognized by its fields", () => {
    expect(named.length).toBeGreaterThan(30);
    for (const { file, payload } of named)
      expect(copilot.getEventName(payload).toLowerCase()).toBe(getEventName(file, payload).toLowerCase());
  });
  test("has its entry's event in camelCase, and its own in PascalCase", () => {
    const notification = getPayload("copilot", "notification");
    expect(copilot.getEventName(notification, "notification")).toBe("notification");
    expect(copilot.getEventName(getPayload("copilot", "PascalCase-PermissionRequest"), "PermissionRequest")).toBe(
      "PermissionRequest",
    );
    expect(copilot.getEventName(getPayload("copilot", "PascalCase-PreToolUse"), "preToolUse")).toBe("PreToolUse");
  });
  test("of an older release has its input as JSON in a string", () => {
    const payload = getPayload("copilot", "preToolUse", { toolArgs: '{"command":"ls"}' });
    expect(decodePayload("copilot", payload)).toMatchObject({ tool: "Bash", input: { command: "ls" } });
  });
  test("is decoded by the field that the tool reads, whatever other fields it has", () => {
    const of = (toolName: string, toolArgs: Payload) =>
      decodePayload("copilot", getPayload("copilot", "preToolUse", { toolName, toolArgs })).input;
    expect(of("bash", { command: "rm", input: "ls" })).toMatchObject({ command: "rm" });
    expect(of("view", { path: "/a", file_path: "/b", filePath: "/b" })).toMatchObject({ file_path: "/a" });
    const change = { file_path: "/a", edits: [{ old_string: "1", new_string: "2" }] };
    const more = {
      patch: "*** Begin Patch\n*** Add File: /b\n+x\n*** End Patch",
      files: ["/b"],
      replacements: [{ filePath: "/b" }],
      diff: "+x",
    };
    expect(of("edit", { path: "/a", old_str: "1", new_str: "2", ...more })).toMatchObject({ files: [change] });
    expect(of("grep", { pattern: "x", paths: "/a", path: "/b", query: "y" })).toMatchObject({
      pattern: "x",
      path: "/a",
    });
  });
  const vscode: [tool_name: string, tool_input: Payload, tool: string, input: object][] = [
    [
      "run_in_terminal",
      { command: "ls", explanation: "e", isBackground: true },
      "Bash",
      { command: "ls", run_in_background: true },
    ],
    ["create_file", { filePath: "/a", content: "c" }, "Write", { file_path: "/a", content: "c" }],
    ["read_file", { filePath: "/a" }, "Read", { file_path: "/a" }],
    ["editFiles", { files: ["/a", "/b"] }, "Edit", { files: [{ file_path: "/a" }, { file_path: "/b" }] }],
    [
      "replace_string_in_file",
      { filePath: "/a", oldString: "1", newString: "2" },
      "Edit",
      { files: [{ file_path: "/a", edits: [{ old_string: "1", new_string: "2" }] }] },
    ],
    [
      "multi_replace_string_in_file",
      { replacements: [{ filePath: "/a", oldString: "1", newString: "2" }] },
      "Edit",
      { files: [{ file_path: "/a", edits: [{ old_string: "1", new_string: "2" }] }] },
    ],
    ["grep_search", { query: "x", includePattern: "*.ts" }, "Grep", { pattern: "x", glob: "*.ts" }],
    ["fetch_webpage", { urls: ["u", "w"] }, "WebFetch", { url: "u w" }],
    ["mcp_github_search", { q: 1 }, "MCP", { tool: "mcp_github_search", arguments: { q: 1 } }],
    ["manage_todo_list", { a: 1 }, "Other", { a: 1 }],
  ];
  for (const [tool_name, tool_input, tool, input] of vscode) {
    test(`of VS Code's ${tool_name} is decoded as ${tool}`, async () => {
      const common = {
        timestamp: "2026-11-22T10:00:00.000Z",
        cwd: "/w",
        transcript_path: "/t.json",
        tool_name,
        tool_input,
        tool_use_id: "1",
      };
      for (const spelled of [
        { sessionId: "s", hookEventName: "PreToolUse" },
        { session_id: "s", hook_event_name: "PreToolUse" },
      ]) {
        const payload = { ...common, ...spelled };
        expect(await detectHost(hosts, payload, { env: {} })).toEqual({ host: copilot });
        const event = decodePayload("copilot", payload, "preToolUse");
        expect(event).toMatchObject({ event: "PreToolUse", native_event: "PreToolUse", session_id: "s", tool, input });
      }
    });
  }
});
