import { describe, expect, test } from "bun:test";
import { defineHook, createHookEntry } from "../../../src/protocol/hook.ts";
import { type Host, type Payload, getCapabilityRow } from "../../../src/protocol/host/host.ts";
import type { IHookResponse } from "../../../src/protocol/response.ts";
import { hosts } from "../../../src/hosts/index.ts";
import { answerCall } from "../../support/answer-call.ts";
import { getPayload } from "../../support/fixtures.ts";

const kimi = hosts.find(({ id }) => id === "kimi") as Host;

type Event = "PreToolUse" | "PostToolUse" | "UserPromptSubmit" | "Stop" | "SessionStart";

/** Returns the answer to a recorded payload for which a hook gives this response. */
const ask = (event: Event, file: string, response: IHookResponse | Error, ...flags: string[]) => {
  const handler = () => {
    if (response instanceof Error) throw response;
    return response;
  };
  const payload = getPayload("kimi", file);
  return answerCall([createHookEntry(defineHook({ event, handler }), "careful")], {}, flags, {
    env: {},
    read: () => JSON.stringify(payload),
  });
};
const DENIED = { decision: "deny", reason: "R" } as const;
const DOCUMENT = {
  hookSpecificOutput: {
    hookEventName: "PreToolUse",
    permissionDecision: "deny",
    permissionDecisionReason: "R",
  },
};

describe("on Kimi Code,", () => {
  for (const flags of [[], ["--host", "kimi"], ["--host", "claude"]])
    test(`a denied call has exit code 2, the reason on stderr, and the document: ${flags.join(" ") || "no flag"}`, async () => {
      for (const file of ["PreToolUse-Bash", "PreToolUse-Write", "PreToolUse-mcp__tiny__echo"]) {
        const { exit_code, stderr, stdout } = await ask("PreToolUse", file, DENIED, ...flags);
        expect([exit_code, stderr.split("\n")[0], JSON.parse(stdout)]).toEqual([2, "R", DOCUMENT]);
        const passed = await ask("PreToolUse", file, { decision: "allow" }, ...flags);
        expect([passed.exit_code, passed.stdout]).toEqual([0, ""]);
      }
    });

  test("an ask and a rewrite become denials that mention it", async () => {
    const asked = await ask("PreToolUse", "PreToolUse-Bash", { decision: "ask", reason: "sure?" });
    expect([asked.exit_code, asked.stderr]).toEqual([2, expect.stringContaining("can't ask for here")]);
    const changed = await ask("PreToolUse", "PreToolUse-Bash", { modified_input: { command: "true" } });
    expect([changed.exit_code, changed.advice]).toEqual([
      2,
      expect.stringContaining("always runs a call with its original"),
    ]);
  });

  test("context is dropped with a warning, and the call proceeds", async () => {
    const { exit_code, stdout, stderr } = await ask("PreToolUse", "PreToolUse-Bash", { additional_context: "C" });
    expect([exit_code, stdout]).toEqual([0, ""]);
    expect(stderr).toContain("additional_context was dropped");
  });

  test("nothing is printed for a prompt, whatever the hook returns", async () => {
    const all = { user_message: "M", additional_context: "C" };
    for (const response of [{}, all, { decision: "allow", ...all }, { ...DENIED, ...all }] as IHookResponse[]) {
      const { exit_code, stdout, stderr } = await ask("UserPromptSubmit", "UserPromptSubmit", response);
      expect([exit_code, stdout]).toEqual([response.decision === "deny" ? 2 : 0, ""]);
      if (response.decision === "deny") expect(stderr.split("\n")[0]).toBe("R");
    }
    for (const policy of ["allow", "deny"]) {
      const { exit_code, stdout } = await ask(
        "UserPromptSubmit",
        "UserPromptSubmit",
        new Error("x"),
        "--on-error",
        policy,
      );
      expect([exit_code, stdout]).toEqual([policy === "deny" ? 2 : 1, ""]);
    }
  });

  test("Stop is denied again in the next turn, although its payload never reports a continuation", async () => {
    for (const _ of [1, 2]) {
      const { exit_code, stderr } = await ask("Stop", "Stop", DENIED);
      expect([exit_code, stderr]).toEqual([2, "R"]);
    }
  });

  test("a denial after a call can't be enforced, which is reported", async () => {
    const { exit_code, stdout, stderr } = await ask("PostToolUse", "PostToolUse-Read", DENIED);
    expect([exit_code, stdout]).toEqual([0, ""]);
    expect(stderr).toContain('decision "deny" can\'t be enforced');
    expect(stderr).toContain("the reason (R) was dropped");
  });
});

const decode = (event: string, more: Payload) => {
  const payload = { hook_event_name: event, session_id: "session_1", cwd: "/w", client_type: "kimi_code_cli", ...more };
  return kimi.decodePayload(payload, event, getCapabilityRow(kimi, event)).event;
};

describe("a payload of Kimi Code", () => {
  const prompts: [name: string, prompt: unknown, text: string][] = [
    ["a single part", [{ type: "text", text: "a" }], "a"],
    [
      "parts around an image",
      [
        { type: "text", text: "a" },
        { type: "image_url", image_url: { url: "data:x" } },
        { type: "text", text: "b" },
      ],
      "a\nb",
    ],
    ["no parts", [], ""],
    ["a text", "a", "a"],
  ];
  for (const [name, prompt, text] of prompts)
    test(`contains a prompt of ${name}`, () => {
      expect(decode("UserPromptSubmit", { prompt })).toMatchObject({ prompt: text });
    });
  test("without a prompt is a failure", () => {
    for (const prompt of [undefined, null, 3, { text: "a" }])
      expect(() => decode("UserPromptSubmit", { prompt })).toThrow("UserPromptSubmit: prompt");
  });
  test("of several subagents has the prompt of each", () => {
    const tool_input = {
      description: "d",
      prompt_template: "look at {{item}}",
      items: ["a", "b", 3],
      resume_agent_ids: { "agent-0": "go on" },
    };
    expect(decode("PreToolUse", { tool_name: "AgentSwarm", tool_input })).toMatchObject({
      tool: "Task",
      input: { prompt: "look at {{item}}\na\nb\ngo on", description: "d" },
    });
  });
  test("of a failed call has the error's message", () => {
    const call = { tool_name: "Bash", tool_input: { command: "false" }, tool_call_id: "call_1" };
    expect(
      decode("PostToolUseFailure", { ...call, error: { code: "internal", message: "no", retryable: false } }),
    ).toMatchObject({ tool: "Bash", tool_use_id: "call_1", error: "no" });
    expect(decode("PostToolUseFailure", { ...call, error: "no" })).toMatchObject({ error: "no" });
  });
  test("of a subagent names it, with its task and its answer", () => {
    expect(decode("SubagentStart", { agent_name: "coder", prompt: "p" })).toMatchObject({
      agent_type: "coder",
      task: "p",
    });
    expect(decode("SubagentStop", { agent_name: "coder", response: "done" })).toMatchObject({
      agent_type: "coder",
      last_message: "done",
    });
  });
  test("without the path of a file is a failure", () => {
    expect(() => decode("PreToolUse", { tool_name: "Write", tool_input: { content: "x" } })).toThrow(
      "tool_input of Write: path is missing",
    );
  });
});
