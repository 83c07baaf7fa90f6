import { expect } from "bun:test";
import { deny, defineHook, paths } from "bridge-hooks";
import destructive from "../../hooks/block-destructive.ts";
import type { Payload } from "../../src/protocol/host/host.ts";
import { simulate } from "../../src/author/testing/index.ts";
import { calledWith, CURSOR_DENIED, recorded, testsIn } from "./answers.ts";
import { createSection, type ClaimCase, type Proof, type SeedDocument } from "./claim.ts";
import { CURSOR_STOP } from "./differences.ts";

/** Payloads without an event name, each with the host detected or named, and with or without optional fields. */
const decoded = testsIn("hosts/cursor/decode.test.ts");
const seen = (stdin: Payload, sees: Payload, args: string[] = []): ClaimCase[] => [
  { host: "cursor", args, stdin, sees },
];

/** A call of an MCP tool. */
const calling = (tool: string, given: Payload) =>
  ({ event: "PreToolUse", tool: "MCP", input: { tool, arguments: given } }) as const;
/** Checks that hooks find the file of an MCP call in `path`. */
const hasPath = (tool: string, given: Payload): Proof[] => [
  decoded("… before it runs"),
  async () => {
    let found: string[] = [];
    const hook = defineHook({
      event: "PreToolUse",
      handler: (event) => void (found = paths(event).map(({ path }) => path)),
    });
    await simulate(hook, calling(tool, { path: "/w/a.py", ...given }), { host: "cursor" });
    expect(found).toEqual(["/w/a.py"]);
  },
];
const EDITS = [{ oldText: "original", newText: "replacement" }];
const stopped = (stdin: Payload, stdout: object) => [[{ host: "cursor", stdin, answer: deny("R"), stdout }]];

const general = createSection("In general", {
  "Hooks get JSON on stdin at key points of a session": [decoded("… before it runs")],
  "Cursor sends these inputs": [
    "differs: Cursor sends the event's name and other fields. Both forms are accepted [seen @cursor/sdk 1.0.22 and 1.0.32, 2026-11-22]",
    decoded("… before it runs"),
    recorded("cursor", "beforeMCPExecution"),
    seen({ prompt: "Fix it." }, { native_event: "beforeSubmitPrompt" }, ["--event", "beforeSubmitPrompt"]),
  ],
  "MCP tools have names in snake_case": [decoded("… before it runs")],
  "Paths are absolute": [decoded("an edit", "… before it runs")],
  "Optional fields may be missing or null, to the same effect": [decoded("a payload of cursor without an event name")],
  "Durations are in milliseconds, and missing if unknown": [
    decoded("has its duration and model", "a successful tool call"),
  ],
});

const prompt = createSection("Before a prompt is sent", {
  "`prompt` is the whole text of the prompt": [decoded("a prompt alone")],
  "`context` is optional": [decoded("a prompt alone", "a prompt in a folder")],
  "`context.files` are the files in the context, each with its `path`": [decoded("a prompt with its files")],
  "Each file in `context.files` has its `content`": [
    seen(
      { prompt: "Fix it.", context: { files: [{ path: "/w/a.py", content: "A=1" }] } },
      { attachments: ["/w/a.py"], _native: { context: { files: [{ content: "A=1" }] } } },
    ),
  ],
  "`context.workspaceFolder` is the root of the workspace": [decoded("a prompt with its files")],
  "The prompt can be stopped there": stopped({ prompt: "Fix it." }, { continue: false, user_message: "R" }),
});

const calls = createSection("Before a call of an MCP tool", {
  "`tool` is the name of the MCP tool, `params` its input": [decoded("… before it runs")],
  "The call can be denied there": stopped({ tool: "write_file", params: { content: "" } }, CURSOR_DENIED),
  "`read_file` has `path` and `encoding`": hasPath("read_file", { encoding: "utf-8" }),
  "`edit_file` has `path` and `edits`, a list of `oldText` and `newText`": hasPath("edit_file", { edits: EDITS }),
  "`write_file` has `path` and `content`": hasPath("write_file", { content: "x" }),
  "`list_files` lists a folder": [
    seen({ tool: "list_files", params: { path: "/w" } }, { input: { tool: "list_files", arguments: { path: "/w" } } }),
  ],
  "`run_command` has `command` and `cwd`, and runs a shell line": [
    decoded("… before it runs"),
    async () => {
      const decide = async (command: string) =>
        (await simulate(destructive, calling("run_command", { command, cwd: "/" }), { host: "cursor" })).decision;
      expect([await decide("rm -rf /"), await decide("npm test")]).toEqual(["deny", undefined]);
    },
  ],
  "`apply_diff` applies a patch": hasPath("apply_diff", { diff: "@@" }),
  "`params` vary from tool to tool": [
    decoded("a tool without arguments"),
    seen({ tool: "send", params: { to: ["a"], urgent: true } }, { input: { arguments: { to: ["a"], urgent: true } } }),
  ],
});

const results = createSection("After a call of an MCP tool", {
  "`tool` and `result` say which tool ran and what it returned": [
    decoded("a successful tool call"),
    seen({ tool: "read_file", result: {} }, { tool: "MCP", tool_name: "MCP:read_file" }),
  ],
  "`result` may be an object, a string or null": [
    decoded("a successful tool call", "a string as the result", "no result"),
  ],
  "`success` may say whether it worked": [
    decoded("a successful tool call", "a failed tool call"),
    seen({ tool: "read_file", result: {} }, { output: expect.not.objectContaining({ is_error: expect.anything() }) }),
  ],
  "A failed call has `success: false` and an `error`": [decoded("a failed tool call")],
  "`duration_ms` is optional": [decoded("has its duration and model", "a failed tool call")],
});

const rest = createSection("After edits and answers, and at the end", {
  "After an edit, `file` is the file's path": [decoded("an edit")],
  "`changes` counts the lines added, removed and modified": [
    seen({ file: "/w/B.tsx", changes: { added: 1 } }, { tool: "Edit", _native: { changes: { added: 1 } } }),
  ],
  "After an answer, `response` is its whole text": [decoded("a response")],
  "`model` may say which model it was": [decoded("has its duration and model")],
  "`tokens` and `duration_ms` are optional": [decoded("a response")],
  "At the end of the session, `reason` is `user_exit`, `timeout`, `error` or `complete`": [
    ["user_exit", "timeout", "error", "complete"].flatMap((reason) =>
      seen({ reason, total_turns: 47 }, { event: "Stop", native_event: "stop", _native: { reason } }),
    ),
  ],
  "`reason` may be missing": [decoded("an end with turns")],
  "`total_turns` is optional": [decoded("an end with a reason")],
  "This event means that the session has ended": [
    `differs: ${CURSOR_STOP}`,
    calledWith("works every other time if the payload has neither a count nor a session"),
    recorded("cursor", "sessionEnd"),
  ],
});

/** Another reference for Cursor's payloads. */
export const inputs: SeedDocument = {
  title: "Another reference for Cursor's inputs",
  about: "Another description of Cursor's inputs, without event names",
  host: "Cursor",
  sections: [general, prompt, calls, results, rest],
};
