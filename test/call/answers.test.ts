import { describe, expect, test } from "bun:test";
import { decodeFixture } from "../support/fixtures.ts";
import { TAB_PAYLOAD, encodeResponse } from "./core-support.ts";

describe("the whole answer", () => {
  const asked = (host: string) => `R\nThis needs the user's approval, which ${host} can't ask for here.`;
  const bash = () => decodeFixture("claude", "PreToolUse-Bash");
  const cursorShell = (version?: string) =>
    decodeFixture("cursor", "beforeShellExecution", version ? { cursor_version: version } : {});
  const opencodeBash = () => decodeFixture("opencode", "tool.execute.before.bash");
  const codexBash = () => decodeFixture("codex", "PreToolUse-Bash");
  const geminiBash = () => decodeFixture("gemini", "BeforeTool-run_shell_command");
  const denied = { decision: "deny", reason: "R", user_message: "U", additional_context: "C" } as const;
  const cases: [name: string, actual: () => unknown, wanted: unknown][] = [
    [
      "to claude contains every text of a denial",
      () => encodeResponse(bash(), denied),
      {
        stdout: {
          systemMessage: "U",
          hookSpecificOutput: {
            hookEventName: "PreToolUse",
            permissionDecision: "deny",
            permissionDecisionReason: "R",
            additionalContext: "C",
          },
        },
        stderr: "R",
        exit_code: 2,
        losses: [],
      },
    ],
    [
      "to claude merges a patch into the whole input",
      () => encodeResponse(bash(), { modified_input: { command: "npm ci" } }),
      {
        stdout: {
          hookSpecificOutput: {
            hookEventName: "PreToolUse",
            updatedInput: { command: "npm ci", description: "a step" },
          },
        },
        stderr: "",
        exit_code: 0,
        losses: [],
      },
    ],
    [
      "to claude is empty if the response is empty",
      () => encodeResponse(bash(), {}),
      { stdout: "", stderr: "", exit_code: 0, losses: [] },
    ],
    [
      "to claude blocks Stop with the reason of a denial",
      () => encodeResponse(decodeFixture("claude", "Stop"), { decision: "deny", reason: "test first" }),
      { stdout: { decision: "block", reason: "test first" }, stderr: "test first", exit_code: 2, losses: [] },
    ],
    [
      "to claude tells the user about a denial that can't be enforced",
      () => encodeResponse(decodeFixture("claude", "SessionStart-startup"), { decision: "deny", reason: "R" }),
      {
        stdout: {
          systemMessage: 'bridge-hooks: a hook returned "deny", but Claude Code can\'t do that on SessionStart. R',
        },
        stderr: "",
        exit_code: 0,
        losses: ["deny unenforceable"],
      },
    ],
    [
      "to cursor contains the reason and message of a denial, but not its context",
      () => encodeResponse(cursorShell(), denied),
      {
        stdout: { permission: "deny", user_message: "U", agent_message: "R" },
        stderr: "R",
        exit_code: 0,
        losses: ["additional_context drop"],
      },
    ],
    [
      "to cursor shows the user the reason of a denial without a message",
      () => encodeResponse(cursorShell(), { decision: "deny", reason: "R" }),
      { stdout: { permission: "deny", user_message: "R", agent_message: "R" }, stderr: "R", exit_code: 0, losses: [] },
    ],
    [
      "to cursor exits with code 2 under --cursor-deny exit",
      () => encodeResponse(cursorShell(), { decision: "deny", reason: "R" }, { cursorDeny: "exit" }),
      { stdout: "", stderr: "R", exit_code: 2, losses: [] },
    ],
    [
      "to cursor is {} if the response is empty",
      () => encodeResponse(cursorShell(), {}),
      { stdout: {}, stderr: "", exit_code: 0, losses: [] },
    ],
    [
      "to cursor 2.4.20 asks the user",
      () => encodeResponse(cursorShell("2.4.20"), { decision: "ask", reason: "R" }),
      { stdout: { permission: "ask", agent_message: "R" }, stderr: "", exit_code: 0, losses: [] },
    ],
    ...["2.4.21", "3.2.16", "1.0.0", "nonsense"].map((version): [string, () => unknown, unknown] => [
      `to cursor ${version} denies instead of asking`,
      () => encodeResponse(cursorShell(version), { decision: "ask", reason: "R" }),
      {
        stdout: { permission: "deny", user_message: asked("Cursor"), agent_message: asked("Cursor") },
        stderr: asked("Cursor"),
        exit_code: 0,
        losses: ["ask downgrade"],
      },
    ]),
    [
      "to cursor asks under --cursor-ask-fallback ask",
      () => encodeResponse(cursorShell("3.2.16"), { decision: "ask", reason: "R" }, { cursorAskFallback: "ask" }),
      { stdout: { permission: "ask", agent_message: "R" }, stderr: "", exit_code: 0, losses: ["ask downgrade"] },
    ],
    ...["preToolUse.Shell", "beforeMCPExecution", "beforeReadFile", "subagentStart"].map(
      (file): [string, () => unknown, unknown] => [
        `to cursor asks at ${file} under --cursor-ask-fallback ask`,
        () =>
          encodeResponse(decodeFixture("cursor", file), { decision: "ask", reason: "R" }, { cursorAskFallback: "ask" }),
        { stdout: { permission: "ask", agent_message: "R" }, stderr: "", exit_code: 0, losses: ["ask downgrade"] },
      ],
    ),
    [
      "to cursor 2.4.20 asks at preToolUse",
      () =>
        encodeResponse(decodeFixture("cursor", "preToolUse.Shell", { cursor_version: "2.4.20" }), {
          decision: "ask",
          reason: "R",
        }),
      { stdout: { permission: "ask", agent_message: "R" }, stderr: "", exit_code: 0, losses: ["ask emulated"] },
    ],
    [
      "to cursor contains a rewritten command",
      () => encodeResponse(decodeFixture("cursor", "preToolUse.Shell"), { modified_input: { command: "npm ci" } }),
      { stdout: { updated_input: { command: "npm ci", cwd: "/home/dev/app" } }, stderr: "", exit_code: 0, losses: [] },
    ],
    [
      "to cursor denies a rewrite of content, which Cursor would ignore",
      () => encodeResponse(decodeFixture("cursor", "preToolUse.Write"), { modified_input: { content: "x" } }),
      {
        stdout: expect.objectContaining({ permission: "deny" }),
        stderr: expect.stringContaining("content"),
        exit_code: 0,
        losses: ["modified_input downgrade"],
      },
    ],
    [
      "to cursor contains a rewritten path",
      () => encodeResponse(decodeFixture("cursor", "preToolUse.Write"), { modified_input: { file_path: "/x" } }),
      { stdout: { updated_input: { file_path: "/x", content: "one\ntwo\n" } }, stderr: "", exit_code: 0, losses: [] },
    ],
    [
      "to cursor denies a rewrite at beforeShellExecution",
      () => encodeResponse(cursorShell(), { modified_input: { command: "npm ci" } }),
      {
        stdout: expect.objectContaining({ permission: "deny" }),
        stderr: expect.any(String),
        exit_code: 0,
        losses: ["modified_input downgrade"],
      },
    ],
    [
      "to cursor is {} if a rewrite changes nothing",
      () => encodeResponse(cursorShell(), { modified_input: { command: "echo HI" } }),
      { stdout: {}, stderr: "", exit_code: 0, losses: [] },
    ],
    [
      "to cursor contains rewritten MCP arguments",
      () =>
        encodeResponse(decodeFixture("cursor", "preToolUse.MCP_echo"), {
          modified_input: { arguments: { text: "x" } },
        }),
      { stdout: { updated_input: { text: "x" } }, stderr: "", exit_code: 0, losses: [] },
    ],
    [
      "to cursor turns a denial at stop into a follow-up message",
      () => encodeResponse(decodeFixture("cursor", "stop"), { decision: "deny", reason: "test first" }),
      { stdout: { followup_message: "test first" }, stderr: "", exit_code: 0, losses: [] },
    ],
    ...(["error", "aborted"] as const).map((status): [string, () => unknown, unknown] => [
      `to cursor has only the context for a subagent that ended with ${status}`,
      () =>
        encodeResponse(decodeFixture("cursor", "subagentStop", { status }), {
          decision: "deny",
          reason: "R",
          additional_context: "C",
        }),
      { stdout: { additional_context: "C" }, stderr: "", exit_code: 0, losses: ["deny unenforceable", "reason drop"] },
    ]),
    [
      "to cursor's Tab shows the message of a denial, or else its reason",
      () => [
        encodeResponse(decodeFixture("cursor", "beforeReadFile", TAB_PAYLOAD), {
          decision: "deny",
          reason: "R",
          user_message: "U",
        }).stdout,
        encodeResponse(decodeFixture("cursor", "beforeReadFile", TAB_PAYLOAD), { decision: "deny", reason: "R" })
          .stdout,
      ],
      [
        { permission: "deny", user_message: "U", agent_message: "R" },
        { permission: "deny", user_message: "R", agent_message: "R" },
      ],
    ],
    [
      "to cursor lets an allowed prompt proceed without the reason",
      () => encodeResponse(decodeFixture("cursor", "beforeSubmitPrompt"), { decision: "allow", reason: "R" }),
      { stdout: { continue: true }, stderr: "", exit_code: 0, losses: ["reason native"] },
    ],
    [
      "to cursor stops a denied prompt with the message",
      () =>
        encodeResponse(decodeFixture("cursor", "beforeSubmitPrompt"), {
          decision: "deny",
          user_message: "secrets detected; not submitting",
        }),
      {
        stdout: { continue: false, user_message: "secrets detected; not submitting" },
        stderr: "",
        exit_code: 0,
        losses: ["deny emulated"],
      },
    ],
    [
      "to cursor's SDK drops context at the session's start",
      () => encodeResponse(decodeFixture("cursor", "sessionStart"), { additional_context: "C" }),
      { stdout: {}, stderr: "", exit_code: 0, losses: ["additional_context drop"] },
    ],
    [
      "to cursor's IDE contains context at the session's start",
      () =>
        encodeResponse(decodeFixture("cursor", "sessionStart", { cursor_version: "3.2.16" }), {
          additional_context: "C",
        }),
      { stdout: { additional_context: "C" }, stderr: "", exit_code: 0, losses: [] },
    ],
    [
      "to codex repeats on stderr what the model reads about a denial",
      () => encodeResponse(codexBash(), denied),
      {
        stdout: {
          systemMessage: "U",
          hookSpecificOutput: {
            hookEventName: "PreToolUse",
            permissionDecision: "deny",
            permissionDecisionReason: "R",
            additionalContext: "C",
          },
        },
        stderr: "R\n\nC",
        exit_code: 2,
        losses: [],
      },
    ],
    [
      "to codex is empty for an allow",
      () => encodeResponse(codexBash(), { decision: "allow" }),
      { stdout: "", stderr: "", exit_code: 0, losses: [] },
    ],
    [
      "to codex denies instead of asking",
      () => encodeResponse(codexBash(), { decision: "ask", reason: "R" }),
      {
        stdout: {
          hookSpecificOutput: {
            hookEventName: "PreToolUse",
            permissionDecision: "deny",
            permissionDecisionReason: asked("Codex"),
          },
        },
        stderr: asked("Codex"),
        exit_code: 2,
        losses: ["ask downgrade"],
      },
    ],
    [
      "to codex is empty for an ask with --codex-ask-fallback ask",
      () => encodeResponse(codexBash(), { decision: "ask", reason: "R" }, { codexAskFallback: "ask" }),
      { stdout: "", stderr: "", exit_code: 0, losses: ["ask downgrade", "reason downgrade"] },
    ],
    [
      "to gemini contains the reason and message of a denial, but not its context",
      () => encodeResponse(geminiBash(), denied),
      {
        stdout: { decision: "deny", reason: "R", systemMessage: "U" },
        stderr: "R",
        exit_code: 2,
        losses: ["additional_context drop"],
      },
    ],
    [
      "to gemini denies with exit code 0 under --gemini-deny json",
      () => encodeResponse(geminiBash(), { decision: "deny", reason: "R" }, { geminiDeny: "json" }),
      { stdout: { decision: "deny", reason: "R" }, stderr: "", exit_code: 0, losses: [] },
    ],
    [
      "to gemini gives a default reason for a denial without one",
      () => encodeResponse(geminiBash(), { decision: "deny" }, { geminiDeny: "json" }),
      { stdout: { decision: "deny", reason: "Denied by a hook." }, stderr: "", exit_code: 0, losses: [] },
    ],
    [
      "to gemini denies instead of asking",
      () => encodeResponse(geminiBash(), { decision: "ask", reason: "R" }),
      {
        stdout: { decision: "deny", reason: asked("Gemini CLI") },
        stderr: asked("Gemini CLI"),
        exit_code: 2,
        losses: ["ask downgrade"],
      },
    ],
    [
      "to gemini asks with the reason under --gemini-ask-fallback ask",
      () => encodeResponse(geminiBash(), { decision: "ask", reason: "R" }, { geminiAskFallback: "ask" }),
      {
        stdout: { decision: "ask", reason: "R", systemMessage: "R" },
        stderr: "",
        exit_code: 0,
        losses: ["ask downgrade"],
      },
    ],
    [
      "to gemini appends the context to the reason of a denial after the call",
      () => encodeResponse(decodeFixture("gemini", "AfterTool-run_shell_command"), denied),
      { stdout: { decision: "deny", reason: "R\n\nC", systemMessage: "U" }, stderr: "", exit_code: 0, losses: [] },
    ],
    [
      "to gemini merges a patch into the whole input",
      () => encodeResponse(geminiBash(), { modified_input: { command: "npm ci" } }),
      {
        stdout: {
          hookSpecificOutput: {
            hookEventName: "BeforeTool",
            tool_input: { command: "npm ci", description: "write marker" },
          },
        },
        stderr: "",
        exit_code: 0,
        losses: [],
      },
    ],
    [
      "to codex contains a rewritten command",
      () => encodeResponse(codexBash(), { modified_input: { command: "npm ci" } }),
      {
        stdout: {
          hookSpecificOutput: {
            hookEventName: "PreToolUse",
            permissionDecision: "allow",
            updatedInput: { command: "npm ci" },
          },
        },
        stderr: "",
        exit_code: 0,
        losses: [],
      },
    ],
    [
      "to codex contains rewritten files as a patch",
      () =>
        encodeResponse(decodeFixture("codex", "PreToolUse-apply_patch"), {
          modified_input: { files: [{ file_path: "b", operation: "delete", edits: [] }] },
        }),
      {
        stdout: {
          hookSpecificOutput: {
            hookEventName: "PreToolUse",
            permissionDecision: "allow",
            updatedInput: { command: "*** Begin Patch\n*** Delete File: b\n*** End Patch\n" },
          },
        },
        stderr: "",
        exit_code: 0,
        losses: [],
      },
    ],
    [
      "to codex ends a session whose start is denied",
      () => encodeResponse(decodeFixture("codex", "SessionStart-startup"), { decision: "deny", reason: "R" }),
      { stdout: { continue: false, stopReason: "R" }, stderr: "", exit_code: 0, losses: ["deny emulated"] },
    ],
    [
      "to codex shows context at Stop to the user",
      () => encodeResponse(decodeFixture("codex", "Stop"), { additional_context: "C" }),
      { stdout: { systemMessage: "C" }, stderr: "", exit_code: 0, losses: ["additional_context emulated"] },
    ],
    [
      "to opencode contains every text of a denial",
      () => encodeResponse(opencodeBash(), denied),
      {
        stdout: { deny: "R", context: "C", message: "U" },
        stderr: "R",
        exit_code: 2,
        losses: [],
      },
    ],
    [
      "to opencode is empty for an allow",
      () => encodeResponse(opencodeBash(), { decision: "allow" }),
      { stdout: "", stderr: "", exit_code: 0, losses: [] },
    ],
    [
      "to opencode denies instead of asking",
      () => encodeResponse(opencodeBash(), { decision: "ask", reason: "R" }),
      { stdout: { deny: asked("OpenCode") }, stderr: asked("OpenCode"), exit_code: 2, losses: ["ask downgrade"] },
    ],
    [
      "to opencode merges a patch into all arguments",
      () => encodeResponse(opencodeBash(), { modified_input: { command: "npm ci", cwd: "/w" } }),
      {
        stdout: { args: { command: "npm ci", description: "d", workdir: "/w" } },
        stderr: "",
        exit_code: 0,
        losses: [],
      },
    ],
    [
      "to opencode denies a rewrite to two files, which its edit tool can't do",
      () =>
        encodeResponse(decodeFixture("opencode", "tool.execute.before.edit"), {
          modified_input: {
            files: [
              { file_path: "a", operation: "update", edits: [{ old_string: "1", new_string: "2" }] },
              { file_path: "b", operation: "update", edits: [{ old_string: "1", new_string: "2" }] },
            ],
          },
        }),
      {
        stdout: { deny: expect.any(String) },
        stderr: expect.any(String),
        exit_code: 2,
        losses: ["modified_input downgrade"],
      },
    ],
    [
      "to opencode contains a rewritten edit",
      () =>
        encodeResponse(decodeFixture("opencode", "tool.execute.before.edit"), {
          modified_input: {
            files: [{ file_path: "b", operation: "update", edits: [{ old_string: "1", new_string: "2" }] }],
          },
        }),
      { stdout: { args: { filePath: "b", oldString: "1", newString: "2" } }, stderr: "", exit_code: 0, losses: [] },
    ],
    [
      "to opencode contains rewritten MCP arguments",
      () =>
        encodeResponse(decodeFixture("opencode", "tool.execute.before.tiny_echo"), {
          modified_input: { arguments: { text: "x" } },
        }),
      { stdout: { args: { text: "x" } }, stderr: "", exit_code: 0, losses: [] },
    ],
    [
      "to opencode denies the start of a session",
      () => encodeResponse(decodeFixture("opencode", "session.created"), { decision: "deny", reason: "R" }),
      { stdout: { deny: "R" }, stderr: "R", exit_code: 2, losses: ["deny emulated"] },
    ],
    [
      "to opencode turns a denial at the end of a turn into a message to continue",
      () => encodeResponse(decodeFixture("opencode", "session.idle"), { decision: "deny", reason: "test first" }),
      { stdout: { go_on: "test first" }, stderr: "", exit_code: 0, losses: ["deny emulated"] },
    ],
    [
      "to opencode appends the reason and context to the result after a call",
      () =>
        encodeResponse(decodeFixture("opencode", "tool.execute.after.bash"), {
          decision: "deny",
          reason: "R",
          additional_context: "C",
        }),
      { stdout: { context: "R\n\nC" }, stderr: "", exit_code: 0, losses: ["deny emulated"] },
    ],
    [
      "to codex denies a permission request with the reason",
      () =>
        encodeResponse(decodeFixture("codex", "PermissionRequest-Bash-mode-default"), {
          decision: "deny",
          reason: "R",
        }),
      {
        stdout: {
          hookSpecificOutput: { hookEventName: "PermissionRequest", decision: { behavior: "deny", message: "R" } },
        },
        stderr: "R",
        exit_code: 2,
        losses: [],
      },
    ],
  ];
  for (const [name, actual, wanted] of cases) test(name, () => expect(actual()).toEqual(wanted));
});
