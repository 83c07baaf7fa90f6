import { describe, expect, test } from "bun:test";
import {
  chmodSync,
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  symlinkSync,
  utimesSync,
  writeFileSync,
} from "node:fs";
import { hostname } from "node:os";
import { basename, join } from "node:path";
import { stripProgram } from "../../../src/cli/build/strip-program.ts";
import { detectTarget } from "../../../src/cli/build/image.ts";
import { createHostileDirectory, fillHostileVariables } from "../../../src/cli/build/selftest.ts";
import { withWorkshop } from "../../../src/cli/build/workshop.ts";
import { findIgnoredModules } from "../../../src/cli/load-hooks.ts";
import { getPayload, ROOT } from "../../support/fixtures.ts";
import { readSignature } from "../../support/macho.ts";
import {
  folder,
  executable,
  GOOD_HOOK,
  runProgram,
  createFolder,
  listFolder,
  runBuild,
  expectDenials,
  expectNothingLeft,
} from "./project-support.ts";

describe("where there is nothing but the executable", () => {
  const project = {
    "hooks/guard.ts": `import { defineHook, deny } from "bridge-hooks";
import { tiny } from "tiny";
import * as v from "valibot";
import * as z from "zod";
import * as mini from "zod/mini";
import { reason } from "./lib/reason.ts";
import text from "./text.txt" with { type: "text" };
import data from "./data.json";

export default defineHook({
  event: "PreToolUse",
  tool: "Bash",
  options: z.object({ end: z.string().default("!") }),
  handler: (event, { options }) =>
    event.input.command ? deny([reason, tiny(1), text.trim(), data.word, v.chosen, mini.string().parse("mini")].join(" ") + options.end) : undefined,
});
`,
    "hooks/lib/reason.ts": 'export const reason: string = "not here";\n',
    "hooks/text.txt": "a text\n",
    "hooks/data.json": '{ "word": "data" }\n',
    "hooks/_draft.ts": "throw 1;\n",
    "hooks/team/more.ts": GOOD_HOOK,
    "hooks/lib/unlike.ts": "export default 1;\n",
    "hooks/panel.tsx": "throw 1;\n",
    "hooks/guard.test.ts": "throw 1;\n",
    "node_modules/tiny/package.json":
      '{ "name": "tiny", "exports": { "types": "./types.d.ts", "default": "./lib/main.mjs" } }\n',
    "node_modules/tiny/lib/main.mjs": "export const tiny = (n) => `tiny ${n}`;\n",
    "node_modules/tiny/types.d.ts": "export declare const tiny: (n: number) => string;\n",
    "node_modules/valibot/package.json": '{ "name": "valibot", "type": "module", "exports": "./own.js" }\n',
    "node_modules/valibot/own.js": 'export const chosen = "their valibot";\n',
    "node_modules/valibot/own.d.ts": "export declare const chosen: string;\n",
    "node_modules/bridge-hooks/package.json": '{ "name": "bridge-hooks", "exports": "./index.js" }\n',
    "node_modules/bridge-hooks/index.js": "throw new Error('somebody else');\n",
  };
  const reason = "not here tiny 1 a text data their valibot mini!";

  const script = {
    "guard.ts":
      'import { fromCommand } from "bridge-hooks";\nexport default fromCommand("./guard.sh", { host: "claude", tool: "Bash" });\n',
    "guard.sh": "#!/bin/sh\necho no >&2\nexit 2\n",
  };

  test("hooks are tried, and become an executable; that one makes another, in its own place and in a hostile directory", async () => {
    const cwd = createFolder(project);
    const tried = await runProgram(
      executable,
      ["try", "--hooks", ".", "--command", "ls", "--host", "claude", "--json"],
      {
        cwd,
      },
    );
    expect([tried.code, tried.stdout.includes(reason), tried.stderr]).toEqual([0, true, ""]);
    const first = await runProgram(executable, ["build"], { cwd });
    expect([first.code, first.stderr, first.stdout.replace(/\d+\.\d(?=  yes)/, "NNN.N")]).toEqual([
      0,
      "",
      `hooks: guard\nnot compiled in: panel.tsx, team/; only .ts and .js files directly in the folder are hooks\n\n${"executable".padEnd(42)}     MB  tried here\n${"dist/bridge-hooks".padEnd(42)}  NNN.N  yes: the executable denies\n\nYour hooks were not run for that; bridge-hooks test runs their tests.\nNext: dist/bridge-hooks install\nThese hooks of this executable are not in it: a.\n`,
    ]);
    expect(readdirSync(join(cwd, "dist"))).toEqual(["bridge-hooks"]);
    const made = join(cwd, "dist/bridge-hooks");
    await expectDenials(made, reason);

    const [before, other, hostile] = [statSync(made).size, createFolder(script), createHostileDirectory(folder)];
    chmodSync(join(other, "guard.sh"), 0o755);
    const env = { ...fillHostileVariables(hostile), BUN_RUNTIME_TRANSPILER_CACHE_PATH: hostile, BUN_INSTALL: hostile };
    const was = listFolder(hostile);
    const second = await runProgram(made, ["build", other, "--outfile", made], { cwd: hostile, env });
    expect([second.code, second.stdout.includes("foreign"), second.stderr, listFolder(hostile)]).toEqual([
      0,
      false,
      "",
      was,
    ]);
    // The files of a hook are in it.
    rmSync(other, { recursive: true });
    await expectDenials(made, "no");
    expect(Math.abs(statSync(made).size / before - 1)).toBeLessThan(0.01);
    expect(Math.abs(statSync(made).size / statSync(executable).size - 1)).toBeLessThan(0.01);
    expect(readdirSync(join(cwd, "dist"))).toEqual(["bridge-hooks"]);
  });
});

