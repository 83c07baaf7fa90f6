import { describe, expect, test } from "bun:test";
import { existsSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { simulate } from "../../src/author/testing/index.ts";
import { hosts } from "../../src/hosts/index.ts";
import { allow, ask, context, defineHook, deny, type Hook, modify } from "../../src/index.ts";
import { scaleMs } from "../support/machine.ts";
import { createProject } from "../support/projects.ts";
import { guardHook, createBashEvent } from "./simulate-support.ts";
import * as v from "valibot";

/** Removes from a result everything that differs between runs. */
const plain = ({ event: _, ...result }: Awaited<ReturnType<typeof simulate>>) => ({
  ...result,
  hooks: result.hooks.map(({ ms, ...hook }) => ({ ...hook, ms: ms >= 0 })),
});

describe("simulate with one hook", () => {
  test("returns the decision, reason, log and options", async () => {
    const done = {
      matched: true,
      decision: "deny",
      reason: "longer than 3",
      log: ["looked at rm -rf /"],
      options: { most: 3 },
    } as const;
    expect(plain(await simulate(guardHook, createBashEvent("rm -rf /")))).toEqual({
      ...done,
      hooks: [{ name: "guard", ...done, ms: true }],
      warnings: [],
    });
  });
  test("returns matched: false if the hook does not run", async () => {
    const none = { matched: false, log: [], options: {} };
    for (const event of [{ event: "Stop" }, { event: "PreToolUse", tool: "Read", input: { file_path: "a" } }] as const)
      expect(plain(await simulate(guardHook, event))).toEqual({
        ...none,
        hooks: [{ name: "guard", ...none, ms: true }],
        warnings: [],
      });
  });
  test("applies the hook's matcher, including arguments", async () => {
    const pushes = defineHook({ event: "PreToolUse", matcher: "Bash(git push*)", handler: () => deny("no") });
    expect((await simulate(pushes, createBashEvent("cd x && sudo git push"))).decision).toBe("deny");
    expect(await simulate(pushes, createBashEvent("git pull"))).toMatchObject({ matched: false, log: [] });
  });
  test("accepts a module with the hook as its default export", async () => {
    const module = {
      default: defineHook({ event: "Notification", handler: ({ message }) => context(message) }),
      other: 1,
    };
    const { additional_context, hooks } = await simulate(module, { event: "Notification", message: "hello" });
    expect([additional_context, hooks[0]?.name]).toEqual(["hello", "hook"]);
  });
  test("names a hook without a name after its file", async () => {
    const module = await import("../../hooks/block-destructive.ts");
    const [one, two] = [
      await simulate(module.default, createBashEvent("ls")),
      await simulate([module, guardHook], createBashEvent("ls")),
    ];
    expect([one, two].map(({ hooks }) => hooks[0]?.name)).toEqual(["block-destructive", "block-destructive"]);
  });
  test("returns every kind of answer", async () => {
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
      } = await simulate(hook, createBashEvent(command));
      expect([matched, response]).toEqual([true, answers[command] ?? {}]);
    }
  });
});

