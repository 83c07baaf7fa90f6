import { afterAll, beforeAll, describe, expect, test } from "bun:test";
import {
  chmodSync,
  existsSync,
  lstatSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  symlinkSync,
  utimesSync,
  writeFileSync,
} from "node:fs";
import { hostname, tmpdir } from "node:os";
import { basename, dirname, join } from "node:path";
import { build } from "../../../src/cli/build/build.ts";
import { leftAlone } from "../../../src/cli/load.ts";
import { bare } from "../../../src/cli/build/bare.ts";
import { hostTarget } from "../../../src/cli/build/image.ts";
import { inWorkshop } from "../../../src/cli/build/workshop.ts";
import { hostileDirectory, hostileVariables } from "../../../src/cli/build/selftest.ts";
import { payloadOf, ROOT } from "../../support/fixtures.ts";
import { signatureOf } from "../../support/macho.ts";

/** The executable as people download it, and folders without anything else in them. */
const folder = mkdtempSync(join(tmpdir(), "bridge-hooks-kit-build-"));
const executable = join(folder, "bin", "bridge-hooks");
const [home, temporary] = [join(folder, "home"), join(folder, "tmp")];

const GOOD = `import { defineHook, deny } from "bridge-hooks";
export default defineHook({ event: "PreToolUse", handler: () => deny("mine") });
`;

interface Result {
  code: number;
  stdout: string;
  stderr: string;
}

/** Runs a program where nothing else is on the machine. */
async function run(
  program: string,
  args: string[],
  { cwd, env = {}, stdin = "" }: { cwd: string; env?: object; stdin?: string },
) {
  const child = Bun.spawn([program, ...args], {
    cwd,
    env: { PATH: "/nonexistent", HOME: home, TMPDIR: temporary, ...env },
    stdin: Buffer.from(stdin),
    stdout: "pipe",
    stderr: "pipe",
  });
  const [stdout, stderr, code] = await Promise.all([
    new Response(child.stdout).text(),
    new Response(child.stderr).text(),
    child.exited,
  ]);
  return { code, stdout, stderr } satisfies Result;
}

let count = 0;
/** A new folder with these files. */
function folderWith(files: Record<string, string>): string {
  const made = join(folder, `work-${++count}`);
  mkdirSync(made);
  for (const [path, text] of Object.entries(files)) {
    mkdirSync(dirname(join(made, path)), { recursive: true });
    writeFileSync(join(made, path), text);
  }
  return made;
}

/** Everything in a folder, links and what begins with a dot included. */
const listed = (directory: string) => readdirSync(directory, { recursive: true, encoding: "utf8" }).sort();

const LOOPS = "for (;;);\n";
const WAITS = "await new Promise((done) => setTimeout(done, 60_000));\nexport default 1;\n";
/** Builds that take their time, which they do while the others run. */
let slow: Promise<Build>[];

interface Build extends Result {
  /** What was in the folder before. */
  before: string[];
  cwd: string;
}

/** Builds what is in a new folder. */
async function buildOf(files: Record<string, string>, args: string[] = [], env: object = {}): Promise<Build> {
  const cwd = folderWith(files);
  const before = listed(cwd);
  return { before, cwd, ...(await run(executable, ["build", ...args], { cwd, env })) };
}

beforeAll(async () => {
  for (const one of [home, temporary]) mkdirSync(one);
  await build({ hooks: folderWith({ "a.ts": GOOD }), outfile: executable });
  slow = [LOOPS, WAITS].map((text) => buildOf({ "a.ts": GOOD, "b.ts": text }));
}, 60_000);
afterAll(() => rmSync(folder, { recursive: true, force: true }));

const PAYLOADS: [host: string, file: string, denial: (reason: string) => object][] = [
  ["claude", "PreToolUse-Bash", reasoned],
  ["cursor", "beforeShellExecution", (reason) => ({ permission: "deny", user_message: reason, agent_message: reason })],
  ["codex", "PreToolUse-Bash", reasoned],
];
function reasoned(reason: string) {
  return {
    hookSpecificOutput: { hookEventName: "PreToolUse", permissionDecision: "deny", permissionDecisionReason: reason },
  };
}

/** What an executable answers to a shell call of each of those hosts. */
async function expectDenials(program: string, reason: string): Promise<void> {
  for (const [host, file, denial] of PAYLOADS) {
    const options = {
      cwd: folder,
      stdin: JSON.stringify(payloadOf(host, file)),
      env: { PATH: process.env.PATH, HOME: folder },
    };
    const { code, stdout } = await run(program, ["--host", host], options);
    expect([host, code, stdout]).toEqual([host, host === "cursor" ? 0 : 2, `${JSON.stringify(denial(reason))}\n`]);
  }
}

