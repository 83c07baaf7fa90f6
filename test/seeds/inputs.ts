import { expect } from "bun:test";
import { deny, defineHook, paths } from "bridge-hooks";
import destructive from "../../hooks/block-destructive.ts";
import type { Payload } from "../../src/protocol/host/host.ts";
import { simulate } from "../../src/author/testing/index.ts";
import { calledWith, recorded, testsIn } from "./answers.ts";
import type { ClaimCase, Claim, ClaimSection, SeedDocument } from "./claim.ts";

/** Payloads without an event's name, each with its host detected and named, and with its optional fields or without. */
const decoded = testsIn("hosts/cursor/decode.test.ts");
const seen = (stdin: Payload, sees: Payload, args: string[] = []): ClaimCase[] => [
  { host: "cursor", args, stdin, sees },
];

/** A call of an MCP tool. */
const calling = (tool: string, given: Payload) =>
  ({ event: "PreToolUse", tool: "MCP", input: { tool, arguments: given } }) as const;
/** A call of an MCP tool is about a file: hooks find it in `path`. */
const aboutFile = (says: string, tool: string, given: Payload): Claim => ({
  says,
  shownBy: decoded("… before it runs"),
  async check() {
    let found: string[] = [];
    const handler = (event: Parameters<typeof paths>[0]) => void (found = paths(event).map(({ path }) => path));
    const hook = defineHook({ event: "PreToolUse", handler });
    await simulate(hook, calling(tool, { path: "/w/a.py", ...given }), { host: "cursor" });
    expect(found).toEqual(["/w/a.py"]);
  },
});

const general: Claim[] = [
  { says: "Hooks get JSON on stdin at key points of a session", shownBy: decoded("… before it runs") },
  {
    says: "These are the inputs that Cursor sends",
    differs:
      "no release is known to send them: Cursor names the event and has other fields; both forms are read, an event without a name is recognised by its fields, and an entry's `--event` names it as well [seen @cursor/sdk 1.0.22 and 1.0.32, 2026-11-22]",
    shownBy: [...decoded("… before it runs"), ...recorded("cursor", "beforeMCPExecution")],
    cases: seen({ prompt: "Fix it." }, { native_event: "beforeSubmitPrompt" }, ["--event", "beforeSubmitPrompt"]),
  },
  { says: "MCP tools have names in snake_case", shownBy: decoded("… before it runs") },
  { says: "Paths are absolute", shownBy: decoded("an edit", "… before it runs") },
  {
    says: "Optional fields may be missing or null, to the same effect",
    shownBy: decoded("cursor: payloads that name no event"),
  },
  {
    says: "Durations are in milliseconds, and missing if unknown",
    shownBy: decoded("the durations and the model", "a tool that worked"),
  },
];

const prompt: ClaimSection = {
  title: "Before a prompt is sent",
  claims: [
    { says: "`prompt` is the whole text of the prompt", shownBy: decoded("a prompt alone") },
    { says: "`context` is optional", shownBy: decoded("a prompt alone", "a prompt in a folder") },
    {
      says: "`context.files` are the files in the context, each with its `path`",
      shownBy: decoded("a prompt with its files"),
    },
    {
      says: "Each file in `context.files` has its `content`",
      cases: seen(
        { prompt: "Fix it.", context: { files: [{ path: "/w/a.py", content: "A=1" }] } },
        { attachments: ["/w/a.py"], _native: { context: { files: [{ content: "A=1" }] } } },
      ),
    },
    { says: "`context.workspaceFolder` is the root of the workspace", shownBy: decoded("a prompt with its files") },
    {
      says: "The prompt can be stopped there",
      cases: [
        {
          host: "cursor",
          stdin: { prompt: "Fix it." },
          answer: deny("No."),
          stdout: { continue: false, user_message: "No." },
        },
      ],
    },
  ],
};

