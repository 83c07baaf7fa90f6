import { describe, expect, test } from "bun:test";
import { dirname, join } from "node:path";
import type { Payload } from "../../../src/protocol/host/host.ts";
import {
  writeTestFile,
  buildSpecificOutput,
  DENY,
  testVerdicts,
  codexHandler,
  testFlaws,
  createMachine,
  summarizeFindings,
  expectSoundFindings,
} from "../check-support.ts";

testVerdicts([
  ["gemini", "BeforeTool", "a document", '{"decision":"deny","reason":"R"}', "", 0, {}, "denied"],
  ["gemini", "BeforeTool", "the other word", '{"decision":"block"}', "", 0, {}, "denied"],
  ["gemini", "BeforeTool", "exit code 2 and allow", '{"decision":"allow"}', "no", 2, {}, "passed"],
  ["gemini", "BeforeTool", "a document with exit code 1", '{"decision":"deny","reason":"R"}', "", 1, {}, "denied"],
  ["gemini", "BeforeTool", "a byte order mark", '\ufeff{"decision":"deny"}', "", 0, {}, "denied"],
  ["gemini", "BeforeTool", "a document on stderr", "", '{"decision":"deny"}', 0, {}, "denied"],
  ["gemini", "BeforeTool", "a document in a string", JSON.stringify('{"decision":"deny"}'), "", 0, {}, "denied"],
  ["gemini", "BeforeTool", "continue false", '{"continue":false}', "", 0, {}, "denied"],
  ["gemini", "BeforeTool", "Claude Code's form", buildSpecificOutput(DENY), "", 0, {}, "passed"],
  ["gemini", "BeforeTool", "ask", '{"decision":"ask"}', "", 0, {}, "passed"],
  ["gemini", "BeforeTool", "a list", '[{"decision":"deny"}]', "", 0, {}, "broken not a document"],
  [
    "gemini",
    "BeforeTool",
    "a text before the document",
    'log\n{"decision":"deny"}',
    "",
    0,
    {},
    "broken text for the user",
  ],
  [
    "gemini",
    "BeforeTool",
    "a text before the document, exit code 2",
    'log\n{"decision":"deny"}',
    "",
    2,
    {},
    "broken as a denial",
  ],
  ["gemini", "BeforeTool", "nothing", "", "", 0, {}, "passed"],
  ["gemini", "BeforeTool", "words on stderr", "", "warning", 0, {}, "passed"],
  ["gemini", "BeforeTool", "exit code 2", "", "no", 2, {}, "denied"],
  ["gemini", "BeforeTool", "exit code 2 without output", " \n", "", 2, {}, "broken printed nothing"],
  ["gemini", "BeforeTool", "exit code 1", "", "no", 1, {}, "broken code 1"],
  ["gemini", "BeforeTool", "a signal", "", "", null, {}, "broken killed"],
  ["gemini", "SessionStart", "a document", '{"decision":"deny","reason":"R"}', "", 0, {}, "passed"],
]);

testFlaws([
  ["gemini", "settings.json", '{"hooks":{},}', "doesn't start", ",}"],
  ["gemini", "settings.json", '\ufeff{"hooks":{}}', "BOM"],
  ["gemini", "settings.json", "[]", "not an object", "["],
  ["gemini", "settings.json", '{"hooks":[]}', "hooks", "[]"],
  ["gemini", "settings.json", '{"hooks":{"BeforeTool":{}}}', "hooks.BeforeTool", "{}"],
  ["gemini", "settings.json", '{"hooks":{"BeforeTool":[{"matcher":"x"}]}}', "ignores it", '{"matcher"'],
  ["gemini", "settings.json", '{"hooks":{"BeforeTool":[null]}}', "hooks.BeforeTool.0", "null"],
  [
    "gemini",
    "settings.json",
    '{"hooks":{"BeforeTool":[{"matcher":5,"hooks":[]}]}}',
    "no hooks for this event, from any file",
    "5",
  ],
  ["gemini", "settings.json", codexHandler('{"command":"x"}'), "type", '{"command"'],
  ["gemini", "settings.json", codexHandler('{"type":"command"}'), "a command is missing", "{"],
  ["gemini", "settings.json", codexHandler('{"type":"command","command":5}'), "command", "5"],
]);

