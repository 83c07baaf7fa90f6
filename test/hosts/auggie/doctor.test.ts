import { describe, expect, test } from "bun:test";
import {
  buildSpecificOutput,
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

const denial = buildSpecificOutput(DENY);
const unnamed = JSON.stringify({ hookSpecificOutput: DENY });

testVerdicts([
  ["auggie", "PreToolUse", "exit code 2", "", "no", 2, {}, "denied"],
  ["auggie", "PreToolUse", "exit code 2 without output", "", "", 2, {}, "denied"],
  ["auggie", "PreToolUse", "a document", denial, "", 0, {}, "denied"],
  ["auggie", "PreToolUse", "a document without the event's name", unnamed, "", 0, {}, "passed"],
  ["auggie", "PreToolUse", "a decision outside", '{"decision":"block"}', "", 0, {}, "passed"],
  ["auggie", "PreToolUse", "a document with exit code 1", denial, "", 1, {}, "broken code 1"],
  ["auggie", "PreToolUse", "exit code 2 that is to continue", '{"continue":true}', "no", 2, {}, "passed"],
  ["auggie", "PreToolUse", "a document that stops", '{"continue":false}', "", 0, {}, "denied"],
  ["auggie", "PreToolUse", "ask", buildSpecificOutput({ permissionDecision: "ask" }), "", 0, {}, "passed"],
  ["auggie", "PreToolUse", "a signal", "", "", null, {}, "broken killed"],
  ["auggie", "PostToolUse", "exit code 2", "", "no", 2, {}, "denied"],
  ["auggie", "Stop", "exit code 2", "", "go on", 2, {}, "passed"],
  ["auggie", "PromptSubmit", "exit code 2", "", "no", 2, {}, "passed"],
]);

const groups = (group: string, event = "PreToolUse") => `{"hooks":{"${event}":[${group}]}}`;
const handler = (more: string) => groups(`{"hooks":[{"type":"command","command":"x"${more}}]}`);

testFlaws([
  ["auggie", "settings.json", "{", "ignores the whole file"],
  ["auggie", "settings.json", "[]", "not an object"],
  ["auggie", "settings.json", '{"hooks":[]}', "must be an object", "[]"],
  ["auggie", "settings.json", '{"hooks":{"PreToolUse":{}}}', "ignores this event's entries", "{}"],
  ["auggie", "settings.json", groups('{"matcher":"launch-process"}'), "ignores this event's entries"],
  ["auggie", "settings.json", groups('{"matcher":"(","hooks":[]}'), "not a valid pattern", '"("'],
  ["auggie", "settings.json", handler(',"timeout":"9"'), "number of milliseconds", '"9"'],
  ["auggie", "settings.json", handler(',"timeout":0'), "must be greater than 0", "0"],
  ["auggie", "settings.json", handler(',"args":"x"'), "ignores this event's entries", '"x"'],
  ["auggie", "settings.json", groups('{"hooks":[{"command":"x"}]}'), "ignores this event's entries"],
  ["auggie", "settings.json", '{"hooks":{"Stop":[],"stop":[]}}', "a Cursor event"],
]);

describe("for auggie,", () => {
  const problems = (text: string) => getCheck("auggie").findConfigProblems(text, "/x/settings.json");

  test("JSON5 is accepted, including unknown events", () => {
    for (const text of [
      '\ufeff{"hooks":{}}',
      '{/* c */"hooks":{},}',
      "{hooks: {'Later': 1}}",
      "",
      '{"hooks":{"stop":[]}}',
    ])
      expect([text, problems(text)]).toEqual([text, []]);
  });

  test("config files are listed by scope and system", () => {
    const paths = (platform: NodeJS.Platform) =>
      getSetup("auggie")
        .listConfigFiles({ roots: ["/p"], home: "/h", platform, env: {} })
        .map(({ scope, path }) => `${scope} ${path}`);
    const own = [
      "user /h/.augment/settings.json",
      "project /p/.augment/settings.json",
      "local /p/.augment/settings.local.json",
    ];
    expect(paths("linux")).toEqual(["managed /etc/augment/settings.json", ...own]);
    expect(paths("win32")).toEqual(["managed C:/ProgramData/augment/settings.json", ...own]);
  });

  test("an entry is a program with arguments, with a timeout in milliseconds, and never with text that would be expanded", () => {
    const { buildHandler, groupProperties } = getSetup("auggie");
    const order = { native_event: "PreToolUse", on_error: "deny", scope: "user", platform: "linux" } as const;
    expect(buildHandler({ ...order, program: "/a b/bridge-hooks" })).toEqual({
      type: "command",
      command: "/a b/bridge-hooks",
      args: ["--host", "auggie", "--on-error", "deny", "--timeout-ms", "18000", "--event", "PreToolUse"],
      timeout: 20_000,
    });
    expect(groupProperties).toEqual({ metadata: { includeMCPMetadata: true } });
    for (const program of ["/a/${HOME}/b", "~/bridge-hooks"])
      expect(() => buildHandler({ ...order, program })).toThrow("which Auggie expands");
  });

  test("doctor notes the account's switch and that a failure lets the call proceed", async () => {
    expect(await createMachine("auggie").examine()).toEqual([]);
    const { ours, pathOf, examine } = createMachine("auggie");
    writeTestFile(pathOf("user"), { hooks: { PreToolUse: [{ hooks: [ours("PreToolUse", "user")] }] } });
    const findings = await examine();
    expectSoundFindings(findings);
    expect(summarizeFindings(findings)).toEqual(["note account-switch", "note fails-open"]);
  });
});
