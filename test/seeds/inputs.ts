import { expect } from "bun:test";
import { deny, defineHook, paths } from "bridge-hooks";
import destructive from "../../hooks/block-destructive.ts";
import type { Payload } from "../../src/protocol/host/host.ts";
import { simulate } from "../../src/author/testing/index.ts";
import type { ClaimCase, Claim, ClaimSection, SeedDocument } from "./claim.ts";

/** A payload of this reference, once with its host detected and once with it named. */
const read = (stdin: Payload, sees: Payload, more: Partial<ClaimCase> = {}): ClaimCase[] => [
  { stdin, sees: { host: "cursor", ...sees }, ...more },
  { host: "cursor", stdin, sees: { host: "cursor", ...sees }, ...more },
];
/** A payload that other hosts may send as well: only with its host named. */
const named = (stdin: Payload, sees: Payload, more: Partial<ClaimCase> = {}): ClaimCase[] => [
  { host: "cursor", stdin, sees, ...more },
];

/** The files that a hook finds in a call of an MCP tool. */
async function filesOf(tool: string, given: Payload): Promise<string[]> {
  let found: string[] = [];
  const hook = defineHook({
    event: "PreToolUse",
    handler: (event) => void (found = paths(event).map(({ path }) => path)),
  });
  await simulate(hook, { event: "PreToolUse", tool: "MCP", input: { tool, arguments: given } }, { host: "cursor" });
  return found;
}

const path = "/Users/user/project/src/main.py";
const before = (tool: string, params: unknown) => ({ tool, params });
const after = (tool: string, result: unknown, more: Payload = {}) => ({ tool, result, ...more });

const prompt: ClaimSection = {
  title: "Before a prompt is sent",
  claims: [
    {
      says: "`prompt` is the whole text of the prompt",
      cases: named(
        { prompt: "Fix it." },
        { event: "UserPromptSubmit", native_event: "beforeSubmitPrompt", prompt: "Fix it." },
      ),
    },
    {
      says: "`context` is optional",
      cases: [
        ...read(
          { prompt: "Fix it.", context: { files: [], workspaceFolder: "/w" } },
          { event: "UserPromptSubmit", prompt: "Fix it." },
        ),
        ...named({ prompt: "Fix it." }, { prompt: "Fix it.", attachments: [] }),
      ],
    },
    {
      says: "`context.files` are the files in the context, each with its `path`",
      cases: read(
        { prompt: "Fix it.", context: { files: [{ path: "/w/a.py" }, { path: "/w/b.js" }] } },
        { event: "UserPromptSubmit", attachments: ["/w/a.py", "/w/b.js"] },
      ),
    },
    {
      says: "Each file in `context.files` has its `content`",
      cases: read(
        { prompt: "Fix it.", context: { files: [{ path: "/w/a.py", content: "A=1" }] } },
        { _native: { context: { files: [{ content: "A=1" }] } } },
      ),
    },
    {
      says: "`context.workspaceFolder` is the root of the workspace",
      cases: read(
        { prompt: "Fix it.", context: { workspaceFolder: "/Users/user/project" } },
        { cwd: "/Users/user/project" },
      ),
    },
    {
      says: "The prompt can be stopped there",
      cases: [
        {
          host: "cursor",
          stdin: { prompt: "Fix it." },
          answer: deny("No."),
          stdout: { continue: false, user_message: "No." },
        },
        {
          host: "cursor",
          args: ["--event", "beforeSubmitPrompt"],
          stdin: { prompt: "Fix it." },
          sees: { event: "UserPromptSubmit" },
        },
      ],
    },
  ],
};

const edits = [{ oldText: "original", newText: "replacement" }];