describe("where there is nothing but the executable", () => {
  const project = {
    "hooks/guard.ts": `import { defineHook, deny } from "bridge-hooks";
import { tiny } from "tiny";
import * as v from "valibot";
import * as z from "zod";
import * as mini from "zod/mini";
import { reason } from "./lib/reason.ts";
import text from "./text.txt" with { type: "text" };
import data from "./data.json";

export default defineHook({
  event: "PreToolUse",
  tool: "Bash",
  options: z.object({ end: z.string().default("!") }),
  handler: (event, { options }) =>
    event.input.command ? deny([reason, tiny(1), text.trim(), data.word, v.chosen, mini.string().parse("mini")].join(" ") + options.end) : undefined,
});
`,
    "hooks/lib/reason.ts": 'export const reason: string = "not here";\n',
    "hooks/text.txt": "a text\n",
    "hooks/data.json": '{ "word": "data" }\n',
    "hooks/_draft.ts": "throw 1;\n",
    "hooks/team/more.ts": GOOD,
    "hooks/lib/unlike.ts": "export default 1;\n",
    "hooks/panel.tsx": "throw 1;\n",
    "hooks/guard.test.ts": "throw 1;\n",
    "node_modules/tiny/package.json":
      '{ "name": "tiny", "exports": { "types": "./types.d.ts", "default": "./lib/main.mjs" } }\n',
    "node_modules/tiny/lib/main.mjs": "export const tiny = (n) => `tiny ${n}`;\n",
    "node_modules/tiny/types.d.ts": "export declare const tiny: (n: number) => string;\n",
    "node_modules/valibot/package.json": '{ "name": "valibot", "type": "module", "exports": "./own.js" }\n',
    "node_modules/valibot/own.js": 'export const chosen = "their valibot";\n',
    "node_modules/valibot/own.d.ts": "export declare const chosen: string;\n",
    "node_modules/bridge-hooks/package.json": '{ "name": "bridge-hooks", "exports": "./index.js" }\n',
    "node_modules/bridge-hooks/index.js": "throw new Error('somebody else');\n",
  };
  const reason = "not here tiny 1 a text data their valibot mini!";

  const script = {
    "guard.ts":
      'import { fromCommand } from "bridge-hooks";\nexport default fromCommand("./guard.sh", { host: "claude", tool: "Bash" });\n',
    "guard.sh": "#!/bin/sh\necho no >&2\nexit 2\n",
  };

  test("hooks are tried, and become an executable; that one makes another, in its own place and in a hostile directory", async () => {
    const cwd = folderWith(project);
    const tried = await run(executable, ["try", "--hooks", ".", "--command", "ls", "--host", "claude", "--json"], {
      cwd,
    });
    expect([tried.code, tried.stdout.includes(reason), tried.stderr]).toEqual([0, true, ""]);
    const first = await run(executable, ["build"], { cwd });
    expect([first.code, first.stderr, first.stdout.replace(/\d+\.\d(?=  yes)/, "NNN.N")]).toEqual([
      0,
      "",
      `hooks: guard\nleft alone: panel.tsx, team/; hooks are the .ts and .js files of the folder itself\n\n${"executable".padEnd(42)}     MB  tried here\n${"dist/bridge-hooks".padEnd(42)}  NNN.N  yes: the executable denies\n\nThe trial ran none of your hooks; bridge-hooks test runs their tests.\nNext: dist/bridge-hooks install\nNot in it are the hooks of this executable: a.\n`,
    ]);
    expect(readdirSync(join(cwd, "dist"))).toEqual(["bridge-hooks"]);
    const made = join(cwd, "dist/bridge-hooks");
    await expectDenials(made, reason);

    const [before, other, hostile] = [statSync(made).size, folderWith(script), hostileDirectory(folder)];
    chmodSync(join(other, "guard.sh"), 0o755);
    const env = { ...hostileVariables(hostile), BUN_RUNTIME_TRANSPILER_CACHE_PATH: hostile, BUN_INSTALL: hostile };
    const was = listed(hostile);
    const second = await run(made, ["build", other, "--outfile", made], { cwd: hostile, env });
    expect([second.code, second.stdout.includes("foreign"), second.stderr, listed(hostile)]).toEqual([
      0,
      false,
      "",
      was,
    ]);
    // The files of a hook are in it.
    rmSync(other, { recursive: true });
    await expectDenials(made, "no");
    expect(Math.abs(statSync(made).size / before - 1)).toBeLessThan(0.01);
    expect(Math.abs(statSync(made).size / statSync(executable).size - 1)).toBeLessThan(0.01);
    expect(readdirSync(join(cwd, "dist"))).toEqual(["bridge-hooks"]);
  }, 40_000);
});

test("its own hooks are listed and tried in a clone that has ./hooks: nothing there is evaluated", async () => {
  const evil = `import { writeFileSync } from "node:fs";\nwriteFileSync(${JSON.stringify(join(folder, "evaluated"))}, "");\n`;
  const cwd = folderWith({ "hooks/useThing.ts": evil });
  const stdin = JSON.stringify(payloadOf("claude", "PreToolUse-Bash"));
  for (const args of [["list"], ["list", "--json"], ["try", "--command", "ls"], ["replay", "-"]]) {
    const { code, stdout, stderr } = await run(executable, args, { cwd, stdin });
    expect([args, code, stdout.includes("compiled in"), stderr]).toEqual([
      args,
      0,
      true,
      "bridge-hooks: ./hooks has 1 module that was not loaded; pass --hooks ./hooks to run it\n",
    ]);
  }
  expect(existsSync(join(folder, "evaluated"))).toBe(false);
}, 20_000);

