import { describe, expect, test } from "bun:test";
import { mkdtempSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { AnyEvent } from "../../src/protocol/event.ts";
import { createHookEntry, type HookDescriptor } from "../../src/protocol/hook.ts";
import { mergeResponses } from "../../src/protocol/merge.ts";
import { checkResponse, type IHookResponse } from "../../src/protocol/response.ts";
import { runHooks } from "../../src/call/ask/dispatch.ts";
import { lowerResponse } from "../../src/protocol/lower.ts";
import { getCapabilityRow } from "../../src/protocol/host/host.ts";
import { hosts } from "../../src/hosts/index.ts";
import { getHostOptionValues } from "../../src/call/options.ts";
import { answerCall } from "../support/answer-call.ts";
import { decodeFixture, getPayload } from "../support/fixtures.ts";
import { scaleMs } from "../support/machine.ts";

describe("a response", () => {
  for (const value of [
    { modified_output: "" },
    { modified_output: { content: [{ type: "text", text: "a" }] } },
    { session_env: {} },
    { session_env: { _A1: 'it\'s\n"two" lines $HOME \\', b: "" } },
  ])
    test(`${JSON.stringify(value)} is accepted`, () => expect(checkResponse(value)).toEqual(value as IHookResponse));

  const wrong: [value: unknown, message: string][] = [
    [{ modified_output: 1 }, "it returned a modified_output that is neither a string nor an object"],
    [{ modified_output: null }, "it returned a modified_output that is neither a string nor an object"],
    [{ modified_output: ["a"] }, "it returned a modified_output that is neither a string nor an object"],
    [{ modified_output: { size: 1n } }, "it returned a modified_output that is not valid JSON"],
    [{ modified_output: { a: undefined } }, 'it returned a modified_output without a value for "a"'],
    [{ session_env: ["A=1"] }, "it returned a session_env that is not an object"],
    [{ session_env: { "A B": "1" } }, 'it returned a session_env with the invalid name "A B"'],
    [{ session_env: { "A=1; rm -rf": "" } }, 'it returned a session_env with the invalid name "A=1; rm -rf"'],
    [{ session_env: { "1A": "" } }, 'it returned a session_env with the invalid name "1A"'],
    [{ session_env: { "A\n": "" } }, 'it returned a session_env with the invalid name "A\\n"'],
    [{ session_env: { A: 1 } }, 'it returned a session_env whose "A" is not a string'],
    [{ session_env: { A: "a\0b" } }, 'it returned a session_env whose "A" contains a NUL character'],
  ];
  for (const [value, message] of wrong)
    test(`${Bun.inspect(value, { compact: true })} is rejected`, () =>
      void expect(() => checkResponse(value)).toThrow(message));

  test("merged from several hooks has the last result and the later values of variables", () => {
    const merged = mergeResponses([
      { modified_output: "one", session_env: { A: "1", B: "1" } },
      { modified_output: "", session_env: { B: "2", ["__proto__"]: "3" } },
      {},
    ]);
    expect(merged).toEqual({ modified_output: "", session_env: { A: "1", B: "2", ["__proto__"]: "3" } });
  });
});

describe("a later hook", () => {
  const entry = (name: string, handler: (event: any) => unknown): HookDescriptor =>
    createHookEntry({ event: ["PostToolUse", "PostToolUseFailure"], handler: handler as never }, name);
  const hide = (name: string, secret: string, read: (event: any) => string) =>
    entry(name, (event) => ({ modified_output: read(event).replaceAll(secret, "[hidden]") }));
  const last = async (event: AnyEvent, read: (event: any) => string) => {
    const outcomes = await runHooks(
      [hide("a", "KEY-A", read), hide("b", "KEY-B", read)],
      event,
      performance.now() + scaleMs(2_000),
    );
    return mergeResponses(outcomes.map(({ response }) => response)).modified_output;
  };
  const bash = decodeFixture("claude", "PostToolUse-Bash");
  const output = { text: "KEY-A KEY-B", raw: { stdout: "KEY-A KEY-B", stderr: "" }, stdout: "KEY-A KEY-B", stderr: "" };

  test("sees the result as earlier hooks changed it, so two redactions add up", async () => {
    const event = { ...bash, output } as AnyEvent;
    expect(await last(event, ({ output }) => output.text)).toBe("[hidden] [hidden]");
    expect(await last(event, ({ output }) => output.stdout + output.stderr)).toBe("[hidden] [hidden]");
    expect(await last(event, ({ output }) => JSON.stringify(output.raw))).not.toMatch(/KEY-/);
  });
  test("sees the error as earlier hooks changed it", async () => {
    const event = {
      ...bash,
      event: "PostToolUseFailure",
      output: undefined,
      error: "KEY-A KEY-B",
    } as unknown as AnyEvent;
    expect(await last(event, ({ error }) => error)).toBe("[hidden] [hidden]");
  });
});

/** Returns the host's answer to a recorded event, and the fields that were lost. */
function answerOf(id: string, file: string, response: IHookResponse, change: object = {}) {
  const host = hosts.find((one) => one.id === id) as (typeof hosts)[number];
  const recorded = decodeFixture(id, file);
  const output = recorded.event === "PostToolUse" && { output: { text: "original", raw: "original" } };
  const event = { ...recorded, ...output, ...change } as AnyEvent;
  const row = getCapabilityRow(host, event.native_event);
  const settings = getHostOptionValues(host, {});
  const { lowered, losses } = lowerResponse(response, { host, row, event, settings });
  const { stdout, ...rest } = host.encodeAnswer(lowered, row.shape, event.native_event, settings);
  const document = stdout === "" ? {} : JSON.parse(stdout);
  return { ...rest, document, losses: losses.map(({ field, support, message }) => `${field} ${support}: ${message}`) };
}

const READS_ORIGINAL =
  "modified_output unenforceable: modified_output can't be enforced: the model reads the original; ";

test("the model is asked to relay messages that a host doesn't show", () => {
  const { document } = answerOf(
    "droid",
    "PostToolUse-Execute",
    { modified_output: "new", reason: "it holds a secret" },
    { output: { text: "original", raw: "original" } },
  );
  expect(document.hookSpecificOutput.additionalContext).toBe(
    "bridge-hooks: it holds a secret, but you got the original result. Tell the user, and don't repeat the result.",
  );
});

describe("Claude Code", () => {
  const sent = (file: string, modified_output: string | Record<string, unknown>, raw: unknown) => {
    const { document, losses } = answerOf("claude", file, { modified_output }, { output: { text: "original", raw } });
    return losses.length > 0 ? losses : document.hookSpecificOutput.updatedToolOutput;
  };
  const bash = {
    stdout: "original",
    stderr: "",
    interrupted: false,
    isImage: false,
    persistedOutputPath: "/tmp/all-of-it",
  };
  const read = {
    type: "text",
    file: { filePath: "/a", content: "original", numLines: 1, startLine: 3, totalLines: 9 },
  };

  test("gets a text in the tool's format, without the path to the stored output", () => {
    expect(sent("PostToolUse-Bash", "new", bash)).toEqual({
      stdout: "new",
      stderr: "",
      interrupted: false,
      isImage: false,
    });
    expect(sent("PostToolUse-Read", "a\nb", read)).toEqual({
      ...read,
      file: { ...read.file, content: "a\nb", numLines: 2 },
    });
    expect(sent("PostToolUse-mcp__tiny__echo", "", [{ type: "text", text: "original" }])).toBe("");
    const blocks = [{ type: "text", text: "new" }];
    expect(sent("PostToolUse-mcp__tiny__echo", { content: blocks }, [])).toEqual(blocks);
  });
  test("gets an object only if it has every field of the original", () => {
    const changed = { ...read, file: { ...read.file, content: "new" } };
    expect(sent("PostToolUse-Read", changed, read)).toEqual(changed);
    for (const [wrong, field] of [
      [{ stdout: "new" }, "stderr"],
      [{ ...bash, stdout: 1 }, "stdout"],
    ] as const)
      expect(sent("PostToolUse-Bash", wrong, bash)).toEqual([
        `${READS_ORIGINAL}Claude Code ignores a result unless it has every field of event.output.raw; "${field}" is missing or has a different type`,
      ]);
    expect(sent("PostToolUse-Read", { ...read, file: { content: "new" } }, read)[0]).toContain(
      '"file.filePath" is missing',
    );
  });
  test("can't replace the result of Write with a text, and reports this to the user", () => {
    const raw = { filePath: "/a", content: "x" };
    expect(sent("PostToolUse-Write", "new", raw)).toEqual([
      `${READS_ORIGINAL}Claude Code doesn't accept plain text as the result of Write; return event.output.raw with its text changed`,
    ]);
    const { document } = answerOf(
      "claude",
      "PostToolUse-Write",
      { modified_output: "new" },
      { output: { text: "original", raw } },
    );
    expect(document.systemMessage).toStartWith(
      "bridge-hooks: a hook replaced the result of this call, but the model reads the original: ",
    );
  });
  test("gets a command's new streams without the file that contains the old ones", () => {
    const { persistedOutputPath: _, ...kept } = bash;
    expect(sent("PostToolUse-Bash", { ...bash, stdout: "new" }, bash)).toEqual({ ...kept, stdout: "new" });
  });
  test("shows the user why a result that can't be replaced should have been", () => {
    const { document, losses } = answerOf(
      "claude",
      "PostToolUse-Write",
      { modified_output: "new", reason: "it holds a secret" },
      { output: { text: "original", raw: { content: "x" } } },
    );
    expect(document.systemMessage).toStartWith(
      "bridge-hooks: it holds a secret, but the model reads the original: Claude Code doesn't accept plain text",
    );
    expect(losses).toHaveLength(1);
  });
  test("gets nothing if the result is unchanged", () => {
    for (const modified_output of ["original", { ...bash }])
      expect(
        answerOf("claude", "PostToolUse-Bash", { modified_output }, { output: { text: "original", raw: bash } }),
      ).toMatchObject({
        document: {},
        losses: [],
      });
  });
  test("gets neither a result nor variables before a call, and both are reported as dropped", () => {
    const { document, losses } = answerOf("claude", "PreToolUse-Bash", {
      modified_output: "x",
      session_env: { A: "b" },
    });
    expect([document, losses]).toEqual([
      {},
      [
        "session_env drop: session_env was dropped; no session starts on this event; return it on SessionStart",
        "modified_output drop: modified_output was dropped; this event has no result; return it on PostToolUse or PostToolUseFailure",
      ],
    ]);
  });

  describe("session variables", () => {
    const odd = 'it\'s\n"two" lines $HOME `id` \\';
    const hook = (session_env: Record<string, string>) =>
      createHookEntry({ event: "SessionStart", handler: () => ({ session_env }) }, "env");
    const start = JSON.stringify(getPayload("claude", "SessionStart"));
    const call = (CLAUDE_ENV_FILE?: string) =>
      answerCall([hook({ A: odd, B: "" })], {}, ["--host", "claude"], { env: { CLAUDE_ENV_FILE }, read: () => start });

    test("are appended to CLAUDE_ENV_FILE, where a shell reads them unchanged", async () => {
      const folder = mkdtempSync(join(tmpdir(), "bridge-hooks-fields-"));
      const file = join(folder, "env.sh");
      await Bun.write(file, "export Z=kept\n");
      expect(await call(file)).toMatchObject({ stdout: "", stderr: "", exit_code: 0 });
      expect(readFileSync(file, "utf8")).toStartWith("export Z=kept\nexport A='it'\\''s\n");
      const { stdout } = Bun.spawnSync(["sh", "-c", `. "${file}"; printf '%s|%s|%s' "$Z" "$A" "\${B-unset}"`]);
      expect(stdout.toString()).toBe(`kept|${odd}|`);
      rmSync(folder, { recursive: true });
    });
    test("are dropped with a warning if CLAUDE_ENV_FILE can't be written", async () => {
      const lost = "bridge-hooks: claude SessionStart: session_env was dropped: CLAUDE_ENV_FILE";
      const remedy = "set the variables before starting the host";
      expect(await call()).toMatchObject({ exit_code: 0, stderr: `${lost} is not set; update the host, or ${remedy}` });
      expect((await call(join(tmpdir(), `gone-${process.pid}`, "env.sh"))).stderr).toStartWith(
        `${lost} can't be written (ENOENT`,
      );
    });
  });
});

describe("on other hosts,", () => {
  const text = (id: string, file: string, response: IHookResponse) => {
    const { document, stderr, losses } = answerOf(id, file, response);
    return { document, stderr, losses: losses.map((loss) => loss.split(":")[0]) };
  };
  const AS_DENIAL = "modified_output emulated";

  test("Cursor replaces an MCP tool's result, and reports that another tool's result remains the original", () => {
    const file = "postToolUse.MCP_echo";
    const content = [{ type: "text", text: "new" }];
    expect(text("cursor", file, { modified_output: "new" })).toEqual({
      document: { updated_mcp_tool_output: { content } },
      stderr: "",
      losses: [],
    });
    expect(text("cursor", file, { modified_output: { a: 1 }, decision: "deny", reason: "R" }).document).toEqual({
      updated_mcp_tool_output: { a: 1 },
      additional_context: "R",
    });
    expect(answerOf("cursor", "postToolUse.Shell", { modified_output: "new" })).toMatchObject({
      document: {},
      losses: [
        `${READS_ORIGINAL}Cursor replaces only the results of MCP tools; deny the call in a PreToolUse hook, or rewrite it to return less`,
      ],
    });
  });
  test("Cursor passes session variables only to later hooks, with a warning", () =>
    expect(text("cursor", "sessionStart", { session_env: { A: "b" } })).toEqual({
      document: { env: { A: "b" } },
      stderr: "",
      losses: ["session_env emulated"],
    }));
  test("Codex shows a new result as the reason of a denial, even an empty one", () => {
    const file = "PostToolUse-Bash";
    expect(text("codex", file, { modified_output: "new" })).toEqual({
      document: { decision: "block", reason: "new" },
      stderr: "new",
      losses: [AS_DENIAL],
    });
    for (const modified_output of ["", " \n"])
      expect(text("codex", file, { modified_output }).stderr).toBe("[nothing]");
    expect(
      text("codex", file, { modified_output: "new", decision: "deny", reason: "R", additional_context: "C" }),
    ).toMatchObject({
      document: { decision: "block", reason: "new\n\nR" },
      stderr: "new\n\nR\n\nC",
    });
  });
  test("Codex shows only the new result", async () => {
    const hide = createHookEntry({ event: "PostToolUse", handler: () => ({ modified_output: "new" }) }, "hides");
    const payload = JSON.stringify(getPayload("codex", "PostToolUse-Bash"));
    const { stderr, exit_code } = await answerCall([hide], {}, ["--host", "codex"], { env: {}, read: () => payload });
    expect([stderr, exit_code]).toEqual(["new", 2]);
  });
  test("Gemini CLI shows a new result as the reason of a denial, even an empty one", () => {
    const file = "AfterTool-run_shell_command";
    expect(text("gemini", file, { modified_output: "new" })).toEqual({
      document: { decision: "deny", reason: "new" },
      stderr: "",
      losses: [AS_DENIAL],
    });
    for (const modified_output of ["", " \n"])
      expect(text("gemini", file, { modified_output }).document.reason).toBe("[nothing]");
    expect(text("gemini", file, { modified_output: "new", decision: "deny", reason: "R" }).document.reason).toBe(
      "new\n\nR",
    );
  });
  test("Copilot gets modifiedResult, or a denial with the new result before its reason", () => {
    const file = "postToolUse";
    expect(text("copilot", file, { modified_output: "", additional_context: "C" }).document).toEqual({
      modifiedResult: { resultType: "success", textResultForLlm: "" },
      additionalContext: "C",
    });
    const denied = text("copilot", file, { modified_output: "new", decision: "deny", reason: "R" });
    expect([denied.document, denied.losses]).toEqual([{ decision: "block", reason: "new\n\nR" }, []]);
  });
  test("plugins get a new result as text and variables as an object", () => {
    const content = [{ type: "text", text: "new" }];
    expect(text("opencode", "tool.execute.after.bash", { modified_output: { content } }).document).toEqual({
      output: "new",
    });
    expect(text("opencode", "session.created", { session_env: { A: "b" } })).toMatchObject({
      document: { env: { A: "b" } },
      losses: [],
    });
    expect(
      text("openclaw", "tool_result-exec", { modified_output: "", decision: "deny", reason: "R" }).document,
    ).toEqual({
      output: "",
      append: "R",
      denied: true,
    });
  });
  test("session variables are dropped with a warning if the host's hooks can't set them", () => {
    for (const [id, file] of [
      ["codex", "SessionStart-startup"],
      ["gemini", "SessionStart"],
      ["copilot", "sessionStart"],
      ["openclaw", "session_start"],
    ] as const)
      expect([id, text(id, file, { session_env: { A: "b" } })]).toEqual([
        id,
        { document: {}, stderr: "", losses: ["session_env drop"] },
      ]);
  });
});

test("a new result is sent as a restriction even if another hook fails", async () => {
  const hooks = [
    createHookEntry({ event: "PostToolUse", handler: () => ({ modified_output: "new" }) }, "hides"),
    createHookEntry({ event: "PostToolUse", handler: () => Promise.reject(new Error("broke")) }, "broken"),
  ];
  const payload = JSON.stringify(getPayload("claude", "PostToolUse-mcp__tiny__echo"));
  for (const flags of [[], ["--after", "x"]]) {
    const { stdout, restricts, exit_code } = await answerCall(hooks, {}, ["--host", "claude", ...flags], {
      env: {},
      read: () => payload,
    });
    expect([exit_code, restricts, JSON.parse(stdout).hookSpecificOutput.updatedToolOutput]).toEqual([0, true, "new"]);
  }
});

test("for an unknown event name, a new result is sent with a warning that the model may read the original", async () => {
  const hide = createHookEntry({ event: "PostToolUse", handler: () => ({ modified_output: "new" }) }, "hides");
  const payload = { ...getPayload("claude", "PostToolUse-mcp__tiny__echo"), hook_event_name: "ToolFinished" };
  const argv = ["--host", "claude", "--event", "PostToolUse"];
  const { stdout, stderr } = await answerCall([hide], {}, argv, { env: {}, read: () => JSON.stringify(payload) });
  expect(JSON.parse(stdout).hookSpecificOutput.updatedToolOutput).toBe("new");
  expect(stderr).toContain(
    "modified_output was sent in a different form; this event is unknown, and the model may read the original result",
  );
});
