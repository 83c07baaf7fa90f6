import { afterAll, describe, expect, test } from "bun:test";
import { createCli } from "../../../src/cli/main.ts";
import { createProject } from "../../support/projects.ts";

const app = createProject({
  "config.json": "{}\n",
  "hooks/x.test.ts": 'import { test } from "bun:test";\ntest("x", () => {});\n',
});
afterAll(app.end);

describe("a value that a command takes as an argument is also accepted as the option that other commands use", () => {
  const PAIRS: [argument: string[], option: string[]][] = [
    [
      ["matrix", "claude"],
      ["matrix", "--host", "claude"],
    ],
    [
      ["matrix", "claude"],
      ["matrix", "--host=claude"],
    ],
    [
      ["matrix", "claude", "--json"],
      ["matrix", "--host", "claude", "--json"],
    ],
    [
      ["matrix", "claude,codex", "--json"],
      ["matrix", "--host", "claude", "--host", "codex", "--json"],
    ],
    [
      ["config", "check", "config.json"],
      ["config", "check", "--config", "config.json"],
    ],
    [
      ["rules", "test", "config.json"],
      ["rules", "test", "--config", "config.json"],
    ],
    [
      ["test", "."],
      ["test", "--hooks", "."],
    ],
    [
      ["test", "hooks"],
      ["test", "--hooks=hooks"],
    ],
  ];
  for (const [argument, option] of PAIRS)
    test(option.join(" "), () => {
      const tidy = ({ code, stdout }: ReturnType<typeof app.run>) => [code, stdout.replaceAll(/\[?[\d.]+m?s\]?/g, "")];
      const result = tidy(app.run(option));
      expect(result).toEqual(tidy(app.run(argument)));
    });
  test("and selects one host instead of all", () => {
    const [one, all] = [app.run(["matrix", "--host", "claude", "--json"]), app.run(["matrix", "--json"])];
    expect([JSON.parse(one.stdout).length, JSON.parse(all.stdout).length > 1]).toEqual([1, true]);
  });
});

test("an option means the same in all commands: the kind of its value, and its name", () => {
  const kinds = new Map<string, Set<string>>();
  for (const { path, options } of createCli().definitions())
    for (const { definition } of options) {
      const [names = "", value = ""] = definition.split(" ");
      for (const name of names.split(","))
        kinds.set(name, (kinds.get(name) ?? new Set()).add(`${value === "" ? "a switch" : "a value"}`));
      expect([path, definition, /^--?[a-z][a-z-]*(,-\w)?( #0)?$/.test(definition)]).toEqual([path, definition, true]);
    }
  expect(kinds.size).toBeGreaterThan(40);
  // `log --project` takes a directory, but `allow --project` means the current one. `--session` differs in the same way
  // between `log` and `status`.
  expect([...kinds].flatMap(([name, kind]) => (kind.size > 1 ? name : []))).toEqual(["--session", "--project"]);
  for (const name of ["--host", "--hooks", "--config", "--json", "--scope", "--yes"])
    expect(kinds.has(name)).toBe(true);
  // Synonyms for existing option names.
  for (const name of [
    "--hosts",
    "--dir",
    "--folder",
    "--hook-dir",
    "--config-file",
    "--file",
    "--no-confirm",
    "--force",
  ])
    expect([name, kinds.has(name)]).toEqual([name, false]);
});