test("the starter hooks are in it, and are built together with others", async () => {
  const cwd = folderWith({});
  for (const args of [["init", "--starter"], ["build"]])
    expect(await run(executable, args, { cwd })).toMatchObject({ code: 0, stderr: "" });
  const { stdout } = await run(join(cwd, "dist/bridge-hooks"), ["list", "--json"], { cwd });
  const names = (JSON.parse(stdout) as { hooks: { name: string }[] }).hooks.map(({ name }) => name);
  expect(names.sort()).toEqual(
    [
      "no-publish",
      ...readdirSync(join(ROOT, "hooks"))
        .filter((name) => /^[a-z].*\.ts$/.test(name))
        .map((name) => name.slice(0, -3)),
    ].sort(),
  );
}, 40_000);

test("no hook runs while the executable is tried: neither what has to be configured nor what acts", async () => {
  const cwd = folderWith({
    "required.ts": `import { defineHook, deny } from "bridge-hooks";
import * as z from "zod";
export default defineHook({ event: "PreToolUse", options: z.object({ team: z.string() }), handler: () => deny("mine") });
`,
    "acts.ts": `import { writeFileSync } from "node:fs";
export default { event: "PreToolUse", onError: "deny", handler() { writeFileSync(${JSON.stringify(join(folder, "acted"))}, ""); throw 1; } };
`,
  });
  const { code, stdout, stderr } = await run(executable, ["build"], { cwd });
  expect([code, stdout, stderr]).toEqual([0, expect.stringContaining("  yes: the executable denies\n"), ""]);
  expect(existsSync(join(folder, "acted"))).toBe(false);
  const stdin = JSON.stringify(payloadOf("claude", "PreToolUse-Bash"));
  expect((await run(join(cwd, "dist/bridge-hooks"), ["--host", "claude"], { cwd, stdin })).code).toBe(2);
  expect(existsSync(join(folder, "acted"))).toBe(true);
}, 20_000);

test("what looks like a hook and is none", () => {
  const files = {
    "a.ts": GOOD,
    "lib/other.ts": GOOD,
    "lib/plain.ts": "export default 1;\n",
    "view.tsx": "export const view = 1;\n",
    "panel.tsx": GOOD,
    "old.jsx": "",
    "_draft.tsx": GOOD,
    "panel.test.tsx": GOOD,
    "team/deep/b.ts": GOOD,
    "team/c.js": GOOD,
    "_off/d.ts": GOOD,
    "node_modules/x/e.ts": GOOD,
    "readme.md": GOOD,
  };
  const hooks = folderWith(files);
  const inputs = ["a.ts", "lib/other.ts", "view.tsx"].map((path) => join(hooks, path));
  expect(leftAlone(hooks, new Set(inputs))).toEqual(["old.jsx", "panel.tsx", "team/"]);
});

test.skipIf(Bun.which("script") === null)(
  "a terminal is told what is being done",
  async () => {
    const cwd = folderWith({ "a.ts": GOOD });
    const env = { PATH: process.env.PATH, TERM: "xterm" };
    const said = join(cwd, "said");
    const { code, stdout } = await run("script", ["-qec", `${executable} build > ${said}`, join(cwd, "typescript")], {
      cwd,
      env,
    });
    const steps = ["loading the hooks", "checking types", `compiling for ${hostTarget().slice(4)}`, "trying it"];
    expect([code, stdout]).toEqual([0, `${["", ...steps.map((step) => `${step} …`)].join("\r\u001b[K")}\r\u001b[K`]);
    expect(readFileSync(said, "utf8")).toContain("yes: the executable denies");
  },
  30_000,
);

