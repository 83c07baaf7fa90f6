import { describe, expect, test } from "bun:test";
import { hosts } from "../../../src/hosts/index.ts";
import { detectHost } from "../../../src/call/identify/detect.ts";
import { getHost, decodePayload } from "../decode-support.ts";

describe("a payload of gemini", () => {
  const payload = {
    hook_event_name: "SessionStart",
    session_id: "s",
    cwd: "/",
    transcript_path: "",
    timestamp: "2026-11-22T00:00:00.000Z",
  };
  test("of an MCP call is decoded by mcp_context, whatever the tool's name is", () => {
    const call = {
      tool_name: "mcp_a_b_c",
      tool_input: { x: 1 },
      mcp_context: { server_name: "a_b", tool_name: "c", command: "npx" },
    };
    expect(decodePayload("gemini", { ...payload, ...call, hook_event_name: "BeforeTool" })).toMatchObject({
      tool: "MCP",
      tool_name: "mcp_a_b_c",
      input: { server: "a_b", tool: "c", arguments: { x: 1 } },
    });
    const error = {
      ...call,
      tool_response: { llmContent: [{ text: "no" }], error: { message: "no" } },
      hook_event_name: "AfterTool",
    };
    expect(decodePayload("gemini", { ...payload, ...error })).toMatchObject({ output: { text: "no", is_error: true } });
  });
  test("of AfterAgent has the last message", () => {
    const after = {
      ...payload,
      hook_event_name: "AfterAgent",
      prompt: "p",
      prompt_response: "DONE",
      stop_hook_active: true,
    };
    expect(decodePayload("gemini", after)).toMatchObject({ event: "Stop", last_message: "DONE" });
  });
  test("of a prompt has the referenced files as attachments", () => {
    const prompt =
      "look\n--- Content from referenced files ---\nContent from @a b.txt:\none\nContent from @c:\ntwo\n--- End of content ---";
    expect(decodePayload("gemini", { ...payload, hook_event_name: "BeforeAgent", prompt })).toMatchObject({
      attachments: ["a b.txt", "c"],
    });
    expect(decodePayload("gemini", { ...payload, hook_event_name: "BeforeAgent", prompt: "look at @a" })).toMatchObject(
      {
        attachments: [],
      },
    );
  });
  test("without a transcript is recognized by GEMINI_SESSION_ID, unless Qwen Code set it", async () => {
    const env = { GEMINI_SESSION_ID: "s" };
    expect(await detectHost(hosts, payload, { env })).toEqual({ host: getHost("gemini") });
    expect("problem" in (await detectHost(hosts, payload, { env: { ...env, QWEN_PROJECT_DIR: "/" } }))).toBe(true);
    expect("problem" in (await detectHost(hosts, payload, { env: { GEMINI_SESSION_ID: "another" } }))).toBe(true);
  });
});
