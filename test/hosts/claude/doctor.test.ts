import { describe, expect, test } from "bun:test";
import { chmodSync } from "node:fs";
import { join } from "node:path";
import type { Payload } from "../../../src/protocol/host/host.ts";
import {
  createFolder,
  writeTestFile,
  buildSpecificOutput,
  DENY,
  blockingEntry,
  testVerdicts,
  codexHandler,
  testFlaws,
  createMachine,
  summarizeFindings,
  expectSoundFindings,
} from "../check-support.ts";

testVerdicts([
  ["claude", "PreToolUse", "a bare document", buildSpecificOutput(DENY), "", 0, {}, "denied"],
  ["claude", "PreToolUse", "the document with exit code 1", buildSpecificOutput(DENY), "", 1, {}, "denied"],
  ["claude", "PreToolUse", "an unknown key", buildSpecificOutput(DENY, { zz: 1 }), "", 0, {}, "denied"],
  ["claude", "PreToolUse", "exit code 2 alone", "", "", 2, {}, "denied"],
  ["claude", "PreToolUse", "the older form", '{"decision":"block","reason":"R"}', "", 0, {}, "denied"],
  ["claude", "PreToolUse", "no event's name", JSON.stringify({ hookSpecificOutput: DENY }), "", 0, {}, "passed"],
  [
    "claude",
    "PreToolUse",
    "another event's name",
    buildSpecificOutput({ ...DENY, hookEventName: "Stop" }),
    "",
    0,
    {},
    "passed",
  ],
  ["claude", "PreToolUse", "continue false", '{"continue":false}', "", 0, {}, "passed"],
  ["claude", "PreToolUse", "a text before the document", `log\n${buildSpecificOutput(DENY)}`, "", 0, {}, "passed"],
  [
    "claude",
    "PreToolUse",
    "an entry that nobody waits for",
    buildSpecificOutput(DENY),
    "",
    0,
    { async: true },
    "passed",
  ],
  ["claude", "PreToolUse", "no JSON", '{"hookSpecific', "", 0, {}, "broken continues"],
  [
    "claude",
    "PreToolUse",
    "a text after the document",
    `${buildSpecificOutput(DENY)}\nlog`,
    "",
    0,
    {},
    "broken continues",
  ],
  ["claude", "PreToolUse", "no JSON, onFailure", '{"hookSpecific', "", 0, blockingEntry, "broken onFailure"],
  ["claude", "PreToolUse", "exit code 1", "", "", 1, {}, "broken continues"],
  ["claude", "PreToolUse", "exit code 127, onFailure", "", "", 127, blockingEntry, "broken onFailure"],
  ["claude", "Stop", "exit code 1, onFailure", "", "", 1, blockingEntry, "broken continues"],
  ["claude", "PreToolUse", "a signal", "", "", null, {}, "broken killed"],
  ["claude", "SessionStart", "exit code 2", "", "no", 2, {}, "passed"],
  ["claude", "PermissionRequest", "exit code 2 without a document", "", "no", 2, {}, "broken code 2"],
  ["claude", "UserPromptSubmit", "continue false", '{"continue":false}', "", 0, {}, "denied"],
]);

testFlaws([
  ["claude", "settings.json", '{"hooks":{}', "not valid JSON"],
  ["claude", "settings.json", "[]", "not an object", "["],
  ["claude", "settings.json", "", "not valid JSON"],
  ["claude", "settings.json", '{"hooks":{"Stop":[null]}}', "hooks.Stop.0", "null"],
  ["claude", "settings.json", '{"hooks":{"Stop":[{"matcher":"*"}]}}', "hooks.Stop.0", "{"],
  ["claude", "settings.json", codexHandler('{"type":"command","command":5}'), "command", "5"],
  ["claude", "settings.json", codexHandler('{"type":"command"}'), "a command is missing", "{"],
  ["claude", "settings.json", codexHandler('{"type":"command","command":"x","if":5}'), "if", "5"],
  ["claude", "settings.json", '{"model":5}', "model", "5"],
  ["claude", "settings.json", '{"disableAllHooks":"no"}', "disableAllHooks", '"no"'],
  ["claude", "settings.json", '{"hooks":{"Stop":[],"Stop":[]}}', "twice", '"Stop":[]}'],
]);

