import { describe, expect, test } from "bun:test";
import { defineHook, createHookEntry } from "../../src/protocol/hook.ts";
import { type Host, type Payload, getCapabilityRow } from "../../src/protocol/host/host.ts";
import { deny } from "../../src/protocol/response.ts";
import { hosts } from "../../src/hosts/index.ts";
import type { ToolTable } from "../../src/hosts/codec/tool-table.ts";
import { omitNulls } from "../../src/protocol/object.ts";
import { answerCall } from "../support/answer-call.ts";
import { buildCallPayload, getGateEvent, getPayload } from "../support/fixtures.ts";

const MARK = "MARK";
/** Values of the wrong type for a field that holds a string. */
const WRONG: readonly unknown[] = [5, true, [MARK], [{ type: "text", text: MARK }], { text: MARK }, [[MARK]]];

/**
 * Purely informational fields, which count as absent if their type is wrong. Policies judge all other fields of a tool.
 */
const INFORMING =
  "description title label timeout timeoutSeconds yieldMs background run_in_background isBackground is_background offset limit start_line end_line view_range type".split(
    " ",
  );

const CALLS: Readonly<Record<string, Readonly<Record<string, Payload>>>> = {
  claude: {
    Bash: { command: "ls", description: "d", timeout: 5, run_in_background: true },
    PowerShell: { command: "ls" },
    Read: { file_path: "/a", offset: 1, limit: 1 },
    Write: { file_path: "/a", content: "c" },
    Edit: { file_path: "/a", old_string: "1", new_string: "2" },
    MultiEdit: { file_path: "/a", edits: [{ old_string: "1", new_string: "2" }] },
    NotebookEdit: { notebook_path: "/a", new_source: "s" },
    NotebookRead: { notebook_path: "/a" },
    Glob: { pattern: "*", path: "/a" },
    Grep: { pattern: "x", path: "/a", glob: "*" },
    WebFetch: { url: "u", prompt: "p" },
    WebSearch: { query: "q" },
    Agent: { prompt: "p", description: "d", subagent_type: "t" },
    Task: { prompt: "p", subagent_type: "t" },
  },
  codex: {
    Bash: { command: "ls", description: "d" },
    apply_patch: { command: "*** Begin Patch\n*** Add File: a\n+x\n*** End Patch" },
    view_image: { path: "/a" },
    spawn_agent: { message: "m", items: [{ type: "text", text: "i" }], agent_type: "t" },
  },
  cursor: {
    Shell: { command: "ls", cwd: "/a", working_directory: "/a", timeout: 5 },
    Read: { file_path: "/a", offset: 1, limit: 1 },
    Write: { file_path: "/a", content: "c" },
    Delete: { file_path: "/a" },
    Grep: { pattern: "x", file_path: "/a", path: "/a", glob: "*" },
    Glob: { pattern: "x", file_path: "/a", path: "/a" },
    List: { file_path: "/a" },
    Fetch: { url: "u" },
    WebSearch: { search_term: "q", query: "q" },
    Task: { prompt: "p", task: "t", description: "d", subagent_type: "t" },
  },
  gemini: {
    run_shell_command: { command: "ls", description: "d", dir_path: "a", is_background: true },
    read_file: { file_path: "/a", start_line: 1, end_line: 2 },
    read_many_files: { include: ["a"] },
    write_file: { file_path: "/a", content: "c" },
    replace: { file_path: "/a", old_string: "1", new_string: "2" },
    glob: { pattern: "*", dir_path: "a" },
    list_directory: { dir_path: "a" },
    grep_search: { pattern: "x", dir_path: "a", include_pattern: "*" },
    web_fetch: { prompt: "https://a.example", url: "https://b.example" },
    google_web_search: { query: "q" },
    invoke_agent: { agent_name: "a", prompt: "p" },
  },
  copilot: {
    bash: { command: "ls", description: "d" },
    write_bash: { input: "ls" },
    run_in_terminal: { command: "ls", isBackground: true },
    view: { path: "/a", view_range: [1, 2] },
    readFile: { filePath: "/a", offset: 1, limit: 1 },
    create: { path: "/a", file_text: "c" },
    create_file: { filePath: "/a", content: "c" },
    edit: { path: "/a", old_str: "1", new_str: "2" },
    Edit: { path: "/a", diff: "-1\n+2" },
    replace_string_in_file: { filePath: "/a", oldString: "1", newString: "2" },
    multi_replace_string_in_file: { replacements: [{ filePath: "/a", oldString: "1", newString: "2" }] },
    insert_edit_into_file: { filePath: "/a", code: "2" },
    editFiles: { files: ["/a"] },
    apply_patch: { input: "*** Begin Patch\n*** Add File: a\n+x\n*** End Patch" },
    glob: { pattern: "*", path: "/a" },
    grep: { pattern: "x", paths: "/a", glob: "*" },
    list_dir: { path: "/a" },
    file_search: { query: "x" },
    grep_search: { query: "x", includePattern: "*" },
    web_fetch: { url: "u", prompt: "p" },
    fetch_webpage: { urls: ["u"] },
    web_search: { query: "q" },
    task: { prompt: "p", description: "d", agent_type: "t" },
    runSubagent: { prompt: "p", agentName: "t" },
  },
  opencode: {
    bash: { command: "ls", description: "d", timeout: 5, workdir: "/a" },
    read: { filePath: "/a", offset: 1, limit: 1 },
    write: { filePath: "/a", content: "c" },
    edit: { filePath: "/a", oldString: "1", newString: "2" },
    apply_patch: { patchText: "*** Begin Patch\n*** Add File: a\n+x\n*** End Patch" },
    glob: { pattern: "*", path: "/a" },
    grep: { pattern: "x", path: "/a", include: "*" },
    webfetch: { url: "u" },
    websearch: { query: "q" },
    task: { prompt: "p", description: "d", subagent_type: "t" },
  },
  openclaw: {
    exec: { command: "ls", title: "d", workdir: "/a", timeoutSeconds: 1, yieldMs: 1, background: true },
    read: { path: "/a", offset: 1, limit: 1 },
    write: { path: "/a", content: "c" },
    edit: { path: "/a", edits: [{ oldText: "1", newText: "2" }] },
    apply_patch: { input: "*** Begin Patch\n*** Add File: a\n+x\n*** End Patch" },
    web_fetch: { url: "u" },
    web_search: { query: "q" },
    sessions_spawn: { task: "t", label: "l", agentId: "a" },
  },
};

