import { beforeAll, describe, expect, test } from "bun:test";
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
import { detectTarget } from "../../../src/operate/executable/image.ts";
import { createHostileDirectory, fillHostileVariables } from "../../../src/cli/build/selftest.ts";
import { withWorkshop } from "../../../src/cli/build/workshop.ts";
import { findIgnoredModules } from "../../../src/cli/load-hooks.ts";
import { placeExecutable } from "../../support/executables.ts";
import { getPayload, ROOT } from "../../support/fixtures.ts";
import {
  folder,
  executable,
  GOOD_HOOK,
  PAYLOADS,
  type ProgramOutput,
  runProgram,
  createFolder,
  listFolder,
  runBuild,
  expectDenials,
  expectNothingLeft,
} from "./project-support.ts";
import { expectToBeSigned, expectToTakeAnotherProgram } from "./strip-support.ts";

describe("on a machine with only the executable", () => {
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

  test("hooks with packages, texts and data are tested and built in a hostile directory; the result replaces itself with one that has only the starter hooks", async () => {
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
    expect([first.code, first.stderr, first.stdout.replace(/\d+\.\d(?= yes)/, "NNN.N")]).toEqual([
      0,
      "",
      `hooks: guard\nnot compiled in: panel.tsx, team/; only .ts and .js files directly in the directory are hooks\n\n${"executable".padEnd(42)}     MB tried here\n${"dist/bridge-hooks".padEnd(42)}  NNN.N yes, denies the test call\n\nThe test did not run your hooks; to run their own tests: ${executable} test\nNext: dist/bridge-hooks install --copy-to ~/.local/bin\nThe new executable lacks these hooks of this one: a, busy.\n`,
    ]);
    expect(readdirSync(join(cwd, "dist"))).toEqual(["bridge-hooks"]);
    const made = join(cwd, "dist/bridge-hooks");
    await expectDenials(made, reason);

    const hostile = createHostileDirectory(folder);
    // An empty hooks directory is enough, because --with makes the user's own hooks unnecessary.
    mkdirSync(join(hostile, "hooks"));
    const env = { ...fillHostileVariables(hostile), BUN_RUNTIME_TRANSPILER_CACHE_PATH: hostile, BUN_INSTALL: hostile };
    const was = listFolder(hostile);
    const second = await runProgram(made, ["build", "--with", "starter", "--outfile", made], { cwd: hostile, env });
    expect([second.code, second.stdout.includes("foreign"), second.stderr, listFolder(hostile)]).toEqual([
      0,
      false,
      "",
      was,
    ]);
    const { stdout } = await runProgram(made, ["list"], { cwd });
    expect(stdout).toContain("block-destructive");
    expect(stdout).toContain("  from     the starter hooks of bridge-hooks\n");
    const denied = ["try", "--command", "git push --force origin main", "--host", "claude"];
    expect(await runProgram(made, denied, { cwd })).toMatchObject({
      stdout: expect.stringContaining("block-destructive"),
    });
    // The result doesn't include the executable that built it: with the starter hooks, it's as large as the released
    // executable.
    const shipped = await placeExecutable("hooks", join(folder, "shipped"));
    expect(Math.abs(statSync(made).size / statSync(shipped).size - 1)).toBeLessThan(0.001);
    expect(readdirSync(join(cwd, "dist"))).toEqual(["bridge-hooks"]);
  });
});

test("an executable lists and tests its own hooks in a clone that contains ./hooks, without evaluating the clone's", async () => {
  const evil = `import { writeFileSync } from "node:fs";\nwriteFileSync(${JSON.stringify(join(folder, "evaluated"))}, "");\n`;
  const cwd = createFolder({ "hooks/useThing.ts": evil });
  const stdin = JSON.stringify(getPayload("claude", "PreToolUse-Bash"));
  for (const args of [["list"], ["list", "--json"], ["try", "--command", "ls"], ["replay", "-"]]) {
    const { code, stdout, stderr } = await runProgram(executable, args, { cwd, stdin });
    expect([args, code, stdout.includes("compiled in"), stderr]).toEqual([
      args,
      0,
      true,
      "bridge-hooks: ./hooks has 1 module that was not loaded; pass --hooks . to run it\n",
    ]);
  }
  expect(existsSync(join(folder, "evaluated"))).toBe(false);
});

