import { describe, expect, test } from "bun:test";
import { auggie } from "../../../src/hosts/auggie/index.ts";
import { hosts } from "../../../src/hosts/index.ts";
import { detectHost } from "../../../src/call/identify/detect.ts";
import { createHookEntry, defineHook } from "../../../src/protocol/hook.ts";
import { getCapabilityRow, type Payload } from "../../../src/protocol/host/host.ts";
import { omitNulls } from "../../../src/protocol/object.ts";
import { deny } from "../../../src/protocol/response.ts";
import { answerCall } from "../../support/answer-call.ts";
import { fixtures } from "../../support/fixtures.ts";

const base = { conversation_id: "c-1", workspace_roots: ["/p"] };
const decode = (tool_name: string, tool_input: unknown, more: Payload = {}) => {
  const payload = { ...base, hook_event_name: "PreToolUse", tool_name, tool_input, ...more };
  return auggie.decodePayload(payload, "PreToolUse", getCapabilityRow(auggie, "PreToolUse")).event as unknown as {
    tool: string;
    input: Payload;
  };
};
const update = (...edits: [string, string][]) => ({
  files: [
    {
      file_path: "a.txt",
      operation: "update",
      edits: edits.map(([old_string, new_string]) => ({ old_string, new_string })),
    },
  ],
});

describe("a call of Auggie", () => {
  const calls: readonly [tool_name: string, input: Payload, tool: string, decoded: Payload][] = [
    ["bash", { command: "ls", timeout: 5 }, "Bash", { command: "ls" }],
    ["write-process", { terminal_id: 1, input_text: "ls\n" }, "Bash", { command: "ls\n" }],
    ["read", { path: "a.txt", offset: 1, limit: 2 }, "Read", { file_path: "a.txt", offset: 1, limit: 2 }],
    ["write", { path: "a.txt", content: "x" }, "Write", { file_path: "a.txt", content: "x" }],
    ["edit", { path: "a.txt", edits: [{ oldText: "1", newText: "2" }] }, "Edit", update(["1", "2"])],
    ["str-replace-editor", { path: "a.txt", old_str: "1", new_str: "2" }, "Edit", update(["1", "2"])],
    ["str-replace-editor", { path: "a.txt", new_str_2: "2", old_str_1: "1" }, "Edit", update(["", "2"], ["1", ""])],
    [
      "str-replace-editor",
      { path: "a.txt", insert_line_entries: [{ insert_line: 0, new_str: "2" }] },
      "Edit",
      update(["", "2"]),
    ],
    [
      "remove-files",
      { file_paths: ["a.txt"] },
      "Edit",
      { files: [{ file_path: "a.txt", operation: "delete", edits: [] }] },
    ],
    ["ls", {}, "Glob", { pattern: "*" }],
    ["grep", { pattern: "x", path: "src" }, "Grep", { pattern: "x", path: "src" }],
    ["sub-agent", { action: "run", name: "n", instruction: "i" }, "Task", { prompt: "i", agent_type: "n" }],
    ["later-shell", { command: "ls" }, "Bash", { command: "ls" }],
  ];
  for (const [tool_name, input, tool, decoded] of calls)
    test(`of ${tool_name} with ${Object.keys(input)} is decoded`, () =>
      expect(decode(tool_name, input)).toMatchObject({ tool, input: decoded }));

  test("fails if its edit contains a value that is not a string", () => {
    expect(() => decode("str-replace-editor", { path: "a", old_str_1: { a: 1 } })).toThrow("old_str_1 is Object");
    expect(() => decode("edit", { path: "a", edits: [1] })).toThrow("edits is number");
    expect(() => decode("remove-files", { file_paths: "a" })).toThrow("file_paths");
  });

  test("of an MCP tool has the names that the entry requested, or the last part as the server", () => {
    const metadata = { mcpExecutedToolName: "get_it", mcpExecutedToolServerName: "my_server" };
    const input = (more: Payload) => decode("get_it_my_server", {}, { is_mcp_tool: true, ...more }).input;
    expect(input({ mcp_metadata: metadata })).toMatchObject({ server: "my_server", tool: "get_it" });
    expect(input({})).toMatchObject({ server: "server", tool: "get_it_my" });
    // Either of the two fields is enough.
    for (const half of ["mcpExecutedToolName", "mcpExecutedToolServerName"] as const)
      expect(input({ mcp_metadata: { [half]: metadata[half] } })).toMatchObject({
        server: "my_server",
        tool: "get_it",
      });
  });
});

describe("Auggie and Cursor, whose payloads have the same identifying fields,", () => {
  const guard = createHookEntry(defineHook({ event: "PreToolUse", handler: () => deny("no") }), "guard");
  const foreign = { AUGMENT_CONVERSATION_ID: "another", AUGMENT_HOOK_EVENT: "Stop", CURSOR_PROJECT_DIR: "/elsewhere" };
  const of = (id: string) => fixtures.filter(({ host }) => host.id === id);

  for (const id of ["auggie", "cursor"])
    test(`are distinguished: each recorded payload of ${id} is recognized, whatever the environment is`, async () => {
      for (const { host, payload } of of(id)) {
        const clean = omitNulls(payload);
        const same = { ...foreign, AUGMENT_CONVERSATION_ID: String(payload.conversation_id) };
        for (const env of [{}, foreign, same]) expect(await detectHost(hosts, clean, { env })).toEqual({ host });
      }
      expect(of(id).length).toBeGreaterThan(20);
    });

  test("are distinguished without an event name, and with one identifying field of the other", async () => {
    const cursor = hosts.find(({ id }) => id === "cursor") as (typeof hosts)[number];
    const nameless = { ...base, tool: "Shell", params: { command: "ls" } };
    const own = { ...base, hook_event_name: "PreToolUse", tool_name: "view", tool_input: {}, is_mcp_tool: false };
    expect(await detectHost(hosts, nameless, { env: foreign })).toEqual({ host: cursor });
    expect(await detectHost(hosts, nameless, { env: {} }, auggie)).toEqual({ host: auggie });
    expect(await detectHost(hosts, own, { env: foreign })).toEqual({ host: auggie });
    expect(await detectHost(hosts, own, { env: {} }, cursor)).toEqual({ host: auggie, contradicted: cursor });
    for (const more of [{ cursor_version: "9.9" }, { generation_id: "g-1" }])
      expect(await detectHost(hosts, { ...own, ...more }, { env: {} }, auggie)).toMatchObject({
        host: { id: "auggie" },
      });
    const both = { ...own, cursor_version: "9.9", generation_id: "g-1" };
    expect(await detectHost(hosts, both, { env: {} })).toEqual({ host: cursor });
  });

  test("are answered in their own format, even with the other's --host", async () => {
    const answers = async (id: string, other: string) => {
      const events = of(id).filter(({ payload }) => /^pre_?tool_?use$/i.test(String(payload.hook_event_name)));
      return Promise.all(
        events.map(({ payload }) =>
          answerCall([guard], {}, ["--host", other], { env: {}, read: () => JSON.stringify(payload) }),
        ),
      );
    };
    const [own, cursor] = [await answers("auggie", "cursor"), await answers("cursor", "auggie")];
    for (const { stdout, stderr, exit_code } of own)
      expect([exit_code, stdout.includes("permissionDecision"), stderr]).toEqual([
        2,
        true,
        expect.stringContaining("no"),
      ]);
    for (const { stdout } of cursor) expect(JSON.parse(stdout)).toMatchObject({ permission: "deny" });
    expect([own.length > 10, cursor.length > 5]).toEqual([true, true]);
  });
});
