import { afterAll, beforeAll, describe, expect, test } from "bun:test";
import {
  existsSync,
  mkdirSync,
  mkdtempSync,
  realpathSync,
  rmSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import hook from "../../../hooks/block-destructive.ts";
import { askHook } from "../../support/ask-hook.ts";
import { FAMILIES } from "./outside-lines.ts";

const root = realpathSync(mkdtempSync(join(tmpdir(), "bridge-hooks-outside-")));
const home = join(root, "home/me");
const shop = join(home, "code/shop");
const homeBefore = process.env.HOME;

const write = (path: string, text = "one\n") => {
  mkdirSync(dirname(join(home, path)), { recursive: true });
  writeFileSync(join(home, path), text);
};
const git = (folder: string, ...args: string[]): void => {
  const { exitCode, stderr } = Bun.spawnSync(["git", "-c", "user.name=t", "-c", "user.email=t@example.org", ...args], {
    cwd: join(home, folder),
    env: { PATH: process.env.PATH, HOME: root, GIT_CONFIG_NOSYSTEM: "1" },
  });
  if (exitCode !== 0) throw new Error(`git ${args.join(" ")}: ${stderr}`);
};

beforeAll(() => {
  process.env.HOME = home;
  for (const name of ["shop", "other"]) {
    for (const file of ["README.md", "src/main.ts", "packages/a/index.ts", ".gitignore"]) write(`code/${name}/${file}`);
    git(`code/${name}`, "init", "-q", "-b", "main");
    git(`code/${name}`, "add", ".");
    git(`code/${name}`, "commit", "-q", "-m", "first");
  }
  for (const file of [
    ...["Documents/WORK/a/b/plan.md", "Documents/thesis.docx", "Desktop/x/photo.jpg", "Downloads/x.zip"],
    ...[
      "code/plain/a.ts",
      "code/plain/build/a.ts",
      "code/plain/made/dist/a.js",
      "code/plain/made/package.json",
      "code/other/node_modules/x/a.js",
      "code/other/dist/a.js",
    ],
    ...["code/shop/packages/b/node_modules/x.js", "code/memcached/main.c", "code/x-tmp/a", "music/song.flac"],
    ...[".config/app/cache.json", ".config/app/settings.json", ".config/nvim/init.lua", ".config/Code/Cache/1"],
    ...[
      ".cache/x/1",
      ".npm/_cacache/x",
      "Library/Caches/a/1",
      ".local/bin/tool",
      ".nvm/versions/1",
      ".local/share/app/db",
    ],
    ...[".local/share/containers/storage/a", "Library/Containers/com.docker.docker/Data/vms/0", ".bashrc", "notes.txt"],
    ...[
      ".ssh/authorized_keys",
      ".aws/credentials",
      ".bashrc.bak",
      "AppData/Roaming/Code/User/settings.json",
      "app.log",
    ],
  ])
    write(file);
  git("code/shop", "worktree", "add", "-q", "../wt-clean", "-b", "clean");
  git("code/shop", "worktree", "add", "-q", "../wt-dirty", "-b", "dirty");
  write("code/wt-dirty/src/new.ts");
  symlinkSync("../../Documents/WORK", join(shop, "linked"));
});
afterAll(() => {
  process.env.HOME = homeBefore;
  rmSync(root, { recursive: true, force: true });
});

interface Call {
  cwd?: string;
  shell?: string;
  options?: object;
  more?: object;
}
const ask = (command: string, { cwd = shop, shell, options = {}, more = {} }: Call = {}) =>
  askHook(
    hook,
    {
      event: "PreToolUse",
      tool: "Bash",
      tool_name: "Bash",
      cwd,
      input: { command, ...(shell && { shell }) },
      ...more,
    },
    options,
  );
const getRule = (answer: Awaited<ReturnType<typeof ask>>): string =>
  answer?.decision === "deny" ? (/\[bridge-hooks (\S+)\]$/.exec(answer.reason ?? "")?.[1] ?? "?") : "passes";

for (const [kind, { rule, denied, passed, shell }] of Object.entries(FAMILIES))
  describe(kind, () => {
    const call = shell === undefined ? {} : { shell };
    for (const line of denied)
      test(`is denied: ${line}`, async () => expect(getRule(await ask(line, call))).toBe(rule));
    for (const line of passed) test(`is allowed: ${line}`, async () => expect(await ask(line, call)).toBeUndefined());
    test("has three commands of both kinds", () =>
      expect([denied.length > 2, passed.length > 2]).toEqual([true, true]));
  });

test("nothing was deleted, moved or overwritten by these tests", () => {
  for (const path of ["Documents/WORK/a/b/plan.md", "code/other/README.md", "Desktop/x/photo.jpg"])
    expect([path, existsSync(join(home, path))]).toEqual([path, true]);
});

test("a denial names the paths outside the project, and suggests an alternative", async () => {
  expect((await ask("rm -rf ../other/src"))?.reason).toBe(
    'Blocked "rm -rf ../other/src": it deletes ../other/src, which is outside the project; leave the deletion to the user, or move the path to the trash with "gio trash". If this is intended, ask the user to run it. [bridge-hooks filesystem/delete-outside]',
  );
  expect((await ask("rm -rf linked/a"))?.reason).toContain(
    `it deletes linked/a (which is ${home}/Documents/WORK/a), which is outside the project`,
  );
  for (const line of ["trash-put ../other/src", "gio trash ../other/src", "cp -r ../other/src ."])
    expect([line, await ask(line)]).toEqual([line, undefined]);
});

test("container data, and the user's own Windows directories, are protected in a session that runs in the home directory", async () => {
  for (const line of [
    "rm -rf ~/.local/share/containers",
    "rm -rf ~/Library/Containers/com.docker.docker/Data",
    "rm -rf ~/AppData/Roaming",
  ])
    for (const cwd of [home, shop])
      expect([line, getRule(await ask(line, { cwd }))]).toEqual([line, "filesystem/rm-recursive"]);
});

test("a linked working tree with uncommitted work is denied for that reason", async () => {
  const { decision, reason } = (await ask("rm -rf ../wt-dirty")) ?? {};
  expect([decision, reason]).toEqual([
    "deny",
    expect.stringContaining("../wt-dirty (a linked worktree with uncommitted changes)"),
  ]);
  expect(getRule(await ask("git worktree remove --force ../wt-dirty"))).toBe("git/worktree-remove-force");
});

describe("the project is", () => {
  test("the repository that contains the session's directory", async () => {
    expect(await ask("rm -rf ../b/node_modules ../../src", { cwd: join(shop, "packages/a") })).toBeUndefined();
    expect(getRule(await ask("rm -rf ../../../other", { cwd: join(shop, "packages/a") }))).toBe(
      "filesystem/delete-outside",
    );
  });
  test("every root of the workspace", async () => {
    const more = { workspace_roots: [shop, join(home, "code/other")] };
    expect(await ask("rm -rf ../other/src", { more })).toBeUndefined();
    expect(getRule(await ask("rm -rf ../plain", { more }))).toBe("filesystem/delete-outside");
  });
  test("the parent directory of several repositories", async () => {
    expect(await ask("rm -rf other/src plain", { cwd: join(home, "code") })).toBeUndefined();
  });
  test("the home directory if the session runs there, except for the user's own directories", async () => {
    const cwd = home;
    expect(await ask("rm -rf code/other/src code/plain notes.txt", { cwd })).toBeUndefined();
    expect(await ask("cp notes.txt Documents/thesis.docx", { cwd })).toBeUndefined();
    for (const line of ["rm -rf Documents/WORK", "rm Desktop/x/photo.jpg", "mv Documents/WORK /tmp"])
      expect([line, getRule(await ask(line, { cwd }))]).toEqual([line, expect.stringMatching(/-outside$/)]);
  });
});

describe("deletion outside the project is allowed", () => {
  test("in a directory that the settings name", async () => {
    const options = { outside: ["~/code", "../../music"] };
    for (const line of ["rm -rf ../other/src", "mv ../plain /tmp", "cp README.md ../other", "rm ~/music/song.flac"])
      expect([line, await ask(line, { options })]).toEqual([line, undefined]);
    expect(getRule(await ask("rm -rf ~/Documents/WORK", { options }))).toBe("filesystem/delete-outside");
  });
  test("in a directory that was created since the session began", async () => {
    const transcript = join(root, "transcript.jsonl");
    writeFileSync(transcript, "");
    await Bun.sleep(20);
    write("code/fresh/src/a.ts");
    const isKnown = statSync(join(home, "code/fresh")).birthtimeMs > statSync(transcript).birthtimeMs;
    const more = { transcript_path: transcript };
    for (const line of ["rm -rf ../fresh", "rm ../fresh/src/a.ts", "mv ../fresh /tmp"]) {
      expect([line, await ask(line, { more })]).toEqual([line, isKnown ? undefined : expect.anything()]);
      expect([line, getRule(await ask(line))]).toEqual([line, expect.stringMatching(/-outside$/)]);
    }
    write("code/plain/new.ts");
    for (const line of ["rm -rf ../other/src", "rm ../plain/new.ts"])
      expect([line, getRule(await ask(line, { more }))]).toEqual([line, "filesystem/delete-outside"]);
    rmSync(join(home, "code/fresh"), { recursive: true });
  });
});

test("tools that write, delete and move files are judged like commands", async () => {
  const askTool = async (tool: string, input: object) =>
    getRule(await askHook(hook, { event: "PreToolUse", tool, tool_name: tool, cwd: shop, input }, {}));
  const other = join(home, "code/other/README.md");
  const RULES: [tool: string, input: object, rule: string][] = [
    ["Write", { file_path: other, content: "x" }, "filesystem/overwrite-outside"],
    ["Write", { file_path: other, content: "one\ntwo\n" }, "passes"],
    ["Write", { file_path: join(home, "code/other/new.md"), content: "x" }, "passes"],
    ["Write", { file_path: join(home, ".config/app/settings.json"), content: "x" }, "passes"],
    ["Write", { file_path: join(shop, "README.md"), content: "x" }, "passes"],
    ["Edit", { files: [{ file_path: other, operation: "update", edits: [] }] }, "passes"],
    ["Edit", { files: [{ file_path: other, operation: "delete", edits: [] }] }, "filesystem/delete-outside"],
    [
      "MCP",
      { tool: "delete_directory", arguments: { path: join(home, "Documents/WORK") } },
      "filesystem/delete-outside",
    ],
    ["MCP", { tool: "move_file", arguments: { source: other, destination: "x.md" } }, "filesystem/move-outside"],
  ];
  for (const [tool, input, rule] of RULES)
    expect([tool, input, await askTool(tool, input)]).toEqual([tool, input, rule]);
});
