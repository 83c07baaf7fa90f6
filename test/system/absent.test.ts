import { afterAll, describe, expect, test } from "bun:test";
import { mkdirSync, mkdtempSync, realpathSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { SYSTEM_VARIABLE } from "../../src/system/quick-system.ts";
import { lstatSync, statSync } from "../../src/system/files.ts";
import { checkPath } from "../../src/system/file-checks.ts";
import { orAbsent } from "../../src/system/errors.ts";
import { EXECUTABLE, getPayload } from "../support/fixtures.ts";

const folder = realpathSync(mkdtempSync(join(tmpdir(), "absent-")));
afterAll(() => rmSync(folder, { recursive: true, force: true }));
const project = join(folder, "project");
mkdirSync(project);
const file = join(folder, "file");
writeFileSync(file, "");
/** A home directory in which .config is a file. */
const home = join(folder, "home");
mkdirSync(home);
for (const name of [".config", ".local", ".claude", ".codex", ".cursor"]) writeFileSync(join(home, name), "");

const HOMES: readonly [name: string, path: string][] = [
  ["/dev/null", "/dev/null"],
  ["below a file", join(file, "home")],
  ["with files in place of directories", home],
];

const run = (argv: readonly string[], HOME: string, more: { stdin?: string; env?: Record<string, string> } = {}) => {
  const { exitCode, stdout, stderr } = Bun.spawnSync([EXECUTABLE, ...argv], {
    stdin: Buffer.from(more.stdin ?? ""),
    env: { HOME, PATH: "/usr/bin:/bin", ...more.env },
    cwd: project,
  });
  return { code: exitCode, stdout: stdout.toString(), stderr: stderr.toString() };
};

describe.skipIf(process.platform === "win32")(
  "if a home directory is a file, or contains files in place of directories,",
  () => {
    const callWith = (HOME: string, command: string, env = {}) =>
      run(["--host", "claude", "--on-error", "deny", "--event", "PreToolUse"], HOME, {
        stdin: JSON.stringify(getPayload("claude", "PreToolUse-Bash", { cwd: project, tool_input: { command } })),
        env,
      });
    for (const [name, path] of HOMES)
      for (const system of ["library", "module"]) {
        const env = { [SYSTEM_VARIABLE]: system };
        for (const command of ["npm test", "echo $X", "cat notes.md", "cat <(git status)", "rm -rf build/x"])
          test(`${name}, a harmless call is allowed silently, using the ${system}: ${command}`, () =>
            expect(callWith(path, command, env)).toEqual({ code: 0, stdout: "", stderr: "" }));
        test(`${name}, a denial is enforced, using the ${system}`, () =>
          expect(callWith(path, "git push --force", env).code).toBe(2));
      }
    for (const [name, path] of HOMES)
      for (const argv of [["status"], ["list"], ["rules"], ["log"], ["config", "show"], ["report"]])
        test(`${name}, "${argv.join(" ")}" finds nothing, and doesn't fail`, () => {
          const { code, stderr } = run(argv, path);
          expect([code, stderr]).toEqual([0, expect.not.stringMatching(/ENOTDIR|not a dir/)]);
        });
  },
);

test("a path below a file doesn't exist", () => {
  const path = join(file, "x");
  expect(statSync(path, { throwIfNoEntry: false })).toBeUndefined();
  expect(lstatSync(path, { throwIfNoEntry: false })).toBeUndefined();
  expect(() => statSync(path)).toThrow("ENOTDIR");
  expect(orAbsent(() => statSync(path))).toBeUndefined();
  expect(checkPath(path)).toBe("absent");
  expect(checkPath(file)).toBe("there");
});