test("its own hooks are listed and tried in a clone that has ./hooks: nothing there is evaluated", async () => {
  const evil = `import { writeFileSync } from "node:fs";\nwriteFileSync(${JSON.stringify(join(folder, "evaluated"))}, "");\n`;
  const cwd = createFolder({ "hooks/useThing.ts": evil });
  const stdin = JSON.stringify(getPayload("claude", "PreToolUse-Bash"));
  for (const args of [["list"], ["list", "--json"], ["try", "--command", "ls"], ["replay", "-"]]) {
    const { code, stdout, stderr } = await runProgram(executable, args, { cwd, stdin });
    expect([args, code, stdout.includes("compiled in"), stderr]).toEqual([
      args,
      0,
      true,
      "bridge-hooks: ./hooks has 1 module that was not loaded; pass --hooks ./hooks to run it\n",
    ]);
  }
  expect(existsSync(join(folder, "evaluated"))).toBe(false);
});

test("the starter hooks are in it, and are built together with others", async () => {
  const cwd = createFolder({});
  for (const args of [["init", "--starter"], ["build"]])
    expect(await runProgram(executable, args, { cwd })).toMatchObject({ code: 0, stderr: "" });
  const { stdout } = await runProgram(join(cwd, "dist/bridge-hooks"), ["list", "--json"], { cwd });
  const names = (JSON.parse(stdout) as { hooks: { name: string }[] }).hooks.map(({ name }) => name);
  expect(names.sort()).toEqual(
    [
      "no-publish",
      ...readdirSync(join(ROOT, "hooks"))
        .filter((name) => /^[a-z].*\.ts$/.test(name))
        .map((name) => name.slice(0, -3)),
    ].sort(),
  );
});

test("starter hooks are compiled in beside others, by name and without a copy of their sources", async () => {
  const cwd = createFolder({ "guard.ts": GOOD_HOOK });
  const { code, stderr } = await runProgram(executable, ["build", "--with", "session-context", "--outfile", "own"], {
    cwd,
  });
  expect([code, stderr, readdirSync(cwd).sort()]).toEqual([0, "", ["guard.ts", "own"]]);
  const listed = await runProgram(join(cwd, "own"), ["list", "--json"], { cwd });
  const { hooks } = JSON.parse(listed.stdout) as { hooks: { name: string; origin: string }[] };
  expect(hooks.map(({ name, origin }) => `${name} ${origin}`).sort()).toEqual(["guard own", "session-context starter"]);

  const empty = createFolder({});
  const alone = await runProgram(executable, ["build", "--with", "starter", "--outfile", "policy"], { cwd: empty });
  expect([alone.code, alone.stderr, readdirSync(empty)]).toEqual([0, "", ["policy"]]);
  const { stdout } = await runProgram(join(empty, "policy"), ["list"], { cwd: empty });
  expect(stdout).toContain("block-destructive");
  expect(stdout).toContain("  from     the starter hooks of bridge-hooks\n");
});

