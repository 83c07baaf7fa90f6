import { afterAll, describe, expect, test } from "bun:test";
import { mkdirSync, mkdtempSync, realpathSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { askHook } from "../../support/ask-hook.ts";
import hook from "../../../hooks/block-destructive.ts";
import { askLine } from "./support.ts";

const root = realpathSync(mkdtempSync(join(tmpdir(), "bridge-hooks-trees-")));
afterAll(() => rmSync(root, { recursive: true, force: true }));

function runGit(folder: string, ...args: string[]): void {
  const { exitCode, stderr } = Bun.spawnSync(["git", "-c", "user.name=n", "-c", "user.email=a@b.c", ...args], {
    cwd: folder,
    env: { PATH: process.env.PATH, HOME: root, GIT_CONFIG_NOSYSTEM: "1" },
  });
  if (exitCode !== 0) throw new Error(`git ${args.join(" ")}: ${stderr}`);
}

/** A repository and a bare repository, each with a linked working tree. */
const [main, linked, bare, bareTree] = ["main", "linked", "bare/.repo", "bare/tree"].map((name) =>
  join(root, name),
) as [string, string, string, string];
mkdirSync(main);
runGit(main, "init", "-q");
writeFileSync(join(main, "a.txt"), "a");
runGit(main, "add", ".");
runGit(main, "commit", "-q", "-m", "m");
runGit(main, "worktree", "add", "-q", linked);
runGit(root, "clone", "-q", "--bare", main, bare);
runGit(bare, "worktree", "add", "-q", bareTree);

const isDenied = async (line: string, cwd: string) => (await askLine(line, {}, cwd))?.decision === "deny";

describe("in a linked working tree, the files shared by all trees are as protected as its own .git", () => {
  const COMMON = join(main, ".git");
  const LINES = [
    `rm -rf ${COMMON}`,
    `rm -rf ${main}`,
    `rm -r ../main/.git`,
    "rm -rf ../main",
    `mv ${COMMON} /tmp/x`,
    `find ${COMMON} -delete`,
    `find ${COMMON} -type f -exec rm -f {} +`,
    `> ${COMMON}/config`,
    `echo x > ${COMMON}/HEAD`,
    `rm -rf ${COMMON}/refs`,
    `rm -rf ${COMMON}/objects/*`,
    `rm -rf ${COMMON}/worktrees/linked`,
    `cp /dev/null ${COMMON}/packed-refs`,
    `truncate -s 0 ${COMMON}/config`,
    'rm -rf "$(git rev-parse --git-common-dir)"',
    'mv "$(git rev-parse --git-common-dir)" /tmp/x',
    'find "$(git rev-parse --git-common-dir)" -delete',
    'echo x > "$(git rev-parse --git-common-dir)/config"',
    "cd ../main && rm -rf .git",
    `rsync -a --delete /tmp/empty/ ${COMMON}/`,
    `shred -u ${COMMON}/config`,
  ];
  for (const line of LINES)
    test(line.replaceAll(root, ""), async () => {
      expect(await isDenied(line, linked)).toBe(true);
      if (line.includes(COMMON) || line.includes("$("))
        expect(await isDenied(line.replaceAll(COMMON, bare), bareTree)).toBe(true);
    });

  test("other files there, and of other repositories, are not protected", async () => {
    for (const line of [
      `rm -f ${COMMON}/index.lock`,
      `rm -rf ${main}/dist`,
      `cat ${COMMON}/config`,
      "rm -rf dist",
      `rm -rf ${root}/other`,
      `rm -rf ${COMMON}/../../other/x`,
    ])
      expect([line, await isDenied(line, linked)]).toEqual([line, false]);
  });
});

describe("uncommitted work in a linked working tree is checked", () => {
  for (const line of ["git reset --hard", "git checkout .", "git clean -fdx"])
    test(line, async () => {
      const clean = await isDenied(line, linked);
      writeFileSync(join(linked, "a.txt"), "changed");
      writeFileSync(join(linked, "new.txt"), "new");
      try {
        expect(await isDenied(line, linked)).toBe(true);
        expect(await isDenied(`git -C ${linked} ${line.slice(4)}`, main)).toBe(true);
        expect(await isDenied(`cd ../linked && ${line}`, main)).toBe(true);
        expect(await isDenied(`rm -rf ${linked}`, main)).toBe(true);
      } finally {
        writeFileSync(join(linked, "a.txt"), "a");
        rmSync(join(linked, "new.txt"));
      }
      expect(await isDenied(line, linked)).toBe(clean);
    });
});

test("the session's directory remains protected if a tool runs the command in another directory", async () => {
  const event = { event: "PreToolUse", tool: "Bash", tool_name: "Bash", cwd: main };
  const ask = async (command: string, more: object = {}) =>
    (await askHook(hook, { ...event, input: { command, cwd: "/tmp/other" }, ...more }))?.decision;
  expect(await ask(`rm -rf ${main}`)).toBe("deny");
  expect(await ask(`rm -rf ${linked}`)).toBeUndefined();
  expect(await ask(`rm -rf ${linked}`, { workspace_roots: [main, linked] })).toBe("deny");
  expect(await ask(`rm -rf ${root}/l*`, { workspace_roots: [linked] })).toBe("deny");
});

describe("a mounted disk and a share are as protected as a drive", () => {
  for (const line of [
    "rm -rf /media/me/BACKUP",
    "rm -rf /media/me/BACKUP/*",
    "rm -rf /media/me",
    "rm -rf /run/media/me/BACKUP",
    "rm -rf /run/media/me",
    "rm -rf /run/media",
    "rm -rf /mnt/data",
    "find /run/media/me/USB -delete",
    "mv /run/media/me/USB /tmp/x",
    String.raw`powershell -c 'ri \\server\share -rec -fo'`,
    String.raw`powershell -c 'Remove-Item -Recurse -Force \\server\share\*'`,
    String.raw`powershell -c 'ri \\wsl$\Ubuntu -rec -fo'`,
    String.raw`powershell -c 'ri \\wsl$\Ubuntu\home\me -rec -fo'`,
    String.raw`powershell -c 'ri \\wsl.localhost\Ubuntu\etc -rec -fo'`,
    String.raw`powershell -c 'ri \\?\C:\Users\me -rec -fo'`,
    String.raw`powershell -c 'ri \\server\C$\Users -rec -fo'`,
    String.raw`cmd /c 'rd /s /q \\server\share'`,
    String.raw`cmd /c 'rd /s /q \\wsl$\Debian\home'`,
    String.raw`cmd /c 'del /s /q \\server\share\*'`,
    String.raw`rm -rf '\\server\share'`,
  ])
    test(line, async () => expect(await isDenied(line, "/home/me/code/shop")).toBe(true));

  for (const line of [
    "rm -rf /media/me/BACKUP/old/2019",
    "rm -rf /run/media/me/USB/tmp",
    "rm -f /run/app.pid",
    String.raw`powershell -c 'ri \\server\share\builds\old -rec -fo'`,
    String.raw`cmd /c 'rd /s /q \\server\share\builds\old'`,
    String.raw`powershell -c 'ri \\wsl$\Ubuntu\home\me\code\shop\dist -rec -fo'`,
    "rm -rf //tmp/x/y",
  ])
    test(`not ${line}`, async () => expect(await isDenied(line, "/home/me/code/shop")).toBe(false));
});

describe.each(["powershell", "cmd"])("a share is as protected as a drive in %s itself", (shell) => {
  const REMOVALS = { powershell: "Remove-Item -Recurse -Force", cmd: "rd /s /q" } as Record<string, string>;
  const ask = async (path: string) => {
    const input = { command: `${REMOVALS[shell]} ${path}`, shell };
    return (await askHook(hook, { event: "PreToolUse", tool: "Bash", tool_name: "Bash", cwd: "/home/me/x", input }))
      ?.decision;
  };
  for (const path of [
    String.raw`\\server\share`,
    String.raw`"\\server\share"`,
    String.raw`\\wsl$\Ubuntu`,
    String.raw`\\?\C:\Users\me`,
  ])
    test(path, async () => expect(await ask(path)).toBe("deny"));
  test("its content may be deleted", async () =>
    expect(await ask(String.raw`\\server\share\builds\old`)).toBeUndefined());
});
