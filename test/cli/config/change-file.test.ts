import { afterAll, describe, expect, test } from "bun:test";
import { chmodSync, lstatSync, mkdirSync, readdirSync, readFileSync, rmSync, statSync, symlinkSync } from "node:fs";
import { dirname, join } from "node:path";
import { createProject } from "../../support/projects.ts";

describe("config set and unset", () => {
  const app = createProject({});
  afterAll(app.end);
  const file = join(app.home, process.platform === "win32" ? "AppData/Roaming" : ".config", "bridge-hooks/config.json");
  app.put(
    "hooks/guard.ts",
    `import { defineHook } from "bridge-hooks";
import * as v from "valibot";
export default defineHook({ event: "Stop", options: v.strictObject({ most: v.optional(v.number(), 3) }), handler() {} });
`,
  );
  const run = (...args: string[]) => app.run(["config", ...args, "--hooks", "."]);
  test("change one key in the scope's file, and reject a missing value or an unknown scope", () => {
    expect(run("set", "hooks.guard.most", "5")).toEqual({
      code: 0,
      stdout: `${process.platform === "win32" ? file : "~/.config/bridge-hooks/config.json"}:4:7: hooks.guard.most = 5 (was not set)\n`,
      stderr: "",
    });
    expect(run("set", "--scope", "project", "hooks.guard.most", "6").code).toBe(0);
    expect(JSON.parse(readFileSync(join(app.at, ".bridge-hooks.json"), "utf8"))).toEqual({
      hooks: { guard: { most: 6 } },
    });
    expect(run("unset", "hooks.guard.most", "--scope=project").code).toBe(0);
    expect(readFileSync(join(app.at, ".bridge-hooks.json"), "utf8")).toBe("{}\n");
    expect(run("set", "hooks.guard.most")).toEqual({
      code: 1,
      stdout: "",
      stderr: "bridge-hooks: config set: VALUE is missing; see bridge-hooks config set --help\n",
    });
    expect(run("set", "hooks.guard.most", "4", "--scope", "mine").stderr).toBe(
      'bridge-hooks: unknown scope "mine" of config files; known: managed, project, user\n',
    );
  });
  test.skipIf(process.platform === "win32")("keep the file's mode and link, and leave no other file", () => {
    chmodSync(file, 0o600);
    expect(run("set", "hooks.guard.most", "7").code).toBe(0);
    expect(statSync(file).mode & 0o777).toBe(0o600);
    expect(readdirSync(dirname(file))).toEqual(["config.json"]);
    mkdirSync(join(app.home, "dotfiles"));
    const linked = join(app.home, "dotfiles/project.json");
    app.put("../dotfiles/project.json", "{}\n");
    const project = join(app.at, ".bridge-hooks.json");
    rmSync(project);
    symlinkSync(linked, project);
    expect(run("set", "--scope", "project", "hooks.guard.most", "8").code).toBe(0);
    expect(lstatSync(project).isSymbolicLink()).toBe(true);
    expect(JSON.parse(readFileSync(linked, "utf8"))).toEqual({ hooks: { guard: { most: 8 } } });
  });
  test.skipIf(process.platform === "win32")("refuse to change a read-only file", () => {
    chmodSync(file, 0o400);
    expect(run("set", "hooks.guard.most", "9")).toEqual({
      code: 1,
      stdout: "",
      stderr:
        "bridge-hooks: ~/.config/bridge-hooks/config.json can't be changed: the file is read-only; make it writable (chmod u+w), or choose another --scope\n",
    });
  });
});