describe("hooks that are not right", () => {
  const NAMED = GOOD.replace("event:", 'name: "same", event:');
  /** All of a stage is told at once. */
  const cases: [stage: string, files: Record<string, string>, lines: string[]][] = [
    [
      "what can't be read, or be found",
      {
        "hooks/a.ts": "export default {\n",
        "hooks/b.ts": "const x = 1;\nlet y =;\n",
        "hooks/c.ts": 'import { x } from "nowhere";\nimport y from "./gone.ts";\nexport default x(y);\n',
        "hooks/d.ts": 'import { nope } from "bridge-hooks";\nexport default nope;\n',
      },
      [
        "hooks/a.ts:1:17: error: Expected identifier but found end of file",
        "hooks/b.ts:2:8: error: Unexpected ;",
        'hooks/c.ts:1:19: error: "nowhere" is not there; packages of your own go into a node_modules beside the hooks',
        'hooks/c.ts:2:15: error: "./gone.ts" is not there',
      ],
    ],
    [
      "what is wrong with what they do and export",
      {
        "a.ts": 'import { f } from "./lib/f.ts";\n\nexport default f();\n',
        "lib/f.ts": 'type T = 1;\nexport const f = (): T => {\n  throw new RangeError("too\\ndeep");\n};\n',
        "b.ts": "throw 5;\n",
        "c.ts": 'console.log("x");\nexport const hook = 1;\n',
        "d.ts": "\nexport default 5;\n",
        "e.ts": `import { defineHook } from "bridge-hooks";

export default defineHook({
  // event: "preToolUse"
  event: ["Stop", "preToolUse"],
  "timeoutMs": 1.5, onerror: "deny",
  tool: 'Shell',
  matcher: "Edit(*.ts)",
  options: {},
} as never);
`,
        "f.ts": NAMED,
        "same.ts": GOOD,
        "z.ts": NAMED,
        "g.ts":
          'import { fromCommand } from "bridge-hooks";\nexport default fromCommand("./gone.sh", { host: "claude" });\n',
        "h.ts": 'import { fromCommand } from "bridge-hooks";\nexport default fromCommand("x", { host: "nobody" });\n',
      },
      [
        "b.ts:1:1: error: this throws: 5",
        'c.ts:1:1: error: there is no default export; write "export default defineHook({ … })"',
        'd.ts:2:1: error: the default export is no hook; write "export default defineHook({ … })"',
        "e.ts:3:1: error: handler: not a function",
        'e.ts:5:19: error: there is no event "preToolUse"; did you mean PreToolUse?',
        "e.ts:6:3: error: timeoutMs: ",
        'e.ts:6:21: error: a hook has no field "onerror"; did you mean onError?',
        'e.ts:7:9: error: there is no tool "Shell"; known: Bash, ',
        'e.ts:8:12: error: matcher "Edit(*.ts)" asks for arguments of Edit, which only Bash has here',
        "e.ts:9:3: error: options: no schema; write one with zod or valibot",
        "g.ts:2:28: error: there is no file ./gone.sh beside this module",
        'h.ts:2:16: error: this throws: fromCommand: there is no host "nobody"; known: ',
        "lib/f.ts:3:13: error: this throws: too deep (while a.ts was loaded)",
        'same.ts:2:1: error: f.ts and same.ts are both named "same"; names tell hooks apart, change one',
        'z.ts:2:35: error: f.ts and z.ts are both named "same"; names tell hooks apart, change one',
      ],
    ],
    [
      "one that ends the process",
      { "a.ts": "throw 5;\n", "b.ts": "process.exit(0);\n", "c.ts": GOOD },
      ["a.ts:1:1: error: this throws: 5", "b.ts:1:1: error: this ends the process that loads it (exit code 0)"],
    ],
    [
      "matchers that fit no call",
      {
        "a.ts": GOOD.replace("event:", 'matcher: "Bash(npm install *|pip install *)", event:'),
        "b.ts": GOOD.replace("event:", 'matcher: "bash", event:'),
        "c.ts": GOOD.replace("event:", 'matcher: "Shell(npm *)", event:'),
        "d.ts": GOOD.replace("event:", '\n  matcher: "Bsh", event:'),
        "e.ts": GOOD.replace("event:", 'tool: "Read", matcher: "Bash(ls)", event:'),
        "f.ts": GOOD.replace("event:", 'matcher: "MyTool", event:'),
      },
      [
        'a.ts:2:38: error: matcher "Bash(npm install *|pip install *)": "|" does not separate patterns inside parentheses; write Bash(npm install *)|Bash(pip install *)',
        'b.ts:2:38: error: matcher "bash": "bash" fits calls of GitHub Copilot and OpenCode alone; write Bash',
        'c.ts:2:38: error: matcher "Shell(npm *)": "Shell" fits calls of Cursor alone; write Bash(npm *)',
        'd.ts:3:12: error: matcher "Bsh": "Bsh" fits no tool; did you mean Bash?',
        'e.ts:2:52: error: matcher "Bash(ls)": no call fits it and tool Read; leave one of them out',
      ],
    ],
    [
      "types",
      {
        "a.ts": `import { readFileSync } from "node:fs";
import { defineHook } from "bridge-hooks";
import { length } from "./lib/length.ts";
import * as v from "valibot";
import * as z from "zod";

export default defineHook({
  event: "PreToolUse",
  tool: "Bash",
  options: z.object({ words: z.array(z.string()) }),
  handler(event, { options }) {
    console.log(readFileSync("x"), process.env.X, Bun.version, length, v.string());
    const words: number = options.words;
    return { decision: event.input.comand };
  },
});
`,
        "lib/length.ts": 'export const length: number = "x";\n',
        "javascript.js": "export default { event: 'Stop', handler(event) { event.nothing; } };\n",
      },
      [
        "a.ts:13:11: error: TS2322: Type 'string[]' is not assignable to type 'number'.",
        "a.ts:14:36: error: TS2551: Property 'comand' does not exist on type 'BashInput'. Did you mean 'command'?",
        "lib/length.ts:1:14: error: TS2322: Type 'string' is not assignable to type 'number'.",
      ],
    ],
    [
      "types, by the tsconfig.json that is there",
      {
        "hooks/a.ts": `import { word } from "@/word.ts";\n${GOOD}export const f = (x) => word + x;\nlet unused;\n`,
        "words/word.ts": "export const word: number = 1;\n",
        "tsconfig.json":
          '{ "compilerOptions": { /* mine */ "strict": false, "noUnusedLocals": true, "lib": ["ESNext"], "module": "Preserve", "paths": { "@/*": ["./words/*"] }, "allowImportingTsExtensions": true, "noEmit": true, } }\n',
      },
      ["hooks/a.ts:5:5: error: TS6133: 'unused' is declared but its value is never read."],
    ],
  ];
  let ran = 0;
  for (const [stage, files, lines] of cases) {
    test(stage, async () => {
      const { code, stdout, stderr, before, cwd } = await buildOf(files);
      const said = stderr.split("\n");
      const errors = lines.length === 1 ? "an error" : `${lines.length} errors`;
      expect(said.map((line, at) => line.slice(0, lines[at]?.length))).toEqual([
        ...lines,
        `bridge-hooks: dist/bridge-hooks was not made: ${errors} in the hooks`,
        "",
      ]);
      expect([code, stdout, listed(cwd)]).toEqual([1, "", before]);
      ran++;
    });
  }
  test("every case ran", () => expect(ran).toBe(6));

  test("a matcher that may be meant is built, and told", async () => {
    const { code, stdout, stderr } = await buildOf({
      "a.ts": GOOD.replace("event:", 'matcher: "MyTool|Shell", event:'),
    });
    expect([code, stderr, stdout.includes("yes: the executable denies")]).toEqual([
      0,
      `a.ts:2:38: note: matcher "MyTool|Shell": no host is known to have a tool "MyTool"; a tool of an MCP server is mcp__<server>__<tool>
a.ts:2:38: note: matcher "MyTool|Shell": "Shell" fits calls of Cursor alone; Bash fits every host's
`,
      true,
    ]);
  }, 20_000);

  test("a name that is not there: the bundler tells one", async () => {
    const files = {
      "lib/length.ts": "export const length = 1;\n",
      "node_modules/tiny/package.json": '{ "name": "tiny", "exports": "./lib/main.js" }\n',
      "node_modules/tiny/lib/main.js": "export const tiny = 1;\n",
    };
    const said = {
      '{ defineHok } from "bridge-hooks"':
        '1:10: error: "bridge-hooks" has no export "defineHok"; did you mean defineHook?',
      '{\n  strng,\n} from "zod/mini"': '2:3: error: "zod/mini" has no export "strng"; did you mean string?',
      '{ objct } from "valibot"': '1:10: error: "valibot" has no export "objct"; did you mean object?',
      '{ lenght } from "./lib/length.ts"':
        '1:10: error: "./lib/length.ts" has no export "lenght"; did you mean length?',
      'length from "./lib/length.ts"': '1:8: error: "./lib/length.ts" has no default export',
      '{ large } from "tiny"': '1:10: error: "tiny" has no export "large"',
    };
    const builds = Object.keys(said).map(async (what) => {
      const name = /\w+/.exec(what);
      const { code, stderr } = await buildOf({ ...files, "a.ts": `import ${what};\nexport default ${name};\n` });
      return [what, code, stderr.split("\n")[0]];
    });
    expect(await Promise.all(builds)).toEqual(
      Object.entries(said).map(([what, message]) => [what, 1, `a.ts:${message}`]),
    );
  }, 20_000);

  for (const [at, what] of ["loops", "waits"].entries()) {
    test(`one that ${what} for ever`, async () => {
      const { code, stdout, stderr, before, cwd } = (await slow[at]) as Build;
      expect([code, stdout, stderr, listed(cwd)]).toEqual([
        1,
        "",
        "b.ts:1:1: error: this never finishes loading\nbridge-hooks: dist/bridge-hooks was not made: an error in the hooks\n",
        before,
      ]);
    });
  }
});

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
      { "a.ts": GOOD, "out/x": "" },
      ["--outfile", "out"],
      "out was not made: out is a directory; name a file in it with --outfile",
    ],
    [
      "the result is a hook's source",
      { "hooks/a.ts": GOOD },
      ["--outfile", "hooks/a.ts"],
      "hooks/a.ts was not made: hooks/a.ts would be taken for a hook module; name another file with --outfile",
    ],
    [
      "the result would be taken for a hook",
      { "hooks/a.ts": GOOD },
      ["--outfile", "./hooks/b.js"],
      "hooks/b.js was not made: ./hooks/b.js would be taken for a hook module; name another file with --outfile",
    ],
    [
      "the result is a file that is not ours",
      { "a.ts": GOOD, "package.json": "{}" },
      ["--outfile", "package.json"],
      "package.json was not made: package.json is there, and was not made by build; delete it, or name another file with --outfile",
    ],
    [
      "one of the results is a program of somebody else",
      { "a.ts": GOOD, "dist/guard-linux-arm64": "\x7fELF, but not ours" },
      ["--target", "linux-x64", "--target", "linux-arm64", "--name", "guard"],
      "dist/guard-linux-x64 was not made: dist/guard-linux-arm64 is there, and was not made by build; delete it, or name another file with --outfile",
    ],
    [
      "a module in place of its folder",
      { "hooks/a.ts": GOOD },
      ["hooks/a.ts"],
      "dist/bridge-hooks was not made: hooks/a.ts is a file; name the folder that it is in",
    ],
    [
      "the result is this directory",
      { "a.ts": GOOD },
      ["--outfile", "."],
      ". was not made: . is a directory; name a file in it with --outfile",
    ],
    [
      "the result's folder is a file",
      { "a.ts": GOOD, out: "" },
      ["--outfile", "out/deep/x"],
      "out/deep/x was not made: $CWD/out/deep is no folder; name another place with --outfile",
    ],
    [
      "a place that nobody may write to",
      { "a.ts": GOOD },
      ["--outfile", "/proc/bridge-hooks/x"],
      "/proc/bridge-hooks/x was not made: /proc/bridge-hooks can't be written to (its file system takes no new files); name another place with --outfile",
    ],
    ["an unknown target", { "a.ts": GOOD }, ["--target", "amiga"], 'there is no target "amiga"; known: linux-x64, '],
    [
      "several targets and one file",
      { "a.ts": GOOD },
      ["--target", "all", "--outfile", "x"],
      "--outfile names one file, but there are several targets; --name names files in dist",
    ],
    [
      "a name that is a path",
      { "a.ts": GOOD },
      ["--name", "../x"],
      "--name takes a file's name; --outfile takes a path",
    ],
    ["an empty path", { "a.ts": GOOD }, ["--outfile="], "DIR, --hooks and --outfile take a path"],
  ];
  let ran = 0;
  for (const [name, files, args, message] of cases) {
    test(name, async () => {
      const { code, stdout, stderr, before, cwd } = await buildOf(files, args);
      const expected = `bridge-hooks: ${message.replace("$CWD", cwd)}`;
      expect([code, stdout, stderr.slice(0, expected.length), listed(cwd)]).toEqual([1, "", expected, before]);
      ran++;
    });
  }
  test("every case ran", () => expect(ran).toBe(15));

  test("the result is a pipe, or a link to nowhere: neither is read or replaced", async () => {
    const cwd = folderWith({ "a.ts": GOOD });
    expect(Bun.spawnSync(["mkfifo", join(cwd, "pipe")]).exitCode).toBe(0);
    symlinkSync("nowhere", join(cwd, "link"));
    const before = listed(cwd);
    for (const name of ["pipe", "link"]) {
      const { code, stderr } = await run(executable, ["build", "--outfile", name], { cwd });
      const said = `bridge-hooks: ${name} was not made: ${name} is there, and was not made by build; delete it, or name another file with --outfile\n`;
      expect([code, stderr]).toEqual([1, said]);
    }
    expect([listed(cwd), lstatSync(join(cwd, "pipe")).isFIFO(), lstatSync(join(cwd, "link")).isSymbolicLink()]).toEqual(
      [before, true, true],
    );
  });

  const carrying = (...files: string[]) =>
    `import { fromCommand } from "bridge-hooks";\nexport default fromCommand(["/bin/true"], { host: "claude", files: ${JSON.stringify(files)} });\n`;
  const reading = (path: string) =>
    `import { defineHook, deny } from "bridge-hooks";\nimport text from "${path}" with { type: "text" };\nexport default defineHook({ event: "PreToolUse", handler: () => deny(text) });\n`;
  const leads = (path: string, to: string) =>
    `"${path}" leads out of the project, to "${to}"; put a copy of the file in the place of the link\n`;
  const outside = () =>
    folderWith({
      secret: "TOP SECRET",
      "words.ts": 'export const reason = "mine";\n',
      "hook.ts": GOOD,
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
      "a hook that is no module",
      { "hooks/a.ts": GOOD },
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
      { "hooks/a.ts": `import { reason } from "./_words.ts";\n${GOOD.replace('"mine"', "reason")}` },
      { "hooks/_words.ts": "$OUT/words.ts", "hooks/b.ts": "$OUT/hook.ts" },
      undefined,
    ],
  ];
  for (const [what, files, links, said] of LINKED)
    test(`a link: ${what} ${said ? "is told" : "is taken"}`, async () => {
      const [cwd, out] = [folderWith(files), outside()];
      for (const [path, to] of Object.entries(links)) symlinkSync(to.replace("$OUT", out), join(cwd, path));
      const { code, stderr } = await run(executable, ["build", "--no-check"], { cwd });
      if (said)
        expect([code, stderr]).toEqual([
          1,
          `${said(out)}bridge-hooks: dist/bridge-hooks was not made: an error in the hooks\n`,
        ]);
      else expect([code, stderr]).toEqual([0, ""]);
    }, 30_000);

  const mounts = Bun.spawnSync(["unshare", "-m", "true"]).exitCode === 0;
  const filesystems: [options: string, message: string][] = [
    ["size=20m", "there is no space left in $DIR; while it is made, an executable takes about half a gigabyte"],
    ["size=190m", "there is no space left in $DIR; while it is made, an executable takes about half a gigabyte"],
    ["ro", "$DIR can't be written to (its file system is read-only); name another place with --outfile"],
  ];
  for (const [options, message] of filesystems) {
    test.skipIf(!mounts)(`a file system that is ${options}`, async () => {
      const [cwd, mount] = [folderWith({ "a.ts": GOOD }), folderWith({})];
      const script = `mount -t tmpfs -o ${options} none ${mount} && ${executable} build --outfile ${mount}/deep/x; echo $?; ls -A ${mount}`;
      const { stdout, stderr } = await run("/bin/sh", ["-c", `exec unshare -m sh -c '${script}'`], {
        cwd,
        env: { PATH: process.env.PATH },
      });
      expect([stdout, stderr]).toEqual(["1\n", expect.stringMatching(/^bridge-hooks: \S+ was not made: .+\n$/)]);
      expect(stderr).toContain(` was not made: ${message.replace("$DIR", `${mount}/deep`)}\n`);
    });
  }

  test("whoever ends it finds nothing", async () => {
    const cwd = folderWith({ "a.ts": GOOD });
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
    expect([await child.exited, listed(cwd)]).toEqual([143, ["a.ts"]]);
  });
});