test("no hook runs while the executable is tried: neither what has to be configured nor what acts", async () => {
  const cwd = createFolder({
    "required.ts": `import { defineHook, deny } from "bridge-hooks";
import * as z from "zod";
export default defineHook({ event: "PreToolUse", options: z.object({ team: z.string() }), handler: () => deny("mine") });
`,
    "acts.ts": `import { writeFileSync } from "node:fs";
export default { event: "PreToolUse", onError: "deny", handler() { writeFileSync(${JSON.stringify(join(folder, "acted"))}, ""); throw 1; } };
`,
  });
  const { code, stdout, stderr } = await runProgram(executable, ["build"], { cwd });
  expect([code, stdout, stderr]).toEqual([0, expect.stringContaining("  yes: the executable denies\n"), ""]);
  expect(existsSync(join(folder, "acted"))).toBe(false);
  const stdin = JSON.stringify(getPayload("claude", "PreToolUse-Bash"));
  expect((await runProgram(join(cwd, "dist/bridge-hooks"), ["--host", "claude"], { cwd, stdin })).code).toBe(2);
  expect(existsSync(join(folder, "acted"))).toBe(true);
});

test("what looks like a hook and is none", () => {
  const files = {
    "a.ts": GOOD_HOOK,
    "lib/other.ts": GOOD_HOOK,
    "lib/plain.ts": "export default 1;\n",
    "view.tsx": "export const view = 1;\n",
    "panel.tsx": GOOD_HOOK,
    "old.jsx": "",
    "_draft.tsx": GOOD_HOOK,
    "panel.test.tsx": GOOD_HOOK,
    "team/deep/b.ts": GOOD_HOOK,
    "team/c.js": GOOD_HOOK,
    "_off/d.ts": GOOD_HOOK,
    "node_modules/x/e.ts": GOOD_HOOK,
    "readme.md": GOOD_HOOK,
  };
  const hooks = createFolder(files);
  const inputs = ["a.ts", "lib/other.ts", "view.tsx"].map((path) => join(hooks, path));
  expect(findIgnoredModules(hooks, new Set(inputs))).toEqual(["old.jsx", "panel.tsx", "team/"]);
});

test.skipIf(Bun.which("script") === null)("a terminal is told what is being done", async () => {
  const cwd = createFolder({ "a.ts": GOOD_HOOK });
  const env = { PATH: process.env.PATH, TERM: "xterm" };
  const said = join(cwd, "said");
  const { code, stdout } = await runProgram(
    "script",
    ["-qec", `${executable} build > ${said}`, join(cwd, "typescript")],
    {
      cwd,
      env,
    },
  );
  const target = detectTarget().slice(4);
  const steps = [
    "loading the hooks",
    "checking types",
    `compiling for ${target}`,
    `trying the executable for ${target}`,
  ];
  expect([code, stdout]).toEqual([0, `${["", ...steps.map((step) => `${step} …`)].join("\r\u001b[K")}\r\u001b[K`]);
  expect(readFileSync(said, "utf8")).toContain("yes: the executable denies");
});

