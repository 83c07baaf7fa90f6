import { afterAll, describe, expect, test } from "bun:test";
import { mkdtempSync, mkdirSync, readdirSync, readFileSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { DECLARATIONS_FILE } from "../../../tools/types.ts";
import { readGeneratedDeclarations } from "../../support/generated.ts";
import { ROOT } from "../../support/fixtures.ts";

const folder = mkdtempSync(join(tmpdir(), "bridge-hooks-init-"));
afterAll(() => rmSync(folder, { recursive: true, force: true }));

function run(cwd: string, ...args: string[]) {
  const { exitCode, stdout, stderr } = Bun.spawnSync(
    [process.execPath, "--no-install", join(ROOT, "src/main.ts"), "init", ...args],
    {
      cwd,
    },
  );
  return { code: exitCode, stdout: stdout.toString(), stderr: stderr.toString() };
}

/** Runs Bun's built-in type checker on the project. */
function check(project: string) {
  const { exitCode, stdout, stderr } = Bun.spawnSync([process.execPath, "check"], {
    cwd: project,
    env: { ...process.env, NO_COLOR: "1" },
  });
  return [exitCode, `${stdout}${stderr}`.trim()] as const;
}

let count = 0;
const project = () => {
  const path = join(folder, `project-${++count}`);
  mkdirSync(path);
  return path;
};

test("the declarations that init writes match the source", async () =>
  expect(readFileSync(DECLARATIONS_FILE, "utf8")).toBe(await readGeneratedDeclarations()));

describe("init", () => {
  test("creates a project that passes the type check without any package, and prints the next steps", () => {
    const at = project();
    const { code, stdout, stderr } = run(at, "mine");
    expect([code, stderr]).toEqual([0, ""]);
    expect(stdout).toBe(`  + hooks/no-publish.ts       an example hook to edit
  + hooks/no-publish.test.ts  its test
  + .bridge-hooks.json        this project's hook settings
  + tsconfig.json             for your editor
  + .gitignore                keeps generated files out of git
  + types/                    types for your editor; not in git, restored by init

Next steps, in mine:
  bridge-hooks try --hooks . --command "npm publish"   shows the decision
  bridge-hooks test                                    runs hooks/*.test.ts
  bridge-hooks build --with starter                    builds dist/bridge-hooks
`);
    expect(readdirSync(join(at, "mine")).sort()).toEqual([
      ".bridge-hooks.json",
      ".gitignore",
      "hooks",
      "tsconfig.json",
      "types",
    ]);
    const { $schema } = JSON.parse(readFileSync(join(at, "mine/.bridge-hooks.json"), "utf8"));
    expect(JSON.parse(readFileSync(join(at, "mine", $schema), "utf8")).properties).toHaveProperty("exceptions");
    expect(readFileSync(join(at, "mine/.gitignore"), "utf8")).toBe("dist/\ntypes/\n");
    expect(check(join(at, "mine"))).toEqual([0, expect.stringContaining("No type errors in 2 files")]);
  });
  test("--starter adds the starter hooks, which pass the type check there as well", () => {
    const at = project();
    const { stdout } = run(at, "--starter");
    const own = readdirSync(join(ROOT, "hooks"), { recursive: true, encoding: "utf8" }).filter((name) =>
      name.endsWith(".ts"),
    );
    expect(own.length).toBeGreaterThan(30);
    for (const name of own)
      expect([name, readFileSync(join(at, "hooks", name), "utf8")]).toEqual([
        name,
        readFileSync(join(ROOT, "hooks", name), "utf8"),
      ]);
    expect(stdout.match(/\+ hooks\/[a-z-]+\.ts +a starter hook\n/g)?.length).toBe(
      own.filter((name) => !/_|\//.test(name)).length,
    );
    expect(stdout).not.toContain("hooks/_");
    expect(check(at)).toEqual([0, expect.stringContaining(`No type errors in ${own.length + 2} files`)]);
    // A changed helper is reported because the hooks are built with it.
    writeFileSync(join(at, "hooks/_paths.ts"), "export const expandHome = (path: string) => path;\n");
    const again = run(at, "--starter").stdout;
    expect(again.match(/= hooks\/_.*/g)).toEqual([
      expect.stringMatching(/^= hooks\/_paths\.ts +already exists, unchanged$/),
    ]);
  });
  test("the example is typed: the checker finds errors in it", () => {
    const at = project();
    run(at);
    writeFileSync(
      join(at, "hooks/wrong.ts"),
      `import { defineHook } from "bridge-hooks";
import * as v from "valibot";
import * as z from "zod";
export default defineHook({ event: "PreToolUse", tool: "Bash", handler: (event) => void event.input.comand });
defineHook({ event: "PreToolUse", onerror: "deny", handler: () => undefined });
defineHook({ event: "Stop", options: z.object({ most: z.number() }), handler: (_, { options }) => void options.most.toFixed() });
defineHook({ event: "Stop", options: v.object({ most: v.number() }), handler: (_, { options }) => void options.most.trim() });
`,
    );
    const [code, said] = check(at);
    const places = [...said.matchAll(/wrong\.ts\((\d+),\d+\): error TS\d+: (.*)/g)].map(([, line, what]) => [
      line,
      what,
    ]);
    expect(code).not.toBe(0);
    expect(places).toEqual([
      ["4", expect.stringContaining("'comand'")],
      ["5", expect.stringContaining("'onerror'")],
      ["7", expect.stringContaining("'trim'")],
    ]);
  });
  test("overwrites nothing, and creates missing files again", () => {
    const at = project();
    mkdirSync(join(at, "hooks"));
    writeFileSync(join(at, "hooks/no-publish.ts"), "mine");
    symlinkSync("nowhere", join(at, "tsconfig.json"));
    writeFileSync(join(at, ".gitignore"), "*.log\n");
    expect(run(at).stdout).toStartWith(`  = hooks/no-publish.ts       already exists, unchanged
  + hooks/no-publish.test.ts  its test
  + .bridge-hooks.json        this project's hook settings
  = tsconfig.json             already exists, unchanged; add "typeRoots": ["./types"], "types": ["bridge-hooks", "bun-types"]
  = .gitignore                already exists, unchanged
  + types/  `);
    expect([readFileSync(join(at, "hooks/no-publish.ts"), "utf8"), readdirSync(at).sort()]).toEqual([
      "mine",
      [".bridge-hooks.json", ".gitignore", "hooks", "tsconfig.json", "types"],
    ]);
    expect(readFileSync(join(at, ".gitignore"), "utf8")).toBe("*.log\n");
    const file = join(at, "types/bridge-hooks/index.d.ts");
    rmSync(file);
    expect(run(at).stdout).toContain("  + types/  ");
    writeFileSync(file, "old");
    expect(run(at).stdout).toContain(
      "  = types/                    is from another release; delete types/ and run init again\n",
    );
    expect(readFileSync(file, "utf8")).toBe("old");
  });
  test("suggests what an existing tsconfig.json lacks for the example to pass the type check", () => {
    const at = project();
    const config = (more: object) => {
      const compilerOptions = {
        strict: true,
        noEmit: true,
        skipLibCheck: true,
        module: "Preserve",
        allowImportingTsExtensions: true,
        ...more,
      };
      writeFileSync(join(at, "tsconfig.json"), JSON.stringify({ compilerOptions, include: ["hooks"] }));
    };
    config({});
    const line = run(at)
      .stdout.split("\n")
      .find((one) => one.includes("tsconfig.json"));
    const [, advice = ""] = /add (.+)$/.exec(line ?? "") ?? [];
    expect(check(at)[0]).not.toBe(0);
    config(JSON.parse(`{ ${advice} }`) as object);
    expect(check(at)).toEqual([0, expect.stringContaining("No type errors in 2 files")]);
    expect(run(at).stdout).toContain("  = tsconfig.json             already exists, unchanged\n");
  });
  test("names the file that can't be written", () => {
    const at = project();
    writeFileSync(join(at, "hooks"), "a file");
    const { code, stdout, stderr } = run(at);
    expect([code, stdout, stderr]).toEqual([
      1,
      "",
      expect.stringMatching(
        /^bridge-hooks: \S+hooks\/no-publish\.ts can't be written \(its parent is a file, not a directory\); fix that and run init again \(files created so far stay\)\n$/,
      ),
    ]);
    expect(run(at, "hooks")).toEqual({
      code: 1,
      stdout: "",
      stderr: "bridge-hooks: hooks is a file; pass a directory (created if missing)\n",
    });
    expect(run(at, "hooks/in/it").stderr).toBe(
      "bridge-hooks: hooks is a file; pass a directory (created if missing)\n",
    );
  });
});
