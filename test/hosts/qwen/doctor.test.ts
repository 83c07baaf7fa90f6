import { describe, expect, test } from "bun:test";
import { join } from "node:path";
import { readGrantedSeconds } from "../../../src/hosts/setup/entry-time.ts";
import {
  buildSpecificOutput,
  codexHandler,
  createMachine,
  DENY,
  expectSoundFindings,
  getCheck,
  getSetup,
  summarizeFindings,
  testFlaws,
  testVerdicts,
  writeTestFile,
} from "../check-support.ts";

const BLOCK = '{"decision":"block","reason":"R"}';
const STOPS = '{"continue":false,"stopReason":"R"}';

testVerdicts([
  ["qwen", "PreToolUse", "a document", buildSpecificOutput(DENY), "", 0, {}, "denied"],
  ["qwen", "PreToolUse", "a document with exit code 1", buildSpecificOutput(DENY), "", 1, {}, "denied"],
  ["qwen", "PreToolUse", "the older word", BLOCK, "", 0, {}, "denied"],
  ["qwen", "PreToolUse", "continue false", STOPS, "", 0, {}, "denied"],
  ["qwen", "PreToolUse", "a document in a string", JSON.stringify(BLOCK), "", 0, {}, "denied"],
  ["qwen", "PreToolUse", "exit code 2 and a text", "", "no", 2, {}, "denied"],
  ["qwen", "PreToolUse", "exit code 2 and a document on stderr", "", BLOCK, 2, {}, "denied"],
  ["qwen", "PreToolUse", "exit code 2 and another object on stderr", "", '{"a":1}', 2, {}, "passed"],
  ["qwen", "PreToolUse", "exit code 2 and a document on stdout", BLOCK, "", 2, {}, "broken printed nothing on stderr"],
  ["qwen", "PreToolUse", "exit code 2 and approval on stdout", '{"decision":"allow"}', "no", 2, {}, "denied"],
  ["qwen", "PreToolUse", "a document on stderr", "", BLOCK, 0, {}, "denied"],
  ["qwen", "PreToolUse", "ask", buildSpecificOutput({ permissionDecision: "ask" }), "", 0, {}, "passed"],
  ["qwen", "PreToolUse", "words", "log", "", 0, {}, "passed"],
  ["qwen", "PreToolUse", "a text before the document", `log\n${BLOCK}`, "", 0, {}, "passed"],
  ["qwen", "PreToolUse", "a cut document", '{"decision":', "", 0, {}, "broken not valid JSON"],
  ["qwen", "PreToolUse", "exit code 1", "", "no", 1, {}, "broken code 1"],
  ["qwen", "PreToolUse", "a signal", "", "", null, {}, "broken killed"],
  ["qwen", "PostToolUse", "a block", BLOCK, "", 0, {}, "passed"],
  ["qwen", "PostToolUse", "exit code 2", "", "no", 2, {}, "broken code 2"],
  ["qwen", "PostToolUse", "continue false", STOPS, "", 0, {}, "denied"],
  ["qwen", "UserPromptSubmit", "exit code 2", "", "no", 2, {}, "denied"],
  ["qwen", "Stop", "exit code 2", "", "go on", 2, {}, "denied"],
  ["qwen", "Stop", "continue false", STOPS, "", 0, {}, "denied"],
  ["qwen", "SessionStart", "a document", BLOCK, "", 0, {}, "passed"],
]);

testFlaws([
  ["qwen", "settings.json", '{"hooks":{},}', "doesn't start", ",}"],
  ["qwen", "settings.json", "[]", "not an object", "["],
  ["qwen", "settings.json", '{"hooks":{},"hooks":{}}', "appears twice"],
  ["qwen", "settings.json", '{"hooks":{"PreToolUse":{}}}', "ignores it", "{}"],
  ["qwen", "settings.json", '{"hooks":{"PreToolUse":[{"matcher":"x"}]}}', "ignores it", '{"matcher"'],
  ["qwen", "settings.json", '{"hooks":{"PreToolUse":[{"matcher":5,"hooks":[]}]}}', "no hooks for this event", "5"],
  ["qwen", "settings.json", codexHandler('{"command":"x"}'), "type", '{"command"'],
  ["qwen", "settings.json", codexHandler('{"type":"command"}'), "a command is missing", "{"],
  ["qwen", "settings.json", codexHandler('{"type":"command","command":"x","timeout":"30s"}'), "seconds", '"30s"'],
  ["qwen", "settings.json", codexHandler('{"type":"command","command":"x","timeout":-1}'), "timeout", "-1"],
]);