test("what killed builds left is cleared away, and nothing else", async () => {
  const parent = createFolder({});
  const { pid: dead } = Bun.spawnSync(["true"]);
  const mark = (pid: number, host = hostname()) => JSON.stringify({ pid, host });
  const day = 24 * 60 * 60;
  const found: [name: string, stays: boolean, text?: string, age?: number][] = [
    [".bridge-hooks-killed", false, mark(dead)],
    [".bridge-hooks-oldone", false, mark(process.pid, "elsewhere"), day + 60],
    [".bridge-hooks-itruns", true, mark(process.pid)],
    [".bridge-hooks-remote", true, mark(dead, "elsewhere")],
    [".bridge-hooks-nomark", true],
    [".bridge-hooks-broken", true, "not JSON"],
    [".bridge-hooks-another-name", true, mark(dead)],
    ["bridge-hooks-killed", true, mark(dead)],
  ];
  for (const [name, , text, age = 0] of found) {
    mkdirSync(join(parent, name, "program"), { recursive: true });
    if (text === undefined) continue;
    const file = join(parent, name, "workshop.json");
    writeFileSync(file, text);
    utimesSync(file, Date.now() / 1000 - age, Date.now() / 1000 - age);
  }
  symlinkSync(".bridge-hooks-nomark", join(parent, ".bridge-hooks-linked"));
  const kept = [...found.flatMap(([name, stays]) => (stays ? [name] : [])), ".bridge-hooks-linked"].sort();
  await withWorkshop(parent, async ({ folder: own }) => {
    expect(readdirSync(parent).sort()).toEqual([...kept, basename(own)].sort());
    expect(readFileSync(join(own, "workshop.json"), "utf8")).toBe(mark(process.pid));
  });
  expect(readdirSync(parent).sort()).toEqual(kept);
});

describe("for other platforms", () => {
  test("without the registry, the target is named and nothing is left; types are not looked at with --no-check", async () => {
    const files = { "a.ts": `${GOOD_HOOK}export const x: number = "";\n` };
    const env = { npm_config_registry: "http://me:secret@127.0.0.1:9/npm/" };
    const { code, stdout, stderr, before, cwd } = await runBuild(files, ["--target", "darwin-arm64", "--no-check"], {
      env,
    });
    expect([code, stdout, stderr, listFolder(cwd)]).toEqual([
      1,
      "",
      "bridge-hooks: dist/bridge-hooks-darwin-arm64 was not made: Bun's runtime for darwin-arm64 could not be fetched from the npm registry at " +
        "http://127.0.0.1:9/npm/ (Failed to download 'bun-darwin-aarch64-v1.4.5': ConnectionRefused); connect this machine to it, or set " +
        "npm_config_registry to a registry that it can reach\n",
      before,
    ]);
  });

  test("with it, an image takes one program after the other", async () => {
    const cwd = createFolder({ "a.ts": GOOD_HOOK });
    const env = Object.fromEntries(
      Object.entries(process.env).filter(([name]) => /cert|_ca$|proxy|registry/i.test(name)),
    );
    const targets = ["darwin-arm64", "darwin-x64", "windows-x64"].flatMap((target) => ["--target", target]);
    const { code, stderr } = await runProgram(executable, ["build", ...targets, "--name", "guard"], { cwd, env });
    if (stderr.includes("could not be fetched")) {
      console.warn(`skipped: ${stderr.trim()}`);
      return expect([code, listFolder(cwd)]).toEqual([1, ["a.ts"]]);
    }
    const names = ["guard-darwin-arm64", "guard-darwin-x64", "guard-windows-x64.exe"];
    expect([code, stderr, readdirSync(join(cwd, "dist"))]).toEqual([0, "", names]);
    for (const [name, target] of [
      ["guard-darwin-arm64", "bun-darwin-arm64"],
      ["guard-darwin-x64", "bun-darwin-x64"],
      ["guard-windows-x64.exe", "bun-windows-x64"],
    ] as const) {
      const file = join(cwd, "dist", name);
      if (target.startsWith("bun-darwin"))
        expect(readSignature(readFileSync(file))).toMatchObject({ bad: [], problems: [] });
      const [emptied, again] = [join(cwd, `emptied-${name}`), join(cwd, `again-${name}`)];
      const compiled = async (base: string) => {
        const compile = { target, outfile: again, executablePath: base } as const;
        return (await Bun.build({ entrypoints: [join(cwd, "tiny.ts")], target: "bun", compile, throw: false })).success;
      };
      writeFileSync(join(cwd, "tiny.ts"), "console.log(1);\n");
      writeFileSync(emptied, stripProgram(readFileSync(file)), { mode: 0o755 });
      expect([name, await compiled(emptied)]).toEqual([name, true]);
      expect([name, statSync(again).size < statSync(file).size]).toEqual([name, true]);
      // Nothing is left to be taken out.
      expect([name, stripProgram(readFileSync(emptied)).equals(readFileSync(emptied))]).toEqual([name, true]);
    }
  });
});

test("nothing of all this is left where people don't look", expectNothingLeft);
