import { describe, expect, test } from "bun:test";
import { existsSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { type GivenEvent, simulate } from "../../src/author/testing/index.ts";
import { hosts } from "../../src/hosts/index.ts";
import { ask, context, defineHook, deny, type Hook, state } from "../../src/index.ts";
import { getFacts } from "../hosts/host-facts.ts";
import { guardHook, createBashEvent } from "./simulate-support.ts";

describe("simulate with a host", () => {
  test("returns a denial in every host's own format", async () => {
    const tools: string[] = [];
    const hook = defineHook({
      event: "PreToolUse",
      tool: "Bash",
      handler: (event) => (tools.push(event.tool_name), deny(`no ${event.input.command}`)),
    });
    for (const { id } of hosts) {
      const { decision, event, answer } = await simulate(hook, createBashEvent("rm x"), { host: id });
      expect([decision, event.host, event.cwd, answer?.exit_code === 2 || answer?.stdout.includes("no rm x")]).toEqual([
        "deny",
        id,
        process.cwd(),
        true,
      ]);
    }
    expect(tools).toHaveLength(hosts.length);
    expect([...new Set(tools)]).toContain("run_shell_command");
  });
  test("warns about fields that the host doesn't support", async () => {
    const hook = defineHook({ event: "PreToolUse", handler: () => ask("sure?") });
    const { decision, warnings, answer } = await simulate(hook, createBashEvent("ls"), { host: "codex" });
    expect(decision).toBe("ask");
    expect(warnings).toEqual([
      'bridge-hooks: codex PreToolUse: decision "ask" became a denial; Codex runs the call on "ask"; --codex-ask-fallback ask prints nothing and leaves the decision to Codex\'s own approval',
    ]);
    expect(answer?.exit_code).toBe(2);
  });
  test("returns the denied call if the host splits an edit into several calls", async () => {
    const hook = defineHook({
      event: "PreToolUse",
      tool: "Edit",
      handler: ({ input }) => (input.files.some(({ file_path }) => file_path === "b.ts") ? deny("not b") : undefined),
    });
    const files = ["a.ts", "b.ts", "c.ts"].map((file_path) => ({
      file_path,
      operation: "update" as const,
      edits: [{ old_string: "a", new_string: "b" }],
    }));
    const { decision, event } = await simulate(
      hook,
      { event: "PreToolUse", tool: "Edit", input: { files } },
      { host: "claude" },
    );
    expect([decision, event._native.tool_input]).toEqual(["deny", expect.objectContaining({ file_path: "b.ts" })]);
  });
  test("fails if the host is unknown or lacks the event", () => {
    expect(simulate(guardHook, createBashEvent("ls"), { host: "clade" })).rejects.toThrow(
      'unknown host "clade"; did you mean claude?',
    );
    expect(simulate(guardHook, { event: "PostCompact" }, { host: "cursor" })).rejects.toThrow(
      "Cursor has no such event",
    );
  });
});

describe("simulate with several hooks", () => {
  const told: string[] = [];
  const hook = (name: string, order: number, answer: () => ReturnType<typeof deny>) =>
    defineHook({ name, order, event: "PreToolUse", handler: () => (told.push(name), answer()) });
  test("merges the answers in order, and shows each hook what earlier hooks changed", async () => {
    const hooks = [
      hook("second", 2, () => ({ ...deny("b"), additional_context: "two" })),
      hook("first", 1, () => ({ ...ask("a"), modified_input: { command: "changed" }, additional_context: "one" })),
      defineHook({
        name: "third",
        order: 3,
        event: "PreToolUse",
        tool: "Bash",
        handler: ({ input }) => context(input.command),
      }),
      guardHook,
    ];
    const done = await simulate(hooks, createBashEvent("ls"), { options: { guard: { most: 100 } } });
    expect(told).toEqual(["first", "second"]);
    expect([done.decision, done.reason, done.additional_context, done.modified_input]).toEqual([
      "deny",
      "b",
      "one\n\ntwo\n\nchanged",
      { command: "changed" },
    ]);
    expect(done.hooks.map(({ name, decision, options }) => [name, decision, options])).toEqual([
      ["second", "deny", {}],
      ["first", "ask", {}],
      ["third", undefined, {}],
      ["guard", "allow", { most: 100 }],
    ]);
  });
  test("rejects options for an unknown hook", () =>
    expect(simulate([guardHook], createBashEvent("ls"), { options: { gaurd: {} } })).rejects.toThrow(
      'unknown hook "gaurd"; did you mean guard?',
    ));
});

describe("simulate fills in missing fields", () => {
  const seen = async (event: GivenEvent) => (await simulate(guardHook, event)).event;
  const setting = {
    host: "bridge-hooks",
    session_id: expect.stringMatching(/^simulated-\d+$/),
    cwd: process.cwd(),
    _native: {},
  };
  test("of tool calls", async () => {
    expect(
      await seen({
        event: "PostToolUse",
        tool: "Bash",
        input: { command: "ls" },
        output: { stdout: "a", stderr: "b", exit_code: 0 },
      }),
    ).toEqual({
      ...setting,
      event: "PostToolUse",
      native_event: "PostToolUse",
      tool: "Bash",
      tool_name: "Bash",
      input: { command: "ls" },
      output: { text: "ab", raw: "ab", stdout: "a", stderr: "b", exit_code: 0 },
    });
    expect(
      await seen({ event: "PreToolUse", tool: "MCP", input: { server: "memory", tool: "search", arguments: {} } }),
    ).toMatchObject({
      tool_name: "mcp__memory__search",
    });
    expect(await seen({ event: "PostToolUseFailure", tool: "Other", tool_name: "odd", input: { a: 1 } })).toMatchObject(
      {
        tool_name: "odd",
        error: "",
      },
    );
  });
  test("of the session, unless they are given", async () => {
    expect(await seen({ event: "Stop" })).toEqual({
      ...setting,
      event: "Stop",
      native_event: "Stop",
      continuations: 0,
    });
    expect(await seen({ event: "Notification", cwd: "/x", session_id: "s", host: undefined })).toEqual({
      ...setting,
      session_id: "s",
      cwd: "/x",
      event: "Notification",
      native_event: "Notification",
      message: "",
    });
  });
});

describe("simulate at Stop", () => {
  const go = (more: { maxContinuations?: number } = {}) =>
    defineHook({ name: "go", event: "Stop", handler: ({ continuations }) => deny(`${continuations}`), ...more });
  const said = [
    'hook "go" could not make the agent continue: hooks already did so 1 time in a row; to allow more, raise maxContinuations (now 1)',
  ];
  test("lets a hook make the agent continue up to maxContinuations times", async () => {
    expect(await simulate(go(), { event: "Stop" })).toMatchObject({ decision: "deny", reason: "0", warnings: [] });
    const over = await simulate(go({ maxContinuations: 1 }), { event: "Stop", continuations: 1 });
    expect([over.matched, over.decision, over.warnings]).toEqual([true, undefined, said]);
    expect(await simulate(go({ maxContinuations: 3 }), { event: "Stop", continuations: 2 })).toMatchObject({
      decision: "deny",
      reason: "2",
    });
  });
  // One host allows one continuation per turn and doesn't report it in the payload.
  const stopping = hosts.filter(
    ({ id, absentEvents }) => !absentEvents.includes("Stop") && getFacts(id).continuing !== false,
  );
  test("counts continuations on every host", async () => {
    for (const { id } of stopping) {
      const first = await simulate(go(), { event: "Stop" }, { host: id });
      const third = await simulate(go({ maxContinuations: 3 }), { event: "Stop", continuations: 2 }, { host: id });
      const over = await simulate(go({ maxContinuations: 1 }), { event: "Stop", continuations: 1 }, { host: id });
      expect([id, first.reason, third.reason, over.decision]).toEqual([id, "0", "2", undefined]);
    }
  });
  test("by default continues as often as the host itself allows", async () => {
    for (const { id, maxContinuations = 1 } of stopping) {
      const last = await simulate(go(), { event: "Stop", continuations: maxContinuations - 1 }, { host: id });
      const over = await simulate(go(), { event: "Stop", continuations: maxContinuations }, { host: id });
      expect([id, last.decision, over.decision]).toEqual([id, "deny", undefined]);
    }
  });
});

describe("simulate's files", () => {
  const hook = defineHook({
    event: "PostToolUse",
    handler: ({ cwd }) => {
      writeFileSync(join(cwd, "made.txt"), readFileSync(join(cwd, "src/a.txt"), "utf8").toUpperCase());
      return context(readdirSync(cwd).sort().join(" "));
    },
  });
  test("are in a temporary directory, which is removed afterwards", async () => {
    const event: GivenEvent = {
      event: "PostToolUse",
      tool: "Write",
      input: { file_path: "src/a.txt", content: "text" },
    };
    const done = await simulate(hook, event, { files: { "src/a.txt": "text" } });
    expect([done.additional_context, done.files, existsSync(done.event.cwd)]).toEqual([
      "made.txt src",
      { "made.txt": "TEXT", "src/a.txt": "text" },
      false,
    ]);
  });
  test("can't be outside that directory", () =>
    expect(simulate(hook, { event: "Stop" }, { files: { "../a": "" } })).rejects.toThrow(
      `the file "../a" is outside the test's directory; use a relative path without ".."`,
    ));
});

describe("simulate's state", () => {
  const counts = defineHook({
    event: "UserPromptSubmit",
    handler: (event) => {
      const count = Number(state(event).get("count") ?? 0) + 1;
      state(event).set("count", count);
      return context(String(count));
    },
  });
  const home = mkdtempSync(join(tmpdir(), "bridge-hooks-state-"));
  test("lasts for a session and is not written to disk", async () => {
    const before = process.env.XDG_STATE_HOME;
    process.env.XDG_STATE_HOME = home;
    const said = async (session_id?: string) =>
      (await simulate(counts, { event: "UserPromptSubmit", prompt: "p", session_id })).additional_context;
    const all = [
      await said("one"),
      await said("one"),
      await said("two"),
      await said(),
      await said(),
      await said("one"),
    ];
    process.env.XDG_STATE_HOME = before;
    if (before === undefined) delete process.env.XDG_STATE_HOME;
    expect([all, readdirSync(home)]).toEqual([["1", "2", "1", "1", "1", "3"], []]);
    rmSync(home, { recursive: true });
  });
});

describe("simulate", () => {
  const CASES: [given: unknown, message: string][] = [
    [{}, "the event needs event; known: SessionStart, PreToolUse, "],
    [5, "the event: expected object, received number"],
    [{ event: "PreTooluse" }, 'unknown event "PreTooluse"; did you mean PreToolUse?'],
    [{ event: "PreToolUse" }, "a PreToolUse event needs tool; known: Bash, Read, "],
    [{ event: "PreToolUse", tool: "Bash" }, "a call of Bash needs input.command"],
    [
      { event: "PreToolUse", tool: "Bash", input: { cmd: "x" } },
      "a call of Bash has no input.cmd; known: command, description, cwd, timeout_ms, run_in_background",
    ],
    [
      { event: "PreToolUse", tool: "Bash", input: { command: 1 } },
      "a call of Bash: input.command: expected string, received number",
    ],
    [{ event: "PreToolUse", tool: "Edit", input: { files: [] } }, "a call of Edit: input.files: "],
    [
      { event: "PreToolUse", tool: "Edit", input: { files: [{ file_path: "a", operation: "change", edits: [] }] } },
      'unknown input.files.0.operation "change"; known: add, update, delete, move',
    ],
    [{ event: "Stop", prompt: "x" }, "a Stop event has no prompt; known: "],
    [{ event: "UserPromptSubmit" }, "a UserPromptSubmit event needs prompt"],
  ];
  for (const [given, message] of CASES)
    test(`rejects the event ${JSON.stringify(given)}`, () =>
      expect(simulate(guardHook, given as GivenEvent)).rejects.toThrow(message));
  test("reports an invalid event at the caller's line", async () => {
    const error = await simulate(guardHook, { event: "PreTooluse" } as unknown as GivenEvent).catch(
      (thrown: Error) => thrown,
    );
    expect((error as Error).stack?.split("\n")[1]).toContain("simulate-events.test.ts:");
  });
  test("rejects invalid options", () => {
    const given = (options: object) => simulate(guardHook, createBashEvent("ls"), options);
    expect(given({ hots: "claude" })).rejects.toThrow('simulate has no option "hots"; did you mean host?');
    expect(given({ xyzzyx: 1 })).rejects.toThrow(
      'simulate has no option "xyzzyx"; known: host, options, files, timeoutMs, onError',
    );
    expect(given({ onError: "ask" })).rejects.toThrow('onError must be "allow" or "deny", not "ask"');
  });
  test("rejects invalid hooks", () => {
    const hook = (one: unknown) => simulate(one as Hook, { event: "Stop" });
    expect(hook(undefined)).rejects.toThrow("simulate needs a hook, or a module with a hook as its default export");
    expect(hook({ default: {} })).rejects.toThrow("simulate needs a hook");
    expect(hook({ event: "Stop", handler() {}, onerror: "deny" })).rejects.toThrow(
      'defineHook has no field "onerror"; did you mean onError?',
    );
    expect(hook({ event: "PreToolUse", matcher: "Bash(x", handler() {} })).rejects.toThrow(
      'matcher "Bash(x" has a "(" but',
    );
  });
  test("has types that reject invalid events and options", () => {
    const wrong = () => [
      // @ts-expect-error unknown event
      simulate(guardHook, { event: "PreToolUs" }),
      // @ts-expect-error a Bash call has a command
      simulate(guardHook, { event: "PreToolUse", tool: "Bash", input: { cmd: "ls" } }),
      // @ts-expect-error a call has a tool
      simulate(guardHook, { event: "PreToolUse", input: { command: "ls" } }),
      // @ts-expect-error a Stop has no tool
      simulate(guardHook, { event: "Stop", tool: "Bash" }),
      // @ts-expect-error a prompt has a text
      simulate(guardHook, { event: "UserPromptSubmit" }),
      // @ts-expect-error the output of Read has no exit code
      simulate(guardHook, { event: "PostToolUse", tool: "Read", input: { file_path: "a" }, output: { exit_code: 0 } }),
      // @ts-expect-error not an option of simulate
      simulate(guardHook, { event: "Stop" }, { option: {} }),
    ];
    expect(wrong).toBeFunction();
  });
});
