import { describe, expect, test } from "bun:test";
import { existsSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import * as v from "valibot";
import * as z from "zod";
import { allow, ask, context, defineHook, deny, type Hook, modify, state } from "../../src/index.ts";
import { hosts } from "../../src/hosts/index.ts";
import { type GivenEvent, simulate } from "../../src/author/testing/index.ts";
import { project } from "../support/projects.ts";

const guard = defineHook({
  name: "guard",
  event: "PreToolUse",
  tool: "Bash",
  options: z.strictObject({ most: z.number().default(3) }),
  handler: (event, { options, log }) => {
    log(`looked at ${event.input.command}`);
    return event.input.command.length > options.most ? deny(`longer than ${options.most}`) : allow();
  },
});

const bash = (command: string): GivenEvent => ({ event: "PreToolUse", tool: "Bash", input: { command } });

/** The result without what differs from run to run. */
const plain = ({ event: _, ...result }: Awaited<ReturnType<typeof simulate>>) => ({
  ...result,
  hooks: result.hooks.map(({ ms, ...hook }) => ({ ...hook, ms: ms >= 0 })),
});

describe("one hook", () => {
  test("all of what it did", async () => {
    const done = {
      matched: true,
      decision: "deny",
      reason: "longer than 3",
      log: ["looked at rm -rf /"],
      options: { most: 3 },
    } as const;
    expect(plain(await simulate(guard, bash("rm -rf /")))).toEqual({
      ...done,
      hooks: [{ name: "guard", ...done, ms: true }],
      warnings: [],
    });
  });
  test("that is not asked", async () => {
    const none = { matched: false, log: [], options: {} };
    for (const event of [{ event: "Stop" }, { event: "PreToolUse", tool: "Read", input: { file_path: "a" } }] as const)
      expect(plain(await simulate(guard, event))).toEqual({
        ...none,
        hooks: [{ name: "guard", ...none, ms: true }],
        warnings: [],
      });
  });
  test("with a matcher, of arguments too", async () => {
    const pushes = defineHook({ event: "PreToolUse", matcher: "Bash(git push*)", handler: () => deny("no") });
    expect((await simulate(pushes, bash("cd x && sudo git push"))).decision).toBe("deny");
    expect(await simulate(pushes, bash("git pull"))).toMatchObject({ matched: false, log: [] });
  });
  test("as a module", async () => {
    const module = {
      default: defineHook({ event: "Notification", handler: ({ message }) => context(message) }),
      other: 1,
    };
    const { additional_context, hooks } = await simulate(module, { event: "Notification", message: "hello" });
    expect([additional_context, hooks[0]?.name]).toEqual(["hello", "hook"]);
  });
  test("that has no name has its file's", async () => {
    const module = await import("../../hooks/block-destructive.ts");
    const [one, two] = [await simulate(module.default, bash("ls")), await simulate([module, guard], bash("ls"))];
    expect([one, two].map(({ hooks }) => hooks[0]?.name)).toEqual(["block-destructive", "block-destructive"]);
  });
  test("that answers every way", async () => {
    const answers = {
      a: allow(),
      b: ask("sure?"),
      c: modify({ command: "x" }),
      d: { user_message: "u" },
      e: undefined,
    } as const;
    const hook = defineHook({
      event: "PreToolUse",
      tool: "Bash",
      handler: ({ input }) => answers[input.command as "a"],
    });
    for (const command of ["a", "b", "c", "d", "e"] as const) {
      const {
        matched,
        log: _,
        options: __,
        hooks: ___,
        event: ____,
        warnings: _____,
        ...response
      } = await simulate(hook, bash(command));
      expect([matched, response]).toEqual([true, answers[command] ?? {}]);
    }
  });
});

describe("options", () => {
  test("come from the test", async () => {
    expect(await simulate(guard, bash("rm -rf /"), { options: { most: 10 } })).toMatchObject({
      decision: "allow",
      options: { most: 10 },
    });
  });
  test("that the schema does not want are a failure, as in a call", async () => {
    const { matched, decision, failure } = await simulate(guard, bash("ls"), {
      options: { most: "x" },
      onError: "allow",
    });
    expect([matched, decision, failure]).toEqual([
      true,
      undefined,
      "hooks.guard.most: Invalid input: expected number, received string; set it in the options",
    ]);
  });
  test("of valibot, and of a schema that is asynchronous", async () => {
    const options = v.pipeAsync(
      v.object({ word: v.optional(v.string(), "none") }),
      v.transformAsync(async ({ word }) => word.toUpperCase()),
    );
    const hook = defineHook({ event: "Stop", options, handler: (_, given) => deny(given.options) });
    expect((await simulate(hook, { event: "Stop" }, { options: { word: "tests" } })).reason).toBe("TESTS");
  });
  test("for a hook that takes none are an error", () =>
    expect(
      simulate(
        defineHook({ name: "plain", event: "Stop", handler: () => {} }),
        { event: "Stop" },
        { options: { a: 1 } },
      ),
    ).rejects.toThrow('the hook "plain" takes no options; give defineHook a schema of them'));
  test("that it does not have are an error: no newer hook is meant", () =>
    expect(simulate(guard, bash("ls"), { options: { mots: 1 } })).rejects.toThrow(
      'unknown setting "mots"; did you mean most?',
    ));
  test("no config file is read", () => {
    const app = project({
      ".bridge-hooks.json": '{ "hooks": { "guard": { "most": 100 } } }',
      "a.test.ts": `import { expect, test } from "bun:test";
import * as z from "zod";
import { defineHook } from "SRC/index.ts";
import { simulate } from "SRC/author/testing/index.ts";
const guard = defineHook({ name: "guard", event: "Stop", options: z.object({ most: z.number().default(3) }), handler: () => {} });
test("it", async () => expect((await simulate(guard, { event: "Stop" })).options).toEqual({ most: 3 }));
`,
    });
    const source = join(import.meta.dir, "../../src");
    app.put(
      "a.test.ts",
      readFileSync(join(app.at, "a.test.ts"), "utf8")
        .replaceAll("SRC", source)
        .replace('"zod"', JSON.stringify(Bun.resolveSync("zod", source))),
    );
    const { exitCode, stderr } = Bun.spawnSync([process.execPath, "test"], { cwd: app.at, env: app.env });
    const left = existsSync(join(app.home, "state"));
    app.end();
    expect([exitCode, stderr.toString(), left]).toEqual([0, expect.stringContaining("1 pass"), false]);
  });
});

describe("a hook that fails", () => {
  const failing = (handler: () => unknown): Hook =>
    defineHook({ name: "f", event: "PreToolUse", handler: handler as () => undefined });
  const CASES: [name: string, handler: () => unknown, failure: string][] = [
    [
      "throws",
      () => {
        throw new Error("broken");
      },
      "broken",
    ],
    [
      "rejects",
      async () => {
        throw new Error("later");
      },
      "later",
    ],
    ["never answers", () => new Promise(() => {}), "it took longer than 50 ms"],
    [
      "loops",
      () => {
        for (;;);
      },
      "it took longer than 50 ms",
    ],
    [
      "misspells",
      () => ({ decison: "deny" }),
      'it returned an unknown field "decison" (known: decision, modified_input, reason, user_message, additional_context, modified_output, session_env)',
    ],
  ];
  for (const [name, handler, failure] of CASES) {
    test(name, async () => {
      const done = await simulate(failing(handler), bash("ls"), { timeoutMs: 50, onError: "allow" });
      expect([done.matched, done.failure, done.decision]).toEqual([true, failure, undefined]);
    });
  }
  test("ends no process, and moves none", async () => {
    const before = process.cwd();
    const done = await simulate(
      failing(() => (process.chdir("/"), process.exit(3))),
      bash("ls"),
      { onError: "allow" },
    );
    expect([done.failure, process.cwd()]).toEqual(["it called process.exit(3); return a response instead", before]);
  });
  test("with a host, what is done then is in the answer", async () => {
    const hook = failing(() => {
      throw new Error("broken");
    });
    const open = await simulate(hook, bash("ls"), { host: "claude", onError: "allow" });
    expect([open.failure, open.answer, open.warnings]).toEqual([
      "broken",
      { stdout: "", stderr: 'bridge-hooks: claude PreToolUse: hook "f" failed: broken', exit_code: 1 },
      ['bridge-hooks: claude PreToolUse: hook "f" failed: broken'],
    ]);
    expect((await simulate(hook, bash("ls"), { host: "claude", onError: "deny" })).answer?.exit_code).toBe(2);
  });
  const broken = new Error("broken");
  const throwing = (more: Partial<Hook> = {}): Hook => ({
    ...failing(() => {
      throw broken;
    }),
    ...more,
  });
  test("fails the test with what it threw, on any host", async () => {
    for (const host of [undefined, "claude", "copilot"])
      expect(await simulate(throwing({ onError: "deny" }), bash("ls"), { host }).catch((error: unknown) => error)).toBe(
        broken,
      );
    expect(await simulate([guard, throwing()], bash("ls")).catch((error: unknown) => error)).toBe(broken);
  });
  test("and where it failed otherwise, with an error of the test's line", async () => {
    const problems = CASES.slice(2).map(async ([, handler, failure]) => {
      const error = await simulate(failing(handler), bash("ls"), { timeoutMs: 50 }).catch((thrown: Error) => thrown);
      const [message, ...frames] = (error as Error).stack?.split("\n") ?? [];
      expect([message, frames[0]]).toEqual([
        `Error: the hook "f" failed: ${failure}`,
        expect.stringContaining("simulate.test.ts:"),
      ]);
    });
    expect((await Promise.all(problems)).length).toBe(3);
  });
  test("with onError, the policy is applied as in a call", async () => {
    const reason = 'The hook "f" failed (broken), and its policy is to deny then.';
    const CALLS: [hook: Partial<Hook>, onError: "allow" | "deny", denied: boolean][] = [
      [{}, "allow", false],
      [{}, "deny", true],
      [{ onError: "deny" }, "allow", true],
      [{ onError: "allow" }, "deny", false],
    ];
    let compared = 0;
    for (const [more, onError, denied] of CALLS) {
      for (const host of [undefined, ...hosts.map(({ id }) => id)]) {
        const done = await simulate(throwing(more), bash("ls"), { host, onError });
        expect([host, done.failure, done.decision, done.reason]).toEqual([
          host,
          "broken",
          denied ? "deny" : undefined,
          denied ? reason : undefined,
        ]);
        compared++;
      }
    }
    expect(compared).toBe(4 * (hosts.length + 1));
  });
  test("with onError, other hooks' answers count or are dropped as in a call", async () => {
    const says = (response: ReturnType<typeof deny>) =>
      defineHook({ name: "other", event: "PreToolUse", handler: () => response });
    const told = async (response: ReturnType<typeof deny>, host?: string) => {
      const { decision, additional_context } = await simulate([throwing(), says(response)], bash("ls"), {
        host,
        onError: "allow",
      });
      return [decision, additional_context];
    };
    for (const host of [undefined, "claude"]) {
      expect(await told(context("hello"), host)).toEqual([undefined, undefined]);
      expect(await told(deny("no"), host)).toEqual(["deny", undefined]);
    }
  });
  test("at Stop a failure makes no agent go on", async () => {
    for (const host of [undefined, "claude"]) {
      const done = await simulate(throwing({ event: "Stop" }), { event: "Stop" }, { host, onError: "deny" });
      expect([done.failure, done.decision]).toEqual(["broken", undefined]);
    }
  });
});

describe("a host", () => {
  test("every one gets a denial, in its own words", async () => {
    const tools: string[] = [];
    const hook = defineHook({
      event: "PreToolUse",
      tool: "Bash",
      handler: (event) => (tools.push(event.tool_name), deny(`no ${event.input.command}`)),
    });
    for (const { id } of hosts) {
      const { decision, event, answer } = await simulate(hook, bash("rm x"), { host: id });
      expect([decision, event.host, event.cwd, answer?.exit_code === 2 || answer?.stdout.includes("no rm x")]).toEqual([
        "deny",
        id,
        process.cwd(),
        true,
      ]);
    }
    expect(tools).toEqual(["Bash", "Shell", "Bash", "run_shell_command", "bash", "bash", "exec"]);
  });
  test("what it can't do is a warning", async () => {
    const hook = defineHook({ event: "PreToolUse", handler: () => ask("sure?") });
    const { decision, warnings, answer } = await simulate(hook, bash("ls"), { host: "codex" });
    expect(decision).toBe("ask");
    expect(warnings).toEqual([
      'bridge-hooks: codex PreToolUse: decision "ask" became a denial; Codex runs the call on "ask"; --codex-ask-fallback ask prints nothing and leaves it to Codex\'s own approval',
    ]);
    expect(answer?.exit_code).toBe(2);
  });
  test("of an edit that is several calls there, the one that is stopped", async () => {
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
  test("that there is not, or that has no such event", () => {
    expect(simulate(guard, bash("ls"), { host: "clade" })).rejects.toThrow(
      'there is no host "clade"; did you mean claude?',
    );
    expect(simulate(guard, { event: "PostCompact" }, { host: "cursor" })).rejects.toThrow("Cursor has no such event");
  });
});

describe("several hooks", () => {
  const told: string[] = [];
  const hook = (name: string, order: number, answer: () => ReturnType<typeof deny>) =>
    defineHook({ name, order, event: "PreToolUse", handler: () => (told.push(name), answer()) });
  test("answer as one, by order, and see what those before changed", async () => {
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
      guard,
    ];
    const done = await simulate(hooks, bash("ls"), { options: { guard: { most: 100 } } });
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
  test("options for a hook that there is not", () =>
    expect(simulate([guard], bash("ls"), { options: { gaurd: {} } })).rejects.toThrow(
      'there is no hook "gaurd"; did you mean guard?',
    ));
});

describe("what is left out is filled in", () => {
  const seen = async (event: GivenEvent) => (await simulate(guard, event)).event;
  const setting = {
    host: "bridge-hooks",
    session_id: expect.stringMatching(/^simulated-\d+$/),
    cwd: process.cwd(),
    _native: {},
  };
  test("of calls", async () => {
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
  test("of a session, unless it is said", async () => {
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

describe("Stop", () => {
  const go = (more: { maxContinuations?: number } = {}) =>
    defineHook({ name: "go", event: "Stop", handler: ({ continuations }) => deny(`${continuations}`), ...more });
  const said = [
    'hook "go" could not make the agent go on: hooks already did so 1 time in a row; raise maxContinuations, now 1',
  ];
  test("goes on as often as the hook may", async () => {
    expect(await simulate(go(), { event: "Stop" })).toMatchObject({ decision: "deny", reason: "0", warnings: [] });
    const over = await simulate(go(), { event: "Stop", continuations: 1 });
    expect([over.matched, over.decision, over.warnings]).toEqual([true, undefined, said]);
    expect(await simulate(go({ maxContinuations: 3 }), { event: "Stop", continuations: 2 })).toMatchObject({
      decision: "deny",
      reason: "2",
    });
  });
  test("on every host, whether it counts or not", async () => {
    for (const { id } of hosts) {
      const first = await simulate(go(), { event: "Stop" }, { host: id });
      const third = await simulate(go({ maxContinuations: 3 }), { event: "Stop", continuations: 2 }, { host: id });
      const over = await simulate(go(), { event: "Stop", continuations: 1 }, { host: id });
      expect([id, first.reason, third.reason, over.decision]).toEqual([id, "0", "2", undefined]);
    }
  });
});

describe("files", () => {
  const hook = defineHook({
    event: "PostToolUse",
    handler: ({ cwd }) => {
      writeFileSync(join(cwd, "made.txt"), readFileSync(join(cwd, "src/a.txt"), "utf8").toUpperCase());
      return context(readdirSync(cwd).sort().join(" "));
    },
  });
  test("lie in a folder of their own, which is gone afterwards", async () => {
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
  test("lie nowhere else", () =>
    expect(simulate(hook, { event: "Stop" }, { files: { "../a": "" } })).rejects.toThrow(
      "the file ../a lies in no folder of a test; name it without its root",
    ));
});

describe("state", () => {
  const counts = defineHook({
    event: "UserPromptSubmit",
    handler: (event) => {
      const count = Number(state(event).get("count") ?? 0) + 1;
      state(event).set("count", count);
      return context(String(count));
    },
  });
  const home = mkdtempSync(join(tmpdir(), "bridge-hooks-state-"));
  test("lasts for a session, and lies on no disk", async () => {
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

describe("what makes no sense", () => {
  const CASES: [given: unknown, message: string][] = [
    [{}, "the event needs event; known: SessionStart, PreToolUse, "],
    [5, "the event: expected object, received number"],
    [{ event: "PreTooluse" }, 'there is no event "PreTooluse"; did you mean PreToolUse?'],
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
      'there is no input.files.0.operation "change"; known: add, update, delete, move',
    ],
    [{ event: "Stop", prompt: "x" }, "a Stop event has no prompt; known: "],
    [{ event: "UserPromptSubmit" }, "a UserPromptSubmit event needs prompt"],
  ];
  for (const [given, message] of CASES)
    test(JSON.stringify(given), () => expect(simulate(guard, given as GivenEvent)).rejects.toThrow(message));
  test("is told at the line that says it", async () => {
    const error = await simulate(guard, { event: "PreTooluse" } as unknown as GivenEvent).catch(
      (thrown: Error) => thrown,
    );
    expect((error as Error).stack?.split("\n")[1]).toContain("simulate.test.ts:");
  });
  test("options that are none", () => {
    const given = (options: object) => simulate(guard, bash("ls"), options);
    expect(given({ hots: "claude" })).rejects.toThrow('simulate has no option "hots"; did you mean host?');
    expect(given({ xyzzyx: 1 })).rejects.toThrow(
      'simulate has no option "xyzzyx"; known: host, options, files, timeoutMs, onError',
    );
    expect(given({ onError: "ask" })).rejects.toThrow('onError takes "allow" or "deny", not "ask"');
  });
  test("hooks that are none", () => {
    const hook = (one: unknown) => simulate(one as Hook, { event: "Stop" });
    expect(hook(undefined)).rejects.toThrow("simulate takes a hook, or a module with one as its default export");
    expect(hook({ default: {} })).rejects.toThrow("simulate takes a hook");
    expect(hook({ event: "Stop", handler() {}, onerror: "deny" })).rejects.toThrow(
      'defineHook knows no field "onerror"; did you mean onError?',
    );
    expect(hook({ event: "PreToolUse", matcher: "Bash(x", handler() {} })).rejects.toThrow(
      'matcher "Bash(x" has a "(" that is not closed',
    );
  });
  test("the compiler says so before", () => {
    const wrong = () => [
      // @ts-expect-error there is no such event
      simulate(guard, { event: "PreToolUs" }),
      // @ts-expect-error a Bash call has a command
      simulate(guard, { event: "PreToolUse", tool: "Bash", input: { cmd: "ls" } }),
      // @ts-expect-error a call has a tool
      simulate(guard, { event: "PreToolUse", input: { command: "ls" } }),
      // @ts-expect-error a Stop has no tool
      simulate(guard, { event: "Stop", tool: "Bash" }),
      // @ts-expect-error a prompt has a text
      simulate(guard, { event: "UserPromptSubmit" }),
      // @ts-expect-error the output of Read has no exit code
      simulate(guard, { event: "PostToolUse", tool: "Read", input: { file_path: "a" }, output: { exit_code: 0 } }),
      // @ts-expect-error this is no option of simulate
      simulate(guard, { event: "Stop" }, { option: {} }),
    ];
    expect(wrong).toBeFunction();
  });
});
