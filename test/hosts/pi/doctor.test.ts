import { describe, expect, test } from "bun:test";
import { dirname, join } from "node:path";
import type { ConfigFile, OwnFormat } from "../../../src/protocol/host/install.ts";
import { pi } from "../../../src/hosts/pi/index.ts";
import {
  buildResidentLine,
  createMachine,
  expectSoundFindings,
  getSetup,
  summarizeFindings,
  testVerdicts,
  writeTestFile,
} from "../check-support.ts";

const denying = { args: ["--host", "pi", "--on-error", "deny", "--event", "tool_call"] };

testVerdicts([
  ["pi", "tool_call", "exit code 2 alone", "", "no", 2, {}, "denied"],
  ["pi", "tool_call", "exit code 1, to deny then", "", "no", 1, denying, "broken lets pi continue"],
  ["pi", "tool_call", "no JSON, to deny then", "{", "", 0, denying, "broken not valid JSON, and the plugin blocks"],
  ["pi", "tool_call", "another document", '{"block":true}', "", 0, {}, "broken not one that the plugin accepts"],
  ["pi", "tool_call", "a denial of the resident process", buildResidentLine(2, { deny: "R" }), "", 0, {}, "denied"],
  ["pi", "tool_call", "nothing of the resident process", buildResidentLine(0, null), "", 0, {}, "passed"],
  ["pi", "input", "a denial", '{"deny":"R"}', "", 2, {}, "denied"],
  ["pi", "session_before_compact", "exit code 2", "", "no", 2, {}, "denied"],
  ["pi", "agent_before_settle", "a continuation", '{"go_on":"R"}', "", 0, {}, "denied"],
  ["pi", "session_shutdown", "exit code 2", "", "no", 2, {}, "passed"],
]);

/**
 * Creates a machine with one of our entries in the given scope, and additional files whose paths are relative to the
 * extension's directory.
 */
function plant(scope: "user" | "project", beside: Record<string, string> = {}) {
  const machine = createMachine("pi");
  const file = getSetup("pi")
    .listConfigFiles(machine.place)
    .find((one) => one.scope === scope) as ConfigFile;
  const { write } = file.syntax as OwnFormat;
  const entries = JSON.stringify({ hooks: { tool_call: [machine.ours("tool_call", scope)] } });
  writeTestFile(file.path, write(entries));
  for (const [path, text] of Object.entries(beside)) writeTestFile(join(dirname(file.path), path), text);
  return machine;
}

describe("doctor for pi", () => {
  const settings = (...extensions: string[]) => ({ "../settings.json": JSON.stringify({ extensions }) });
  const cases: [string, Record<string, string>, string[]][] = [
    ["a valid installation", {}, []],
    ["an empty package", { "package.json": "{}" }, ["note other-extensions"]],
    ["a module for the directory", { "index.ts": "" }, ["red extension-hidden", "note other-extensions"]],
    [
      "a package for the directory",
      { "package.json": '{"pi":{"extensions":["./a.js"]}}', "a.js": "" },
      ["red extension-hidden", "note other-extensions"],
    ],
    [
      "a package whose module is missing",
      { "package.json": '{"pi":{"extensions":["./a.js"]}}' },
      ["note other-extensions"],
    ],
    ["other extensions", { "a/index.ts": "", "b.js": "" }, ["note other-extensions"]],
    ["a .gitignore", { ".gitignore": "# a\n/bridge-*.js\n" }, ["red extension-ignored"]],
    ["a .gitignore that reverses the exclusion", { ".gitignore": "*.js\n!bridge-hooks.js\n" }, []],
    ["a .gitignore for other files", { ".gitignore": "other.js\n*.ts\n" }, []],
    ["an .fdignore", { ".fdignore": "bridge-hooks.js" }, ["red extension-ignored"]],
    ["an exclusion", settings("-extensions/bridge-hooks.js"), ["red extension-excluded"]],
    ["a pattern", settings("!extensions/*.js"), ["red extension-excluded"]],
    ["a pattern and an inclusion", settings("!*.js", "+extensions/bridge-hooks.js"), []],
    [
      "an inclusion and an exclusion",
      settings("+./extensions/bridge-hooks.js", "-extensions/bridge-hooks.js"),
      ["red extension-excluded"],
    ],
    ["other settings", settings("/a/b.ts", "-extensions/b.js"), []],
    ["unparsable settings", { "../settings.json": "{" }, []],
  ];
  for (const [what, beside, expected] of cases)
    test(`reports ${expected.join(", ") || "nothing"} for ${what}`, async () => {
      const findings = await plant("user", beside).examine({ version: "1.5.2" });
      expect(summarizeFindings(findings)).toEqual(expected);
      expectSoundFindings(findings);
    });

  test("reports a project that pi doesn't trust, and its own exclusions", async () => {
    const machine = plant("project");
    const agent = pi.folders.user(machine.place);
    const find = async () => summarizeFindings(await machine.examine({ version: "1.5.2" }));
    expect(await find()).toEqual(["red project-untrusted"]);
    writeTestFile(join(agent, "settings.json"), '{ "defaultProjectTrust": "always" }');
    expect(await find()).toEqual([]);
    writeTestFile(join(agent, "trust.json"), '{ "/": false }');
    expect(await find()).toEqual(["red project-untrusted"]);
    writeTestFile(join(agent, "trust.json"), JSON.stringify({ "/": false, [machine.place.roots[0] ?? ""]: true }));
    expect(await find()).toEqual([]);
  });

  test("reports nothing without an entry", async () => {
    expect(await createMachine("pi").examine()).toEqual([]);
  });
});

describe("everything that keeps pi's hooks active", () => {
  const place = { home: "/home/a", platform: "linux", env: {} } as const;

  test("is guarded in the user's other directories as well", () => {
    const files = (folder: string) => pi.hookControls.files({ ...place, env: { PI_CODING_AGENT_DIR: folder } });
    expect(files("/x")).toEqual(expect.arrayContaining(["/x/extensions/", "/x/settings.json", "/x/trust.json"]));
    expect(files("~/x")).toContain("/home/a/x/extensions/");
  });

  test.each([
    [["-ne"], "without extensions"],
    [["-p", "x", "--no-extensions"], "without extensions"],
    [["--no-approve"], "the project's extensions"],
    [["-p", "x"], undefined],
  ])("%j: %s", (args, words) => {
    const found = pi.hookControls.describeBypass(args, () => undefined);
    if (words === undefined) expect(found).toBeUndefined();
    else expect(found).toContain(words);
  });
});