const calls: ClaimSection = {
  title: "Before a call of an MCP tool",
  claims: [
    {
      says: "`tool` is the name of the MCP tool, `params` its input",
      cases: read(before("read_file", { path, encoding: "utf-8" }), {
        event: "PreToolUse",
        native_event: "beforeMCPExecution",
        tool: "MCP",
        tool_name: "MCP:read_file",
        input: { tool: "read_file", arguments: { path, encoding: "utf-8" } },
      }),
    },
    {
      says: "The call can be denied there",
      cases: [
        {
          host: "cursor",
          stdin: before("write_file", { path, content: "" }),
          answer: deny("No."),
          stdout: { permission: "deny", user_message: "No.", agent_message: "No." },
        },
      ],
    },
    {
      says: "`read_file` has `path` and `encoding`",
      check: async () => expect(await filesOf("read_file", { path, encoding: "utf-8" })).toEqual([path]),
    },
    {
      says: "`edit_file` has `path` and `edits`, a list of `oldText` and `newText`",
      cases: read(before("edit_file", { path, edits }), { input: { tool: "edit_file", arguments: { path, edits } } }),
      check: async () => expect(await filesOf("edit_file", { path, edits })).toEqual([path]),
    },
    {
      says: "`write_file` has `path` and `content`",
      cases: read(before("write_file", { path, content: "x" }), {
        input: { tool: "write_file", arguments: { path, content: "x" } },
      }),
      check: async () => expect(await filesOf("write_file", { path, content: "x" })).toEqual([path]),
    },
    {
      says: "`list_files` lists a folder",
      cases: read(before("list_files", { path: "/w" }), { input: { tool: "list_files", arguments: { path: "/w" } } }),
    },
    {
      says: "`run_command` has `command` and `cwd`, and runs a shell line",
      cases: read(before("run_command", { command: "npm test", cwd: "/Users/user/project" }), {
        tool: "MCP",
        input: { tool: "run_command", arguments: { command: "npm test", cwd: "/Users/user/project" } },
      }),
      async check() {
        const decide = async (command: string) => {
          const call = {
            event: "PreToolUse",
            tool: "MCP",
            input: { tool: "run_command", arguments: { command, cwd: "/" } },
          } as const;
          return (await simulate(destructive, call, { host: "cursor" })).decision;
        };
        expect([await decide("rm -rf /"), await decide("npm test")]).toEqual(["deny", undefined]);
      },
    },
    {
      says: "`apply_diff` applies a patch",
      cases: read(before("apply_diff", { path, diff: "@@" }), {
        input: { tool: "apply_diff", arguments: { path, diff: "@@" } },
      }),
      check: async () => expect(await filesOf("apply_diff", { path, diff: "@@" })).toEqual([path]),
    },
    {
      says: "`params` vary from tool to tool",
      cases: [
        ...read(before("send", { to: ["a"], urgent: true }), { input: { arguments: { to: ["a"], urgent: true } } }),
        ...read(before("ping", null), { tool: "MCP", input: { tool: "ping" } }),
      ],
    },
  ],
};

const results: ClaimSection = {
  title: "After a call of an MCP tool",
  claims: [
    {
      says: "`tool` and `result` say which tool ran and what it returned",
      cases: read(after("read_file", { success: true, content: "A=1", lines_changed: 0 }), {
        event: "PostToolUse",
        native_event: "afterMCPExecution",
        tool: "MCP",
        tool_name: "MCP:read_file",
        output: { raw: { success: true, content: "A=1", lines_changed: 0 } },
      }),
    },
    {
      says: "`result` may be an object, a string or null",
      cases: [
        ...read(after("read_file", { content: "A=1" }), { output: { raw: { content: "A=1" } } }),
        ...read(after("read_file", "A=1"), { output: { text: "A=1" } }),
        ...read(after("read_file", null), { event: "PostToolUse", tool: "MCP", tool_name: "MCP:read_file" }),
      ],
    },
    {
      says: "`success` may say whether it worked",
      cases: [
        ...read(after("read_file", { success: true }), { output: { is_error: false } }),
        {
          host: "cursor",
          stdin: after("read_file", {}),
          sees: { output: expect.not.objectContaining({ is_error: expect.anything() }) },
        },
      ],
    },
    {
      says: "A failed call has `success: false` and an `error`",
      cases: read(after("read_file", { success: false, error: "File not found" }, { duration_ms: 12 }), {
        output: { is_error: true, text: expect.stringContaining("File not found") },
        duration_ms: 12,
      }),
    },
    {
      says: "`duration_ms` is optional",
      cases: [
        ...read(after("read_file", {}, { duration_ms: 45 }), { duration_ms: 45 }),
        { host: "cursor", stdin: after("read_file", {}), sees: { event: "PostToolUse", tool: "MCP" } },
      ],
    },
  ],
};

const file = "/Users/user/project/src/components/Button.tsx";
const changes = { added: 12, removed: 5, modified: 3 };

