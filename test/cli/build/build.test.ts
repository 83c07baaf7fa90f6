import { afterAll, describe, expect, test } from "bun:test";
import { existsSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { EVENTS } from "../../../src/protocol/event.ts";
import { findHookProblems } from "../../../src/cli/build/hook-module.ts";
import { findPosition } from "../../../src/cli/build/problem.ts";
import { hardenRuntime, restoreRuntimeSwitches } from "../../../src/operate/executable/runtime.ts";
import { getPayload, ROOT } from "../../support/fixtures.ts";

const folder = mkdtempSync(join(tmpdir(), "bridge-hooks-build-"));
afterAll(() => rmSync(folder, { recursive: true, force: true }));

let count = 0;
/** Builds a hooks directory with these files, as when npm is started outside the project. */
function buildOf(files: Record<string, string>, args: string[] = []) {
  const hooks = join(folder, `hooks-${++count}`);
  for (const [name, text] of Object.entries(files)) {
    mkdirSync(hooks, { recursive: true });
    writeFileSync(join(hooks, name), text);
  }
  const outfile = join(folder, `out-${count}`, "guard");
  const command = [
    process.execPath,
    "--no-install",
    join(ROOT, "build.ts"),
    `hooks-${count}`,
    "--outfile",
    outfile,
    ...args,
  ];
  const { exitCode, stdout, stderr } = Bun.spawnSync(command, { cwd: ROOT, env: { ...process.env, INIT_CWD: folder } });
  return {
    exitCode,
    stdout: stdout.toString(),
    stderr: stderr.toString(),
    hooks,
    outfile,
    left: existsSync(join(outfile, "..")) ? readdirSync(join(outfile, "..")) : [],
  };
}

const GOOD =
  'import { defineHook, deny } from "bridge-hooks";\nexport default defineHook({ event: "PreToolUse", handler: () => deny("mine") });\n';

describe("bridge-hooks build, from source,", () => {
  test("builds a directory as inside the executable, without installing anything", () => {
    const { exitCode, stderr, stdout, outfile, left } = buildOf({
      "guard.ts": GOOD,
      "_helper.ts": "throw 1;",
      "guard.test.ts": "throw 1;",
    });
    expect([exitCode, stderr, left]).toEqual([0, "", ["guard"]]);
    expect(stdout).toContain("yes, denies the test call");
    const call = Bun.spawnSync([outfile, "--host", "codex"], {
      stdin: Buffer.from(JSON.stringify(getPayload("codex", "PreToolUse-Bash"))),
    });
    expect([call.exitCode, call.stderr.toString()]).toEqual([2, "mine\n"]);
  });
  test("reports errors with the caller's paths", () => {
    const { exitCode, stdout, stderr, left, outfile } = buildOf({
      "a.ts": 'throw new Error("not today");\n',
      "b.ts": 'export default {\n  event: "preToolUse", handler() {} };\n',
      "c.ts": 'import "nowhere";\n',
    });
    expect([exitCode, stdout, left]).toEqual([1, "", []]);
    expect(stderr).toBe(
      `hooks-${count}/c.ts:1:8: error: "nowhere" was not found; install your own packages in a node_modules next to the hooks\n` +
        `bridge-hooks: out-${count}/guard was not built: an error in the hooks\n`,
    );
    expect(outfile).toBe(join(folder, `out-${count}`, "guard"));
  });
  test("fails for a directory that does not exist", () => {
    const { exitCode, stderr } = buildOf({});
    expect([exitCode, stderr]).toEqual([
      1,
      `bridge-hooks: out-${count}/guard was not built: no such directory: hooks-${count}\n`,
    ]);
  });
  test("fails for an unknown option", () => {
    const { exitCode, stderr } = buildOf({ "a.ts": GOOD }, ["--nope"]);
    expect([exitCode, stderr]).toEqual([
      1,
      'bridge-hooks: build: unknown option "--nope"; did you mean --name? see bridge-hooks build --help\n',
    ]);
  });
});

describe("the position of an error in a hook's source is found", () => {
  const source = `import { defineHook } from "bridge-hooks";
const event = "early"; /* tool: "Bash" */
export default defineHook<"x">({
  // event: "commented",
  description: "event: said",
  event: ["Stop", \`two\`],
  "timeoutMs": 1.5, handler() {},
  order,
});
`;
  const cases: [field: string | undefined, value: unknown, place: string][] = [
    [undefined, undefined, "3:1"],
    ["event", undefined, "6:3"],
    ["event", "Stop", "6:11"],
    ["event", "two", "6:19"],
    ["event", "commented", "6:3"],
    ["timeoutMs", 1.5, "7:3"],
    ["handler", undefined, "7:21"],
    ["order", undefined, "8:3"],
    ["tool", "Bash", "3:1"],
    ["files", "event: said", "5:16"],
  ];
  for (const [field, value, place] of cases)
    test(`for ${field} ${value}`, () => {
      const { line, column } = findPosition(source, field, value);
      expect(`${line}:${column}`).toBe(place);
    });
  test("for each of the fields", () => expect(cases.length).toBe(10));
});

describe("build validates a module's exports:", () => {
  const handler = () => {};
  const NONE =
    'no default export; write "export default defineHook({ … })"; if the file is not a hook, start its name with "_"';
  const NO_HOOK =
    'the default export is not a hook; write "export default defineHook({ … })"; if the file is not a hook, start its name with "_"';
  const CALLS = "applies only to call events (PreToolUse, PostToolUse, PostToolUseFailure, PermissionRequest)";
  const cases: [name: string, hook: unknown, source: string, messages: string[]][] = [
    ["nothing", undefined, "export const x = 1;", [NONE]],
    ["the export of an empty file", {}, "", [NONE]],
    ["a value that is not a hook", {}, "export default {};", [NO_HOOK]],
    ["a function", handler, "export default () => {};", [NO_HOOK]],
    ["a list", [], "export default [];", [NO_HOOK]],
    ["an object with other fields", { a: 1, b: 2 }, "export default { a: 1, b: 2 };", [NO_HOOK]],
    ["null", null, "export default null;", [NO_HOOK]],
    ["no event", { handler }, "export default { handler };", ["event: must contain at least one event"]],
    ["no events", { event: [], handler }, "", ["event: must contain at least one event"]],
    [
      "no tools",
      { event: "PreToolUse", tool: [], handler },
      "",
      ["tool: must contain at least one tool; to match every tool, omit this field"],
    ],
    ["a misspelled event", { event: "PreTool", handler }, "", ['unknown event "PreTool"; did you mean PreToolUse?']],
    [
      "a misspelled tool",
      { event: "PreToolUse", tool: "bsh", handler },
      "",
      ['unknown tool "bsh"; did you mean Bash?'],
    ],
    ["an event that is not a string", { event: 7, handler }, "", [`unknown event 7; known: ${EVENTS.join(", ")}`]],
    [
      "a name",
      { event: "Stop", name: "a b", handler },
      "",
      ["name: must consist of letters, digits, dots, dashes and underscores"],
    ],
    [
      "types",
      { event: "Stop", order: "1", onError: "no", timeoutMs: 0, maxContinuations: 1.5, description: 5, handler },
      "",
      [
        "description: must be a string",
        "order: must be a number",
        'onError: must be "allow" or "deny"',
        "timeoutMs: must be a whole number of milliseconds, 1 or more",
        "maxContinuations: must be a whole number, 1 or more",
      ],
    ],
    [
      "a field that does not exist",
      { event: "Stop", xyzzy: 1, handler },
      "",
      [
        'a hook has no field "xyzzy"; known: name, description, event, tool, matcher, order, onError, timeoutMs, maxContinuations, enforced, ' +
          "concerns, pure, options, trustedOptions, additiveOptions, rules, ruleTerms, handler",
      ],
    ],
    [
      "fields in snake_case",
      { event: "Stop", on_error: "deny", timeout_ms: 9, max_continuations: 2, trusted_options: [], handler },
      "",
      [
        'a hook has no field "on_error"; did you mean onError?',
        'a hook has no field "timeout_ms"; did you mean timeoutMs?',
        'a hook has no field "max_continuations"; did you mean maxContinuations?',
        'a hook has no field "trusted_options"; did you mean trustedOptions?',
      ],
    ],
    ["a matcher", { event: "PreToolUse", matcher: "Bash|", handler }, "", ['matcher "Bash|" has an empty alternative']],
    [
      "a tool that occurs in no call",
      { event: ["Stop", "SessionEnd"], tool: "Bash", handler },
      "",
      [`tool ${CALLS}; Stop and SessionEnd are none`],
    ],
    [
      "a matcher that matches no call",
      { event: "Stop", matcher: "Bash", handler },
      "",
      [`matcher ${CALLS}; Stop is none`],
    ],
    ["a matcher for everything", { event: "Stop", matcher: "*", handler }, "", []],
    ["one of several events", { event: ["Stop", "PreToolUse"], tool: "Bash", matcher: "Bash", handler }, "", []],
  ];
  for (const [name, hook, source, messages] of cases)
    test(name, () => {
      const file = join(folder, "module.ts");
      writeFileSync(file, source);
      expect(findHookProblems(file, hook).map(({ message }) => message)).toEqual(messages);
    });
  test("all cases were tested", () => expect(cases.length).toBe(22));
});

describe("the runtime", () => {
  test("contains no switch without a decision, or the build stops", () => {
    expect(() => hardenRuntime(Buffer.from("…\0BUN_LOAD_FOREIGN_CODE\0…"))).toThrow(
      "unreviewed switches (BUN_LOAD_FOREIGN_CODE)",
    );
  });
  test("contains every switch at its expected place, or the build stops", () => {
    expect(() => hardenRuntime(Buffer.from("\0BUN_OPTIONS\0"))).toThrow(
      "expected one comparison with BUN_JSC_ in this Bun release, found 0",
    );
  });
  test("can't be reached through disabled names", () => {
    const compare =
      "\x80\x3eB\x75\x01\x80\x7e\x01U\x75\x01\x80\x7e\x02N\x75\x01\x80\x7e\x03_\x75\x01\x80\x7e\x04J\x75\x01\x80\x7e\x05S\x75\x01\x80\x7e\x06C\x75\x01\x80\x7e\x07_";
    const image = Buffer.from(`\0BUN_OPTIONS\0BUN_INSTALL\0NODE_PATHNODE_ENV\0mimalloc_${compare}`, "latin1");
    hardenRuntime(image);
    expect(image.toString("latin1")).toBe(
      `\0ÿUN_OPTIONS\0BUN_INSTALL\0ÿODE_PATHNODE_ENV\0ÿimalloc_${compare.replace("B", "ÿ")}`,
    );
  });
  test("regains in a copy only the switches that it needs as a tool", () => {
    const file = join(folder, "image");
    const far = "x".repeat(8 * 1024 * 1024 - 10);
    const image = (letter: string) =>
      `${far}\0${letter}UN_BE_BUN\0ÿUN_OPTIONS\0${letter}UN_COMPILE_TARGET_TARBALL_URL\0${letter}UN_RUNTIME_TRANSPILER_CACHE_PATH\0`;
    writeFileSync(file, image("ÿ"), "latin1");
    restoreRuntimeSwitches(file);
    expect(readFileSync(file, "latin1")).toBe(image("B"));
    expect(() => restoreRuntimeSwitches(file)).toThrow(
      "this executable has no disabled switch BUN_BE_BUN, BUN_COMPILE_TARGET_TARBALL_URL, BUN_RUNTIME_TRANSPILER_CACHE_PATH",
    );
  });
});