const calls: ClaimSection = {
  title: "Before a call of an MCP tool",
  claims: [
    { says: "`tool` is the name of the MCP tool, `params` its input", shownBy: decoded("… before it runs") },
    {
      says: "The call can be denied there",
      cases: [
        {
          stdin: { tool: "write_file", params: { path: "/w/a.py", content: "" } },
          answer: deny("No."),
          stdout: { permission: "deny", user_message: "No.", agent_message: "No." },
        },
      ],
    },
    aboutFile("`read_file` has `path` and `encoding`", "read_file", { encoding: "utf-8" }),
    aboutFile("`edit_file` has `path` and `edits`, a list of `oldText` and `newText`", "edit_file", {
      edits: [{ oldText: "original", newText: "replacement" }],
    }),
    aboutFile("`write_file` has `path` and `content`", "write_file", { content: "x" }),
    {
      says: "`list_files` lists a folder",
      cases: seen(
        { tool: "list_files", params: { path: "/w" } },
        { input: { tool: "list_files", arguments: { path: "/w" } } },
      ),
    },
    {
      says: "`run_command` has `command` and `cwd`, and runs a shell line",
      shownBy: decoded("… before it runs"),
      async check() {
        const decide = async (command: string) =>
          (await simulate(destructive, calling("run_command", { command, cwd: "/" }), { host: "cursor" })).decision;
        expect([await decide("rm -rf /"), await decide("npm test")]).toEqual(["deny", undefined]);
      },
    },
    aboutFile("`apply_diff` applies a patch", "apply_diff", { diff: "@@" }),
    {
      says: "`params` vary from tool to tool",
      shownBy: decoded("a tool with no argument"),
      cases: seen(
        { tool: "send", params: { to: ["a"], urgent: true } },
        { input: { arguments: { to: ["a"], urgent: true } } },
      ),
    },
  ],
};

const results: ClaimSection = {
  title: "After a call of an MCP tool",
  claims: [
    {
      says: "`tool` and `result` say which tool ran and what it returned",
      shownBy: decoded("a tool that worked"),
      cases: seen({ tool: "read_file", result: {} }, { tool: "MCP", tool_name: "MCP:read_file" }),
    },
    {
      says: "`result` may be an object, a string or null",
      shownBy: decoded("a tool that worked", "a text as result", "no result"),
    },
    {
      says: "`success` may say whether it worked",
      shownBy: decoded("a tool that worked", "a tool that failed"),
      cases: seen(
        { tool: "read_file", result: {} },
        { output: expect.not.objectContaining({ is_error: expect.anything() }) },
      ),
    },
    { says: "A failed call has `success: false` and an `error`", shownBy: decoded("a tool that failed") },
    { says: "`duration_ms` is optional", shownBy: decoded("the durations and the model", "a tool that failed") },
  ],
};

const rest: ClaimSection = {
  title: "After edits and answers, and at the end",
  claims: [
    { says: "After an edit, `file` is the file's path", shownBy: decoded("an edit") },
    {
      says: "`changes` counts the lines added, removed and modified",
      cases: seen({ file: "/w/B.tsx", changes: { added: 1 } }, { tool: "Edit", _native: { changes: { added: 1 } } }),
    },
    { says: "After an answer, `response` is its whole text", shownBy: decoded("a response") },
    { says: "`model` may say which model it was", shownBy: decoded("the durations and the model") },
    { says: "`tokens` and `duration_ms` are optional", shownBy: decoded("a response") },
    {
      says: "At the end of the session, `reason` is `user_exit`, `timeout`, `error` or `complete`",
      cases: ["user_exit", "timeout", "error", "complete"].flatMap((reason) =>
        seen({ reason, total_turns: 47 }, { event: "Stop", native_event: "stop", _native: { reason } }),
      ),
    },
    { says: "`reason` may be missing", shownBy: decoded("an end with turns") },
    { says: "`total_turns` is optional", shownBy: decoded("an end with a reason") },
    {
      says: "This event means that the session has ended",
      differs:
        "it is Cursor's `stop`, the end of a turn, where a denial makes the agent go on; a session's end is `sessionEnd` [seen @cursor/sdk 1.0.32, 2026-11-21]",
      shownBy: [...calledWith("a host that has no effect at all"), ...recorded("cursor", "sessionEnd")],
    },
  ],
};

/** Another reference of Cursor's payloads. */
export const inputs: SeedDocument = {
  title: "Another reference for Cursor's inputs",
  about: "A description of Cursor's inputs that has its own field names and no event names.",
  sections: [{ title: "In general", claims: general }, prompt, calls, results, rest],
};