/** Returns what hooks may inspect: everything except the raw payload. */
const seen = ({ _native, ...event }: { _native: object }) => JSON.stringify(event);

const guard = createHookEntry(
  defineHook({
    event: ["PreToolUse", "UserPromptSubmit", "SubagentStart"],
    handler: (event) => (seen(event).includes(MARK) ? deny("the text was seen") : undefined),
  }),
  "guard",
);

/** Whether the call is blocked when the failure policy is "deny". */
async function isStopped(id: string, payload: Payload, event: string): Promise<boolean> {
  const argv = ["--host", id, "--event", event, "--on-error", "deny"];
  const { restricts = false } = await answerCall([guard], {}, argv, { env: {}, read: () => JSON.stringify(payload) });
  return restricts;
}

for (const [id, tools] of Object.entries(CALLS)) {
  describe(`on ${id}, a call`, () => {
    const stopped = (tool: string, input: unknown) =>
      isStopped(id, buildCallPayload(id, tool, input), getGateEvent(id));
    for (const [tool, input] of Object.entries(tools)) {
      test(`of ${tool} is allowed, even with nulls or odd types in informational fields`, async () => {
        expect(await stopped(tool, input)).toBe(false);
        for (const field of Object.keys(input).filter((one) => INFORMING.includes(one)))
          for (const value of [null, ...WRONG])
            expect([field, value, await stopped(tool, { ...input, [field]: value })]).toEqual([field, value, false]);
      });
      for (const field of Object.keys(input).filter((one) => !INFORMING.includes(one)))
        test(`of ${tool} with another type of ${field} reaches hooks or fails`, async () => {
          for (const value of WRONG)
            expect([value, await stopped(tool, { ...input, [field]: value })]).toEqual([value, true]);
        });
      test(`of ${tool} with an input that is not an object reaches hooks or fails`, async () => {
        for (const value of [MARK, 5, true, [MARK], [{ ...input }]])
          expect([value, await stopped(tool, value)]).toEqual([value, true]);
      });
    }
    test("with an odd item in a list reaches hooks or fails", async () => {
      for (const [tool, input] of Object.entries(tools))
        for (const [field, list] of Object.entries(input)) {
          if (!Array.isArray(list) || INFORMING.includes(field)) continue;
          const [item] = list as unknown[];
          const within =
            typeof item === "object"
              ? Object.keys(item as object).flatMap((key) =>
                  INFORMING.includes(key) ? [] : [{ ...(item as object), [key]: [MARK] }],
                )
              : [];
          for (const wrong of [5, [MARK], ...within])
            expect([tool, wrong, await stopped(tool, { ...input, [field]: [item, wrong] })]).toEqual([
              tool,
              wrong,
              true,
            ]);
        }
    });
    test("with another type of tool name reaches hooks or fails", async () => {
      for (const value of [5, true, [MARK], { name: MARK }, undefined])
        expect([value, await isStopped(id, buildCallPayload(id, value, {}), getGateEvent(id))]).toEqual([value, true]);
    });
    test("of an unknown tool reaches hooks with any input", async () => {
      for (const value of [MARK, [MARK], [[MARK]], { deep: { text: MARK } }]) {
        expect([value, await stopped("tool_of_tomorrow", value)]).toEqual([value, true]);
        expect([value, await stopped("mcp__server__tool", value)]).toEqual([value, true]);
      }
    });
  });
}

