import { beforeAll, describe, expect, test } from "bun:test";
import { GOOD_HOOK, listFolder, type BuildRun, runBuild, expectNothingLeft } from "./project-support.ts";

const LOOPS = "for (;;);\n";
const WAITS = "await new Promise((done) => setTimeout(done, 60_000));\nexport default 1;\n";
/** Builds that take their time, which they do while the others run. */
let slow: Promise<BuildRun>[];
beforeAll(() => {
  slow = [LOOPS, WAITS].map((text) => runBuild({ "a.ts": GOOD_HOOK, "b.ts": text }));
});

describe("hooks that are not right", () => {
  const NAMED = GOOD_HOOK.replace("event:", 'name: "same", event:');
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
        "same.ts": GOOD_HOOK,
        "z.ts": NAMED,
        "g.ts":
          'import { fromCommand } from "bridge-hooks";\nexport default fromCommand("./gone.sh", { host: "claude" });\n',
        "h.ts": 'import { fromCommand } from "bridge-hooks";\nexport default fromCommand("x", { host: "nobody" });\n',
      },
      [
        "b.ts:1:1: error: the module throws: 5",
        'c.ts:1:1: error: there is no default export; write "export default defineHook({ … })"',
        'd.ts:2:1: error: the default export is not a hook; write "export default defineHook({ … })"',
        "e.ts:3:1: error: handler: not a function",
        'e.ts:5:19: error: unknown event "preToolUse"; did you mean PreToolUse?',
        "e.ts:6:3: error: timeoutMs: ",
        'e.ts:6:21: error: a hook has no field "onerror"; did you mean onError?',
        'e.ts:7:9: error: unknown tool "Shell"; known: Bash, ',
        'e.ts:8:12: error: matcher "Edit(*.ts)" asks for arguments of Edit, which only Bash has here',
        "e.ts:9:3: error: options: no schema; write one with zod or valibot",
        "g.ts:2:28: error: there is no file ./gone.sh beside this module",
        'h.ts:2:16: error: the module throws: fromCommand: unknown host "nobody"; known: ',
        "lib/f.ts:3:13: error: the module throws: too deep (while a.ts was loaded)",
        'same.ts:2:1: error: f.ts and same.ts are both named "same"; names must be unique, rename one',
        'z.ts:2:35: error: f.ts and z.ts are both named "same"; names must be unique, rename one',
      ],
    ],
    [
      "one that ends the process",
      { "a.ts": "throw 5;\n", "b.ts": "process.exit(0);\n", "c.ts": GOOD_HOOK },
      ["a.ts:1:1: error: the module throws: 5", "b.ts:1:1: error: loading the module ends the process (exit code 0)"],
    ],
    [
      "matchers that fit no call",
      {
        "a.ts": GOOD_HOOK.replace("event:", 'matcher: "Bash(npm install *|pip install *)", event:'),
        "b.ts": GOOD_HOOK.replace("event:", 'matcher: "bash", event:'),
        "c.ts": GOOD_HOOK.replace("event:", 'matcher: "Shell(npm *)", event:'),
        "d.ts": GOOD_HOOK.replace("event:", '\n  matcher: "Bsh", event:'),
        "e.ts": GOOD_HOOK.replace("event:", 'tool: "Read", matcher: "Bash(ls)", event:'),
        "f.ts": GOOD_HOOK.replace("event:", 'matcher: "MyTool", event:'),
      },
      [
        'a.ts:2:38: error: matcher "Bash(npm install *|pip install *)": "|" does not separate patterns inside parentheses; write Bash(npm install *)|Bash(pip install *)',
        'b.ts:2:38: error: matcher "bash": "bash" matches only calls of GitHub Copilot and OpenCode; write Bash',
        'c.ts:2:38: error: matcher "Shell(npm *)": "Shell" matches only calls of Cursor; write Bash(npm *)',
        'd.ts:3:12: error: matcher "Bsh": "Bsh" matches no tool; did you mean Bash?',
        'e.ts:2:52: error: matcher "Bash(ls)": no call matches both it and tool Read; leave one of them out',
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
        "hooks/a.ts": `import { word } from "@/word.ts";\n${GOOD_HOOK}export const f = (x) => word + x;\nlet unused;\n`,
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
      const { code, stdout, stderr, before, cwd } = await runBuild(files);
      const said = stderr.split("\n");
      const errors = lines.length === 1 ? "an error" : `${lines.length} errors`;
      expect(said.map((line, at) => line.slice(0, lines[at]?.length))).toEqual([
        ...lines,
        `bridge-hooks: dist/bridge-hooks was not made: ${errors} in the hooks`,
        "",
      ]);
      expect([code, stdout, listFolder(cwd)]).toEqual([1, "", before]);
      ran++;
    });
  }
  test("every case ran", () => expect(ran).toBe(6));

  test("a matcher that may be meant is built, and told", async () => {
    const { code, stdout, stderr } = await runBuild({
      "a.ts": GOOD_HOOK.replace("event:", 'matcher: "MyTool|Shell", event:'),
    });
    expect([code, stderr, stdout.includes("yes: the executable denies")]).toEqual([
      0,
      `a.ts:2:38: note: matcher "MyTool|Shell": no known host has a tool "MyTool"; a tool of an MCP server is mcp__<server>__<tool>
a.ts:2:38: note: matcher "MyTool|Shell": "Shell" matches only calls of Cursor; Bash matches every host's
`,
      true,
    ]);
  });

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
      const { code, stderr } = await runBuild({ ...files, "a.ts": `import ${what};\nexport default ${name};\n` });
      return [what, code, stderr.split("\n")[0]];
    });
    expect(await Promise.all(builds)).toEqual(
      Object.entries(said).map(([what, message]) => [what, 1, `a.ts:${message}`]),
    );
  });

  for (const [at, what] of ["loops", "waits"].entries()) {
    test(`one that ${what} for ever`, async () => {
      const { code, stdout, stderr, before, cwd } = (await slow[at]) as BuildRun;
      expect([code, stdout, stderr, listFolder(cwd)]).toEqual([
        1,
        "",
        "b.ts:1:1: error: the module never finishes loading\nbridge-hooks: dist/bridge-hooks was not made: an error in the hooks\n",
        before,
      ]);
    });
  }
});

test("nothing of all this is left where people don't look", expectNothingLeft);
