import { describe, expect, test } from "bun:test";
import { existsSync, lstatSync, readdirSync, symlinkSync } from "node:fs";
import { join } from "node:path";
import {
  executable,
  home,
  temporary,
  GOOD_HOOK,
  runProgram,
  createFolder,
  listFolder,
  runBuild,
  expectNothingLeft,
} from "./project-support.ts";

describe("places and orders that make no sense", () => {
  const cases: [name: string, files: Record<string, string>, args: string[], message: string][] = [
    ["no such directory", {}, ["nowhere"], "dist/bridge-hooks was not made: there is no folder nowhere"],
    [
      "no hook in it",
      { "readme.txt": "" },
      [],
      "dist/bridge-hooks was not made: there is no hook module in $CWD; a hook module is a .ts or .js file with a default export",
    ],
    [
      "the result is a directory",
      { "a.ts": GOOD_HOOK, "out/x": "" },
      ["--outfile", "out"],
      "out was not made: out is a directory; name a file in it with --outfile",
    ],
    [
      "the result is a hook's source",
      { "hooks/a.ts": GOOD_HOOK },
      ["--outfile", "hooks/a.ts"],
      "hooks/a.ts was not made: hooks/a.ts would be loaded as a hook module; name another file with --outfile",
    ],
    [
      "the result would be taken for a hook",
      { "hooks/a.ts": GOOD_HOOK },
      ["--outfile", "./hooks/b.js"],
      "hooks/b.js was not made: ./hooks/b.js would be loaded as a hook module; name another file with --outfile",
    ],
    [
      "the result is a file that is not ours",
      { "a.ts": GOOD_HOOK, "package.json": "{}" },
      ["--outfile", "package.json"],
      "package.json was not made: package.json already exists and was not made by build; delete it, or name another file with --outfile",
    ],
    [
      "one of the results is a program of somebody else",
      { "a.ts": GOOD_HOOK, "dist/guard-linux-arm64": "\x7fELF, but not ours" },
      ["--target", "linux-x64", "--target", "linux-arm64", "--name", "guard"],
      "dist/guard-linux-x64 was not made: dist/guard-linux-arm64 already exists and was not made by build; delete it, or name another file with --outfile",
    ],
    [
      "a module in place of its folder",
      { "hooks/a.ts": GOOD_HOOK },
      ["hooks/a.ts"],
      "dist/bridge-hooks was not made: hooks/a.ts is a file; pass the folder that it is in",
    ],
    [
      "the result is this directory",
      { "a.ts": GOOD_HOOK },
      ["--outfile", "."],
      ". was not made: . is a directory; name a file in it with --outfile",
    ],
    [
      "the result's folder is a file",
      { "a.ts": GOOD_HOOK, out: "" },
      ["--outfile", "out/deep/x"],
      "out/deep/x was not made: $CWD/out/deep is not a folder; name another place with --outfile",
    ],
    [
      "a place that nobody may write to",
      { "a.ts": GOOD_HOOK },
      ["--outfile", "/proc/bridge-hooks/x"],
      "/proc/bridge-hooks/x was not made: /proc/bridge-hooks can't be written to (its file system does not accept new files); name another place with --outfile",
    ],
    ["an unknown target", { "a.ts": GOOD_HOOK }, ["--target", "amiga"], 'unknown target "amiga"; known: linux-x64, '],
    [
      "several targets and one file",
      { "a.ts": GOOD_HOOK },
      ["--target", "all", "--outfile", "x"],
      "--outfile names one file, but there are several targets; --name names files in dist",
    ],
    [
      "a name that is a path",
      { "a.ts": GOOD_HOOK },
      ["--name", "../x"],
      "--name takes a file's name; --outfile takes a path",
    ],
    [
      "a starter hook that there is not",
      { "a.ts": GOOD_HOOK },
      ["--with", "block-destrutive"],
      'dist/bridge-hooks was not made: --with: unknown starter hook "block-destrutive"; did you mean block-destructive?',
    ],
    ["an empty path", { "a.ts": GOOD_HOOK }, ["--outfile="], "DIR, --hooks and --outfile take a path"],
  ];
  let ran = 0;
  for (const [name, files, args, message] of cases) {
    test(name, async () => {
      const { code, stdout, stderr, before, cwd } = await runBuild(files, args);
      const expected = `bridge-hooks: ${message.replace("$CWD", cwd)}`;
      expect([code, stdout, stderr.slice(0, expected.length), listFolder(cwd)]).toEqual([1, "", expected, before]);
      ran++;
    });
  }
  test("every case ran", () => expect(ran).toBe(16));

  test("a starter hook beside a hook of its name", async () => {
    const { code, stderr } = await runBuild({ "block-destructive.ts": GOOD_HOOK }, ["--with", "starter"]);
    expect([code, stderr]).toEqual([
      1,
      expect.stringContaining(
        'block-destructive.ts:2:1: error: a starter hook has the same name, "block-destructive"; rename this hook, or leave the other one out of --with',
      ),
    ]);
  });

  test("the result is a pipe, or a link to nowhere: neither is read or replaced", async () => {
    const cwd = createFolder({ "a.ts": GOOD_HOOK });
    expect(Bun.spawnSync(["mkfifo", join(cwd, "pipe")]).exitCode).toBe(0);
    symlinkSync("nowhere", join(cwd, "link"));
    const before = listFolder(cwd);
    for (const name of ["pipe", "link"]) {
      const { code, stderr } = await runProgram(executable, ["build", "--outfile", name], { cwd });
      const said = `bridge-hooks: ${name} was not made: ${name} already exists and was not made by build; delete it, or name another file with --outfile\n`;
      expect([code, stderr]).toEqual([1, said]);
    }
    expect([
      listFolder(cwd),
      lstatSync(join(cwd, "pipe")).isFIFO(),
      lstatSync(join(cwd, "link")).isSymbolicLink(),
    ]).toEqual([before, true, true]);
  });

  const carrying = (...files: string[]) =>
    `import { fromCommand } from "bridge-hooks";\nexport default fromCommand(["/bin/true"], { host: "claude", files: ${JSON.stringify(files)} });\n`;
  const reading = (path: string) =>
    `import { defineHook, deny } from "bridge-hooks";\nimport text from "${path}" with { type: "text" };\nexport default defineHook({ event: "PreToolUse", handler: () => deny(text) });\n`;
  const leads = (path: string, to: string) =>
    `"${path}" leads out of the project, to "${to}"; replace the link with a copy of the file\n`;
  const outside = () =>
    createFolder({
      secret: "TOP SECRET",
      "words.ts": 'export const reason = "mine";\n',
      "hook.ts": GOOD_HOOK,
      "lib/y.sh": "TOP SECRET",
    });
  /** Links by their places, and where they lead: "$OUT" is a folder elsewhere. */
  const LINKED: [
    what: string,
    files: Record<string, string>,
    links: Record<string, string>,
    said: ((out: string) => string) | undefined,
  ][] = [
    [
      "a file that is taken along",
      { "hooks/a.ts": carrying("./x.sh") },
      { "hooks/x.sh": "$OUT/secret" },
      (out) => `hooks/a.ts:2:69: error: ${leads("./x.sh", `${out}/secret`)}`,
    ],
    [
      "a file in a linked folder",
      { "hooks/a.ts": carrying("./lib/y.sh") },
      { "hooks/lib": "$OUT/lib" },
      (out) => `hooks/a.ts:2:69: error: ${leads("./lib/y.sh", `${out}/lib/y.sh`)}`,
    ],
    [
      "a link to a link",
      { "hooks/a.ts": carrying("./x.sh"), "package.json": "{}" },
      { "hooks/x.sh": "../other", other: "$OUT/secret" },
      (out) => `hooks/a.ts:2:69: error: ${leads("./x.sh", `${out}/secret`)}`,
    ],
    [
      "a script that is a module elsewhere",
      { "hooks/a.ts": carrying("./_x.ts") },
      { "hooks/_x.ts": "$OUT/words.ts" },
      (out) => `hooks/a.ts:2:69: error: ${leads("./_x.ts", `${out}/words.ts`)}`,
    ],
    [
      "a link to nowhere",
      { "hooks/a.ts": carrying("./x.sh") },
      { "hooks/x.sh": "$OUT/nothing" },
      () => "hooks/a.ts:2:69: error: there is no file ./x.sh beside this module\n",
    ],
    [
      "a text that is imported",
      { "hooks/a.ts": reading("./x.txt") },
      { "hooks/x.txt": "$OUT/secret" },
      (out) => `hooks/a.ts:2:18: error: ${leads("./x.txt", `${out}/secret`)}`,
    ],
    [
      "a text that is called a module",
      { "hooks/a.ts": reading("./_x.ts") },
      { "hooks/_x.ts": "$OUT/secret" },
      (out) => `hooks/a.ts:2:18: error: ${leads("./_x.ts", `${out}/secret`)}`,
    ],
    [
      "a module that is imported as a text",
      { "hooks/a.ts": reading("./_x.ts") },
      { "hooks/_x.ts": "$OUT/words.ts" },
      (out) => `hooks/a.ts:2:18: error: ${leads("./_x.ts", `${out}/words.ts`)}`,
    ],
    [
      "a hook that is not a module",
      { "hooks/a.ts": GOOD_HOOK },
      { "hooks/b.ts": "$OUT/secret" },
      (out) => `hooks/b.ts:1:1: error: ${leads("b.ts", `${out}/secret`)}`,
    ],
    [
      "files of the same project",
      { "hooks/a.ts": carrying("./x.sh", "./lib/z.sh"), "package.json": "{}", "scripts/z.sh": "exit 0" },
      { "hooks/x.sh": "../scripts/z.sh", "hooks/lib": "../scripts" },
      undefined,
    ],
    [
      "a text of the same project",
      { "hooks/a.ts": reading("./x.txt"), "package.json": "{}", "scripts/z.sh": "exit 0" },
      { "hooks/x.txt": "../scripts/z.sh" },
      undefined,
    ],
    [
      "modules elsewhere",
      { "hooks/a.ts": `import { reason } from "./_words.ts";\n${GOOD_HOOK.replace('"mine"', "reason")}` },
      { "hooks/_words.ts": "$OUT/words.ts", "hooks/b.ts": "$OUT/hook.ts" },
      undefined,
    ],
  ];
  for (const [what, files, links, said] of LINKED)
    test(`a link: ${what} ${said ? "is told" : "is taken"}`, async () => {
      const [cwd, out] = [createFolder(files), outside()];
      for (const [path, to] of Object.entries(links)) symlinkSync(to.replace("$OUT", out), join(cwd, path));
      const { code, stderr } = await runProgram(executable, ["build", "--no-check"], { cwd });
      if (said)
        expect([code, stderr]).toEqual([
          1,
          `${said(out)}bridge-hooks: dist/bridge-hooks was not made: an error in the hooks\n`,
        ]);
      else expect([code, stderr]).toEqual([0, ""]);
    });

  const mounts = Bun.spawnSync(["unshare", "-m", "true"]).exitCode === 0;
  const filesystems: [options: string, message: string][] = [
    ["size=20m", "there is no space left in $DIR; building an executable takes about half a gigabyte"],
    ["size=190m", "there is no space left in $DIR; building an executable takes about half a gigabyte"],
    ["ro", "$DIR can't be written to (its file system is read-only); name another place with --outfile"],
  ];
  for (const [options, message] of filesystems) {
    test.skipIf(!mounts)(`a file system that is ${options}`, async () => {
      const [cwd, mount] = [createFolder({ "a.ts": GOOD_HOOK }), createFolder({})];
      const script = `mount -t tmpfs -o ${options} none ${mount} && ${executable} build --outfile ${mount}/deep/x; echo $?; ls -A ${mount}`;
      const { stdout, stderr } = await runProgram("/bin/sh", ["-c", `exec unshare -m sh -c '${script}'`], {
        cwd,
        env: { PATH: process.env.PATH },
      });
      expect([stdout, stderr]).toEqual(["1\n", expect.stringMatching(/^bridge-hooks: \S+ was not made: .+\n$/)]);
      expect(stderr).toContain(` was not made: ${message.replace("$DIR", `${mount}/deep`)}\n`);
    });
  }

  test("whoever ends it finds nothing", async () => {
    const cwd = createFolder({ "a.ts": GOOD_HOOK });
    const child = Bun.spawn([executable, "build"], {
      cwd,
      env: { HOME: home, TMPDIR: temporary },
      stderr: "pipe",
      stdout: "pipe",
    });
    while (!existsSync(join(cwd, "dist"))) await Bun.sleep(5);
    await Bun.sleep(400);
    expect(readdirSync(join(cwd, "dist"))).toEqual([expect.stringMatching(/^\.bridge-hooks-/)]);
    child.kill("SIGTERM");
    expect([await child.exited, listFolder(cwd)]).toEqual([143, ["a.ts"]]);
  });
});

test("nothing of all this is left where people don't look", expectNothingLeft);
