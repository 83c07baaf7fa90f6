import { afterAll, beforeAll, beforeEach, describe, expect, test } from "bun:test";
import { mkdirSync, mkdtempSync, readdirSync, readFileSync, realpathSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { runProgram } from "../../hooks/_process.ts";
import { parseInterpreter } from "../../src/author/kit/command-argv.ts";
import { resolveProgram } from "../../src/operate/machine/entry-command.ts";
import { runHook } from "../../src/cli/terminal/process.ts";
import { findGitBash, findProgram } from "../../src/hosts/find-program.ts";
import { runProgram as runCommand } from "../../src/hosts/run-program.ts";
import { buildPowerShellArgv } from "../../src/hosts/setup/launches.ts";
import { ROOT } from "../support/fixtures.ts";

/** A cloned repository, a directory of programs outside it, and PATH values that lead into the clone. */
const folder = realpathSync(mkdtempSync(join(tmpdir(), "bridge-hooks-programs-")));
const [clone, own] = [join(folder, "clone"), join(folder, "own")];
const before = { cwd: process.cwd(), PATH: process.env.PATH };
const HOSTILE_PATHS = [".", "", "bin", "./bin", ":.", `.:${own}`, `bin:${own}:`];

beforeAll(() => {
  for (const place of [join(clone, "bin"), own]) mkdirSync(place, { recursive: true });
  for (const place of [clone, join(clone, "bin"), own]) {
    for (const name of ["tool", ...(place === own ? [] : ["sh", "foreign"])])
      writeFileSync(join(place, name), `#!/bin/sh\necho ran in ${place}\n`, { mode: 0o755 });
  }
  process.chdir(clone);
});
afterAll(() => {
  process.chdir(before.cwd);
  process.env.PATH = before.PATH;
  rmSync(folder, { recursive: true, force: true });
});
beforeEach(() => {
  process.env.PATH = before.PATH;
});

const signal = new AbortController().signal;

/** Ways to run a program by its bare name. Each returns the output, or undefined if the program isn't started. */
const ways: Record<string, (name: string, PATH: string) => Promise<string | undefined>> = {
  async "a starter hook"(name, PATH) {
    process.env.PATH = PATH;
    const { output, problem } = await runProgram([name], { cwd: clone, ms: 5_000, signal, maxCharacters: 100 });
    return problem === undefined ? output : undefined;
  },
  "a hook that is a command": (name, PATH) =>
    runCommand({ argv: [name], cwd: clone, env: { PATH }, stdin: "", signal }).then(
      ({ stdout }) => stdout.trim(),
      () => undefined,
    ),
  async "a host's command, tried by doctor"(name, PATH) {
    const { stdout, problem } = await runHook({ argv: [name], cwd: clone, env: { PATH }, stdin: "" });
    return problem === undefined ? stdout.trim() : undefined;
  },
};

for (const [way, start] of Object.entries(ways)) {
  describe(`${way} never starts a program from the current directory`, () => {
    for (const PATH of HOSTILE_PATHS) {
      test(`with PATH=${PATH.replace(own, "$own")}`, async () => {
        expect(await start("foreign", PATH)).toBeUndefined();
        expect(await start("tool", PATH)).toBe(PATH.includes(own) ? `ran in ${own}` : undefined);
      });
    }
  });
}

test("a program is found on PATH outside the current directory and the given roots", () => {
  for (const PATH of HOSTILE_PATHS) {
    const expected = PATH.includes(own) ? join(own, "tool") : undefined;
    expect([PATH, findProgram("tool", { path: PATH })]).toEqual([PATH, expected]);
    expect([PATH, resolveProgram("tool", { env: { PATH }, platform: "linux" })]).toEqual([PATH, expected]);
  }
  expect(findProgram("tool", { path: own, roots: [own] })).toBeUndefined();
  expect(findProgram(join(clone, "tool"), { path: own })).toBe(join(clone, "tool"));
});

test("commands run in the system's shell, whatever PATH contains", async () => {
  process.env.PATH = `${clone}:.`;
  expect(parseInterpreter(new TextEncoder().encode("true"), "linux")).toEqual(["/bin/sh"]);
});

describe("on Windows,", () => {
  test("PowerShell is started by its full path", () => {
    expect(buildPowerShellArgv("x")[0]).toBe("C:\\Windows\\System32\\WindowsPowerShell\\v1.0\\powershell.exe");
  });
  test("Git Bash is found by Git's installation, never on PATH", () => {
    const look = (git: string | undefined, files: readonly string[]) =>
      findGitBash(
        "C:\\Windows\\System32",
        () => git,
        (file) => files.includes(file),
      );
    const usual = "C:\\Program Files\\Git\\bin\\bash.exe";
    const [own, wsl] = ["D:\\Git\\bin\\bash.exe", "C:\\Windows\\System32\\bash.exe"];
    expect(look("D:\\Git\\cmd\\git.exe", [own, usual, wsl])).toBe(own);
    expect(look("D:\\Git\\mingw64\\bin\\git.exe", [own, usual])).toBe(own);
    expect(look("D:\\scoop\\shims\\git.exe", [usual, wsl])).toBe(usual);
    expect(look(undefined, ["C:\\Program Files (x86)\\Git\\bin\\bash.exe"])).toContain("(x86)");
    expect(look(undefined, [wsl])).toBe(usual);
  });
  test("no source file starts a program by its bare name or by SystemRoot or ComSpec", () => {
    const sources = ["src", "hooks"].flatMap((root) =>
      readdirSync(join(ROOT, root), { recursive: true, encoding: "utf8" }).map((file) => join(root, file)),
    );
    const codeOf = (file: string) => readFileSync(join(ROOT, file), "utf8").replace(/^\s*(?:\/?\*|\/\/).*$/gm, "");
    const matching = (pattern: RegExp) =>
      sources.filter((file) => /\.[jt]s$/.test(file) && pattern.test(codeOf(file))).sort();
    expect(matching(/(spawn|spawnSync|execFile|execFileSync)\(\[?\s*"[^"\\/]*"/)).toEqual([]);
    expect(matching(/env\.(SystemRoot|ComSpec)/i)).toEqual([]);
    // `own-entry.ts` uses Bun.which only to compare paths.
    expect(matching(/Bun\.which\(/)).toEqual(["src/call/identify/own-entry.ts", "src/hosts/find-program.ts"]);
  });
});
