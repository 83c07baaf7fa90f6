import { describe, expect, test } from "bun:test";
import { decodeFixture } from "../support/fixtures.ts";
import { TAB_PAYLOAD, encodeResponse } from "./core-support.ts";

describe("whole answers", () => {
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
      "claude: deny with all texts",
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
      "claude: rewrite keeps what the patch does not name",
      () => encodeResponse(bash(), { modified_input: { command: "npm ci" } }),
      {
        stdout: {
          hookSpecificOutput: {
            hookEventName: "PreToolUse",
            updatedInput: { command: "npm ci", description: "write marker" },
          },
        },
        stderr: "",
        exit_code: 0,
        losses: [],
      },
    ],
    [
      "claude: nothing to say is not an output",
      () => encodeResponse(bash(), {}),
      { stdout: "", stderr: "", exit_code: 0, losses: [] },
    ],
    [
      "claude: Stop",
      () => encodeResponse(decodeFixture("claude", "Stop"), { decision: "deny", reason: "test first" }),
      { stdout: { decision: "block", reason: "test first" }, stderr: "test first", exit_code: 2, losses: [] },
    ],
    [
      "claude: a denial that can't be enforced is told to the user",
      () => encodeResponse(decodeFixture("claude", "SessionStart-startup"), { decision: "deny", reason: "R" }),
      {
        stdout: {
          systemMessage: 'bridge-hooks: a hook answered "deny", but Claude Code can\'t do that at SessionStart. R',
        },
        stderr: "",
        exit_code: 0,
        losses: ["deny unenforceable"],
      },
    ],
    [
      "cursor: deny with all texts",
      () => encodeResponse(cursorShell(), denied),
      {
        stdout: { permission: "deny", user_message: "U", agent_message: "R" },
        stderr: "R",
        exit_code: 0,
        losses: ["additional_context drop"],
      },
    ],
    [
      "cursor: a denial carries its reason to the user too",
      () => encodeResponse(cursorShell(), { decision: "deny", reason: "R" }),
      { stdout: { permission: "deny", user_message: "R", agent_message: "R" }, stderr: "R", exit_code: 0, losses: [] },
    ],
    [
      "cursor: cursorDeny exit",
      () => encodeResponse(cursorShell(), { decision: "deny", reason: "R" }, { cursorDeny: "exit" }),
      { stdout: { permission: "deny", user_message: "R", agent_message: "R" }, stderr: "R", exit_code: 2, losses: [] },
    ],
    [
      "cursor: nothing to say is {}",
      () => encodeResponse(cursorShell(), {}),
      { stdout: {}, stderr: "", exit_code: 0, losses: [] },
    ],
    [
      "cursor 2.4.20: ask",
      () => encodeResponse(cursorShell("2.4.20"), { decision: "ask", reason: "R" }),
      { stdout: { permission: "ask", agent_message: "R" }, stderr: "", exit_code: 0, losses: [] },
    ],
    ...["2.4.21", "3.2.16", "1.0.0", "nonsense"].map((version): [string, () => unknown, unknown] => [
      `cursor ${version}: ask is denied`,
      () => encodeResponse(cursorShell(version), { decision: "ask", reason: "R" }),
      {
        stdout: { permission: "deny", user_message: asked("Cursor"), agent_message: asked("Cursor") },
        stderr: asked("Cursor"),
        exit_code: 0,
        losses: ["ask downgrade"],
      },
    ]),
    [
      "cursor: ask, with the fallback turned off",
      () => encodeResponse(cursorShell("3.2.16"), { decision: "ask", reason: "R" }, { cursorAskFallback: "ask" }),
      { stdout: { permission: "ask", agent_message: "R" }, stderr: "", exit_code: 0, losses: ["ask downgrade"] },
    ],
    [
      "cursor: ask on beforeReadFile is denied whatever the fallback",
      () =>
        encodeResponse(
          decodeFixture("cursor", "beforeReadFile"),
          { decision: "ask", reason: "R" },
          { cursorAskFallback: "ask" },
        ),
      {
        stdout: { permission: "deny", user_message: asked("Cursor"), agent_message: asked("Cursor") },
        stderr: asked("Cursor"),
        exit_code: 0,
        losses: ["ask downgrade"],
      },
    ],
    [
      "cursor: a rewritten command",
      () => encodeResponse(decodeFixture("cursor", "preToolUse.Shell"), { modified_input: { command: "npm ci" } }),
      { stdout: { updated_input: { command: "npm ci", cwd: "/home/dev/app" } }, stderr: "", exit_code: 0, losses: [] },
    ],
    [
      "cursor: a rewritten content would be ignored, so it is denied",
      () => encodeResponse(decodeFixture("cursor", "preToolUse.Write"), { modified_input: { content: "x" } }),
      {
        stdout: expect.objectContaining({ permission: "deny" }),
        stderr: expect.stringContaining("content"),
        exit_code: 0,
        losses: ["modified_input downgrade"],
      },
    ],
    [
      "cursor: a rewritten path is honoured",
      () => encodeResponse(decodeFixture("cursor", "preToolUse.Write"), { modified_input: { file_path: "/x" } }),
      { stdout: { updated_input: { file_path: "/x", content: "one\ntwo\n" } }, stderr: "", exit_code: 0, losses: [] },
    ],
    [
      "cursor: a rewrite at a specific event is denied",
      () => encodeResponse(cursorShell(), { modified_input: { command: "npm ci" } }),
      {
        stdout: expect.objectContaining({ permission: "deny" }),
        stderr: expect.any(String),
        exit_code: 0,
        losses: ["modified_input downgrade"],
      },
    ],
    [
      "cursor: a rewrite that changes nothing loses nothing",
      () => encodeResponse(cursorShell(), { modified_input: { command: "echo HI" } }),
      { stdout: {}, stderr: "", exit_code: 0, losses: [] },
    ],
    [
      "cursor: MCP arguments",
      () =>
        encodeResponse(decodeFixture("cursor", "preToolUse.MCP_echo"), {
          modified_input: { arguments: { text: "x" } },
        }),
      { stdout: { updated_input: { text: "x" } }, stderr: "", exit_code: 0, losses: [] },
    ],
    [
      "cursor: stop",
      () => encodeResponse(decodeFixture("cursor", "stop"), { decision: "deny", reason: "test first" }),
      { stdout: { followup_message: "test first" }, stderr: "", exit_code: 0, losses: [] },
    ],
    ...(["error", "aborted"] as const).map((status): [string, () => unknown, unknown] => [
      `cursor: a subagent that ended with ${status} can't be told to go on`,
      () =>
        encodeResponse(decodeFixture("cursor", "subagentStop", { status }), {
          decision: "deny",
          reason: "R",
          additional_context: "C",
        }),
      { stdout: { additional_context: "C" }, stderr: "", exit_code: 0, losses: ["deny unenforceable", "reason drop"] },
    ]),
    [
      "cursor: Tab is told what the hook has for the person, or else the reason",
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
      "cursor: a prompt that may go on has no place for a reason",
      () => encodeResponse(decodeFixture("cursor", "beforeSubmitPrompt"), { decision: "allow", reason: "R" }),
      { stdout: { continue: true }, stderr: "", exit_code: 0, losses: ["reason native"] },
    ],
    [
      "cursor: prompt",
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
      "cursor: context in the SDK's session start",
      () => encodeResponse(decodeFixture("cursor", "sessionStart"), { additional_context: "C" }),
      { stdout: {}, stderr: "", exit_code: 0, losses: ["additional_context drop"] },
    ],
    [
      "cursor: context in the IDE's session start",
      () =>
        encodeResponse(decodeFixture("cursor", "sessionStart", { cursor_version: "3.2.16" }), {
          additional_context: "C",
        }),
      { stdout: { additional_context: "C" }, stderr: "", exit_code: 0, losses: [] },
    ],
    [
      "codex: deny, everything on stderr",
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
        stderr: "R\n\nU\n\nC",
        exit_code: 2,
        losses: [],
      },
    ],
    [
      "codex: allow prints nothing",
      () => encodeResponse(codexBash(), { decision: "allow" }),
      { stdout: "", stderr: "", exit_code: 0, losses: [] },
    ],
    [
      "codex: ask is denied",
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
      "codex: ask, with the fallback turned off, prints nothing",
      () => encodeResponse(codexBash(), { decision: "ask", reason: "R" }, { codexAskFallback: "ask" }),
      { stdout: "", stderr: "", exit_code: 0, losses: ["ask downgrade", "reason downgrade"] },
    ],
    [
      "gemini: deny with all texts",
      () => encodeResponse(geminiBash(), denied),
      {
        stdout: { decision: "deny", reason: "R", systemMessage: "U" },
        stderr: "R",
        exit_code: 2,
        losses: ["additional_context drop"],
      },
    ],
    [
      "gemini: deny by the document alone",
      () => encodeResponse(geminiBash(), { decision: "deny", reason: "R" }, { geminiDeny: "json" }),
      { stdout: { decision: "deny", reason: "R" }, stderr: "", exit_code: 0, losses: [] },
    ],
    [
      "gemini: deny without a reason",
      () => encodeResponse(geminiBash(), { decision: "deny" }, { geminiDeny: "json" }),
      { stdout: { decision: "deny", reason: "A hook denied it." }, stderr: "", exit_code: 0, losses: [] },
    ],
    [
      "gemini: ask is a denial",
      () => encodeResponse(geminiBash(), { decision: "ask", reason: "R" }),
      {
        stdout: { decision: "deny", reason: asked("Gemini CLI") },
        stderr: asked("Gemini CLI"),
        exit_code: 2,
        losses: ["ask downgrade"],
      },
    ],
    [
      "gemini: ask, with the fallback turned off: the person reads the reason",
      () => encodeResponse(geminiBash(), { decision: "ask", reason: "R" }, { geminiAskFallback: "ask" }),
      {
        stdout: { decision: "ask", reason: "R", systemMessage: "R" },
        stderr: "",
        exit_code: 0,
        losses: ["ask downgrade"],
      },
    ],
    [
      "gemini: a denial after the call keeps the context",
      () => encodeResponse(decodeFixture("gemini", "AfterTool-run_shell_command"), denied),
      { stdout: { decision: "deny", reason: "R\n\nC", systemMessage: "U" }, stderr: "", exit_code: 0, losses: [] },
    ],
    [
      "gemini: rewrite sends the whole input",
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
      "codex: rewrite",
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
      "codex: a rewritten patch",
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
      "codex: a session that may not start",
      () => encodeResponse(decodeFixture("codex", "SessionStart-startup"), { decision: "deny", reason: "R" }),
      { stdout: { continue: false, stopReason: "R" }, stderr: "", exit_code: 0, losses: ["deny emulated"] },
    ],
    [
      "codex: context at Stop goes to the user",
      () => encodeResponse(decodeFixture("codex", "Stop"), { additional_context: "C" }),
      { stdout: { systemMessage: "C" }, stderr: "", exit_code: 0, losses: ["additional_context emulated"] },
    ],
    [
      "opencode: deny with all texts",
      () => encodeResponse(opencodeBash(), denied),
      {
        stdout: { deny: "R", context: "C", message: "U" },
        stderr: "R",
        exit_code: 2,
        losses: [],
      },
    ],
    [
      "opencode: allow says nothing",
      () => encodeResponse(opencodeBash(), { decision: "allow" }),
      { stdout: "", stderr: "", exit_code: 0, losses: [] },
    ],
    [
      "opencode: ask is denied",
      () => encodeResponse(opencodeBash(), { decision: "ask", reason: "R" }),
      { stdout: { deny: asked("OpenCode") }, stderr: asked("OpenCode"), exit_code: 2, losses: ["ask downgrade"] },
    ],
    [
      "opencode: a rewrite is the whole of the arguments",
      () => encodeResponse(opencodeBash(), { modified_input: { command: "npm ci", cwd: "/w" } }),
      {
        stdout: { args: { command: "npm ci", description: "d", workdir: "/w" } },
        stderr: "",
        exit_code: 0,
        losses: [],
      },
    ],
    [
      "opencode: an edit of two files is more than its tool can do",
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
      "opencode: a rewritten edit",
      () =>
        encodeResponse(decodeFixture("opencode", "tool.execute.before.edit"), {
          modified_input: {
            files: [{ file_path: "b", operation: "update", edits: [{ old_string: "1", new_string: "2" }] }],
          },
        }),
      { stdout: { args: { filePath: "b", oldString: "1", newString: "2" } }, stderr: "", exit_code: 0, losses: [] },
    ],
    [
      "opencode: MCP arguments",
      () =>
        encodeResponse(decodeFixture("opencode", "tool.execute.before.tiny_echo"), {
          modified_input: { arguments: { text: "x" } },
        }),
      { stdout: { args: { text: "x" } }, stderr: "", exit_code: 0, losses: [] },
    ],
    [
      "opencode: a session that may not start",
      () => encodeResponse(decodeFixture("opencode", "session.created"), { decision: "deny", reason: "R" }),
      { stdout: { deny: "R" }, stderr: "R", exit_code: 2, losses: ["deny emulated"] },
    ],
    [
      "opencode: at the end of a turn, a denial makes the agent go on",
      () => encodeResponse(decodeFixture("opencode", "session.idle"), { decision: "deny", reason: "test first" }),
      { stdout: { go_on: "test first" }, stderr: "", exit_code: 0, losses: ["deny emulated"] },
    ],
    [
      "opencode: after a call, the reason goes behind the result",
      () =>
        encodeResponse(decodeFixture("opencode", "tool.execute.after.bash"), {
          decision: "deny",
          reason: "R",
          additional_context: "C",
        }),
      { stdout: { context: "R\n\nC" }, stderr: "", exit_code: 0, losses: ["deny emulated"] },
    ],
    [
      "codex: a permission request",
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