describe("doctor for claude", () => {
  const settings = (handler: Payload) => ({ hooks: { PreToolUse: [{ hooks: [handler] }] } });
  /** Creates a machine with our entry in one scope and other files in other scopes. */
  const planted = (scope: string, others: Record<string, object> = {}, options = {}) => {
    const made = createMachine("claude", options);
    const texts: Record<string, object> = { [scope]: settings(made.ours("PreToolUse")) };
    for (const [name, document] of Object.entries(others)) texts[name] = { ...texts[name], ...document };
    for (const [name, text] of Object.entries(texts)) writeTestFile(made.pathOf(name), text);
    return made;
  };
  const cases: [string, string, Record<string, object>, string[]][] = [
    ["a valid installation", "user", {}, []],
    ["a managed file", "managed", {}, ["note managed-source"]],
    ["a user's switch", "user", { user: { disableAllHooks: true } }, ["red hooks-disabled"]],
    ["a project's switch", "user", { project: { disableAllHooks: true } }, ["red hooks-disabled"]],
    ["a local switch", "project", { local: { disableAllHooks: true } }, ["red hooks-disabled"]],
    [
      "a project's switch against managed entries",
      "managed",
      { project: { disableAllHooks: true } },
      ["note managed-source"],
    ],
    [
      "a managed switch",
      "managed",
      { managed: { disableAllHooks: true } },
      ["note managed-source", "red hooks-disabled"],
    ],
    [
      "managed hooks only",
      "user",
      { managed: { allowManagedHooksOnly: true } },
      ["note managed-source", "red managed-hooks-only"],
    ],
    [
      "managed hooks only and a managed entry",
      "managed",
      { managed: { allowManagedHooksOnly: true } },
      ["note managed-source"],
    ],
    [
      "plugins' customization only",
      "user",
      { managed: { strictPluginOnlyCustomization: true } },
      ["note managed-source", "red managed-hooks-only"],
    ],
    [
      "plugins' hooks only",
      "user",
      { managed: { strictPluginOnlyCustomization: ["hooks"] } },
      ["note managed-source", "red managed-hooks-only"],
    ],
    [
      "plugins' agents only",
      "user",
      { managed: { strictPluginOnlyCustomization: ["agents"] } },
      ["note managed-source"],
    ],
    [
      "a loader's variable",
      "user",
      { project: { env: { LD_PRELOAD: "./x.so", DYLD_INSERT_LIBRARIES: "x" } } },
      ["red env-loads-code"],
    ],
    [
      "a project's library directory",
      "user",
      { project: { env: { LD_LIBRARY_PATH: "./lib" } } },
      ["red env-loads-code"],
    ],
    ["the user's library directory", "user", { user: { env: { LD_LIBRARY_PATH: "/lib" } } }, ["note env-moves"]],
    ...["LD_TRACE_LOADED_OBJECTS", "LD_DEBUG", "LD_SHOW_AUXV", "GLIBC_TUNABLES", "MALLOC_TOP_PAD_"].map(
      (name): (typeof cases)[number] => [name, "user", { project: { env: { [name]: "" } } }, ["red env-ends-programs"]],
    ),
    ...[
      "SIMDUTF_FORCE_IMPLEMENTATION",
      "JSC_SIGNAL_FOR_GC",
      "MIMALLOC_VERBOSE",
      "SSL_CERT_FILE",
      "https_proxy",
      "SystemRoot",
    ].map((name): (typeof cases)[number] => [name, "user", { project: { env: { [name]: "x" } } }, ["note env-moves"]]),
    ["a variable that moves files", "user", { local: { env: { PATH: "/x", BUN_OPTIONS: "x" } } }, ["note env-moves"]],
    ["a harmless variable", "user", { local: { env: { EDITOR: "vi" } } }, []],
  ];
  for (const [what, scope, others, expected] of cases)
    test(`reports ${expected.join(", ") || "nothing"} for ${what}`, async () => {
      const findings = await planted(scope, others).examine({ version: "2.1.330" });
      expect(summarizeFindings(findings)).toEqual(expected);
      expectSoundFindings(findings);
    });

  /** Returns managed settings for the plugin that keeps mods from replacing hooks. */
  const guardOptions = (options: object, id = "cc-plugin-sec-default@builtin") => ({
    cleanupPeriodDays: 30,
    pluginConfigs: { [id]: { options } },
  });
  const modCases: [string, string, object | undefined, string[]][] = [
    ["managed settings that don't affect the guard", "user", { cleanupPeriodDays: 30 }, []],
    ["mods that may override", "user", guardOptions({ allowModsToOverrideDenyRules: true }), ["red mods-lift-denials"]],
    [
      "mods that may override, by the older name",
      "project",
      guardOptions({ allowModsToOverrideDenyRules: true }, "sec-default@builtin"),
      ["red mods-lift-denials"],
    ],
    [
      "an override without mods",
      "user",
      guardOptions({ allowModsToOverrideDenyRules: true, allowManagedModsOnly: true }),
      [],
    ],
    ["a plugin order without the guard", "user", { prependPlugins: ["a@b"] }, ["red mods-lift-denials"]],
    ["a plugin order with the guard", "user", { prependPlugins: ["a@b", "sec-default@builtin"] }, []],
    [
      "the guard turned off",
      "user",
      { ...guardOptions({ allowManagedModsOnly: true }), enabledPlugins: { "cc-plugin-sec-default@builtin": false } },
      ["red mods-lift-denials"],
    ],
    ["managed entries next to an override", "managed", guardOptions({ allowModsToOverrideDenyRules: true }), []],
  ];
  for (const [what, scope, managed, expected] of modCases)
    test(`reports ${expected.join(", ") || "no mods"} for ${what}`, async () => {
      const findings = await planted(scope, managed && { managed }).examine({ version: "2.1.332" });
      expect(summarizeFindings(findings)).toEqual(["note managed-source", ...expected]);
      expectSoundFindings(findings);
    });

  test("names installed mods unless managed settings keep them from the user's hooks", async () => {
    const plant = (managed?: object) => {
      const made = planted("user", managed && { managed });
      const plugins = join(made.pathOf("user"), "../plugins");
      writeTestFile(join(plugins, "cache/mod/hooks/hooks.json"), { modules: ["./register.ts"] });
      writeTestFile(join(plugins, "cache/plain/hooks/hooks.json"), { hooks: {} });
      writeTestFile(join(plugins, "installed_plugins.json"), {
        version: 2,
        plugins: {
          "mod@x": [{ scope: "user", installPath: join(plugins, "cache/mod") }],
          "plain@x": [{ scope: "user", installPath: join(plugins, "cache/plain") }],
        },
      });
      writeTestFile(join(plugins, "../dev-mods/mine/hooks/hooks.json"), { modules: ["./register.ts"] });
      return made;
    };
    const findings = await plant().examine({ version: "2.1.332" });
    expect(summarizeFindings(findings)).toEqual(["note mods-lift-denials"]);
    expect(findings[0]?.what).toMatch(/^mods are installed: .*cache\/mod, .*dev-mods\/mine$/);
    expectSoundFindings(findings);
    expect(summarizeFindings(await plant().examine({ version: "2.1.197" }))).toEqual(["red on-failure-ignored"]);
    expect(summarizeFindings(await plant({ cleanupPeriodDays: 30 }).examine())).toEqual(["note managed-source"]);
  });

  const helper = { path: "/opt/policy/helper" };
  const helperCases: [string, string, object, string[]][] = [
    ["a helper in place of managed entries", "managed", { policyHelper: helper }, ["red managed-helper"]],
    ["a helper for this system", "managed", { policyHelpers: { linux: helper } }, ["red managed-helper"]],
    ["a helper for another system", "managed", { policyHelpers: { windows: helper } }, []],
    [
      "a helper that adds settings",
      "managed",
      { policyHelpers: { linux: { ...helper, outputBehavior: "merge" } } },
      [],
    ],
    ["a helper next to the user's entries", "user", { policyHelper: helper }, []],
  ];
  for (const [what, scope, managed, expected] of helperCases)
    test(`reports ${expected.join(", ") || "nothing"} for ${what}`, async () => {
      const findings = await planted(scope, { managed }, { platform: "linux" }).examine({ version: "2.1.332" });
      expect(summarizeFindings(findings)).toEqual(["note managed-source", ...expected]);
      expectSoundFindings(findings);
    });

  test("notes a release that runs no hook for the shell commands of skills", async () => {
    const made = planted("user");
    writeTestFile(made.pathOf("user"), {
      hooks: { PreSkillShellCommand: [{ hooks: [made.ours("PreSkillShellCommand")] }] },
    });
    const findings = await made.examine({ version: "2.1.330" });
    expect(summarizeFindings(findings)).toEqual(["note skill-lines-unasked"]);
    expectSoundFindings(findings);
    expect(await made.examine({ version: "2.1.332" })).toEqual([]);
    expect(await made.examine()).toEqual([]);
  });

  test("reports onFailure for a release that does not support it", async () => {
    const { examine } = planted("user");
    const findings = await examine({ version: "2.1.197" });
    expect(summarizeFindings(findings)).toEqual(["red on-failure-ignored"]);
    expect(await examine()).toEqual([]);
    expect(summarizeFindings(await examine({ version: "2.1.294" }))).toEqual(["red on-failure-ignored"]);
    expect(await examine({ version: "2.1.295" })).toEqual([]);
    expectSoundFindings(findings);
  });

  /** A stand-in for another system's program that prints the given text. */
  const fake = (name: string, text: string) => {
    const bin = createFolder();
    writeTestFile(join(bin, name), `#!/bin/sh\ncat <<'END'\n${text}\nEND\n`);
    chmodSync(join(bin, name), 0o755);
    return { env: { PATH: `${bin}:${process.env.PATH}` } };
  };

  test.skipIf(process.platform === "win32")("reports managed files that macOS preferences override", async () => {
    const shadowed = planted("managed", {}, { platform: "darwin", ...fake("plutil", '{"permissions":{}}') });
    expect(summarizeFindings(await shadowed.examine())).toEqual(["note managed-source"]);
    const plist = join(shadowed.place.system as string, "Library/Managed Preferences/com.anthropic.claudecode.plist");
    writeTestFile(plist, "bplist00");
    const findings = await shadowed.examine();
    expect(summarizeFindings(findings)).toEqual(["red managed-shadowed"]);
    expect(findings[0]?.what).toContain(plist);
    expectSoundFindings(findings);

    const entry = shadowed.ours("PreToolUse");
    const carried = planted("managed", {}, { platform: "darwin", ...fake("plutil", JSON.stringify(settings(entry))) });
    writeTestFile(
      join(carried.place.system as string, "Library/Managed Preferences/home/com.anthropic.claudecode.plist"),
      "bplist00",
    );
    expect(summarizeFindings(await carried.examine())).toEqual(["note managed-source"]);

    const merging = planted(
      "managed",
      {},
      { platform: "darwin", ...fake("plutil", '{"managedSourcesBehavior":"merge"}') },
    );
    writeTestFile(
      join(merging.place.system as string, "Library/Managed Preferences/com.anthropic.claudecode.plist"),
      "bplist00",
    );
    expect(summarizeFindings(await merging.examine())).toEqual(["note managed-source"]);
  });

  test.skipIf(process.platform === "win32")(
    "reports settings that a Windows policy overrides or restricts",
    async () => {
      const reg = fake("reg", '\n    Settings    REG_SZ    {"allowManagedHooksOnly":true}\n');
      expect(summarizeFindings(await planted("managed", {}, { platform: "win32", ...reg }).examine())).toEqual([
        "red managed-shadowed",
      ]);
      expect(summarizeFindings(await planted("user", {}, { platform: "win32", ...reg }).examine())).toEqual([
        "note managed-source",
        "red managed-hooks-only",
      ]);
    },
  );
});