test("comments, a byte order mark, unknown events and invalid patterns are valid for qwen", () => {
  const text = '\ufeff{ // c\n "hooks": { "Zz": [], "Stop": [{ "matcher": "(", "hooks": [] }] } }';
  expect(getCheck("qwen").findConfigProblems(text, "/x/settings.json")).toEqual([]);
});

const hooks = ({ ours }: ReturnType<typeof createMachine>, more: object = {}) => ({
  PreToolUse: [{ hooks: [{ ...ours("PreToolUse"), ...more }] }],
});
const PINNED = { QWEN_CODE_SAFE_MODE: "0", QWEN_CODE_SIMPLE: "0" };

describe("doctor for qwen", () => {
  type Machine = ReturnType<typeof createMachine>;
  const CASES: [string, (at: Machine) => void, string[], Record<string, string>?][] = [
    ["an installation", () => {}, []],
    ["unset variables", () => {}, ["note hooks-switchable"], { QWEN_CODE_SIMPLE: "" }],
    ["a mode in the environment", () => {}, ["red hooks-disabled"], { QWEN_CODE_SAFE_MODE: "true" }],
    [
      "a mode that .env can't set, since the environment has the variable",
      (at) => writeTestFile(join(at.root, ".env"), "QWEN_CODE_SIMPLE=1\n"),
      [],
    ],
    ...[".env", ".qwen/.env", "../.env"].map((name): (typeof CASES)[number] => [
      `a mode in ${name}`,
      (at) => writeTestFile(join(at.root, name), " export QWEN_CODE_SIMPLE = 'yes' # x\n"),
      ["red hooks-disabled"],
      { QWEN_CODE_SIMPLE: "" },
    ]),
    [
      "a mode that another value turns off",
      (at) => writeTestFile(join(at.root, ".env"), "QWEN_CODE_SIMPLE=no\n"),
      ["note hooks-switchable"],
      { QWEN_CODE_SIMPLE: "" },
    ],
    [
      "a mode in the user's .env",
      (at) => writeTestFile(join(at.place.home, ".qwen/.env"), "QWEN_CODE_SIMPLE=1\n"),
      ["red hooks-disabled"],
      { QWEN_CODE_SIMPLE: "" },
    ],
    [
      "a mode in a project's settings",
      (at) => writeTestFile(at.pathOf("project"), { env: { QWEN_CODE_SIMPLE: "1" } }),
      ["red hooks-disabled"],
      { QWEN_CODE_SIMPLE: "" },
    ],
    [
      "a project's switch",
      (at) => writeTestFile(at.pathOf("project"), { disableAllHooks: true }),
      ["red hooks-disabled"],
    ],
    [
      "a user's switch that a project reverses",
      (at) => {
        writeTestFile(at.pathOf("user"), { hooks: hooks(at), disableAllHooks: true });
        writeTestFile(at.pathOf("project"), { disableAllHooks: false });
      },
      [],
    ],
    [
      "managed entries that are not pinned",
      (at) => writeTestFile(at.pathOf("managed"), { hooks: hooks(at) }),
      ["red managed-not-pinned"],
    ],
    [
      "pinned managed entries next to a project's switch",
      (at) => {
        writeTestFile(at.pathOf("managed"), { hooks: hooks(at), disableAllHooks: false });
        writeTestFile(at.pathOf("project"), { disableAllHooks: true });
      },
      [],
    ],
    [
      "system settings that the environment moves",
      (at) => writeTestFile(at.pathOf("managed"), { hooks: hooks(at), disableAllHooks: false }),
      ["red managed-moved"],
      { QWEN_CODE_SYSTEM_SETTINGS_PATH: "/elsewhere.json" },
    ],
    ...['alias qwen="qwen --bare"', "alias q='QWEN_CODE_SIMPLE=1 qwen'"].map((line): (typeof CASES)[number] => [
      `the alias ${line}`,
      (at) => writeTestFile(join(at.place.home, ".bashrc"), `A=1\n${line}\n`),
      ["red alias-bypass"],
    ]),
    [
      "other aliases",
      (at) => writeTestFile(join(at.place.home, ".zshrc"), "alias q='qwen --yolo'\nalias git='git --bare'\n"),
      [],
    ],
    [
      "an entry that the host does not wait for",
      (at) => writeTestFile(at.pathOf("user"), { hooks: hooks(at, { async: true }) }),
      ["red entry-async"],
    ],
    [
      "a variable that keeps programs from starting",
      (at) => writeTestFile(join(at.root, ".env"), "LD_TRACE_LOADED_OBJECTS=1\n"),
      ["red env-loads-code"],
    ],
    [
      "a project's entries that require a trusted directory",
      (at) => {
        writeTestFile(at.pathOf("user"), { security: { folderTrust: { enabled: true } } });
        writeTestFile(at.pathOf("project"), { hooks: hooks(at) });
      },
      ["note folder-trust"],
    ],
  ];
  for (const [name, prepare, expected, env] of CASES)
    test(`reports ${expected.join(", ") || "nothing"} for ${name}`, async () => {
      const at = createMachine("qwen", { env: { ...PINNED, ...env } });
      writeTestFile(at.pathOf("user"), { hooks: hooks(at) });
      prepare(at);
      const findings = await at.examine();
      expectSoundFindings(findings);
      expect(summarizeFindings(findings)).toEqual([...expected, "note fails-open"]);
    });
  test("reports nothing without an entry", async () => expect(await createMachine("qwen").examine()).toEqual([]));
});

