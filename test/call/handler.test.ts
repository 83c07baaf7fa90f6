import { describe, expect, test } from "bun:test";
import { mkdirSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { defineHook, createHookEntry } from "../../src/protocol/hook.ts";
import type { Schema } from "../../src/protocol/schema.ts";
import { runHooks } from "../../src/call/ask/dispatch.ts";
import { PROJECT_CONFIG } from "../../src/policy/config-paths.ts";
import { decodeFixture } from "../support/fixtures.ts";
import { folder, removeConfigs } from "../policy/options-support.ts";
import * as z from "zod";
import { scaleMs } from "../support/machine.ts";

removeConfigs();

describe("a handler", () => {
  const root = join(folder, "project");
  mkdirSync(join(root, ".git"), { recursive: true });
  const file = join(root, PROJECT_CONFIG);
  let validations = 0;
  const schema = z.strictObject({ most: z.number().default(3) }).refine(() => ++validations > 0);
  const seen: unknown[] = [];
  const hook = defineHook({
    event: "PreToolUse",
    options: schema,
    handler: (_, { options, log }) => {
      seen.push(options.most);
      log(`most is ${options.most}`);
    },
  });
  const run = (cwd = root) =>
    runHooks(
      [createHookEntry(hook, "guard")],
      { ...decodeFixture("claude", "PreToolUse-Bash"), cwd },
      performance.now() + scaleMs(2_000),
    );

  test("gets its options, validated once per content of the files, and may log", async () => {
    const [first] = await run();
    await run();
    expect([seen, validations, first?.log]).toEqual([[3, 3], 1, ["most is 3"]]);
    writeFileSync(file, '{"hooks":{"guard":{"most":7}}}');
    await run();
    expect([seen, validations]).toEqual([[3, 3, 7], 2]);
  });
  const own = ' for the hook "guard"';
  const wrong: [string, string, string][] = [
    ['{"hooks":{"guard":{"most":"x"}}}', ": hooks.guard.most: Invalid input: expected number, received string", own],
    ['{"hooks":{"guard":"x"}}', ": hooks.guard: must be an object", own],
    ['{"hooks":', ":1:10: not valid JSON (", ""],
    [`{"hooks":{}}${" ".repeat(1_000_000)}`, " can't be read (larger than 1000000 bytes)", ""],
  ];
  for (const [text, message, hookName] of wrong) {
    test(`runs without a project's invalid settings, with a warning: ${text.slice(0, 60)}`, async () => {
      writeFileSync(file, text);
      const before = seen.length;
      const [outcome] = await run();
      expect([outcome?.failure, outcome?.warning, seen.slice(before)]).toEqual([
        undefined,
        expect.stringMatching(new RegExp(`^${RegExp.escape(file + message)}.*; that file is ignored${hookName}$`)),
        [3],
      ]);
    });
  }
  test("blames a broken file on no hook, whatever the file's path", async () => {
    const cwd = join(folder, "x: hooks.guard");
    mkdirSync(cwd);
    writeFileSync(join(cwd, ".bridge-hooks.json"), '{"hooks":');
    const [outcome] = await run(cwd);
    expect(outcome?.warning).toMatch(/: not valid JSON .*; that file is ignored$/);
  });
  for (const text of [
    '{"guard":{"mots":1}}',
    '{"guard":{"__proto__":{"most":9}}}',
    '{"__proto__":{"guard":{"most":9}}}',
  ])
    test(`runs without a project's unknown settings, without a warning: ${text}`, async () => {
      writeFileSync(file, `{"hooks":${text}}`);
      const before = seen.length;
      const [outcome] = await run();
      expect([outcome?.failure, outcome?.warning, seen.slice(before)]).toEqual([undefined, undefined, [3]]);
    });
  test("does not block on a pipe or device in place of a project's config", async () => {
    const places = [() => Bun.spawnSync(["mkfifo", file]), () => symlinkSync("/dev/zero", file), () => mkdirSync(file)];
    for (const place of places) {
      rmSync(file, { recursive: true, force: true });
      place();
      const [outcome] = await run();
      expect([outcome?.failure, outcome?.warning]).toEqual([
        undefined,
        expect.stringContaining("can't be read (not a regular file)"),
      ]);
    }
    rmSync(file, { recursive: true });
  });
  test("fails if the user's config is invalid", async () => {
    const home = join(folder, "home");
    const path = join(home, ".config/bridge-hooks/config.json");
    mkdirSync(dirname(path), { recursive: true });
    writeFileSync(path, '{"hooks":{"guard":{"most":"x"}}}');
    const { HOME } = process.env;
    process.env.HOME = home;
    try {
      const before = seen.length;
      const [outcome] = await run();
      expect([outcome?.failure, seen.length]).toEqual([
        `${path}: hooks.guard.most: Invalid input: expected number, received string`,
        before,
      ]);
    } finally {
      process.env.HOME = HOME;
    }
  });
  test("can't mutate its options", async () => {
    let given: { list: string[] } | undefined;
    const schema = z.object({ list: z.array(z.string()).default(["a"]) });
    const greedy = defineHook({
      event: "PreToolUse",
      options: schema,
      handler: (_, { options }) => void (given = options),
    });
    await runHooks(
      [createHookEntry(greedy, "greedy")],
      { ...decodeFixture("claude", "PreToolUse-Bash"), cwd: root },
      performance.now() + scaleMs(2_000),
    );
    expect(() => given?.list.push("**")).toThrow();
  });
  test("fails at its timeout if its schema never ends", async () => {
    const endless = {
      "~standard": {
        version: 1,
        vendor: "x",
        validate: () => {
          for (;;);
        },
      },
    } as unknown as Schema<object>;
    const looping = defineHook({ event: "PreToolUse", options: endless, timeoutMs: 200, handler: () => undefined });
    const [outcome] = await runHooks(
      [createHookEntry(looping, "looping")],
      { ...decodeFixture("claude", "PreToolUse-Bash"), cwd: root },
      performance.now() + scaleMs(2_000),
    );
    expect(outcome?.failure).toBe("it took longer than 200 ms");
  });
  test("without a schema gets no options", async () => {
    let given: unknown;
    const plain = defineHook({ event: "PreToolUse", handler: (_, { options }) => void (given = options) });
    await runHooks(
      [createHookEntry(plain, "guard")],
      { ...decodeFixture("claude", "PreToolUse-Bash"), cwd: root },
      performance.now() + scaleMs(2_000),
    );
    expect(given).toEqual({});
  });
});
