import { describe, expect, test } from "bun:test";
import { existsSync, lstatSync, readdirSync, symlinkSync } from "node:fs";
import { join } from "node:path";
import { waitFor } from "../../support/machine.ts";
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

/** Files outside the project. */
const outside = createFolder({
  secret: "TOP SECRET",
  "words.ts": 'export const reason = "mine";\n',
  "lib/y.sh": "TOP SECRET",
});

describe("build creates nothing if", () => {
  const cases: [name: string, files: Record<string, string>, args: string[], message: string][] = [
    ["the directory does not exist", {}, ["nowhere"], "dist/bridge-hooks was not built: no such directory: nowhere"],
    [
      "the directory has no hook module",
      { "readme.txt": "" },
      [],
      "dist/bridge-hooks was not built: no hook module in $CWD; a hook module is a .ts or .js file with a default export",
    ],
    [
      "the output file is a directory",
      { "a.ts": GOOD_HOOK, "out/x": "" },
      ["--outfile", "out"],
      "out was not built: out is a directory; pass a file with --outfile",
    ],
    [
      "the output file is the source of a hook",
      { "hooks/a.ts": GOOD_HOOK },
      ["--outfile", "hooks/a.ts"],
      "hooks/a.ts was not built: hooks/a.ts would be loaded as a hook module; pass another --outfile",
    ],
    [
      "the output file would be loaded as a hook",
      { "hooks/a.ts": GOOD_HOOK },
      ["--outfile", "./hooks/b.js"],
      "hooks/b.js was not built: ./hooks/b.js would be loaded as a hook module; pass another --outfile",
    ],
    [
      "the output file exists and is not a bridge-hooks executable",
      { "a.ts": GOOD_HOOK, "package.json": "{}" },
      ["--outfile", "package.json"],
      "package.json was not built: package.json exists and was not created by build; delete it or pass another --outfile",
    ],
    [
      "the output file of one of several targets is another program",
      { "a.ts": GOOD_HOOK, "dist/guard-linux-arm64": "\x7fELF, but not ours" },
      ["--target", "linux-x64", "--target", "linux-arm64", "--name", "guard"],
      "dist/guard-linux-x64 was not built: dist/guard-linux-arm64 exists and was not created by build; delete it or pass another --outfile",
    ],
    [
      "the argument is a hook module instead of its directory",
      { "hooks/a.ts": GOOD_HOOK },
      ["hooks/a.ts"],
      "dist/bridge-hooks was not built: hooks/a.ts is a file; pass its directory",
    ],
    [
      "the output file is the current directory",
      { "a.ts": GOOD_HOOK },
      ["--outfile", "."],
      ". was not built: . is a directory; pass a file with --outfile",
    ],
    [
      "the output directory is a file",
      { "a.ts": GOOD_HOOK, out: "" },
      ["--outfile", "out/deep/x"],
      "out/deep/x was not built: $CWD/out/deep is not a directory; pass another --outfile",
    ],
    [
      "the output directory is not writable",
      { "a.ts": GOOD_HOOK },
      ["--outfile", "/proc/bridge-hooks/x"],
      "/proc/bridge-hooks/x was not built: /proc/bridge-hooks is not writable (its file system doesn't allow new files); pass another --outfile",
    ],
    [
      "the target is unknown",
      { "a.ts": GOOD_HOOK },
      ["--target", "amiga"],
      'unknown target "amiga"; known: linux-x64, ',
    ],
    [
      "several targets share one output file",
      { "a.ts": GOOD_HOOK },
      ["--target", "all", "--outfile", "x"],
      "--outfile can't be used with several targets; to name the files in dist: --name",
    ],
    [
      "--name is a path",
      { "a.ts": GOOD_HOOK },
      ["--name", "../x"],
      "--name must be a file name; for a path, use --outfile",
    ],
    [
      "--with names an unknown starter hook",
      { "a.ts": GOOD_HOOK },
      ["--with", "block-destrutive"],
      'dist/bridge-hooks was not built: --with: unknown starter hook "block-destrutive"; did you mean block-destructive?',
    ],
    [
      "--outfile is empty",
      { "a.ts": GOOD_HOOK },
      ["--outfile="],
      "DIR, --hooks and --outfile must not be empty; pass a path",
    ],
  ];
  for (const [name, files, args, message] of cases) {
    test(name, async () => {
      const { code, stdout, stderr, before, cwd } = await runBuild(files, args);
      const expected = `bridge-hooks: ${message.replace("$CWD", cwd)}`;
      expect([code, stdout, stderr.slice(0, expected.length), listFolder(cwd)]).toEqual([1, "", expected, before]);
    });
  }
  test("a hook has the name of a starter hook that --with adds", async () => {
    const { code, stderr } = await runBuild({ "block-destructive.ts": GOOD_HOOK }, ["--with", "starter"]);
    expect([code, stderr]).toEqual([
      1,
      expect.stringContaining(
        'block-destructive.ts:2:1: error: a starter hook has the same name, "block-destructive"; rename this hook or leave the starter hook out of --with',
      ),
    ]);
  });

  test("the output file is a pipe or a dangling link, which doesn't change", async () => {
    const cwd = createFolder({ "a.ts": GOOD_HOOK });
    expect(Bun.spawnSync(["mkfifo", join(cwd, "pipe")]).exitCode).toBe(0);
    symlinkSync("nowhere", join(cwd, "link"));
    const before = listFolder(cwd);
    for (const name of ["pipe", "link"]) {
      const { code, stderr } = await runProgram(executable, ["build", "--outfile", name], { cwd });
      const said = `bridge-hooks: ${name} was not built: ${name} exists and was not created by build; delete it or pass another --outfile\n`;
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
  const describeEscape = (path: string, to: string) =>
    `"${path}" is a link to "$OUT/${to}", outside the project; replace the link with a copy of the file`;

  /**
   * Links that lead out of the project: the contents of hook a.ts, the links by path, and the expected error. "$OUT" is
   * a directory outside the project.
   */
  type Escape = [link: string, hook: string, links: Record<string, string>, error: string];
  const CARRIED: readonly Escape[] = [
    [
      "an embedded file",
      carrying("./x.sh"),
      { "x.sh": "$OUT/secret" },
      `a.ts:2:69: error: ${describeEscape("./x.sh", "secret")}`,
    ],
    [
      "the directory of an embedded file",
      carrying("./lib/y.sh"),
      { lib: "$OUT/lib" },
      `a.ts:2:69: error: ${describeEscape("./lib/y.sh", "lib/y.sh")}`,
    ],
    [
      "the target of a link to an embedded file",
      carrying("./z.sh"),
      { "z.sh": "../other", "../other": "$OUT/secret" },
      `a.ts:2:69: error: ${describeEscape("./z.sh", "secret")}`,
    ],
    [
      "an embedded module",
      carrying("./_w.ts"),
      { "_w.ts": "$OUT/words.ts" },
      `a.ts:2:69: error: ${describeEscape("./_w.ts", "words.ts")}`,
    ],
    [
      "a dangling embedded file",
      carrying("./v.sh"),
      { "v.sh": "$OUT/nothing" },
      "a.ts:2:69: error: no file ./v.sh in the module's directory",
    ],
  ];
  const BUNDLED: readonly Escape[] = [
    [
      "an imported text",
      reading("./x.txt"),
      { "x.txt": "$OUT/secret" },
      `a.ts:2:18: error: ${describeEscape("./x.txt", "secret")}`,
    ],
    [
      "an imported text that has the name of a module",
      reading("./_y.ts"),
      { "_y.ts": "$OUT/secret" },
      `a.ts:2:18: error: ${describeEscape("./_y.ts", "secret")}`,
    ],
    [
      "a module that is imported as a text",
      reading("./_z.ts"),
      { "_z.ts": "$OUT/words.ts" },
      `a.ts:2:18: error: ${describeEscape("./_z.ts", "words.ts")}`,
    ],
    [
      "a hook that points to a text",
      GOOD_HOOK,
      { "linked.ts": "$OUT/secret" },
      `linked.ts:1:1: error: ${describeEscape("linked.ts", "secret")}`,
    ],
  ];
  for (const [stage, escapes] of Object.entries({ "embedded files": CARRIED, "imported files": BUNDLED })) {
    /** Returns the errors from one build that contains all these links, each in its own hook. */
    const build = (async () => {
      const hookOf = (at: number) => `${"abcdefgh"[at]}.ts`;
      const hooks = escapes.map(([, hook], at) => [`hooks/${hookOf(at)}`, hook]);
      const cwd = createFolder({
        ...Object.fromEntries(hooks),
        ...(escapes === CARRIED && { "package.json": "{}" }),
      });
      for (const [, , links] of escapes)
        for (const [path, to] of Object.entries(links))
          symlinkSync(to.replace("$OUT", outside), join(cwd, "hooks", path));
      const { code, stderr } = await runProgram(executable, ["build", "--no-check"], { cwd });
      const lines = stderr.trimEnd().split("\n");
      const wanted = escapes.map(([, , , error], at) =>
        `hooks/${error.replace(/^a\.ts/, hookOf(at))}`.replace("$OUT", outside),
      );
      return { code, wanted, found: lines.slice(0, -1), last: lines.at(-1) };
    })();
    for (const [at, [link]] of escapes.entries())
      test(`a link that leads out of the project stands for ${link}`, async () => {
        const { code, wanted, found } = await build;
        expect([code, found.filter((line) => line === wanted[at])]).toEqual([1, [wanted[at] as string]]);
      });
    test(`these links of ${stage} are the only errors, and the last line counts them`, async () => {
      const { wanted, found, last } = await build;
      expect(found.toSorted()).toEqual(wanted.toSorted());
      expect(last).toBe(`bridge-hooks: dist/bridge-hooks was not built: ${wanted.length} errors in the hooks`);
    });
  }

  const mounts = Bun.spawnSync(["unshare", "-m", "true"]).exitCode === 0;
  const filesystems: [what: string, options: string, message: string][] = [
    ["has no space for the runtime", "size=20m", "no space left in $DIR; free up 500 MB"],
    ["has no space for a second copy", "size=190m", "no space left in $DIR; free up 500 MB"],
    ["is read-only", "ro", "$DIR is not writable (its file system is read-only); pass another --outfile"],
  ];
  for (const [what, options, message] of filesystems) {
    test.skipIf(!mounts)(`the output's file system ${what}`, async () => {
      const [cwd, mount] = [createFolder({ "a.ts": GOOD_HOOK }), createFolder({})];
      const script = `mount -t tmpfs -o ${options} none ${mount} && ${executable} build --outfile ${mount}/deep/x; echo $?; ls -A ${mount}`;
      const { stdout, stderr } = await runProgram("/bin/sh", ["-c", `exec unshare -m sh -c '${script}'`], {
        cwd,
        env: { PATH: process.env.PATH },
      });
      expect([stdout, stderr]).toEqual(["1\n", expect.stringMatching(/^bridge-hooks: \S+ was not built: .+\n$/)]);
      expect(stderr).toContain(` was not built: ${message.replace("$DIR", `${mount}/deep`)}\n`);
    });
  }

  test("it is interrupted", async () => {
    const cwd = createFolder({ "a.ts": GOOD_HOOK });
    const child = Bun.spawn([executable, "build"], {
      cwd,
      env: { HOME: home, TMPDIR: temporary },
      stderr: "pipe",
      stdout: "pipe",
    });
    const dist = join(cwd, "dist");
    // The build writes this file for the process that will load the hooks.
    const begun = () => existsSync(dist) && readdirSync(dist).some((name) => existsSync(join(dist, name, "job.json")));
    await waitFor(begun, "a build that loads the hooks");
    expect(readdirSync(dist)).toEqual([expect.stringMatching(/^\.bridge-hooks-/)]);
    child.kill("SIGTERM");
    expect([await child.exited, listFolder(cwd)]).toEqual([143, ["a.ts"]]);
  });
});

test(
  "builds leave nothing in the home directory, in the temporary directory or next to the executable",
  expectNothingLeft,
);