describe("doctor for gemini", () => {
  const CASES: [string, (at: ReturnType<typeof createMachine>) => void, string[], Record<string, string>?][] = [
    ["an untrusted directory", () => {}, ["note untrusted"]],
    ["a trusted directory", trusted(), []],
    ["a directory below a trusted one", (at) => trusted(dirname(at.root))(at), []],
    ["a directory next to a trusted one", (at) => trusted(`${at.root}-2`)(at), ["note untrusted"]],
    [
      "an untrusted directory inside a trusted one",
      (at) =>
        writeTestFile(join(at.place.home, ".gemini/trustedFolders.json"), {
          [dirname(at.root)]: "TRUST_FOLDER",
          [at.root]: "DO_NOT_TRUST",
        }),
      ["red untrusted"],
    ],
    [
      "a directory trusted by its sibling's TRUST_PARENT",
      (at) =>
        writeTestFile(join(at.place.home, ".gemini/trustedFolders.json"), {
          [join(dirname(at.root), "x")]: "TRUST_PARENT",
        }),
      [],
    ],
    ["a directory trusted by the environment", () => {}, [], { GEMINI_CLI_TRUST_WORKSPACE: "true" }],
    [
      "a directory that the environment does not trust",
      trusted(),
      ["red untrusted"],
      { GEMINI_CLI_TRUST_WORKSPACE: "false" },
    ],
    [
      "folder trust that is turned off",
      (at) => writeTestFile(at.pathOf("user"), { security: { folderTrust: { enabled: false } }, hooks: hooks(at) }),
      [],
    ],
    [
      "a project's switch",
      (at) => (trusted()(at), writeTestFile(at.pathOf("project"), { hooksConfig: { enabled: false } })),
      ["red hooks-disabled"],
    ],
    [
      "a user's switch that a project reverses",
      (at) => (
        trusted()(at),
        writeTestFile(at.pathOf("user"), { hooks: hooks(at), hooksConfig: { enabled: false } }),
        writeTestFile(at.pathOf("project"), { hooksConfig: { enabled: true } })
      ),
      [],
    ],
    [
      "an entry disabled by name",
      (at) => (trusted()(at), writeTestFile(at.pathOf("project"), { hooksConfig: { disabled: ["bridge-hooks"] } })),
      ["red entry-disabled"],
    ],
    [
      "other disabled entries",
      (at) => (trusted()(at), writeTestFile(at.pathOf("project"), { hooksConfig: { disabled: ["theirs"] } })),
      [],
    ],
    [
      "managed entries that are not pinned",
      (at) => (trusted()(at), writeTestFile(at.pathOf("managed"), { hooks: hooks(at) })),
      ["red managed-not-pinned"],
    ],
    [
      "pinned managed entries next to a project's switch",
      (at) => (
        trusted()(at),
        writeTestFile(at.pathOf("managed"), { hooks: hooks(at), hooksConfig: { enabled: true } }),
        writeTestFile(at.pathOf("project"), { hooksConfig: { enabled: false } })
      ),
      [],
    ],
    [
      "system settings that the environment moves",
      (at) => (
        trusted()(at),
        writeTestFile(at.pathOf("managed"), { hooks: hooks(at), hooksConfig: { enabled: true } })
      ),
      ["red managed-moved"],
      { GEMINI_CLI_SYSTEM_SETTINGS_PATH: "/elsewhere.json" },
    ],
    [
      "variables that load code, with an entry that sets its own",
      (at) => (trusted()(at), writeTestFile(join(at.root, ".gemini/.env"), "BASH_ENV=./x\n")),
      [],
    ],
    [
      "a variable that keeps the shell from starting programs",
      (at) => (trusted()(at), writeTestFile(join(at.root, ".env"), "LD_TRACE_LOADED_OBJECTS=\n")),
      ["red env-loads-code"],
    ],
    [
      "variables that load code, with an entry that sets none",
      (at) => {
        trusted()(at);
        const { env: _, ...bare } = at.ours("BeforeTool") as Payload;
        writeTestFile(at.pathOf("user"), { hooks: { BeforeTool: [{ hooks: [bare] }] } });
        writeTestFile(join(at.root, ".env"), "A=1\n export BASH_ENV = ./x\n");
      },
      ["red env-loads-code"],
    ],
  ];
  function trusted(folder?: string) {
    return (at: ReturnType<typeof createMachine>) =>
      writeTestFile(join(at.place.home, ".gemini/trustedFolders.json"), { [folder ?? at.root]: "TRUST_FOLDER" });
  }
  const hooks = (at: ReturnType<typeof createMachine>) => ({ BeforeTool: [{ hooks: [at.ours("BeforeTool")] }] });
  for (const [name, prepare, expected, env] of CASES)
    test(`reports ${expected.join(", ") || "nothing"} for ${name}`, async () => {
      const at = createMachine("gemini", { env });
      writeTestFile(at.pathOf("user"), { hooks: hooks(at) });
      prepare(at);
      const findings = await at.examine();
      expect(summarizeFindings(findings)).toEqual(expected);
      expectSoundFindings(findings);
    });
  test("reports nothing without an entry", async () => expect(await createMachine("gemini").examine()).toEqual([]));
});