const rest: ClaimSection = {
  title: "After edits and answers, and at the end",
  claims: [
    {
      says: "After an edit, `file` is the file's path",
      cases: read(
        { file, changes },
        {
          event: "PostToolUse",
          native_event: "afterFileEdit",
          tool: "Edit",
          input: { files: [{ file_path: file, operation: "update" }] },
        },
      ),
    },
    {
      says: "`changes` counts the lines added, removed and modified",
      cases: read({ file, changes }, { _native: { changes }, input: { files: [{ edits: [] }] } }),
    },
    {
      says: "After an answer, `response` is its whole text",
      cases: read(
        { response: "Done." },
        { event: "Native", native_event: "afterAgentResponse", _native: { response: "Done." } },
      ),
    },
    {
      says: "`model` may say which model it was",
      cases: read({ response: "Done.", model: "m-1", tokens: 5 }, { model: "m-1" }),
    },
    {
      says: "`tokens` and `duration_ms` are optional",
      cases: read(
        { response: "Done.", tokens: 1250, duration_ms: 3400 },
        { _native: { tokens: 1250, duration_ms: 3400 } },
      ),
    },
    {
      says: "At the end of the session, `reason` is `user_exit`, `timeout`, `error` or `complete`",
      cases: ["user_exit", "timeout", "error", "complete"].flatMap((reason) =>
        read({ reason, total_turns: 47 }, { event: "Stop", native_event: "stop", _native: { reason } }),
      ),
    },
    {
      says: "`reason` may be missing",
      cases: read({ total_turns: 47 }, { event: "Stop", native_event: "stop" }),
    },
    {
      says: "`total_turns` is optional",
      cases: [
        ...read({ total_turns: 47 }, { _native: { total_turns: 47 } }),
        ...named({ reason: "complete" }, { event: "Stop" }),
      ],
    },
    {
      says: "This event means that the session has ended",
      differs:
        "it is Cursor's `stop`, the end of a turn, where a denial makes the agent go on; a session's end is `sessionEnd` [seen @cursor/sdk 1.0.32, 2026-11-21]",
      cases: [
        {
          host: "cursor",
          stdin: { reason: "complete", total_turns: 47 },
          answer: deny("The tests have not run."),
          stdout: { followup_message: "The tests have not run." },
        },
        {
          host: "cursor",
          stdin: { hook_event_name: "sessionEnd", conversation_id: "c", reason: "completed" },
          sees: { event: "SessionEnd", reason: "completed" },
        },
      ],
    },
  ],
};

const optional: readonly [stdin: Payload, sees: Payload][] = [
  [
    { prompt: "Fix it.", context: null },
    { event: "UserPromptSubmit", attachments: [] },
  ],
  [
    { prompt: "Fix it.", context: { files: null, workspaceFolder: null } },
    { event: "UserPromptSubmit", attachments: [] },
  ],
  [
    { tool: "read_file", result: {}, duration_ms: null },
    { event: "PostToolUse", tool: "MCP" },
  ],
  [
    { response: "Done.", model: null, tokens: null, duration_ms: null },
    { event: "Native", native_event: "afterAgentResponse" },
  ],
  [{ reason: null, total_turns: 47 }, { event: "Stop" }],
];

const general: Claim[] = [
  {
    says: "Hooks get JSON on stdin at key points of a session",
    cases: read(before("read_file", { path }), { event: "PreToolUse", _native: before("read_file", { path }) }),
  },
  {
    says: "These are the inputs that Cursor sends",
    differs:
      "no release is known to send them: Cursor names the event and has other fields; both forms are read, an event without a name is recognised by its fields, and an entry's `--event` names it as well [seen @cursor/sdk 1.0.22 and 1.0.32, 2026-11-22]",
    cases: [
      ...read(before("read_file", { path }), { native_event: "beforeMCPExecution" }),
      {
        host: "cursor",
        stdin: {
          hook_event_name: "beforeMCPExecution",
          conversation_id: "c",
          tool_name: "read_file",
          tool_input: `{"path":"${path}"}`,
        },
        sees: { native_event: "beforeMCPExecution", tool: "MCP", input: { tool: "read_file", arguments: { path } } },
      },
    ],
  },
  {
    says: "MCP tools have names in snake_case",
    cases: ["read_file", "edit_file", "run_command"].flatMap((tool) => read(before(tool, {}), { input: { tool } })),
  },
  {
    says: "Paths are absolute",
    cases: read({ file, changes }, { input: { files: [{ file_path: file }] } }),
    check: async () => expect(await filesOf("read_file", { path })).toEqual([path]),
  },
  {
    says: "Optional fields may be missing or null, to the same effect",
    cases: optional.flatMap(([stdin, sees]) => named(stdin, sees)),
  },
  {
    says: "Durations are in milliseconds, and missing if unknown",
    cases: [
      ...read(after("read_file", {}, { duration_ms: 45 }), { duration_ms: 45 }),
      ...named(after("read_file", {}, { duration_ms: null }), { event: "PostToolUse", tool: "MCP" }),
    ],
  },
];

/** Another reference of Cursor's payloads. */
export const inputs: SeedDocument = {
  title: "Another reference for Cursor's inputs",
  about: "A description of Cursor's inputs that has its own field names and no event names.",
  sections: [{ title: "In general", claims: general }, prompt, calls, results, rest],
};
