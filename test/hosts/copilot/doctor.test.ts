import { describe, expect, test } from "bun:test";
import { join } from "node:path";
import type { Payload } from "../../../src/protocol/host/host.ts";
import type { ConfigFile } from "../../../src/protocol/host/install.ts";
import {
  getSetup,
  writeTestFile,
  PROGRAM,
  buildSpecificOutput,
  DENY,
  testVerdicts,
  copilotEntry,
  testFlaws,
  createMachine,
  summarizeFindings,
  expectSoundFindings,
} from "../check-support.ts";

testVerdicts([
  ["copilot", "preToolUse", "a denial", JSON.stringify(DENY), "", 0, {}, "denied"],
  ["copilot", "preToolUse", "exit code 2 without output", "", "", 2, {}, "denied"],
  ["copilot", "preToolUse", "exit code 1", "", "", 1, {}, "broken blocks the call"],
  ["copilot", "preToolUse", "a signal", "", "", null, {}, "broken killed"],
  ["copilot", "preToolUse", "Claude Code's form", buildSpecificOutput(DENY), "", 0, {}, "passed"],
  ["copilot", "PreToolUse", "Claude Code's form", buildSpecificOutput(DENY), "", 0, {}, "denied"],
  [
    "copilot",
    "preToolUse",
    "a text before the document",
    `log\n${JSON.stringify(DENY)}`,
    "",
    0,
    {},
    "broken not a document",
  ],
  ["copilot", "preToolUse", "the older form", '{"decision":"block","reason":"R"}', "", 0, {}, "passed"],
  ["copilot", "permissionRequest", "a denial", '{"behavior":"deny"}', "", 0, {}, "denied"],
  ["copilot", "permissionRequest", "exit code 1", "", "", 1, {}, "broken blocks the call"],
  ["copilot", "userPromptSubmitted", "exit code 2", "", "no", 2, {}, "passed"],
  ["copilot", "userPromptSubmitted", "a block", '{"decision":"block","reason":"R"}', "", 2, {}, "denied"],
  ["copilot", "postToolUse", "exit code 1", "", "", 1, {}, "broken continues"],
  ["copilot", "sessionStart", "a block", '{"decision":"block","reason":"R"}', "", 0, {}, "passed"],
]);

testFlaws([
  [
    "copilot",
    "hooks.json",
    '{"version":1,}',
    "trailing comma; remove it; Copilot silently ignores the whole file",
    ",}",
  ],
  ["copilot", "hooks.json", "{/* c */}", "comment", "/*"],
  ["copilot", "hooks.json", '\ufeff{"version":1}', "BOM"],
  ["copilot", "hooks.json", '{"version":2}', "version: must be 1; Copilot silently ignores the whole file", "2"],
  ["copilot", "hooks.json", '{"disableAllHooks":"no"}', "disableAllHooks", '"no"'],
  [
    "copilot",
    "hooks.json",
    '{"hooks":{"preToolUse":{}}}',
    "must be a list; Copilot silently ignores the whole file",
    "{}",
  ],
  ["copilot", "hooks.json", '{"hooks":{"Stop":[],"Stop":[]}}', "twice", '"Stop":[]}'],
  ["copilot", "hooks.json", copilotEntry("{}"), "a command is missing; Copilot silently ignores this entry", "{}"],
  ["copilot", "hooks.json", copilotEntry('{"command":"x","timeout":-1}'), "timeout", "-1"],
  ["copilot", "hooks.json", copilotEntry('{"command":"x","timeoutSec":"5"}'), "timeoutSec", '"5"'],
  ["copilot", "hooks.json", copilotEntry('{"command":"x","matcher":""}'), "not a valid pattern", '""'],
  ["copilot", "hooks.json", copilotEntry('{"command":"x","matcher":"*"}'), "not a valid pattern", '"*"'],
  ["copilot", "settings.json", copilotEntry("{}"), "a command is missing; Copilot silently ignores all hooks", "{}"],
  ["copilot", ".github/copilot/settings.local.json", "{/* c */}", "comment", "/*"],
]);