test("what killed builds left is cleared away, and nothing else", async () => {
  const parent = folderWith({});
  const { pid: dead } = Bun.spawnSync(["true"]);
  const mark = (pid: number, host = hostname()) => JSON.stringify({ pid, host });
  const day = 24 * 60 * 60;
  const found: [name: string, stays: boolean, text?: string, age?: number][] = [
    [".bridge-hooks-killed", false, mark(dead)],
    [".bridge-hooks-oldone", false, mark(process.pid, "elsewhere"), day + 60],
    [".bridge-hooks-itruns", true, mark(process.pid)],
    [".bridge-hooks-remote", true, mark(dead, "elsewhere")],
    [".bridge-hooks-nomark", true],
    [".bridge-hooks-broken", true, "not JSON"],
    [".bridge-hooks-another-name", true, mark(dead)],
    ["bridge-hooks-killed", true, mark(dead)],
  ];
  for (const [name, , text, age = 0] of found) {
    mkdirSync(join(parent, name, "program"), { recursive: true });
    if (text === undefined) continue;
    const file = join(parent, name, "workshop.json");
    writeFileSync(file, text);
    utimesSync(file, Date.now() / 1000 - age, Date.now() / 1000 - age);
  }
  symlinkSync(".bridge-hooks-nomark", join(parent, ".bridge-hooks-linked"));
  const kept = [...found.flatMap(([name, stays]) => (stays ? [name] : [])), ".bridge-hooks-linked"].sort();
  await inWorkshop(parent, async ({ folder: own }) => {
    expect(readdirSync(parent).sort()).toEqual([...kept, basename(own)].sort());
    expect(readFileSync(join(own, "workshop.json"), "utf8")).toBe(mark(process.pid));
  });
  expect(readdirSync(parent).sort()).toEqual(kept);
});

