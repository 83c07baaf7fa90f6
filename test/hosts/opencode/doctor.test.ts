import { describe, expect, test } from "bun:test";
import type { ConfigFile, OwnFormat, MachineContext } from "../../../src/protocol/host/install.ts";
import {
  getSetup,
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
  ["opencode", "tool.execute.before", "exit code 2 alone", "", "no", 2, {}, "denied"],
  [
    "opencode",
    "tool.execute.before",
    "exit code 1, to deny then",
    "",
    "no",
    1,
    denyingEntry,
    "broken lets OpenCode continue",
  ],
  ["opencode", "tool.execute.before", "exit code 1", "", "no", 1, {}, "broken lets OpenCode continue"],
  [
    "opencode",
    "tool.execute.before",
    "no JSON, to deny then",
    "{",
    "",
    0,
    denyingEntry,
    "broken not valid JSON, and the plugin blocks",
  ],
  [
    "opencode",
    "tool.execute.before",
    "another host's document",
    buildSpecificOutput(DENY),
    "",
    0,
    {},
    "broken not one that the plugin accepts",
  ],
  ["opencode", "tool.execute.before", "a denial without a reason", '{"deny":" "}', "", 0, {}, "passed"],
  ["opencode", "tool.execute.before", "a signal", "", "", null, {}, "broken killed"],
  [
    "opencode",
    "tool.execute.before",
    "exit code 127, to deny then",
    "",
    "",
    127,
    denyingEntry,
    "broken code 127, and the plugin blocks",
  ],
  [
    "opencode",
    "tool.execute.before",
    "a denial of the resident process",
    buildResidentLine(2, { deny: "R" }),
    "",
    0,
    {},
    "denied",
  ],
  ["opencode", "tool.execute.before", "one without a document", buildResidentLine(2, null), "", 0, {}, "denied"],
  [
    "opencode",
    "tool.execute.before",
    "nothing of the resident process",
    buildResidentLine(0, null),
    "",
    0,
    {},
    "passed",
  ],
  [
    "opencode",
    "tool.execute.before",
    "its failure, to deny then",
    buildResidentLine(1, null),
    "",
    0,
    denyingEntry,
    "broken lets OpenCode continue",
  ],
  [
    "opencode",
    "tool.execute.before",
    "exit code 2 with a document that denies nothing",
    buildResidentLine(2, {}),
    "",
    0,
    {},
    "denied",
  ],
  [
    "opencode",
    "tool.execute.before",
    "a document with exit code 1",
    buildResidentLine(1, {}),
    "",
    0,
    denyingEntry,
    "broken and the plugin blocks",
  ],
  ["opencode", "session.idle", "a continuation", '{"go_on":"R"}', "", 0, {}, "denied"],
  ["opencode", "dispose", "exit code 2", "", "no", 2, {}, "passed"],
]);

describe("doctor for opencode", () => {
  /** Creates a machine with one of our entries in the given scope. */
  const planted = (scope: "user" | "project" | "managed", env: Record<string, string> = {}) => {
    const made = createMachine("opencode", { env });
    const file = getSetup("opencode")
      .listConfigFiles(made.place)
      .find((one) => one.scope === scope) as ConfigFile;
    const { write } = file.syntax as OwnFormat;
    writeTestFile(
      file.path,
      write(JSON.stringify({ hooks: { "tool.execute.before": [made.ours("tool.execute.before", scope)] } })),
    );
    return made;
  };
  const cases: [string, Parameters<typeof planted>[0], Record<string, string>, string[]][] = [
    ["a valid installation", "user", {}, []],
    ["plugins that are turned off", "user", { OPENCODE_PURE: "1" }, ["red plugins-disabled"]],
    ["a switch with the value false", "user", { OPENCODE_PURE: "false" }, []],
    [
      "a project's entry with project configs turned off",
      "project",
      { OPENCODE_DISABLE_PROJECT_CONFIG: "true" },
      ["red plugins-disabled"],
    ],
    ["a user's entry with project configs turned off", "user", { OPENCODE_DISABLE_PROJECT_CONFIG: "true" }, []],
    [
      "a managed entry with another managed directory",
      "managed",
      { OPENCODE_TEST_MANAGED_CONFIG_DIR: "/x" },
      ["red plugins-disabled"],
    ],
  ];
  for (const [what, scope, env, expected] of cases)
    test(`reports ${expected.join(", ") || "nothing"} for ${what}`, async () => {
      const findings = await planted(scope, env).examine({ version: "1.18.33" });
      expect(summarizeFindings(findings)).toEqual(expected);
      expectSoundFindings(findings);
    });

  test("reports nothing without an entry", async () => {
    expect(await createMachine("opencode", { env: { OPENCODE_PURE: "1" } }).examine()).toEqual([]);
  });

  test("expects the managed plugin's URL for each system, without the image's directory", () => {
    const value = (platform: NodeJS.Platform, env = {}) => {
      const { listCompanionFiles, listConfigFiles } = getSetup("opencode");
      const place: MachineContext = { roots: [], home: "/h", platform, env, system: "/image" };
      const [managed] = listConfigFiles(place);
      const [companion] = listCompanionFiles?.(managed as ConfigFile, place) ?? [];
      return [managed?.path, companion?.path, companion && "settings" in companion && companion.settings[0]?.value];
    };
    const linux = "/etc/opencode";
    expect(value("linux")).toEqual([
      `/image${linux}/plugins/bridge-hooks.js`,
      `/image${linux}/opencode.json`,
      `file://${linux}/plugins/bridge-hooks.js`,
    ]);
    expect(value("darwin")[2]).toBe("file:///Library/Application%20Support/opencode/plugins/bridge-hooks.js");
    expect(value("win32")[2]).toBe("file:///C:/ProgramData/opencode/plugins/bridge-hooks.js");
    expect(value("win32", { ProgramData: "D:\\Data" })[2]).toBe("file:///D:/Data/opencode/plugins/bridge-hooks.js");
  });
});

test("doctor notes an OpenCode release whose rewrites are reportedly ignored", async () => {
  const { examine } = createMachine("opencode");
  expect(summarizeFindings(await examine({ version: "1.18.18" }))).toEqual(["note old-row"]);
  expect(summarizeFindings(await examine({ version: "1.18.33" }))).toEqual([]);
});
