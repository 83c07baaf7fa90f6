import { afterAll, describe, expect, test } from "bun:test";
import { existsSync, mkdtempSync, readdirSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { harden } from "../src/cli/runtime.ts";
import { payloadOf, ROOT } from "./fixtures.ts";

const folder = mkdtempSync(join(tmpdir(), "bridge-hooks-build-"));
afterAll(() => rmSync(folder, { recursive: true, force: true }));

let count = 0;
/** Runs the build of a directory with these files, as a user does. */
function buildOf(files: Record<string, string>, args: string[] = []) {
  const hooks = join(folder, `hooks-${++count}`);
  for (const [name, text] of Object.entries(files)) {
    Bun.spawnSync(["mkdir", "-p", hooks]);
    writeFileSync(join(hooks, name), text);
  }
  const outfile = join(folder, `out-${count}`, "guard");
  const { exitCode, stdout, stderr } = Bun.spawnSync(
    [process.execPath, "--no-install", join(ROOT, "build.ts"), "--hooks", hooks, "--outfile", outfile, ...args],
    { cwd: folder },
  );
  return {
    exitCode,
    stdout: stdout.toString(),
    stderr: stderr.toString(),
    outfile,
    left: existsSync(join(outfile, "..")) ? readdirSync(join(outfile, "..")) : [],
  };
}

const GOOD =
  'import { defineHook, deny } from "bridge-hooks";\nexport default defineHook({ event: "PreToolUse", handler: () => deny("mine") });\n';

describe("a hooks directory that is not right", () => {
  const cases: [name: string, files: Record<string, string>, message: string][] = [
    ["is not there", {}, "can't be read; name a directory with --hooks DIR"],
    ["has no module", { "readme.txt": "" }, "there is no hook module in"],
    ["has a module with a syntax error", { "a.ts": GOOD, "b.ts": "export default {" }, "b.ts can't be loaded:"],
    ["has a module that throws", { "a.ts": 'throw new Error("not today");' }, "not today"],
    ["has a module that imports what is not there", { "a.ts": 'import "nowhere";' }, "a.ts can't be loaded:"],
    [
      "has a module without a default export",
      { "a.ts": "export const hook = 1;" },
      'a.ts has no default export; write "export default defineHook({ … })"',
    ],
    ["has a default export that is no hook", { "a.ts": "export default 5;" }, "a.ts is no hook as defineHook takes it: "],
    [
      "has a hook with a wrong event",
      { "a.ts": 'export default { event: "preToolUse", handler() {} };' },
      'there is no event "preToolUse"; known: SessionStart, PreToolUse',
    ],
    [
      "has a hook with a wrong tool",
      { "a.ts": 'export default { event: "PreToolUse", tool: "Shell", handler() {} };' },
      'there is no tool "Shell"; known: Bash,',
    ],
    [
      "has a hook with a time limit that is no whole number",
      { "a.ts": 'export default { event: "Stop", timeout_ms: 1.5, handler() {} };' },
      "timeout_ms: ",
    ],
    ["has a module that loops", { "a.ts": GOOD, "b.ts": "for (;;);" }, "b.ts never finishes loading"],
    ["has a module that ends the process", { "a.ts": "process.exit(0);" }, "a.ts ends the process that loads it (exit code 0)"],
    [
      "has a module that never finishes loading",
      { "a.ts": "await new Promise((done) => setTimeout(done, 60_000)); export default 1;" },
      "never finishes loading",
    ],
    ["has a hook with a misspelt field", { "a.ts": 'export default { event: "Stop", onerror: "deny", handler() {} };' }, "onerror"],
    [
      "has a hook with a matcher that means nothing",
      { "a.ts": 'export default { event: "PreToolUse", matcher: "Edit(*.ts)", handler() {} };' },
      "asks for arguments of Edit, which only Bash has here",
    ],
    ["has two hooks with one name", { "a.ts": GOOD.replace("event:", 'name: "same", event:'), "same.ts": GOOD }, 'are both named "same"'],
  ];
  for (const [name, files, message] of cases) {
    test(
      name,
      () => {
        const { exitCode, stderr, left } = buildOf(files);
        expect(exitCode).toBe(1);
        expect(stderr).toContain("was not made: ");
        expect(stderr).toContain(message);
        expect(left).toEqual([]);
      },
      20_000,
    );
  }
});

describe("somebody else's directory", () => {
  test("builds without installing anything, and obeys it", () => {
    const { exitCode, stderr, stdout, outfile, left } = buildOf({
      "guard.ts": GOOD,
      "_helper.ts": "throw 1;",
      "guard.test.ts": "throw 1;",
    });
    expect([exitCode, stderr, left]).toEqual([0, "", ["guard"]]);
    expect(stdout).toContain("yes, a denial holds");
    const call = Bun.spawnSync([outfile, "--host", "codex"], { stdin: Buffer.from(JSON.stringify(payloadOf("codex", "PreToolUse-Bash"))) });
    expect([call.exitCode, call.stderr.toString()]).toEqual([2, "mine\n"]);
  });
  test("the bridge's own folder is none", () => {
    const { exitCode, stderr } = Bun.spawnSync([
      process.execPath,
      "--no-install",
      join(ROOT, "build.ts"),
      "--hooks",
      ROOT,
      "--outfile",
      join(folder, "own"),
    ]);
    expect([exitCode, stderr.toString()]).toEqual([1, expect.stringContaining("is the bridge itself")]);
  });
  test("paths are the caller's, wherever npm runs the build", () => {
    const { stderr } = Bun.spawnSync([process.execPath, "--no-install", join(ROOT, "build.ts"), "--hooks", "nowhere"], {
      cwd: ROOT,
      env: { ...process.env, INIT_CWD: folder },
    });
    expect(stderr.toString()).toContain(join(folder, "nowhere"));
  });
  test("options that make no sense", () => {
    for (const args of [["--target", "amiga"], ["--nope"], ["--target", "all"], ["--hooks="]]) {
      const { exitCode, stderr } = buildOf({ "a.ts": GOOD }, args);
      expect([exitCode, stderr]).toEqual([2, expect.stringContaining("Usage: npm run build")]);
    }
  });
});

describe("README", () => {
  test("its first hook does what is printed there", async () => {
    const readme = await Bun.file(join(ROOT, "README.md")).text();
    const [, hook = ""] = /```ts\n([\s\S]*?)```/.exec(readme) ?? [];
    const [, payload = ""] = /^echo '(.*)' \|$/m.exec(readme) ?? [];
    const { outfile, stderr } = buildOf({ "no-publish.ts": hook });
    expect(stderr).toBe("");
    const call = Bun.spawnSync([outfile, "--host", "claude"], { stdin: Buffer.from(`${payload}\n`) });
    expect(readme).toContain(`\`\`\`\n${call.stdout}${call.stderr}exit code ${call.exitCode}\n\`\`\``);
  });
});

describe("the runtime", () => {
  test("a switch that nobody has decided about stops the build", () => {
    expect(() => harden(Buffer.from("…\0BUN_LOAD_FOREIGN_CODE\0…"))).toThrow("nobody has decided about (BUN_LOAD_FOREIGN_CODE)");
  });
  test("a switch that is not where it was expected stops the build", () => {
    expect(() => harden(Buffer.from("\0BUN_OPTIONS\0"))).toThrow("expected one place that compares BUN_JSC_ in this Bun, found 0");
  });
  test("names that are off can't be reached by any text", () => {
    const compare =
      "\x80\x3eB\x75\x01\x80\x7e\x01U\x75\x01\x80\x7e\x02N\x75\x01\x80\x7e\x03_\x75\x01\x80\x7e\x04J\x75\x01\x80\x7e\x05S\x75\x01\x80\x7e\x06C\x75\x01\x80\x7e\x07_";
    const image = Buffer.from(`\0BUN_OPTIONS\0BUN_INSTALL\0NODE_PATHNODE_ENV\0mimalloc_${compare}`, "latin1");
    harden(image);
    expect(image.toString("latin1")).toBe(`\0ÿUN_OPTIONS\0BUN_INSTALL\0ÿODE_PATHNODE_ENV\0ÿimalloc_${compare.replace("B", "ÿ")}`);
  });
});
