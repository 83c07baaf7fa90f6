import { describe, expect, test } from "bun:test";
import { hosts } from "../../../src/hosts/index.ts";
import { createHookEntry, defineHook } from "../../../src/protocol/hook.ts";
import type { Payload } from "../../../src/protocol/host/host.ts";
import type { IHookResponse } from "../../../src/protocol/response.ts";
import { answerCall } from "../../support/answer-call.ts";
import { getPayload } from "../../support/fixtures.ts";
import { decodePayload, getHost } from "../decode-support.ts";

const qwen = getHost("qwen");
const call = (command: string) =>
  getPayload("qwen", "PreToolUse-run_shell_command", { tool_input: { command, is_background: false } });
const asked = (response: IHookResponse, payload: Payload, ...flags: string[]) => {
  const { hook_event_name } = payload as { hook_event_name: string };
  const { event } = (qwen.capabilities[hook_event_name] as () => { event: "PreToolUse" })();
  const hook = createHookEntry(defineHook({ event, handler: () => response as never }), "guard");
  return answerCall([hook], {}, flags, { env: {}, read: () => payload });
};

describe("a denial of Qwen Code", () => {
  for (const named of ["", ...hosts.map(({ id }) => id)])
    test(`is answered in its format with ${named ? `--host ${named}` : "no --host"}`, async () => {
      const flags = named ? ["--host", named] : [];
      const {
        stdout,
        stderr,
        exit_code,
        advice = "",
      } = await asked({ decision: "deny", reason: "no" }, call("ls"), ...flags);
      expect([exit_code, stderr]).toEqual([2, stdout]);
      const { continue: goes_on, stopReason, hookSpecificOutput } = JSON.parse(stderr);
      expect([goes_on, hookSpecificOutput.permissionDecision]).toEqual([false, "deny"]);
      for (const text of [stopReason, hookSpecificOutput.permissionDecisionReason]) expect(text).toStartWith("no");
      expect(advice.includes(`Qwen Code called bridge-hooks with --host ${named}`)).toBe(
        named !== "" && named !== "qwen",
      );
    });

  test("is a document on stderr, whatever the reason is", async () => {
    for (const reason of ['{"a":1}', '"x"', "", undefined]) {
      const { stderr } = await asked({ decision: "deny", reason }, call("ls"), "--host", "qwen");
      expect(JSON.parse(stderr).hookSpecificOutput.permissionDecision).toBe("deny");
    }
  });

  test("has no warnings, because stderr must be the document, which the model reads", async () => {
    const response = { decision: "deny", reason: "no", user_message: "M" } as const;
    const { stderr, advice } = await asked(response, call("ls"), "--host", "qwen");
    expect(JSON.parse(stderr).stopReason).toBe("no");
    expect(advice).toMatch(/^bridge-hooks: qwen PreToolUse: .*user_message/);
  });

  test("uses the document instead of the exit code if stderr has no reader", async () => {
    const answer = qwen.encodeAnswer({ decision: "deny", reason: "no" }, "gate", "PreToolUse", {});
    expect(answer).toMatchObject({
      exit_code: 2,
      exitCodeIfStderrClosed: 0,
      documentOnStderr: true,
      stdout: answer.stderr,
    });
  });
});

describe("Qwen Code's other answers", () => {
  test("turn a rewrite into a denial, and keep an ask", async () => {
    const rewritten = await asked({ modified_input: { command: "ls -l" } }, call("ls"), "--host", "qwen");
    expect([rewritten.exit_code, rewritten.advice]).toEqual([2, expect.stringContaining("runs the original call")]);
    const { exit_code, stdout } = await asked({ decision: "ask", reason: "sure?" }, call("ls"), "--host", "qwen");
    const { continue: goes_on, hookSpecificOutput } = JSON.parse(stdout);
    expect([exit_code, goes_on, hookSpecificOutput.permissionDecision]).toEqual([0, false, "ask"]);
  });

  test("put a new result, a reason and a context in place of the result", async () => {
    const payload = getPayload("qwen", "PostToolUse-run_shell_command", {});
    const both = { decision: "deny", reason: "R", modified_output: "O", additional_context: "C" } as const;
    for (const [response, stopReason] of [
      [both, "O\n\nR\n\nC"],
      [{ modified_output: "O" }, "O"],
      [{ modified_output: "" }, "[nothing]"],
    ] as const)
      expect(JSON.parse((await asked(response, payload, "--host", "qwen")).stderr)).toEqual({
        continue: false,
        stopReason,
      });
    const { stdout } = await asked({ additional_context: "C" }, payload, "--host", "qwen");
    expect(JSON.parse(stdout).hookSpecificOutput.additionalContext).toBe("C");
  });
});

describe("a payload of Qwen Code", () => {
  test("without a prompt is not a user's prompt", () => {
    const empty = getPayload("qwen", "UserPromptSubmit-after_tools", {});
    expect(decodePayload("qwen", empty)).toMatchObject({ event: "Native", native_event: "UserPromptSubmit" });
    expect(decodePayload("qwen", { ...empty, prompt: " " })).toMatchObject({ event: "UserPromptSubmit", prompt: " " });
  });

  test("of a prompt has the referenced files as attachments", () =>
    expect(decodePayload("qwen", getPayload("qwen", "UserPromptSubmit-with_file", {}))).toMatchObject({
      attachments: ["notes.txt"],
    }));

  test("has a result's text, including a list of parts", () => {
    const read = getPayload("qwen", "PostToolUse-read_file", {});
    expect(decodePayload("qwen", read).output.text).toBe("NOTES-TOKEN one\n");
    expect(decodePayload("qwen", getPayload("qwen", "PostToolUse-mcp__tiny__echo", {})).output.text).toBe(
      "echo: hello",
    );
    expect(decodePayload("qwen", { ...read, tool_response: "text" }).output.text).toBe("text");
  });

  test("is rejected if a field that a policy judges has another type", () => {
    for (const tool_input of [{ command: 5 }, { command: "ls", directory: 5 }])
      expect(() => decodePayload("qwen", { ...call("ls"), tool_input })).toThrow("tool_input of run_shell_command");
  });
});

test("everything that keeps Qwen Code's hooks active is guarded", () => {
  const { files, describeBypass, variables } = qwen.hookControls;
  const env = { QWEN_HOME: "/q", QWEN_CODE_SYSTEM_SETTINGS_PATH: "/s.json" };
  const listed = files({ home: "/h", platform: "linux", env });
  for (const path of [
    "**/.qwen/settings.json",
    "**/.qwen/.env",
    "/q/settings.json",
    "/h/.env",
    "/etc/qwen-code/",
    "/s.json",
  ])
    expect(listed).toContain(path);
  const bypass = (...args: string[]) => describeBypass(args, () => undefined);
  for (const flag of ["--bare", "--safe-mode", "--safe-mode=true"]) expect(bypass(flag, "-p", "x")).toBeString();
  for (const args of [["-p", "say --bare"], ["--yolo"], []]) expect(bypass(...args)).toBeUndefined();
  for (const name of ["QWEN_CODE_SAFE_MODE", "QWEN_CODE_SIMPLE", "QWEN_CODE_SYSTEM_SETTINGS_PATH", "QWEN_HOME"])
    expect(variables).toContain(name);
});