describe("for other platforms", () => {
  test("without the registry, the target is named and nothing is left; types are not looked at with --no-check", async () => {
    const files = { "a.ts": `${GOOD}export const x: number = "";\n` };
    const env = { npm_config_registry: "http://me:secret@127.0.0.1:9/npm/" };
    const { code, stdout, stderr, before, cwd } = await buildOf(files, ["--target", "darwin-arm64", "--no-check"], env);
    expect([code, stdout, stderr, listed(cwd)]).toEqual([
      1,
      "",
      "bridge-hooks: dist/bridge-hooks-darwin-arm64 was not made: Bun's runtime for darwin-arm64 could not be fetched from the npm registry at " +
        "http://127.0.0.1:9/npm/ (Failed to download 'bun-darwin-aarch64-v1.4.5': ConnectionRefused); connect this machine to it, or name one that it " +
        "reaches in npm_config_registry\n",
      before,
    ]);
  });

  test("with it, an image takes one program after the other", async () => {
    const cwd = folderWith({ "a.ts": GOOD });
    const env = Object.fromEntries(
      Object.entries(process.env).filter(([name]) => /cert|_ca$|proxy|registry/i.test(name)),
    );
    const targets = ["darwin-arm64", "darwin-x64", "windows-x64"].flatMap((target) => ["--target", target]);
    const { code, stderr } = await run(executable, ["build", ...targets, "--name", "guard"], { cwd, env });
    if (stderr.includes("could not be fetched")) {
      console.warn(`skipped: ${stderr.trim()}`);
      return expect([code, listed(cwd)]).toEqual([1, ["a.ts"]]);
    }
    const names = ["guard-darwin-arm64", "guard-darwin-x64", "guard-windows-x64.exe"];
    expect([code, stderr, readdirSync(join(cwd, "dist"))]).toEqual([0, "", names]);
    for (const [name, target] of [
      ["guard-darwin-arm64", "bun-darwin-arm64"],
      ["guard-darwin-x64", "bun-darwin-x64"],
      ["guard-windows-x64.exe", "bun-windows-x64"],
    ] as const) {
      const file = join(cwd, "dist", name);
      if (target.startsWith("bun-darwin"))
        expect(signatureOf(readFileSync(file))).toMatchObject({ bad: [], problems: [] });
      const [emptied, again] = [join(cwd, `emptied-${name}`), join(cwd, `again-${name}`)];
      const compiled = async (base: string) => {
        const compile = { target, outfile: again, executablePath: base } as const;
        return (await Bun.build({ entrypoints: [join(cwd, "tiny.ts")], target: "bun", compile, throw: false })).success;
      };
      writeFileSync(join(cwd, "tiny.ts"), "console.log(1);\n");
      writeFileSync(emptied, bare(readFileSync(file)), { mode: 0o755 });
      expect([name, await compiled(emptied)]).toEqual([name, true]);
      expect([name, statSync(again).size < statSync(file).size]).toEqual([name, true]);
      // Nothing is left to be taken out.
      expect([name, bare(readFileSync(emptied)).equals(readFileSync(emptied))]).toEqual([name, true]);
    }
  }, 60_000);
});