test("copies of the starter hooks are built with other hooks; a matcher that may match a call is noted", async () => {
  const cwd = createFolder({ "hooks/may-fit.ts": GOOD_HOOK.replace("event:", 'matcher: "MyTool|Shell", event:') });
  expect(await runProgram(executable, ["init", "--starter"], { cwd })).toMatchObject({ code: 0, stderr: "" });
  const { code, stdout, stderr } = await runProgram(executable, ["build"], { cwd });
  expect([code, stderr, stdout.includes("yes, denies the test call")]).toEqual([
    0,
    `hooks/may-fit.ts:2:38: note: matcher "MyTool|Shell": no known host has a tool "MyTool"; a tool of an MCP server is mcp__<server>__<tool>
hooks/may-fit.ts:2:38: note: matcher "MyTool|Shell": "Shell" matches only calls from Cursor; Bash matches every host's
`,
    true,
  ]);
  const listed = await runProgram(join(cwd, "dist/bridge-hooks"), ["list", "--json"], { cwd });
  const names = (JSON.parse(listed.stdout) as { hooks: { name: string }[] }).hooks.map(({ name }) => name);
  expect(names.sort()).toEqual(
    [
      "may-fit",
      "no-publish",
      ...readdirSync(join(ROOT, "hooks"))
        .filter((name) => /^[a-z].*\.ts$/.test(name))
        .map((name) => name.slice(0, -3)),
    ].sort(),
  );
});

describe("an executable with hooks that embed a file, need configuration or have side effects, and with a starter hook", () => {
  const ACTED = join(folder, "acted");
  /** If possible, the build runs in a terminal, so that progress goes to the terminal and output to a file. */
  const hasTerminal = Bun.which("script") !== null;
  let cwd: string;
  let built: ProgramOutput;
  let terminal = "";
  let actedDuringBuild: boolean;
  beforeAll(async () => {
    cwd = createFolder({
      "carries.ts":
        'import { fromCommand } from "bridge-hooks";\nexport default fromCommand("./guard.sh", { host: "claude", tool: "Bash" });\n',
      "guard.sh": "#!/bin/sh\necho carried >&2\nexit 2\n",
      "required.ts": `import { defineHook, deny } from "bridge-hooks";
import * as z from "zod";
export default defineHook({ event: "PreToolUse", options: z.object({ team: z.string() }), handler: () => deny("mine") });
`,
      "acts.ts": `import { writeFileSync } from "node:fs";
export default { event: "PreToolUse", onError: "deny", handler() { writeFileSync(${JSON.stringify(ACTED)}, ""); throw 1; } };
`,
    });
    chmodSync(join(cwd, "guard.sh"), 0o755);
    const args = ["build", "--with", "session-context", "--outfile", "own"];
    if (hasTerminal) {
      const [out, typescript] = [join(folder, "said"), join(folder, "typescript")];
      const env = { PATH: process.env.PATH, TERM: "xterm" };
      const line = `${executable} ${args.join(" ")} > ${out}`;
      const { code, stdout } = await runProgram("script", ["-qec", line, typescript], { cwd, env });
      terminal = stdout;
      built = { code, stdout: readFileSync(out, "utf8"), stderr: "" };
    } else built = await runProgram(executable, args, { cwd });
    actedDuringBuild = existsSync(ACTED);
  });

  test("is built without running any of them, although it is tested", () => {
    expect(built).toEqual({ code: 0, stdout: expect.stringContaining(" yes, denies the test call\n"), stderr: "" });
    expect(actedDuringBuild).toBe(false);
  });
  test.skipIf(!hasTerminal)("shows its build steps in a terminal", () => {
    const target = detectTarget().slice(4);
    const steps = [
      "loading the hooks",
      "checking types and responses",
      `compiling for ${target}`,
      `testing the executable for ${target}`,
    ];
    expect(terminal).toBe(`${["", ...steps.map((step) => `${step} …`)].join("\r\u001b[K")}\r\u001b[K`);
  });
  test("names the starter hook's origin, and leaves no copy of its source next to the others", async () => {
    expect(readdirSync(cwd).sort()).toEqual(["acts.ts", "carries.ts", "guard.sh", "own", "required.ts"]);
    const listed = await runProgram(join(cwd, "own"), ["list", "--json"], { cwd });
    const { hooks } = JSON.parse(listed.stdout) as { hooks: { name: string; origin: string }[] };
    expect(hooks.map(({ name, origin }) => `${name} ${origin}`).sort()).toEqual([
      "acts own",
      "carries own",
      "required own",
      "session-context starter",
    ]);
  });
  test("runs them in a call, including the embedded file after its source is gone", async () => {
    rmSync(join(cwd, "guard.sh"));
    for (const [host, file] of PAYLOADS) {
      rmSync(ACTED, { force: true });
      const stdin = JSON.stringify(getPayload(host, file));
      const env = { PATH: process.env.PATH, HOME: folder };
      const { code, stdout } = await runProgram(join(cwd, "own"), ["--host", host], { cwd: folder, env, stdin });
      expect([host, code, existsSync(ACTED)]).toEqual([host, host === "cursor" ? 0 : 2, true]);
      for (const reason of ["carried", String.raw`The hook \"acts\" failed (1), and its failure policy is to deny`])
        expect(stdout).toContain(reason);
    }
  });
});