describe("the setup of qwen", () => {
  test("lists its files by scope and system", () => {
    const paths = (platform: NodeJS.Platform, env = {}) =>
      getSetup("qwen")
        .listConfigFiles({ roots: ["/p"], home: "/h", platform, env })
        .map(({ scope, path }) => `${scope} ${path}`);
    const own = (folder: string) => [`user ${folder}/settings.json`, "project /p/.qwen/settings.json"];
    const system = (folder: string) => [`managed ${folder}/settings.json`, `system ${folder}/system-defaults.json`];
    expect(paths("linux")).toEqual([...system("/etc/qwen-code"), ...own("/h/.qwen")]);
    expect(paths("darwin", { QWEN_HOME: "/q" })).toEqual([
      ...system("/Library/Application Support/QwenCode"),
      ...own("/q"),
    ]);
    expect(paths("win32")).toEqual([...system("C:/ProgramData/qwen-code"), ...own("/h/.qwen")]);
  });

  test("quotes a dollar sign, and rejects it on Windows", () => {
    const { buildHandler } = getSetup("qwen");
    const order = { native_event: "Stop", on_error: "allow", scope: "user" } as const;
    const { command } = buildHandler({ ...order, program: "/a $HOME/b", platform: "linux" });
    expect(command).toBe(String.raw`'/a '\$'HOME/b' --host qwen --timeout-ms 18000 --event Stop`);
    expect(() => buildHandler({ ...order, program: "C:\\$x\\b.exe", platform: "win32" })).toThrow("a variable");
  });

  test("grants the time that Qwen Code waits, and treats a long timeout as milliseconds", () => {
    const { buildHandler, timeGrants } = getSetup("qwen");
    const order = { program: "/b", on_error: "allow", scope: "user", platform: "linux" } as const;
    const timeoutFor = (wanted_ms: number, native_event = "Stop") =>
      buildHandler({ ...order, native_event, wanted_ms }).timeout;
    expect([timeoutFor(0), timeoutFor(30_000), timeoutFor(900_000)]).toEqual([20, 34, 60]);
    expect(timeoutFor(900_000, "PostToolBatch")).toBe(15);
    const granted = (timeout: unknown) =>
      readGrantedSeconds(timeGrants, { native_event: "PreToolUse", handler: { timeout } });
    expect([undefined, 20, 999, 1_000, 1_500, 90_000, "20"].map(granted)).toEqual([60, 20, 60, 1, 1.5, 60, undefined]);
  });
});
