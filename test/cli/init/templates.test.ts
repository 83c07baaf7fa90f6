import { afterAll, expect, test } from "bun:test";
import { mkdtempSync, readdirSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { TEMPLATES } from "../../../src/cli/init/templates.ts";
import { EXECUTABLE } from "../../support/fixtures.ts";

const folder = mkdtempSync(join(tmpdir(), "bridge-hooks-templates-"));
afterAll(() => rmSync(folder, { recursive: true, force: true }));

/** Runs a program as if nothing else were installed on the machine. */
function run(program: string, ...args: string[]) {
  const { exitCode, stdout, stderr } = Bun.spawnSync([program, ...args], {
    cwd: folder,
    env: { HOME: join(folder, "home"), PATH: "/usr/bin:/bin" },
  });
  return { code: exitCode, stdout: `${stdout}`, stderr: `${stderr}` };
}

test("an unknown template is an error that lists the known ones, as does the help", () => {
  const names = Object.keys(TEMPLATES);
  expect(names.length).toBe(5);
  expect(run(EXECUTABLE, "init", "--template", "use-pnpn")).toEqual({
    code: 1,
    stdout: "",
    stderr: `bridge-hooks: --template: unknown template "use-pnpn"; did you mean use-pnpm?; known: ${names.join(", ")}\n`,
  });
  const help = run(EXECUTABLE, "init", "--help").stdout;
  for (const name of names) expect(help).toContain(name);
});

test("each template passes its test, builds, and gives an answer in the built executable", () => {
  for (const name of Object.keys(TEMPLATES)) {
    const { code, stdout } = run(EXECUTABLE, "init", "--template", name);
    expect([code, stdout]).toEqual([0, expect.stringContaining(`+ hooks/${name}.ts`)]);
    expect(stdout).toContain(TEMPLATES[name]?.trial as string);
  }
  expect(readdirSync(join(folder, "hooks")).length).toBe(10);
  const tests = run(EXECUTABLE, "test");
  expect([tests.code, tests.stderr]).toEqual([0, expect.stringMatching(/\n 0 fail\n/)]);
  const build = run(EXECUTABLE, "build", "--outfile", "guard");
  // `build` prints a note because at Stop, some hosts don't wait as long as the test in test-before-stop may take.
  expect([build.code, build.stderr.replace(/^.*: note: .*\n/gm, "")]).toEqual([0, ""]);
  for (const [name, { trial }] of Object.entries(TEMPLATES)) {
    const options = (trial.match(/"[^"]*"|\S+/g) ?? []).map((word) => word.replaceAll('"', ""));
    const { stdout } = run(join(folder, "guard"), "try", ...options, "--host", "claude", "--json");
    const [{ calls }] = JSON.parse(stdout).hosts;
    const asked = calls[0].hooks.find((one: { name: string }) => one.name === name);
    expect([name, Object.keys(asked.response).length > 0]).toEqual([name, true]);
  }
  const explained = run(join(folder, "guard"), "explain", "--command", "npm install left-pad").stdout;
  expect(explained.replaceAll(/\s+/g, " ")).toContain('Cline: rewrite; new input: {"command":"pnpm add left-pad"}');
}, 900_000);