test("files and directories that look like hooks and are not compiled in are found by their names and sources", () => {
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

test("a build removes only the directories that killed builds left", async () => {
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
  test("without the registry, the error names the target and nothing is left; types are not checked with --no-check", async () => {
    const files = { "a.ts": `${GOOD_HOOK}export const x: number = "";\n` };
    const env = { npm_config_registry: "http://me:secret@127.0.0.1:9/npm/" };
    const { code, stdout, stderr, before, cwd } = await runBuild(files, ["--target", "darwin-arm64", "--no-check"], {
      env,
    });
    expect([code, stdout, stderr, listFolder(cwd)]).toEqual([
      1,
      "",
      "bridge-hooks: dist/bridge-hooks-darwin-arm64 was not built: Bun's runtime for darwin-arm64 could not be downloaded from the npm registry at " +
        "http://127.0.0.1:9/npm/ (Failed to download 'bun-darwin-aarch64-v1.4.5': ConnectionRefused); check the network, or set " +
        "npm_config_registry to a reachable registry\n",
      before,
    ]);
  });

  test("with the registry, executables for macOS and Windows are built, and other builds can be based on them", async () => {
    const cwd = createFolder({ "a.ts": GOOD_HOOK });
    const env = Object.fromEntries(
      Object.entries(process.env).filter(([name]) => /cert|_ca$|proxy|registry/i.test(name)),
    );
    const args = ["build", "--target", "darwin-arm64", "--target", "windows-x64", "--name", "guard"];
    const { code, stderr } = await runProgram(executable, args, { cwd, env });
    if (stderr.includes("could not be downloaded")) {
      console.warn(`skipped: ${stderr.trim()}`);
      return expect([code, listFolder(cwd)]).toEqual([1, ["a.ts"]]);
    }
    const names = ["guard-darwin-arm64", "guard-windows-x64.exe"];
    expect([code, stderr, readdirSync(join(cwd, "dist"))]).toEqual([0, "", names]);
    expectToBeSigned(join(cwd, "dist/guard-darwin-arm64"));
    await expectToTakeAnotherProgram(join(cwd, "dist/guard-darwin-arm64"), "bun-darwin-arm64", cwd);
    await expectToTakeAnotherProgram(join(cwd, "dist/guard-windows-x64.exe"), "bun-windows-x64", cwd);
  });
});

test(
  "builds leave nothing in the home directory, in the temporary directory or next to the executable",
  expectNothingLeft,
);
