import { describe, expect, test } from "bun:test";
import { hosts } from "../../../src/hosts/index.ts";
import { omitNulls } from "../../../src/protocol/object.ts";
import type { Payload } from "../../../src/protocol/host/host.ts";
import { detectHost } from "../../../src/call/identify/detect.ts";
import { getPayload } from "../../support/fixtures.ts";
import { getHost, decodePayload } from "../decode-support.ts";

describe("a payload of cursor", () => {
  test("of a stopped subagent has the agent's type, with or without an ID", () => {
    const stopped = (fields: Payload) => decodePayload("cursor", getPayload("cursor", "subagentStop", fields));
    expect(stopped({ subagent_id: undefined, subagent_type: "explore" })).toMatchObject({
      event: "SubagentStop",
      agent_type: "explore",
    });
    expect(stopped({ subagent_id: "a1", subagent_type: "explore" })).toMatchObject({
      agent_id: "a1",
      agent_type: "explore",
    });
  });
  test("of a finished shell call has the output, in the observed and the documented form", () => {
    const given = (tool_output: unknown) =>
      decodePayload("cursor", getPayload("cursor", "postToolUse.Shell", { tool_output: JSON.stringify(tool_output) }))
        .output;
    expect(given({ output: "done\n", exitCode: 3 })).toMatchObject({ text: "done\n", stdout: "done\n", exit_code: 3 });
    const documented = { exitCode: 0, stdout: "passed" };
    expect(given(documented)).toEqual({ text: "passed", raw: documented, stdout: "passed", exit_code: 0 });
    const both = given({ exitCode: 1, stdout: "out\n", stderr: "err\n" });
    expect(both).toMatchObject({ text: "out\nerr\n", stdout: "out\n", stderr: "err\n", exit_code: 1 });
    expect(given({ stderr: "err" })).toMatchObject({ text: "err", stderr: "err" });
    // The output of a background command.
    expect(given({ shell_id: 1, pid: 2 })).toEqual({ text: '{"shell_id":1,"pid":2}', raw: { shell_id: 1, pid: 2 } });
  });
});

