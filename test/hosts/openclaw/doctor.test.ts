import { describe, expect, test } from "bun:test";
import { chmodSync, renameSync, symlinkSync } from "node:fs";
import { dirname, join } from "node:path";
import type { ConfigFile, OwnFormat } from "../../../src/protocol/host/install.ts";
import {
  getSetup,
  createFolder,
  writeTestFile,
  buildSpecificOutput,
  DENY,
  denyingEntry,
  buildResidentLine,
  testVerdicts,
  createMachine,
  summarizeFindings,
  expectSoundFindings,
} from "../check-support.ts";

testVerdicts([
  ["openclaw", "before_tool_call", "exit code 2 alone", "", "no", 2, {}, "denied"],
  ["openclaw", "before_tool_call", "exit code 1", "", "no", 1, denyingEntry, "broken lets OpenClaw continue"],
  [
    "openclaw",
    "before_tool_call",
    "no JSON, to deny then",
    "{",
    "",
    0,
    denyingEntry,
    "broken not a JSON document, and the plugin blocks",
  ],
  ["openclaw", "before_tool_call", "no JSON", "{", "", 0, {}, "broken lets OpenClaw continue"],
  ["openclaw", "before_tool_call", "a list", "[]", "", 0, denyingEntry, "broken not an object"],
  ["openclaw", "before_tool_call", "another host's document", buildSpecificOutput(DENY), "", 0, {}, "passed"],
  ["openclaw", "before_tool_call", "a block that is not a boolean", '{"block":"true"}', "", 0, {}, "passed"],
  [
    "openclaw",
    "before_tool_call",
    "a signal, to deny then",
    "",
    "",
    null,
    denyingEntry,
    "broken killed, and the plugin blocks",
  ],
  [
    "openclaw",
    "before_tool_call",
    "exit code 127, to deny then",
    "",
    "",
    127,
    denyingEntry,
    "broken code 127, and the plugin blocks",
  ],
  [
    "openclaw",
    "before_tool_call",
    "a denial of the resident process",
    buildResidentLine(2, { block: true }),
    "",
    0,
    {},
    "denied",
  ],
  ["openclaw", "before_tool_call", "one without a document", buildResidentLine(2, null), "", 0, {}, "denied"],
  ["openclaw", "before_tool_call", "nothing of the resident process", buildResidentLine(0, null), "", 0, {}, "passed"],
  [
    "openclaw",
    "before_tool_call",
    "its failure",
    buildResidentLine(1, null),
    "",
    0,
    denyingEntry,
    "broken lets OpenClaw continue",
  ],
  [
    "openclaw",
    "before_tool_call",
    "exit code 2 with a document that denies nothing",
    buildResidentLine(2, {}),
    "",
    0,
    {},
    "denied",
  ],
  [
    "openclaw",
    "before_tool_call",
    "a document with exit code 1",
    buildResidentLine(1, {}),
    "",
    0,
    denyingEntry,
    "broken and the plugin blocks",
  ],
  [
    "openclaw",
    "before_tool_call",
    "a negative exit code",
    "",
    "",
    -1,
    denyingEntry,
    "broken code -1, and the plugin blocks",
  ],
  ["openclaw", "before_agent_run", "a denial", '{"outcome":"block"}', "", 2, {}, "denied"],
  ["openclaw", "before_agent_finalize", "a revision", '{"action":"revise","reason":"R"}', "", 0, {}, "denied"],
  ["openclaw", "before_agent_finalize", "a revision without a reason", '{"action":"revise"}', "", 0, {}, "passed"],
  ["openclaw", "session_end", "exit code 2", "", "no", 2, {}, "passed"],
]);

describe("doctor for openclaw", () => {
  /** Creates a machine with one of our entries and a config for the plugin. */
  const planted = (plugins: object = {}, env: Record<string, string> = {}) => {
    const made = createMachine("openclaw", { env });
    const [file] = getSetup("openclaw").listConfigFiles(made.place) as [ConfigFile];
    const { write } = file.syntax as OwnFormat;
    writeTestFile(file.path, write(JSON.stringify({ hooks: { before_tool_call: [made.ours("before_tool_call")] } })));
    writeTestFile(env.OPENCLAW_CONFIG_PATH ?? join(dirname(file.path), "../../openclaw.json"), { plugins });
    return { ...made, path: file.path };
  };
  const cases: [string, Parameters<typeof planted>[0], string[]][] = [
    ["a valid installation", {}, []],
    ["plugins that are turned off", { enabled: false }, ["red plugins-disabled"]],
    ["our plugin in the deny list", { deny: ["x", "bridge-hooks"] }, ["red plugin-denied"]],
    ["another plugin in the deny list", { deny: ["x"], enabled: true }, []],
  ];
  const harness = (appServer: object, more: object = {}) => ({
    entries: { codex: { ...more, config: { appServer } } },
  });
  for (const [what, plugins, notes] of [
    ["the Codex harness with its default settings", harness({}), ["note codex-harness"]],
    ["a Codex harness that never asks", harness({ mode: "guardian", approvalPolicy: "never" }), ["note codex-harness"]],
    ["a Codex harness that asks", harness({ mode: "guardian" }), []],
    ["a Codex harness that is turned off", harness({}, { enabled: false }), []],
  ] as const)
    test(`reports ${notes.join() || "nothing but agent-exec"} for ${what}`, async () => {
      const findings = await planted(plugins).examine({ version: "2026.9.6" });
      expect(summarizeFindings(findings)).toEqual(["note agent-exec", ...notes]);
      expectSoundFindings(findings);
    });
  for (const [what, plugins, expected] of cases)
    test(`reports ${expected.join(", ") || "nothing but agent-exec"} for ${what}`, async () => {
      const findings = await planted(plugins).examine({ version: "2026.9.6" });
      expect(summarizeFindings(findings)).toEqual([...expected, "note agent-exec"]);
      expectSoundFindings(findings);
    });

  test("reads the config at OPENCLAW_CONFIG_PATH", async () => {
    const OPENCLAW_CONFIG_PATH = join(createFolder(), "own.json");
    expect(summarizeFindings(await planted({ enabled: false }, { OPENCLAW_CONFIG_PATH }).examine())).toEqual([
      "red plugins-disabled",
      "note agent-exec",
    ]);
  });

  test.skipIf(process.platform === "win32")("reports a plugin file or directory that any user can write", async () => {
    const { path, examine } = planted();
    for (const one of [path, dirname(path)]) chmodSync(one, 0o777);
    const findings = await examine();
    expect(summarizeFindings(findings)).toEqual(["red plugin-writable", "red plugin-writable", "note agent-exec"]);
    expectSoundFindings(findings);
  });

  test.skipIf(process.platform === "win32")("reports a plugin that is a link", async () => {
    const { path, examine, base } = planted();
    renameSync(path, join(base, "real.mjs"));
    symlinkSync(join(base, "real.mjs"), path);
    const findings = await examine();
    expect(summarizeFindings(findings)).toEqual(["red linked-plugin", "note agent-exec"]);
    expectSoundFindings(findings);
  });

  test("reports nothing without an entry", async () => {
    const { place, examine } = createMachine("openclaw");
    writeTestFile(join(place.home, ".openclaw/openclaw.json"), { plugins: { enabled: false } });
    expect(await examine()).toEqual([]);
  });
});
