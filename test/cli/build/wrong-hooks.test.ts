import { beforeAll, describe, expect, test } from "bun:test";
import { join } from "node:path";
import { bundleModules } from "../../../src/cli/build/bundle.ts";
import { SourceProblemsError } from "../../../src/cli/build/problem.ts";
import { withWorkshop } from "../../../src/cli/build/workshop.ts";
import { createFolder, GOOD_HOOK, listFolder, type BuildRun, runBuild, expectNothingLeft } from "./project-support.ts";

/**
 * Modules that never finish loading. One blocks its thread, which has the same effect as an infinite loop but uses no
 * CPU time.
 */
const ENDLESS = {
  "blocks its thread": "Bun.sleepSync(600_000);\n",
  awaits: "await new Promise((done) => setTimeout(done, 600_000));\nexport default 1;\n",
};
/** Slow builds, started early so that they run alongside the other tests. */
let slow: Promise<BuildRun>[];
beforeAll(() => {
  slow = Object.values(ENDLESS).map((text) => runBuild({ "a.ts": GOOD_HOOK, "b.ts": text }));
});

describe("build creates nothing, and reports all errors of a stage with file, line and column, if", () => {
  const NAMED = GOOD_HOOK.replace("event:", 'name: "same", event:');
  const cases: [stage: string, files: Record<string, string>, lines: string[]][] = [
    [
      "modules can't be parsed, or import a missing module",
      {
        "hooks/a.ts": "export default {\n",
        "hooks/b.ts": "const x = 1;\nlet y =;\n",
        "hooks/c.ts": 'import { x } from "nowhere";\nimport y from "./gone.ts";\nexport default x(y);\n',
        "hooks/d.ts": 'import { nope } from "bridge-hooks";\nexport default nope;\n',
      },
      [
        "hooks/a.ts:1:17: error: Expected identifier but found end of file",
        "hooks/b.ts:2:8: error: Unexpected ;",
        'hooks/c.ts:1:19: error: "nowhere" was not found; install your own packages in a node_modules next to the hooks',
        'hooks/c.ts:2:15: error: "./gone.ts" was not found',
      ],
    ],
    [
      "modules throw, do not export a hook, or have a matcher that matches no call",
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
        "i.ts": GOOD_HOOK.replace("event:", 'matcher: "Bash(npm install *|pip install *)", event:'),
        "j.ts": GOOD_HOOK.replace("event:", 'matcher: "bash", event:'),
        "k.ts": GOOD_HOOK.replace("event:", 'matcher: "Shell(npm *)", event:'),
        "l.ts": GOOD_HOOK.replace("event:", '\n  matcher: "Bsh", event:'),
        "m.ts": GOOD_HOOK.replace("event:", 'tool: "Read", matcher: "Bash(ls)", event:'),
        "n.ts": GOOD_HOOK.replace("event:", 'matcher: "MyTool", event:'),
      },
      [
        "b.ts:1:1: error: the module throws: 5",
        'c.ts:1:1: error: no default export; write "export default defineHook({ … })"',
        'd.ts:2:1: error: the default export is not a hook; write "export default defineHook({ … })"',
        "e.ts:3:1: error: handler: not a function",
        'e.ts:5:19: error: unknown event "preToolUse"; did you mean PreToolUse?',
        "e.ts:6:3: error: timeoutMs: ",
        'e.ts:6:21: error: a hook has no field "onerror"; did you mean onError?',
        'e.ts:7:9: error: unknown tool "Shell"; known: Bash, ',
        'e.ts:8:12: error: matcher "Edit(*.ts)" has an argument for Edit, but only Bash supports arguments',
        "e.ts:9:3: error: options: not a schema; use zod, valibot",
        "g.ts:2:28: error: no file ./gone.sh in the module's directory",
        'h.ts:2:16: error: the module throws: fromCommand: unknown host "nobody"; known: ',
        'i.ts:2:38: error: matcher "Bash(npm install *|pip install *)": "|" does not separate patterns inside parentheses; write Bash(npm install *)|Bash(pip install *)',
        'j.ts:2:38: error: matcher "bash": "bash" matches only calls from GitHub Copilot, OpenCode, pi, Auggie, and Crush; write Bash',
        'k.ts:2:38: error: matcher "Shell(npm *)": "Shell" matches only calls from Cursor; write Bash(npm *)',
        'l.ts:3:12: error: matcher "Bsh": "Bsh" matches no tool; did you mean Bash?',
        "lib/f.ts:3:13: error: the module throws: too deep (while loading a.ts)",
        'm.ts:2:52: error: matcher "Bash(ls)": no call matches both the matcher and the tool Read; remove the matcher or the tool',
        'same.ts:2:1: error: f.ts and same.ts are both named "same"; rename one',
        'z.ts:2:35: error: f.ts and z.ts are both named "same"; rename one',
      ],
    ],
    [
      "a module ends the process that loads it",
      { "a.ts": "throw 5;\n", "b.ts": "process.exit(0);\n", "c.ts": GOOD_HOOK },
      ["a.ts:1:1: error: the module throws: 5", "b.ts:1:1: error: loading the module exits the process (exit code 0)"],
    ],
    [
      "keys of a hook are misspelled, with the other errors",
      {
        "a.ts": `import { defineHook, deny } from "bridge-hooks";
export default defineHook({
  event: "PreToolUse",
  tool: "Bash",
  handlr({ input }) {
    if (input.comand) deny("x");
    const count: number = "x";
    return { decission: "deny", reason: \`\${count}\` };
  },
});
`,
        "b.ts": GOOD_HOOK.replace('event: "PreToolUse"', 'event: "PreToolUs", timeoutMs: "5"'),
        "c.ts":
          'import { defineHook } from "bridge-hooks";\nexport default defineHook({ event: "Stop", handler: () => 5 });\n',
      },
      [
        'a.ts:5:3: error: a hook has no field "handlr"; did you mean handler?',
        'a.ts:6:23: error: the response of deny(…) is not returned, so it has no effect; write "return" before it',
        "a.ts:7:11: error: TS2322: Type 'string' is not assignable to type 'number'.",
        'a.ts:8:14: error: a response has no field "decission"; did you mean decision?',
        'b.ts:2:36: error: unknown event "PreToolUs"; did you mean PreToolUse?',
        "b.ts:2:60: error: timeoutMs: must be a whole number",
        "c.ts:2:59: error: a handler can't return 5; return a response",
      ],
    ],
    [
      "there are type errors",
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
      "there are type errors according to the project's tsconfig.json",
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
        `bridge-hooks: dist/bridge-hooks was not built: ${errors} in the hooks`,
        "",
      ]);
      expect([code, stdout, listFolder(cwd)]).toEqual([1, "", before]);
      ran++;
    });
  }
  test("every case ran", () => expect(ran).toBe(6));

  describe("a module imports a name that is not exported; the closest one is suggested", () => {
    const files = {
      "lib/length.ts": "export const length = 1;\n",
      "node_modules/tiny/package.json": '{ "name": "tiny", "exports": "./lib/main.js" }\n',
      "node_modules/tiny/lib/main.js": "export const tiny = 1;\n",
    };
    const importing = (what: string) => `import ${what};\nexport default ${/\w+/.exec(what)};\n`;

    test('{ defineHok } from "bridge-hooks"', async () => {
      const { code, stderr } = await runBuild({ ...files, "a.ts": importing('{ defineHok } from "bridge-hooks"') });
      expect([code, stderr]).toEqual([
        1,
        'a.ts:1:10: error: "bridge-hooks" has no export "defineHok"; did you mean defineHook?\n' +
          "bridge-hooks: dist/bridge-hooks was not built: an error in the hooks\n",
      ]);
    });
    // The bundler stops at the first error, so these errors, which only it can find, are tested separately.
    const others = {
      '{\n  strng,\n} from "zod/mini"': '2:3: error: "zod/mini" has no export "strng"; did you mean string?',
      '{ objct } from "valibot"': '1:10: error: "valibot" has no export "objct"; did you mean object?',
      '{ lenght } from "./lib/length.ts"':
        '1:10: error: "./lib/length.ts" has no export "lenght"; did you mean length?',
      'length from "./lib/length.ts"': '1:8: error: "./lib/length.ts" has no default export',
      '{ large } from "tiny"': '1:10: error: "tiny" has no export "large"',
    };
    for (const [what, message] of Object.entries(others))
      test(what.replaceAll(/\s+/g, " "), async () => {
        const file = join(createFolder({ ...files, "a.ts": importing(what) }), "a.ts");
        const error = await withWorkshop(join(file, "../dist"), (shop) =>
          bundleModules([file], join(shop.folder, "hooks"), shop),
        ).catch((thrown: Error) => thrown);
        expect(error).toBeInstanceOf(SourceProblemsError);
        expect((error as Error).message).toBe(`${file}:${message}`);
      });
  });

  for (const [at, what] of Object.keys(ENDLESS).entries()) {
    test(`loading a module never ends because it ${what}`, async () => {
      const { code, stdout, stderr, before, cwd } = (await slow[at]) as BuildRun;
      expect([code, stdout, stderr, listFolder(cwd)]).toEqual([
        1,
        "",
        "b.ts:1:1: error: the module never finishes loading\nbridge-hooks: dist/bridge-hooks was not built: an error in the hooks\n",
        before,
      ]);
    });
  }
});

test(
  "builds leave nothing in the home directory, in the temporary directory or next to the executable",
  expectNothingLeft,
);
