import { describe, expect, test } from "bun:test";
import { mkdirSync, realpathSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import blockDestructive from "../../hooks/block-destructive.ts";
import formatAfterEdit from "../../hooks/format-after-edit.ts";
import protectHooks from "../../hooks/protect-hooks.ts";
import protectSecrets from "../../hooks/protect-secrets.ts";
import verifyBeforeStop from "../../hooks/verify-before-stop.ts";
import { defineHook, type Hook, createHookEntry } from "../../src/protocol/hook.ts";
import { listSchemaKeys, type Schema } from "../../src/protocol/schema.ts";
import { validateHookOptions, mergeSettings } from "../../src/policy/merge.ts";
import { runHooks } from "../../src/call/ask/dispatch.ts";
import { PROJECT_CONFIG } from "../../src/policy/config-paths.ts";
import { type ConfigSource, listConfigSources } from "../../src/policy/sources.ts";
import { decodeFixture, getPayload } from "../support/fixtures.ts";
import { folder, sources, writeConfig, readValues, removeConfigs } from "./options-support.ts";
import * as v from "valibot";
import * as z from "zod";
import { scaleMs } from "../support/machine.ts";

removeConfigs();

describe("settings", () => {
  test("are empty without config files", async () =>
    expect(await mergeSettings("guard", sources)).toEqual({ values: {}, sources: {}, ignored: [] }));
  test("are taken one by one from the managed config, else the project's, else the user's", async () => {
    writeConfig("user", { hooks: { guard: { a: "user", b: "user", c: "user" }, other: { a: 1 } } });
    writeConfig("project", '{ // comments are fine\n "hooks": { "guard": { "a": "project", "b": "project", }, }, }');
    writeConfig("managed", { $schema: "x", hooks: { guard: { a: "managed" } } });
    expect(await readValues()).toEqual({ a: "managed", b: "project", c: "user" });
    expect(Object.values((await mergeSettings("guard", sources)).sources).map(({ scope }) => scope)).toEqual([
      "managed",
      "project",
      "user",
    ]);
    expect(await readValues("other")).toEqual({ a: 1 });
  });
  const locks: [string, Record<string, unknown>, Record<string, unknown>][] = [
    [
      "of a hook that the managed config locks come only from it",
      { managed: { hooks: { guard: { a: 1 } }, locked: ["guard"] } },
      { a: 1 },
    ],
    [
      "come only from the managed config if it locks everything",
      { managed: { hooks: { guard: { a: 1 } }, locked: true } },
      { a: 1 },
    ],
    ["of a locked hook are empty if the managed config has none", { managed: { locked: ["guard"] } }, {}],
    [
      "come from all files if the managed config locks another hook",
      { managed: { hooks: { guard: { a: 1 } }, locked: ["other"] } },
      { a: 1, p: 1, u: 1 },
    ],
    [
      "of a hook that the user locks omit the project's",
      { user: { hooks: { guard: { u: 2 } }, locked: ["guard"] } },
      { u: 2 },
    ],
    [
      "come from all files even if a project locks everything",
      { project: { hooks: { guard: { p: 2 } }, locked: true } },
      { p: 2, u: 1 },
    ],
  ];
  for (const [name, documents, expected] of locks) {
    test(name, async () => {
      writeConfig("project", { hooks: { guard: { p: 1 } } });
      writeConfig("user", { hooks: { guard: { u: 1 } } });
      for (const scope in documents) writeConfig(scope, documents[scope]);
      expect(await readValues()).toEqual(expected);
    });
  }
  const WRONG = ["{", '{"hooks":{"guard":1,"other":[]}}', '{"hooks":[]}', "[]"];
  for (const text of WRONG) {
    test(`of a locked hook ignore an invalid project config: ${text}`, async () => {
      writeConfig("project", text);
      writeConfig("user", { hooks: { guard: { u: 1 } }, locked: ["guard"] });
      expect(await mergeSettings("guard", sources)).toEqual({
        values: { u: 1 },
        sources: { u: sources[2] as ConfigSource },
        ignored: [],
        lock: sources[2],
      });
      expect(readValues("other")).rejects.toThrow(join(folder, "project.json"));
      writeConfig("user", "{");
      writeConfig("managed", { locked: true });
      expect(await mergeSettings("guard", sources)).toEqual({ values: {}, sources: {}, ignored: [], lock: sources[0] });
    });
  }
  const wrong: [string, string][] = [
    ["", "the file is empty; write {} or delete the file"],
    [" \n", "the file is empty; write {} or delete the file"],
    ["[]", "not a JSON object"],
    ["5", "not a JSON object"],
    ['{"hooks":[]}', "hooks: must be an object with the settings of each hook, by hook name"],
    ['{"hooks":{"guard":1}}', "hooks.guard: must be an object"],
  ];
  for (const [text, message] of wrong) {
    test(`are an error if a file is invalid: ${JSON.stringify(text)}`, async () => {
      writeConfig("project", text);
      await expect(readValues()).rejects.toThrow(`${join(folder, "project.json")}: ${message}`);
    });
  }
  const newer = { version: 2, audit: { to: "syslog" }, hooks: { guard: { a: 1 }, other: { b: 2 } }, locked: ["guard"] };
  test("omit a file's unknown fields, and keep its other settings and locks", async () => {
    writeConfig("managed", newer);
    writeConfig("user", { hooks: { guard: { u: 1 }, other: { u: 1 } } });
    expect(await readValues()).toEqual({ a: 1 });
    expect(await readValues("other")).toEqual({ b: 2, u: 1 });
  });
  test("of one hook can be invalid without affecting another hook", async () => {
    for (const said of [1, null, [], "x"]) {
      writeConfig("managed", { hooks: { guard: said, other: { b: 2 } } });
      await expect(readValues()).rejects.toThrow(`${join(folder, "managed.json")}: hooks.guard: must be an object`);
      expect(await readValues("other")).toEqual({ b: 2 });
    }
  });
  const unreadable: [locked: unknown, locks: boolean][] = [
    ["guard", true],
    [[1], true],
    [["other", null], true],
    [{ guard: true }, true],
    [null, true],
    [1, true],
    [[], false],
    [false, false],
  ];
  for (const [locked, isLocked] of unreadable)
    test(`are ${isLocked ? "all" : "not"} locked by "locked": ${JSON.stringify(locked)}`, async () => {
      writeConfig("managed", { hooks: { guard: { a: 1 } }, locked });
      writeConfig("user", { hooks: { guard: { u: 1 } } });
      expect(await readValues()).toEqual({ a: 1, ...(!isLocked && { u: 1 }) });
    });
  test(`of a project stay untrusted if "trusted" is invalid or in the project's own config`, async () => {
    writeConfig("project", { hooks: { guard: { p: 1 } }, trusted: ["**"] });
    for (const trusted of ["**", { "**": true }, ["**", 1], null]) {
      writeConfig("user", { trusted });
      expect(await mergeSettings("guard", sources, { trustedOptions: ["p"] })).toEqual({
        values: {},
        sources: {},
        ignored: ["p"],
      });
    }
  });
  const broken: [text: string, place: string, said: string][] = [
    ["{", "1:2", "close brace expected"],
    ['{\n  "hooks": {},\n  "locked" true\n}', "3:12", "colon expected"],
    ['{ "locked": [true }', "1:19", "comma expected"],
    ['\ufeff{\n  // "locked"\n  locked: true }', "3:3", "invalid symbol"],
    ["// nothing", "1:11", "value expected"],
  ];
  for (const [text, place, said] of broken) {
    test(`are an error with line and column if a file can't be parsed: ${JSON.stringify(text)}`, async () => {
      writeConfig("user", text);
      await expect(readValues()).rejects.toThrow(
        `${join(folder, "user.json")}:${place}: not valid JSON (${said}); comments are allowed`,
      );
    });
  }
  test("are an error if a file exists but can't be read", async () => {
    mkdirSync(join(folder, "user.json"));
    await expect(readValues()).rejects.toThrow(`${join(folder, "user.json")} can't be read (`);
    rmSync(join(folder, "user.json"), { recursive: true });
  });
});

describe("a project's value of a trusted option", () => {
  const trusting = async (...trusted: string[]) => {
    writeConfig("project", { hooks: { guard: { run: "project", a: "project" } } });
    writeConfig("user", { hooks: { guard: { a: "user", run: "user" } }, trusted });
    const { values, sources: from, ignored } = await mergeSettings("guard", sources, { trustedOptions: ["run"] });
    return [values.run, values.a, from.run?.scope, ignored];
  };
  const real = realpathSync(folder);
  test("is ignored without trust, and the user's value applies", async () =>
    expect(await trusting()).toEqual(["user", "project", "user", ["run"]]));
  const cases: [glob: string, trusted: boolean][] = [
    [real, true],
    [`${dirname(real)}/*`, true],
    [`${dirname(real)}/**`, true],
    [`${dirname(real)}/bridge-hooks-options-*`, true],
    [`${real}/*`, false],
    [dirname(real), false],
    ["~", false],
    ["~/*", false],
    ["*", false],
    ["", false],
  ];
  for (const [glob, trusted] of cases)
    test(`${trusted ? "applies" : "has no effect"} if the user trusts ${glob.replace(dirname(real), "…")}`, async () =>
      expect(await trusting(glob)).toEqual(
        trusted ? ["project", "project", "project", []] : ["user", "project", "user", ["run"]],
      ));
  test("applies if the user trusts ~/*, where ~ is the home directory", () => {
    writeConfig("project", { hooks: { guard: { run: "project" } } });
    const script = `import { mergeSettings } from ${JSON.stringify(join(import.meta.dir, "../../src/policy/merge.ts"))};
      const [project, user] = process.argv.slice(1).map((path, at) => ({ scope: ["project", "user"][at], path }));
      console.log((await mergeSettings("guard", [project, user], { trustedOptions: ["run"] })).values.run);`;
    const said = ["~/*", "~", "~x/*"].map((glob) => {
      writeConfig("user", { trusted: [glob] });
      const files = [join(folder, "project.json"), join(folder, "user.json")];
      const env = { ...process.env, HOME: dirname(real), USERPROFILE: dirname(real) };
      return Bun.spawnSync([process.execPath, "-e", script, ...files], { env })
        .stdout.toString()
        .trim();
    });
    expect(said).toEqual(["project", "undefined", "undefined"]);
  });
  test("applies if the real path is trusted, not a link's path", async () => {
    const inner = join(folder, "inner");
    mkdirSync(inner);
    symlinkSync(inner, join(folder, "link"));
    const linked: ConfigSource[] = [
      { scope: "project", path: join(folder, "link", "project.json") },
      sources[2] as ConfigSource,
    ];
    writeFileSync(join(inner, "project.json"), '{"hooks":{"guard":{"run":"project"}}}');
    writeConfig("user", { trusted: [join(real, "link")] });
    expect((await mergeSettings("guard", linked, { trustedOptions: ["run"] })).values).toEqual({});
    writeConfig("user", { trusted: [join(real, "inner")] });
    expect((await mergeSettings("guard", linked, { trustedOptions: ["run"] })).values).toEqual({ run: "project" });
  });
  test("applies if the managed config trusts the project", async () => {
    writeConfig("project", { hooks: { guard: { run: "project" } } });
    writeConfig("managed", { trusted: [real] });
    expect((await mergeSettings("guard", sources, { trustedOptions: ["run"] })).values).toEqual({ run: "project" });
  });
  test("is ignored for each option in the hook's trustedOptions", async () => {
    const root = join(folder, "cloned");
    mkdirSync(join(root, ".git"), { recursive: true });
    writeFileSync(join(root, PROJECT_CONFIG), '{"hooks":{"guard":{"run":"project","a":"project"}}}');
    let given: unknown;
    const hook = defineHook({
      event: "PreToolUse",
      options: z.object({ run: z.string().optional(), a: z.string().optional() }),
      trustedOptions: ["run"],
      handler: (_, { options }) => void (given = options),
    });
    await runHooks(
      [createHookEntry(hook, "guard")],
      { ...decodeFixture("claude", "PreToolUse-Bash"), cwd: root },
      performance.now() + scaleMs(2_000),
    );
    expect(given).toEqual({ a: "project" });
  });
});

describe("a cloned project's config", () => {
  const hooks: Record<string, Hook> = {
    blockDestructive,
    protectSecrets,
    protectHooks,
    verifyBeforeStop,
    formatAfterEdit,
  };
  for (const [name, { options, trustedOptions = [] }] of Object.entries(hooks))
    test(`can't change any setting of ${name}`, () =>
      expect([...trustedOptions].sort()).toEqual(listSchemaKeys(options as Schema)?.toSorted() as string[]));
  test("can't shorten the user's own lists", async () => {
    writeConfig("user", { hooks: { "block-destructive": { deny: ["terraform apply*"], protect: ["~/vault"] } } });
    writeConfig("project", { hooks: { "block-destructive": { deny: [], protect: [] } } });
    const { values } = await mergeSettings("block-destructive", sources, blockDestructive);
    expect(values).toEqual({ deny: ["terraform apply*"], protect: ["~/vault"] });
  });
});

describe("an additive option", () => {
  const list = (deny: unknown) => ({ hooks: { guard: { deny } } });
  const merge = () => mergeSettings("guard", sources, { additiveOptions: ["deny"], trustedOptions: ["deny"] });
  test("joins the lists of all files, the managed list first", async () => {
    writeConfig("managed", list(["m"]));
    writeConfig("user", { ...list(["u"]), trusted: [folder] });
    writeConfig("project", list(["p"]));
    const { values, sources: from } = await merge();
    expect([values, from.deny?.scope]).toEqual([{ deny: ["m", "p", "u"] }, "managed"]);
  });
  test("omits an untrusted project's list", async () => {
    writeConfig("user", list(["u"]));
    writeConfig("project", list(["p"]));
    expect((await merge()).values).toEqual({ deny: ["u"] });
  });
  for (const [company, own, deny] of [
    ["m", ["u"], "m"],
    [["m"], "u", "u"],
  ])
    test(`is left for the schema to reject if it is not a list: ${JSON.stringify(deny)}`, async () => {
      writeConfig("managed", list(company));
      writeConfig("user", list(own));
      expect((await merge()).values).toEqual({ deny });
    });
});

describe("a lock of one setting", () => {
  const both = { hooks: { guard: { a: 1, b: 1 } } };
  const [managed, project, user] = sources.map(({ path }) => path) as [string, string, string];
  test("in the managed config protects only that setting from weaker files", async () => {
    writeConfig("managed", { locked: ["guard/a"] });
    writeConfig("user", both);
    expect(await mergeSettings("guard", sources)).toMatchObject({
      values: { b: 1 },
      lockedOut: [{ key: "a", file: user, by: managed }],
    });
  });
  test("in the user's config protects it from projects", async () => {
    writeConfig("user", { ...both, locked: ["guard/a"] });
    writeConfig("project", { hooks: { guard: { a: 2, b: 2 } } });
    expect(await mergeSettings("guard", sources)).toMatchObject({
      values: { a: 1, b: 2 },
      lockedOut: [{ key: "a", file: project, by: user }],
    });
  });
  test("in a project's config has no effect", async () => {
    writeConfig("user", both);
    writeConfig("project", { locked: ["guard/a"] });
    expect((await mergeSettings("guard", sources)).values).toEqual({ a: 1, b: 1 });
  });
});

describe("the project's config", () => {
  const project = (cwd: string) => listConfigSources(cwd).find(({ scope }) => scope === "project")?.path;
  const root = join(folder, "repository");
  mkdirSync(join(root, "a/b"), { recursive: true });
  test("is in the current directory outside a repository", () =>
    expect(project(join(root, "a/b"))).toBe(join(root, "a/b", PROJECT_CONFIG)));
  test("is the closest one up to the repository's root, and never above it", () => {
    mkdirSync(join(root, ".git"));
    writeFileSync(join(folder, PROJECT_CONFIG), "{}");
    expect(project(join(root, "a/b"))).toBe(join(root, PROJECT_CONFIG));
    writeFileSync(join(root, "a", PROJECT_CONFIG), "{}");
    expect(project(join(root, "a/b"))).toBe(join(root, "a", PROJECT_CONFIG));
  });
  test("does not exist without a directory", () => expect(project("")).toBeUndefined());
});

describe("a hook's schema", () => {
  const check = async (schema: Schema, said: Record<string, unknown>) => {
    writeConfig("user", { hooks: { guard: said } });
    return validateHookOptions("guard", schema, await mergeSettings("guard", sources), sources);
  };
  const file = join(folder, "user.json");
  const schemas: [string, Schema<{ most: number }>, string][] = [
    ["zod", z.strictObject({ most: z.number().default(3) }), "Invalid input: expected number, received string"],
    ["valibot", v.strictObject({ most: v.optional(v.number(), 3) }), 'must be a number, not "x"'],
  ];
  for (const [library, schema, message] of schemas) {
    test(`of ${library} provides defaults, accepts values, and reports errors with file and path`, async () => {
      expect(await check(schema, {})).toEqual({ options: { most: 3 }, wrong: [], unknown: [] });
      expect(await check(schema, { most: 5 })).toEqual({ options: { most: 5 }, wrong: [], unknown: [] });
      expect(await check(schema, { most: "x" })).toEqual({
        options: undefined,
        wrong: [`${file}: hooks.guard.most: ${message}`],
        unknown: [],
      });
      expect(await check(schema, { most: 5, least: 1 })).toEqual({
        options: { most: 5 },
        wrong: [],
        unknown: ["least"],
      });
    });
  }
  test("reports every invalid setting at once", async () =>
    expect(await check(z.object({ a: z.number(), b: z.boolean().optional() }), { a: "x", nonsense: 1, b: 0 })).toEqual({
      options: undefined,
      wrong: [
        `${file}: hooks.guard.a: Invalid input: expected number, received string`,
        `${file}: hooks.guard.b: Invalid input: expected boolean, received number`,
      ],
      unknown: ["nonsense"],
    }));
  const zod = { branches: z.array(z.string()).default(["main"]) };
  const valibot = { branches: v.optional(v.array(v.string()), ["main"]) };
  const strange: [name: string, schema: Schema, isTold: boolean][] = [
    ["zod", z.object(zod), true],
    ["zod, strict", z.strictObject(zod), true],
    ["zod, refined", z.object(zod).refine(() => true), true],
    ["zod with no settings", z.object({}), true],
    ["zod, loose", z.looseObject(zod), false],
    ["zod, with a catchall", z.object(zod).catchall(z.unknown()), false],
    ["zod, a union", z.union([z.object(zod), z.object({ brances: z.unknown() })]), false],
    ["zod, transformed", z.object(zod).transform(({ branches }) => branches), false],
    ["valibot", v.object(valibot), true],
    ["valibot, strict", v.strictObject(valibot), true],
    [
      "valibot, transformed",
      v.pipe(
        v.object(valibot),
        v.transform(({ branches }) => branches),
      ),
      true,
    ],
    ["valibot, loose", v.looseObject(valibot), false],
    ["valibot, with a rest", v.objectWithRest(valibot, v.unknown()), false],
    [
      "a library that does not list its settings",
      { "~standard": { version: 1, vendor: "own", validate: (value) => ({ value }) } },
      false,
    ],
  ];
  for (const [name, schema, isTold] of strange)
    test(`${isTold ? "reports" : "does not report"} an unknown setting: ${name}`, async () => {
      const { wrong, unknown } = await check(schema, { brances: ["dev"] });
      expect([wrong, unknown]).toEqual([[], isTold ? ["brances"] : []]);
    });
  test("reports a missing setting with the file to set it in", async () => {
    const { wrong } = await validateHookOptions(
      "guard",
      z.object({ command: z.string() }),
      { values: {}, sources: {} },
      sources,
    );
    expect(wrong).toEqual([
      `hooks.guard.command: Invalid input: expected string, received undefined; set it in ${join(folder, "user.json")}`,
    ]);
  });
});

describe("an empty first argument", () => {
  const given = (...words: string[]) => {
    const command = [process.execPath, "--no-install", join(import.meta.dir, "../../src/main.ts"), "", ...words];
    const stdin = new TextEncoder().encode(JSON.stringify(getPayload("claude", "PreToolUse-Bash")));
    const { stdout, stderr, exitCode } = Bun.spawnSync(command, { stdin });
    return [exitCode, stdout.toString().trim(), stderr.toString().trim()];
  };
  const problem = 'unknown argument ""; see bridge-hooks --help';
  const told = `bridge-hooks: claude PreToolUse: ${problem}`;
  test("is an invalid argument of a host's call, not a command", () => {
    const reason = `bridge-hooks: ${problem}. No hook made a decision, and the failure policy is to deny.`;
    const denial = { hookEventName: "PreToolUse", permissionDecision: "deny", permissionDecisionReason: reason };
    const [code, stdout] = given("--host", "claude", "--on-error", "deny");
    expect([code, JSON.parse(stdout as string)]).toEqual([2, { hookSpecificOutput: denial }]);
    expect(given("--host", "claude", "--on-error", "allow")).toEqual([1, "", told]);
  });
});