describe("doctor for copilot", () => {
  const entries = (handler: Payload) => JSON.stringify({ version: 1, hooks: { preToolUse: [handler] } });
  const CLAUDES = JSON.stringify({
    hooks: { PreToolUse: [{ hooks: [{ type: "command", command: `${PROGRAM} --host claude` }] }] },
  });

  test("reports nothing for a user's entry", async () => {
    const { pathOf, ours, examine } = createMachine("copilot");
    writeTestFile(pathOf("user"), entries(ours("preToolUse")));
    expect(await examine()).toEqual([]);
  });

  test("notes that a project's entry runs only in a trusted folder", async () => {
    const { pathOf, ours, examine } = createMachine("copilot");
    writeTestFile(pathOf("project"), entries(ours("preToolUse")));
    const found = await examine();
    expect(summarizeFindings(found)).toEqual(["note folder-trust"]);
    expectSoundFindings(found);
  });

  test("reports hooks that a project turns off, except managed ones", async () => {
    for (const name of [
      ".github/copilot/settings.json",
      ".github/copilot/settings.local.json",
      ".claude/settings.json",
    ]) {
      const { pathOf, ours, examine, root } = createMachine("copilot");
      writeTestFile(join(root, name), '{"disableAllHooks":true}');
      expect(await examine()).toEqual([]);
      writeTestFile(pathOf("managed"), entries(ours("preToolUse", "managed")));
      expect(await examine()).toEqual([]);
      writeTestFile(pathOf("user"), entries(ours("preToolUse")));
      const found = await examine();
      expect(summarizeFindings(found)).toEqual(["red hooks-disabled"]);
      expect(found[0]?.what).toContain(name);
      expectSoundFindings(found);
    }
  });

  test("reports managed settings that allow only managed hooks", async () => {
    for (const document of ['{"allowManagedHooksOnly":true}', '{"strictPluginOnlyCustomization":["hooks"]}']) {
      const { base, pathOf, ours, examine } = createMachine("copilot");
      writeTestFile(join(base, "system/etc/github-copilot/managed-settings.json"), document);
      writeTestFile(pathOf("user"), entries(ours("preToolUse")));
      const found = await examine();
      expect(summarizeFindings(found)).toEqual(["red managed-hooks-only"]);
      expectSoundFindings(found);
      writeTestFile(pathOf("managed"), entries(ours("preToolUse", "managed")));
      expect(await examine()).toEqual([]);
    }
  });

  test("notes entries of Claude Code in the project", async () => {
    const { pathOf, ours, examine, root } = createMachine("copilot");
    writeTestFile(join(root, ".claude/settings.json"), CLAUDES);
    writeTestFile(pathOf("user"), entries(ours("preToolUse")));
    const found = await examine();
    expect(summarizeFindings(found)).toEqual(["note imported-entries"]);
    expectSoundFindings(found);
  });

  test("reads every file in a directory, and entries in each form", () => {
    const { pathOf, place } = createMachine("copilot");
    const folder = join(pathOf("user"), "..");
    writeTestFile(join(folder, "deep/other.json"), "{}");
    const { listConfigFiles, parseEntries } = getSetup("copilot");
    expect(listConfigFiles(place).map(({ path }) => path)).toContain(join(folder, "deep/other.json"));
    const text = JSON.stringify({
      hooks: {
        preToolUse: [
          { bash: "b", powershell: "p", command: "c" },
          { matcher: "x", hooks: [{ command: "n" }] },
        ],
      },
    });
    const found = parseEntries(text, "/x/hooks.json").map(({ command, path }) => [command, path.join(".")]);
    expect(found).toEqual([
      [process.platform === "win32" ? "p" : "b", "hooks.preToolUse.0"],
      ["n", "hooks.preToolUse.1.hooks.0"],
    ]);
  });
});

test("doctor notes a Copilot release whose background agents reportedly call no hook", async () => {
  const made = createMachine("copilot");
  const file = getSetup("copilot")
    .listConfigFiles(made.place)
    .find(({ target }) => target) as ConfigFile;
  writeTestFile(file.path, { version: 1, hooks: { preToolUse: [made.ours("preToolUse")] } });
  const checksOf = async (version: string) => (await made.examine({ version })).map(({ check }) => check);
  expect(await checksOf("1.0.37")).toContain("background-agents");
  expect(await checksOf("1.0.102")).not.toContain("background-agents");
});