describe("simulate's options", () => {
  test("are passed to the hook", async () => {
    expect(await simulate(guardHook, createBashEvent("rm -rf /"), { options: { most: 10 } })).toMatchObject({
      decision: "allow",
      options: { most: 10 },
    });
  });
  test("rejected by the schema are a failure, as in a call", async () => {
    const { matched, decision, failure } = await simulate(guardHook, createBashEvent("ls"), {
      options: { most: "x" },
      onError: "allow",
    });
    expect([matched, decision, failure]).toEqual([
      true,
      undefined,
      "hooks.guard.most: Invalid input: expected number, received string; set it in the options",
    ]);
  });
  test("can be validated by an asynchronous valibot schema", async () => {
    const options = v.pipeAsync(
      v.object({ word: v.optional(v.string(), "none") }),
      v.transformAsync(async ({ word }) => word.toUpperCase()),
    );
    const hook = defineHook({ event: "Stop", options, handler: (_, given) => deny(given.options) });
    expect((await simulate(hook, { event: "Stop" }, { options: { word: "tests" } })).reason).toBe("TESTS");
  });
  test("are an error for a hook without options", () =>
    expect(
      simulate(
        defineHook({ name: "plain", event: "Stop", handler: () => {} }),
        { event: "Stop" },
        { options: { a: 1 } },
      ),
    ).rejects.toThrow('the hook "plain" has no options; pass a schema to defineHook'));
  test("are an error if they are unknown", () =>
    expect(simulate(guardHook, createBashEvent("ls"), { options: { mots: 1 } })).rejects.toThrow(
      'unknown setting "mots"; did you mean most?',
    ));
  test("do not come from a config file", () => {
    const app = createProject({
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

describe("a failing hook in simulate", () => {
  /**
   * Time limits for the hook and the call. The call's limit must be longer; otherwise the hook would get only the time
   * left in the call.
   */
  const [HOOK_MS, TIMEOUT_MS] = [scaleMs(50), scaleMs(4_000)];
  const failing = (handler: () => unknown): Hook =>
    defineHook({ name: "f", event: "PreToolUse", timeoutMs: HOOK_MS, handler: handler as () => undefined });
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
    ["never answers", () => new Promise(() => {}), `it took longer than ${HOOK_MS} ms`],
    [
      "loops",
      () => {
        for (;;);
      },
      `it took longer than ${HOOK_MS} ms`,
    ],
    [
      "misspells a field",
      () => ({ decison: "deny" }),
      'it returned an unknown field "decison" (known: decision, modified_input, reason, user_message, additional_context, modified_output, session_env, rule, subject, mode)',
    ],
  ];
  for (const [name, handler, failure] of CASES) {
    test(`that ${name} has its failure in the result`, async () => {
      const done = await simulate(failing(handler), createBashEvent("ls"), { timeoutMs: TIMEOUT_MS, onError: "allow" });
      expect([done.matched, done.failure, done.decision]).toEqual([true, failure, undefined]);
    });
  }
  test("neither ends the process nor changes its directory", async () => {
    const before = process.cwd();
    const done = await simulate(
      failing(() => (process.chdir("/"), process.exit(3))),
      createBashEvent("ls"),
      { onError: "allow" },
    );
    expect([done.failure, process.cwd()]).toEqual(["it called process.exit(3); return a response instead", before]);
  });
  test("has the failure policy applied in a host's answer", async () => {
    const hook = failing(() => {
      throw new Error("broken");
    });
    const open = await simulate(hook, createBashEvent("ls"), { host: "claude", onError: "allow" });
    expect([open.failure, open.answer, open.warnings]).toEqual([
      "broken",
      { stdout: "", stderr: 'bridge-hooks: claude PreToolUse: hook "f" failed: broken', exit_code: 1 },
      ['bridge-hooks: claude PreToolUse: hook "f" failed: broken'],
    ]);
    expect((await simulate(hook, createBashEvent("ls"), { host: "claude", onError: "deny" })).answer?.exit_code).toBe(
      2,
    );
  });
  const broken = new Error("broken");
  const throwing = (more: Partial<Hook> = {}): Hook => ({
    ...failing(() => {
      throw broken;
    }),
    ...more,
  });
  test("fails the test with the error that it threw, on any host", async () => {
    for (const host of [undefined, "claude", "copilot"])
      expect(
        await simulate(throwing({ onError: "deny" }), createBashEvent("ls"), { host }).catch((error: unknown) => error),
      ).toBe(broken);
    expect(await simulate([guardHook, throwing()], createBashEvent("ls")).catch((error: unknown) => error)).toBe(
      broken,
    );
  });
  test("fails the test with an error at the test's line if it threw nothing", async () => {
    const problems = CASES.slice(2).map(async ([, handler, failure]) => {
      const error = await simulate(failing(handler), createBashEvent("ls"), { timeoutMs: TIMEOUT_MS }).catch(
        (thrown: Error) => thrown,
      );
      const [message, ...frames] = (error as Error).stack?.split("\n") ?? [];
      expect([message, frames[0]]).toEqual([
        `Error: the hook "f" failed: ${failure}`,
        expect.stringContaining("simulate.test.ts:"),
      ]);
    });
    expect((await Promise.all(problems)).length).toBe(3);
  });
  test("applies the policy of onError as in a call", async () => {
    const reason = 'The hook "f" failed (broken), and its failure policy is to deny.';
    const CALLS: [hook: Partial<Hook>, onError: "allow" | "deny", denied: boolean][] = [
      [{}, "allow", false],
      [{}, "deny", true],
      [{ onError: "deny" }, "allow", true],
      [{ onError: "allow" }, "deny", false],
    ];
    let compared = 0;
    for (const [more, onError, denied] of CALLS) {
      for (const host of [undefined, ...hosts.map(({ id }) => id)]) {
        const done = await simulate(throwing(more), createBashEvent("ls"), { host, onError });
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
  test("with onError allow keeps other hooks' denials and drops their context, as in a call", async () => {
    const says = (response: ReturnType<typeof deny>) =>
      defineHook({ name: "other", event: "PreToolUse", handler: () => response });
    const told = async (response: ReturnType<typeof deny>, host?: string) => {
      const { decision, additional_context } = await simulate([throwing(), says(response)], createBashEvent("ls"), {
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
  test("does not make the agent continue at Stop", async () => {
    for (const host of [undefined, "claude"]) {
      const done = await simulate(throwing({ event: "Stop" }), { event: "Stop" }, { host, onError: "deny" });
      expect([done.failure, done.decision]).toEqual(["broken", undefined]);
    }
  });
});