test("every field of every tool schema is tested", async () => {
  for (const [id, tools] of Object.entries(CALLS)) {
    const { inputs = {}, ownNames } = await import(`../../src/hosts/${id}/call.ts`);
    const { TOOLS } = (await import(`../../src/hosts/${id}/tools.ts`)) as { TOOLS: ToolTable };
    const tried = new Set(
      Object.entries(tools).flatMap(([tool, input]) => {
        const names: readonly (readonly [field: string, native: string])[] = ownNames?.(tool) ?? [];
        return Object.keys(input).flatMap((name) => [
          name,
          ...names.flatMap(([field, native]) => (native === name ? field : [])),
        ]);
      }),
    );
    const fields = [
      ...Object.values(inputs as Record<string, () => { entries: object }>).flatMap((schema) =>
        Object.keys(schema().entries),
      ),
      ...Object.values(TOOLS).flatMap(([, names = {}]) => Object.values(names).flat()),
    ];
    expect([id, fields.filter((field) => !tried.has(field))]).toEqual([id, []]);
    expect(fields.length).toBeGreaterThan(5);
  }
});

describe("an event with other types of fields:", () => {
  /** Returns what happens to a payload: a hook sees the text, the call fails, or the text stays hidden. */
  function fate(
    id: string,
    payload: Payload,
    event: string,
    text: (event: any) => string = seen,
  ): "seen" | "failed" | "hidden" {
    const host = hosts.find((known) => known.id === id) as Host;
    try {
      const clean = omitNulls(payload);
      const name = host.getEventName(clean, event);
      return text(host.decodePayload(clean, name, getCapabilityRow(host, name)).event).includes(MARK)
        ? "seen"
        : "hidden";
    } catch {
      return "failed";
    }
  }
  const FIELDS: readonly [host: string, file: string, event: string, fields: readonly string[]][] = [
    ["claude", "UserPromptSubmit", "UserPromptSubmit", ["prompt", "cwd"]],
    ["claude", "PreToolUse-mcp__tiny__echo", "PreToolUse", ["mcp_server", "cwd"]],
    ["codex", "UserPromptSubmit", "UserPromptSubmit", ["prompt", "cwd"]],
    ["cursor", "beforeSubmitPrompt", "beforeSubmitPrompt", ["prompt", "attachments", "cwd", "workspace_roots"]],
    ["cursor", "beforeShellExecution", "beforeShellExecution", ["command", "cwd"]],
    ["cursor", "beforeMCPExecution", "beforeMCPExecution", ["tool_name", "mcp_server_name"]],
    ["cursor", "beforeReadFile", "beforeReadFile", ["file_path", "content"]],
    ["cursor", "afterShellExecution", "afterShellExecution", ["command", "output"]],
    ["cursor", "afterFileEdit", "afterFileEdit", ["file_path", "edits"]],
    ["cursor", "subagentStart", "subagentStart", ["task"]],
    ["gemini", "BeforeAgent", "BeforeAgent", ["prompt", "cwd"]],
    ["gemini", "BeforeTool-mcp_tiny_echo", "BeforeTool", ["mcp_context"]],
    ["copilot", "userPromptSubmitted", "userPromptSubmitted", ["prompt", "cwd"]],
    ["openclaw", "before_agent_run", "before_agent_run", ["prompt", "cwd"]],
    ["opencode", "tool.execute.before.bash", "tool.execute.before", ["cwd", "mcp", "output"]],
    ["opencode", "chat.message", "chat.message", ["cwd", "output"]],
  ];
  /** Wrong values for fields that hold lists of objects, in which other keys are allowed. */
  const OTHERS: Readonly<Record<string, readonly unknown[]>> = {
    mcp: [5, true, [5], { a: MARK }],
    attachments: [5, true, [MARK], { file_path: MARK }, [{ file_path: [MARK] }]],
    output: [
      5,
      true,
      MARK,
      { parts: [MARK] },
      { parts: [{ type: "text", text: [MARK] }] },
      { args: MARK },
      { args: [MARK] },
    ],
  };
  const RESULTS: readonly [host: string, file: string, event: string, change: (value: unknown) => Payload][] = [
    ["claude", "PostToolUse-Bash", "PostToolUse", (stdout) => ({ tool_response: { stdout } })],
    ["claude", "PostToolUseFailure-Bash", "PostToolUseFailure", (error) => ({ error })],
    ["cursor", "postToolUseFailure.Shell", "postToolUseFailure", (error_message) => ({ error_message })],
    ["cursor", "afterMCPExecution", "afterMCPExecution", (result_json) => ({ result_json })],
    ["gemini", "AfterTool-read_file", "AfterTool", (llmContent) => ({ tool_response: { llmContent } })],
    ["copilot", "postToolUse", "postToolUse", (textResultForLlm) => ({ toolResult: { textResultForLlm } })],
    ["copilot", "postToolUseFailure", "postToolUseFailure", (error) => ({ error })],
    ["openclaw", "tool_result-exec", "tool_result", (result) => ({ result })],
    ["openclaw", "tool_failure", "tool_failure", (result) => ({ result })],
    ["opencode", "tool.execute.after.bash", "tool.execute.after", (output) => ({ output: { output, metadata: {} } })],
  ];
  for (const [id, file, event, change] of RESULTS)
    test(`${id} ${event} (${file}) shows the result of a call to hooks`, () => {
      for (const value of [MARK, ...WRONG.slice(2)])
        expect([
          value,
          fate(id, getPayload(id, file, change(value)), event, ({ output, error }) => output?.text ?? error),
        ]).toEqual([value, "seen"]);
    });
  for (const [id, file, event, fields] of FIELDS)
    test(`${id} ${event} shows ${fields.join(", ")} to hooks or fails`, () => {
      expect(fate(id, getPayload(id, file), event)).toBe("hidden");
      for (const field of fields)
        for (const value of OTHERS[field] ?? WRONG) {
          const became = fate(id, getPayload(id, file, { [field]: value }), event);
          // A command's output is shown as text regardless of its type.
          const isLost =
            became === "hidden" && (JSON.stringify(value).includes(MARK) || event !== "afterShellExecution");
          expect([field, value, isLost]).toEqual([field, value, false]);
        }
    });
});