describe("tests of hooks", () => {
  const files = {
    "hooks/guard.ts": GOOD,
    "hooks/guard.test.ts": `import { expect, test } from "bun:test";
import { deny } from "bridge-hooks";
import { simulate } from "bridge-hooks/testing";
import * as v from "valibot";
import { string } from "zod/mini";
import hook from "./guard.ts";

test("it denies", async () => {
  expect(string().parse(v.parse(v.string(), "x"))).toBe("x");
  expect(hook.handler({} as never, {} as never)).toEqual(deny("mine"));
  expect(typeof simulate).toBe("function");
});
test("it has a state of its own", () => {
  expect([process.env.XDG_STATE_HOME?.startsWith(process.env.TMPDIR!), process.env.BUN_BE_BUN]).toEqual([true, undefined]);
});
`,
    "hooks/deep/other.spec.js": 'import { test } from "bun:test";\ntest("other", () => {});\n',
    "hooks/node_modules/x/x.test.ts": "throw 1;\n",
    "elsewhere.test.ts": "throw 1;\n",
  };

  test("pass", async () => {
    const { code, stdout, stderr } = await run(executable, ["test"], { cwd: folderWith(files) });
    expect([code, stdout]).toEqual([0, "bun test v1.4.5 (a7733435c)\n"]);
    expect(stderr).toContain("(pass) it denies");
    expect(stderr).toContain("\n 3 pass\n 0 fail\n");
    expect(`${stdout}${stderr}`).not.toContain("\u001b");
  });
  test("fail", async () => {
    const { code, stderr } = await run(executable, ["test", "."], {
      cwd: folderWith({ ...files, "hooks/guard.ts": GOOD.replace("mine", "yours") }),
    });
    expect([code, stderr]).toEqual([1, expect.stringContaining("(fail) it denies")]);
    expect(stderr).toContain("hooks/guard.test.ts:10:");
  });
  test("those of another folder, by their names, by flags of bun test", async () => {
    const { code, stderr } = await run(executable, ["test", folderWith(files), "--", "-t", "it denies"], {
      cwd: folder,
    });
    expect([code, stderr]).toEqual([0, expect.stringContaining(" 1 pass\n")]);
  });
  const wrong: [args: string[], message: string][] = [
    [[], "there is no test in $CWD; a test of a.ts is called a.test.ts"],
    [["nowhere"], "there is no folder nowhere"],
    [["-t", "x"], '"-t" is not understood; flags of bun test go behind --, see bridge-hooks test --help'],
    [["a", "b"], '"b" is not understood; flags of bun test go behind --, see bridge-hooks test --help'],
  ];
  for (const [args, message] of wrong) {
    test(`without sense: ${args.join(" ") || "no tests"}`, async () => {
      const cwd = folderWith({ "a.ts": GOOD });
      const result = await run(executable, ["test", ...args], { cwd });
      expect(result).toEqual({ code: 1, stdout: "", stderr: `bridge-hooks: ${message.replace("$CWD", cwd)}\n` });
    });
  }
});

test("nothing of all this is left where people don't look", () => {
  expect([readdirSync(temporary), readdirSync(home), readdirSync(dirname(executable))]).toEqual([
    [],
    [],
    ["bridge-hooks"],
  ]);
});