describe("a payload of cursor without an event name", () => {
  const files = [
    { path: "/w/a.py", content: "a" },
    { path: "/w/b.js", content: null },
  ];
  /** Each payload comes with its optional fields. A field that is null means the same as one that is missing. */
  const cases: [name: string, payload: Payload, optional: Payload, expected: object, told?: "by --host"][] = [
    [
      "a prompt with its files",
      { prompt: "hi", context: { files, workspaceFolder: "/w" } },
      {},
      {
        event: "UserPromptSubmit",
        native_event: "beforeSubmitPrompt",
        prompt: "hi",
        attachments: ["/w/a.py", "/w/b.js"],
        cwd: "/w",
      },
    ],
    [
      "a prompt in a folder",
      { prompt: "hi", context: { workspaceFolder: "/w", files: null } },
      {},
      { prompt: "hi", attachments: [], cwd: "/w" },
    ],
    [
      "a prompt with only files",
      { prompt: "hi", context: { workspaceFolder: null, files } },
      {},
      { prompt: "hi", cwd: "" },
    ],
    [
      "a prompt alone",
      { prompt: "hi" },
      { context: {} },
      { event: "UserPromptSubmit", prompt: "hi", attachments: [] },
      "by --host",
    ],
    ...(
      [
        ["read_file", { path: "/w/a.py", encoding: "utf-8" }],
        ["edit_file", { path: "/w/a.py", edits: [{ oldText: "1", newText: "2" }] }],
        ["write_file", { path: "/w/a.py", content: "a" }],
        ["run_command", { command: "npm test", cwd: "/w" }],
        ["apply_diff", { diff: "-1\n+2" }],
      ] as [string, Payload][]
    ).map(
      ([tool, params]) =>
        [
          `${tool} before it runs`,
          { tool, params },
          {},
          {
            event: "PreToolUse",
            native_event: "beforeMCPExecution",
            tool: "MCP",
            tool_name: `MCP:${tool}`,
            input: { tool, arguments: params },
          },
        ] as (typeof cases)[number],
    ),
    [
      "a tool without arguments",
      { tool: "list_files", params: null },
      {},
      { event: "PreToolUse", tool: "MCP", input: { tool: "list_files", arguments: {} } },
    ],
    [
      "a successful tool call",
      { tool: "read_file", result: { success: true, content: "c", lines_changed: 0 } },
      { duration_ms: 45 },
      {
        event: "PostToolUse",
        native_event: "afterMCPExecution",
        tool: "MCP",
        output: { raw: { success: true, content: "c", lines_changed: 0 }, is_error: false },
      },
    ],
    [
      "a failed tool call",
      { tool: "read_file", result: { success: false, error: "no such file" } },
      { duration_ms: 12 },
      { event: "PostToolUse", tool: "MCP", output: { is_error: true, text: expect.stringContaining("no such file") } },
    ],
    [
      "a result that does not state success",
      { tool: "t", result: { success: null, rows: 2 } },
      { duration_ms: 1 },
      { output: { text: '{"success":null,"rows":2}', raw: { success: null, rows: 2 } } },
    ],
    [
      "a string as the result",
      { tool: "t", result: "42" },
      { duration_ms: 1 },
      { event: "PostToolUse", output: { text: "42", raw: "42" } },
    ],
    [
      "no result",
      { tool: "t", result: null },
      { duration_ms: 1 },
      { event: "PostToolUse", tool: "MCP", output: { text: "" } },
    ],
    [
      "an edit",
      { file: "/w/B.tsx", changes: { added: 12, removed: 5, modified: 3 } },
      {},
      {
        event: "PostToolUse",
        native_event: "afterFileEdit",
        tool: "Edit",
        input: { files: [{ file_path: "/w/B.tsx", operation: "update", edits: [] }] },
      },
    ],
    ["an edit without counts", { file: "/w/B.tsx", changes: null }, {}, { event: "PostToolUse", tool: "Edit" }],
    [
      "a response",
      { response: "done" },
      { model: "m", tokens: 1250, duration_ms: 3400 },
      { event: "Native", native_event: "afterAgentResponse", _native: { response: "done" } },
    ],
    ["an end with turns", { total_turns: 47 }, { reason: "user_exit" }, { event: "Stop", native_event: "stop" }],
    [
      "an end with a reason",
      { reason: "timeout" },
      { total_turns: 2 },
      { event: "Stop", native_event: "stop" },
      "by --host",
    ],
  ];
  for (const [name, payload, optional, wanted, told] of cases) {
    const forms = {
      "with all its fields": { ...payload, ...optional },
      "with null fields": { ...payload, ...Object.fromEntries(Object.keys(optional).map((key) => [key, null])) },
      "with only required fields": payload,
    };
    for (const [form, given] of Object.entries(forms)) {
      test(`is recognized and decoded: ${name}, ${form}`, async () => {
        expect(decodePayload("cursor", given)).toMatchObject(wanted);
        expect(await detectHost(hosts, omitNulls(given), { env: {} }, getHost("cursor"))).toEqual({
          host: getHost("cursor"),
        });
        const found = await detectHost(hosts, omitNulls(given), { env: {} });
        // Fields that any program could send don't identify Cursor.
        if (!told) expect(found).toEqual({ host: getHost("cursor") });
        else if (form !== "with all its fields")
          expect(found).toMatchObject({ problem: expect.stringContaining("--host <id>") });
      });
    }
  }
  test("is tested in 20 cases", () => expect(cases.length).toBe(20));
  test("has its duration and model", () => {
    expect(decodePayload("cursor", { tool: "t", result: "", duration_ms: 45 }).duration_ms).toBe(45);
    expect(decodePayload("cursor", { response: "done", model: "m" }).model).toBe("m");
  });
});
