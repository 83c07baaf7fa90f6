import { afterAll, beforeAll, describe, expect, test } from "bun:test";
import { existsSync, mkdirSync, mkdtempSync, realpathSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import hook from "../../../hooks/block-destructive.ts";
import { getStartupPaths, STARTUP_SUFFIXES } from "../../../hooks/_startup-places.ts";
import { askHook } from "../../support/ask-hook.ts";

const home = realpathSync(mkdtempSync(join(tmpdir(), "bridge-hooks-startup-")));
const cwd = join(home, "code/shop");
const OLD = "one\ntwo\n";
const NEW = "export A=1\n";
const homeBefore = process.env.HOME;

const toPath = (place: string) => place.replaceAll("*", "name").replace(/\+$/, "name").replaceAll("+", "d");
const inHome = (places: readonly string[]) => places.map((place) => join(home, toPath(place)));
const inProject = (places: readonly string[]) => places.map((place) => join(cwd, toPath(place)));

/**
 * Startup files that must not be replaced, and ones that may be. This depends on which list contains the file's path,
 * and on whether the file exists.
 */
const kept = [...inHome(getStartupPaths("kept").home), join(home, ".gitconfig"), join(home, ".ssh/config")];
const created = inHome(getStartupPaths("created").home);
const absent = getStartupPaths("created")
  .system.map(toPath)
  .filter((path) => !existsSync(path));
const replaced = inProject(getStartupPaths("replaced").repository);
const missing = [join(cwd, ".git/hooks/pre-push"), "/etc/profile.d/name-that-is-not-there.sh"];
const free = [
  ...[join(cwd, ".husky/pre-commit"), join(cwd, "hooks/pre-commit"), join(cwd, "src/a.ts"), join(cwd, ".env.example")],
  ...inHome([
    ".config/systemd/user/x.service",
    ".config/fish/conf.d/x.fish",
    ".local/share/bash-completion/completions/x",
  ]),
];
const present = [...kept, ...created, ...replaced, ...free];

beforeAll(() => {
  process.env.HOME = home;
  for (const path of [...present, join(cwd, "x.txt"), join(cwd, ".git/HEAD")]) {
    mkdirSync(dirname(path), { recursive: true });
    writeFileSync(path, OLD);
  }
});
afterAll(() => {
  process.env.HOME = homeBefore;
  rmSync(home, { recursive: true, force: true });
});

const ask = async (tool: string, input: object) =>
  (await askHook(hook, { event: "PreToolUse", tool, tool_name: tool === "MCP" ? "" : tool, cwd, input }, {}))
    ?.decision ?? "pass";
type Way = (path: string) => Promise<string>;
const line =
  (write: (path: string) => string): Way =>
  (path) =>
    ask("Bash", { command: write(`"${path}"`) });
const edit =
  (change: object): Way =>
  (file_path) =>
    ask("Edit", { files: [{ file_path, edits: [], ...change }] });
const mcp =
  (tool: string, write: (path: string) => object): Way =>
  (path) =>
    ask("MCP", { tool, arguments: write(path) });

const ARGUMENTS =
  "path filePath file_path filepath dst dest destination out_file outfile outputPath target new_path".split(" ");
const WAYS: Readonly<Record<"replace" | "add" | "put" | "remove", Readonly<Record<string, Way>>>> = {
  replace: {
    ">": line((path) => `echo x > ${path}`),
    ">|": line((path) => `echo x >| ${path}`),
    tee: line((path) => `echo x | tee ${path}`),
    dd: line((path) => `dd if=x.txt of=${path}`),
    Write: (file_path) => ask("Write", { file_path, content: NEW }),
    "*** Add File": edit({ operation: "add", edits: [{ old_string: "", new_string: NEW }] }),
    ...Object.fromEntries(
      ARGUMENTS.map((name) => [name, mcp("write_file", (path) => ({ [name]: path, content: NEW }))]),
    ),
    create: mcp("create_file", (path) => ({ path })),
  },
  add: {
    ">>": line((path) => `echo x >> ${path}`),
    "tee -a": line((path) => `echo x | tee -a ${path}`),
    "sed -i": line((path) => `sed -i s/one/two/ ${path}`),
    Edit: edit({ operation: "update", edits: [{ old_string: "one", new_string: "two" }] }),
    "MCP edit": mcp("edit_file", (path) => ({ path, edits: [{ oldText: "one", newText: "two" }] })),
    diff: mcp("apply_patch", (path) => ({ patch: `--- ${path}\n+++ ${path}\n@@ -1 +1 @@\n-one\n+two\n` })),
  },
  put: {
    cp: line((path) => `cp x.txt ${path}`),
    mv: line((path) => `mv x.txt ${path}`),
    ln: line((path) => `ln -sf x.txt ${path}`),
    "MCP copy": mcp("copy_file", (path) => ({ source: "x.txt", destination: path })),
    "MCP move": mcp("move_file", (path) => ({ source: "x.txt", destination: path })),
    "*** Move to": async (moved_to) =>
      ask("Edit", { files: [{ file_path: "x.txt", operation: "move", moved_to, edits: [] }] }),
  },
  remove: {
    rm: line((path) => `rm ${path}`),
    "*** Delete File": edit({ operation: "delete" }),
    "MCP delete": mcp("delete_file", (path) => ({ path })),
  },
};

const ROWS: [name: string, paths: readonly string[], denied: readonly (keyof typeof WAYS)[]][] = [
  ["kept", kept, ["replace", "put", "remove"]],
  ["created, and existing", created, ["replace", "put"]],
  ["created, and missing", absent, ["replace"]],
  ["replaced, and existing", replaced, ["replace"]],
  ["replaced, and missing", missing, []],
  ["free", free, []],
];
for (const [name, paths, denied] of ROWS)
  describe(`a path that is ${name}`, () => {
    for (const [kind, ways] of Object.entries(WAYS) as [keyof typeof WAYS, (typeof WAYS)["add"]][])
      test(`${denied.includes(kind) ? "is denied" : "is allowed"} for ${kind}, with every tool`, async () => {
        const wrong: string[] = [];
        for (const path of paths)
          for (const [way, call] of Object.entries(ways)) {
            const found = await call(path);
            if (found !== (denied.includes(kind) ? "deny" : "pass")) wrong.push(`${way} ${path}: ${found}`);
          }
        expect(paths.length).toBeGreaterThan(0);
        expect(wrong).toEqual([]);
      });
  });

test("a tool that writes whole files may add lines", async () => {
  for (const path of [...kept, ...replaced]) {
    expect(await ask("Write", { file_path: path, content: `${OLD}${NEW}` })).toBe("pass");
    expect(await ask("MCP", { tool: "write_file", arguments: { path, content: `${NEW}one\ntwo` } })).toBe("pass");
    expect(await ask("Write", { file_path: path, content: `one\n${NEW}` })).toBe("deny");
  }
});

test("a backup next to a file may be restored", async () => {
  for (const path of [...kept, ...created])
    for (const command of [`mv "${path}.bak" "${path}"`, `cp "${path}.orig" "${path}"`, `cp -n x.txt "${path}"`])
      expect([command, await ask("Bash", { command })]).toEqual([command, "pass"]);
});

test("system files are judged the same for tools as for a redirection", async () => {
  for (const path of ["/etc/hosts", "/etc/passwd", "/etc/ssh/sshd_config", "/boot/x", "/etc/sudoers"]) {
    for (const [way, call] of Object.entries(WAYS.replace))
      expect([way, path, await call(path)]).toEqual([way, path, "deny"]);
    for (const [way, call] of Object.entries(WAYS.add))
      expect([way, path, await call(path)]).toEqual([way, path, "pass"]);
  }
});

test("ordinary calls of file tools are allowed", async () => {
  const calls: [string, object][] = [
    ["Write", { file_path: join(cwd, "src/b.ts"), content: NEW }],
    ["Write", { file_path: join(cwd, "src/a.ts"), content: "" }],
    ["Write", { file_path: join(cwd, "etc/hosts"), content: NEW }],
    ["Write", { file_path: join(cwd, ".github/hooks/x.sh"), content: NEW }],
    ["Edit", { files: [{ file_path: join(cwd, "src/a.ts"), operation: "delete", edits: [] }] }],
    ["MCP", { tool: "delete_file", arguments: { path: "/memories/old.md" } }],
    ["MCP", { tool: "delete_directory", arguments: { path: "src" } }],
    [
      "MCP",
      {
        tool: "create_or_update_file",
        arguments: { owner: "a", repo: "b", path: "src/a.ts", content: NEW, branch: "main" },
      },
    ],
    ["MCP", { tool: "get_file", arguments: { path: "/etc/hosts" } }],
    ["MCP", { tool: "search", arguments: { query: "> /etc/hosts" } }],
    ["Other", { path: "/etc/hosts" }],
  ];
  for (const [tool, input] of calls) expect([tool, input, await ask(tool, input)]).toEqual([tool, input, "pass"]);
});

test("a precious directory is not deleted by a tool", async () => {
  for (const path of [home, cwd, join(cwd, ".git"), "/etc", "~"])
    expect([path, await ask("MCP", { tool: "delete_directory", arguments: { path } })]).toEqual([path, "deny"]);
});

test("the setting protect covers loss, not new files", async () => {
  const askProtected = async (content: string, name: string) =>
    (
      await askHook(
        hook,
        { event: "PreToolUse", tool: "Write", tool_name: "Write", cwd, input: { file_path: join(cwd, name), content } },
        { protect: ["src"] },
      )
    )?.decision;
  expect(await askProtected(NEW, "src/new.ts")).toBeUndefined();
  expect(await askProtected(NEW, "src/a.ts")).toBeUndefined();
  expect(await askProtected("", "src/a.ts")).toBe("deny");
});

test("each listed path has a part by which calls are selected", async () => {
  const { CONCERNS } = await import("../../../hooks/_destructive/concerns.build.ts");
  const parts = [...(CONCERNS.texts ?? []), ...(CONCERNS.paths ?? [])];
  const { PRECIOUS_PATHS } = await import("../../../hooks/_destructive/precious-files.ts");
  const all = [
    ...STARTUP_SUFFIXES.map((end) => `/${toPath(end)}`),
    ...PRECIOUS_PATHS.map((path) => `/${toPath(path)}`),
  ];
  const without = all.filter((path) => !parts.some((part) => `${path.toLowerCase()}/`.includes(part)));
  expect(without).toEqual([]);
});
