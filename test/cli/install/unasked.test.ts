import { describe, expect, test } from "bun:test";
import { existsSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { createProject } from "../../support/projects.ts";

const HOST = ["--host", "claude"];

/** Creates a project in the home directory of a user who has a host installed. */
function createHome() {
  const app = createProject({});
  const settings = join(app.home, ".claude/settings.json");
  mkdirSync(dirname(settings));
  return { app, settings, end: app.end };
}

/** Extracts the command that a refusal suggests for pasting into a shell. */
const findCommand = (stderr: string): string => /to skip confirmation: (.*)\n$/.exec(stderr)?.[1] ?? "";

describe("if no user can answer, nothing is written", () => {
  const CASES: [what: string, before: string[][], args: string[]][] = [
    ["install", [], ["install", ...HOST]],
    ["install --json", [], ["install", "--json", ...HOST]],
    ["install --mode for existing entries", [["install", "--yes", ...HOST]], ["install", "--mode", "observe", ...HOST]],
    ["install --copy-to for a missing copy", [], ["install", "--copy-to", "bin", ...HOST]],
    ["uninstall", [["install", "--yes", ...HOST]], ["uninstall", ...HOST]],
    ["uninstall --json", [["install", "--yes", ...HOST]], ["uninstall", "--json", ...HOST]],
  ];
  for (const [what, before, args] of CASES)
    test(`by ${what}, which prints what it would do and the command that does it`, () => {
      const { app, end } = createHome();
      for (const one of before) expect(app.run(one).code).toBe(0);
      const list = () => readdirSync(app.home, { recursive: true, encoding: "utf8" }).sort();
      const files = () =>
        list().map((name) => [name, name.endsWith(".json") ? readFileSync(join(app.home, name), "utf8") : ""]);
      const was = files();
      const { code, stdout, stderr } = app.run(args);
      expect([code, stderr.startsWith("bridge-hooks: no changes made: ")]).toEqual([1, true]);
      expect(files()).toEqual(was);
      expect(stdout).toContain(args.includes("--json") ? '"written": false' : "Claude Code, user: ");
      const command = findCommand(stderr);
      expect(command).toBe(`bridge-hooks ${args.join(" ")} --yes`);
      const pasted = Bun.spawnSync(["/bin/bash", "-c", command], { cwd: app.at, env: app.env, stdin: null });
      expect(pasted.exitCode).toBe(0);
      expect(files()).not.toEqual(was);
      end();
    });

  test("but a command that changes nothing, or only shows the change with --dry-run, is not rejected", () => {
    const { app, settings, end } = createHome();
    expect(app.run(["install", "--dry-run", ...HOST]).code).toBe(0);
    expect(existsSync(settings)).toBe(false);
    expect(app.run(["install", "--yes", ...HOST]).code).toBe(0);
    expect(app.run(["install", ...HOST])).toMatchObject({ code: 0, stderr: "" });
    expect(app.run(["uninstall", "--yes", ...HOST]).code).toBe(0);
    expect(app.run(["uninstall", ...HOST])).toMatchObject({ code: 0, stderr: "" });
    end();
  });
});

describe.skipIf(process.platform === "win32")("at a terminal", () => {
  const answer = (app: ReturnType<typeof createProject>, text: string, ...args: string[]) =>
    Bun.spawnSync(["script", "-qec", `bridge-hooks ${args.join(" ")}`, "/dev/null"], {
      ...{ cwd: app.at, env: { ...app.env, TERM: "dumb", SHELL: "/bin/sh" } },
      stdin: Buffer.from(`${text}\n`),
    }).stdout.toString();
  test("a mode change also asks for confirmation, and is written after a yes", () => {
    const { app, end } = createHome();
    const config = join(app.home, ".config/bridge-hooks/config.json");
    app.run(["install", "--yes", ...HOST]);
    expect(answer(app, "n", "install", "--mode", "observe", ...HOST)).toContain("The mode would be observe.");
    expect(existsSync(config)).toBe(false);
    expect(answer(app, "y", "install", "--mode", "observe", ...HOST)).toContain("Mode: observe.");
    expect(JSON.parse(readFileSync(config, "utf8"))).toEqual({ mode: "observe" });
    end();
  });
});

describe("the next step that install, init, build and uninstall suggest", () => {
  test("works as pasted", () => {
    const { app, settings, end } = createHome();
    const paste = (command: string, cwd = app.at) => {
      const { exitCode, stdout } = Bun.spawnSync(["/bin/bash", "-c", command], { cwd, env: app.env, stdin: null });
      return [exitCode, stdout.toString()] as const;
    };
    const made = app.run(["init"]).stdout;
    const commands = [...made.matchAll(/^ {2}(bridge-hooks .*?)(?: {2,}.*)?$/gm)].map(([, command = ""]) => command);
    expect(commands.map((command) => command.split(" ")[1])).toEqual(["try", "test", "build"]);
    let built = "";
    for (const command of commands) {
      const [code, stdout] = paste(command);
      expect([command, code]).toEqual([command, 0]);
      built = stdout;
    }
    const [, test_ = "", next = ""] = /to run their own tests: (\S+ test)\nNext: (.*)\n/.exec(built) ?? [];
    expect(paste(test_)[0]).toBe(0);
    expect(next).toBe("dist/bridge-hooks install --copy-to ~/.local/bin");
    const [code, installed] = paste(`${next} --yes ${HOST.join(" ")}`);
    expect(code).toBe(0);
    // Runs in another directory, since the reader of the message could be in any directory.
    const [, doctor = ""] = /To check that denials take effect: (.* doctor)/.exec(installed) ?? [];
    expect(doctor).toBe(`${join(app.home, ".local/bin/bridge-hooks")} doctor`);
    expect(paste(`${doctor} ${HOST.join(" ")}`, app.home)[1]).toContain("denials take effect");
    const copy = join(app.home, ".local/bin/bridge-hooks");
    const status = app.run(["status"], { command: [copy] }).stdout;
    expect(status).not.toContain("bridge-hooks install --host claude");
    writeFileSync(join(app.home, "dist"), "");
    const [, bare = ""] =
      /not installed; to install: (\S+ install --host cursor)/.exec(app.run(["status", "--host", "cursor"]).stdout) ??
      [];
    expect(paste(`${bare} --yes`)[0]).toBe(0);
    expect(existsSync(join(app.home, ".cursor/hooks.json"))).toBe(true);
    expect(readFileSync(settings, "utf8")).toContain(copy);
    end();
  });
});
