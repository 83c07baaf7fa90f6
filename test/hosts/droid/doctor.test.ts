import { describe, expect, test } from "bun:test";
import { join } from "node:path";
import {
  buildSpecificOutput,
  createMachine,
  DENY,
  expectSoundFindings,
  getSetup,
  summarizeFindings,
  testFlaws,
  testVerdicts,
  writeTestFile,
} from "../check-support.ts";

const NESTED = buildSpecificOutput(DENY);
const BLOCK = '{"decision":"block","reason":"R"}';
const END = '{"continue":false}';

testVerdicts([
  ["droid", "PreToolUse", "a document", NESTED, "", 0, {}, "denied"],
  ["droid", "PreToolUse", "a document with exit code 1", NESTED, "", 1, {}, "denied"],
  ["droid", "PreToolUse", "a document of a killed hook", NESTED, "", null, {}, "denied"],
  ["droid", "PreToolUse", "exit code 2 without output", "", "", 2, {}, "denied"],
  [
    "droid",
    "PreToolUse",
    "allow with exit code 2",
    buildSpecificOutput({ permissionDecision: "allow" }),
    "",
    2,
    {},
    "denied",
  ],
  [
    "droid",
    "PreToolUse",
    "a decision outside of the nested object",
    '{"decision":"deny","reason":"R"}',
    "",
    0,
    {},
    "passed",
  ],
  ["droid", "PreToolUse", "the older word", BLOCK, "", 0, {}, "passed"],
  ["droid", "PreToolUse", "ask", buildSpecificOutput({ permissionDecision: "ask" }), "", 0, {}, "passed"],
  ["droid", "PreToolUse", "words", "log", "", 0, {}, "passed"],
  ["droid", "PreToolUse", "a text before the document", `log\n${NESTED}`, "", 0, {}, "passed"],
  ["droid", "PreToolUse", "a text before the document, with exit code 2", `log\n${NESTED}`, "R", 2, {}, "denied"],
  ["droid", "PreToolUse", "exit code 1", "", "no", 1, {}, "broken code 1"],
  ["droid", "PreToolUse", "exit code 3, which ends the run", "", "no", 3, {}, "denied"],
  ["droid", "PreToolUse", "continue: false, which ends the run", END, "", 0, {}, "denied"],
  ["droid", "PreToolUse", "a signal", "", "", null, {}, "broken killed"],
  ["droid", "PostToolUse", "a document", BLOCK, "", 0, {}, "passed"],
  ["droid", "PostToolUse", "exit code 2", "", "no", 2, {}, "denied"],
  ["droid", "UserPromptSubmit", "a document", BLOCK, "", 0, {}, "passed"],
  ["droid", "UserPromptSubmit", "exit code 2", "", "no", 2, {}, "denied"],
  ["droid", "UserPromptSubmit", "exit code 3", "", "no", 3, {}, "denied"],
  ["droid", "Stop", "a document", BLOCK, "", 0, {}, "denied"],
  ["droid", "Stop", "a document without a reason, and exit code 2", '{"decision":"block"}', "no", 2, {}, "passed"],
  ["droid", "Stop", "exit code 2", "", "go on", 2, {}, "denied"],
  ["droid", "Stop", "exit code 2 that ends the turn", END, "go on", 2, {}, "passed"],
  ["droid", "PreCompact", "exit code 2", "", "no", 2, {}, "denied"],
  ["droid", "SubagentStop", "exit code 2", "", "no", 2, {}, "broken code 2"],
  ["droid", "SessionStart", "a document", BLOCK, "", 0, {}, "passed"],
]);

const group = (handler: string, more = "") => `{${more}"hooks":[${handler}]}`;
const bare = (...groups: string[]) => `{"PreToolUse":[${groups.join()}]}`;
const WHOLE = "ignores every hook";

testFlaws([
  ["droid", "hooks.json", '{"PreToolUse":[],}', WHOLE, ",}"],
  ["droid", "hooks.json", '\ufeff{"PreToolUse":[]}', "BOM"],
  ["droid", "hooks.json", "[]", WHOLE, "[]"],
  ["droid", "hooks.json", '{"PreToolUse":{}}', WHOLE, "{}"],
  ["droid", "hooks.json", '{"Stop":null}', WHOLE, "null"],
  ["droid", "hooks.json", '{"hooksDisabled":"no"}', WHOLE, '"no"'],
  ["droid", "hooks.json", bare('{"matcher":"x"}'), WHOLE, '{"matcher"'],
  ["droid", "hooks.json", bare(group('{"type":"command"}')), WHOLE, '{"type"'],
  ["droid", "hooks.json", bare(group('{"type":"prompt","command":"x"}')), "must be command", '"prompt"'],
  ["droid", "hooks.json", bare(group('{"type":"command","command":"x","timeout":"5"}')), "number", '"5"'],
  ["droid", "hooks.json", bare(group('{"type":"command","command":"x","timeout":null}')), "number", "null"],
  ["droid", "hooks.json", bare(group("", '"matcher":null,')), WHOLE, "null"],
  ["droid", "hooks.json", bare(group("", '"matcher":"(",')), "skips the group", '"("'],
  ["droid", "hooks.json", bare(group("", '"commandRegex":"(",')), "skips the group", '"("'],
  ["droid", "settings.json", `{"hooks":${bare(group('{"type":"command"}'))}}`, WHOLE, '{"type"'],
  ["droid", "settings.json", '{"hooks":[]}', WHOLE, "[]"],
]);

describe("for droid,", () => {
  const installed = (scope: "user" | "project" | "managed" = "user", file?: string, document?: object) => {
    const made = createMachine("droid");
    const hooks = { PreToolUse: [{ hooks: [made.ours("PreToolUse", scope)] }] };
    const path = file === undefined ? made.pathOf(scope) : join(made.base, file);
    const isBare = path.endsWith("hooks.json");
    writeTestFile(path, {
      ...document,
      ...(isBare ? hooks : { hooks: { ...hooks, ...(scope === "managed" && { hooksDisabled: false }) } }),
    });
    return { ...made, path };
  };
  const found = async ({ examine }: ReturnType<typeof createMachine>, more = {}) => {
    const findings = await examine(more);
    expectSoundFindings(findings);
    return summarizeFindings(findings);
  };
  const QUIET = ["note fails-open"];

  test("config files are listed by scope and system, and files of one directory in order of precedence", () => {
    const paths = (platform: NodeJS.Platform, env = {}) =>
      getSetup("droid")
        .listConfigFiles({ roots: ["/p"], home: "/h", platform, env })
        .map(({ scope, path, target, instead }) => `${scope} ${path}${target ? " *" : instead ? " +" : ""}`);
    const own = (scope: string, folder: string) => [
      `${scope} ${folder}/hooks.json *`,
      `${scope} ${folder}/hooks/hooks.json`,
      `${scope} ${folder}/settings.json +`,
    ];
    const rest = (folder: string) => [...own("user", folder), ...own("project", "/p/.factory")];
    expect(paths("linux")).toEqual(["managed /etc/factory/settings.json *", ...rest("/h/.factory")]);
    expect(paths("darwin", { FACTORY_HOME_OVERRIDE: "/o" })).toEqual([
      "managed /Library/Application Support/Factory/settings.json *",
      ...rest("/o/.factory"),
    ]);
    expect(paths("win32")[0]).toBe("managed C:/Program Files/Factory/settings.json *");
  });

  test("doctor reports nothing without an installation", async () =>
    expect(await found(createMachine("droid"))).toEqual([]));

  test("doctor notes that a failure lets the call proceed, in each scope and file", async () => {
    for (const made of [
      installed(),
      installed("project"),
      installed("managed"),
      installed("user", "home/.factory/settings.json"),
      installed("user", "home/.factory/hooks/hooks.json"),
    ])
      expect([made.path, await found(made)]).toEqual([made.path, QUIET]);
  });

  test("doctor reports the switch for all hooks, in the order in which Droid searches for it", async () => {
    const off = { hooksDisabled: true };
    const on = { hooksDisabled: false };
    const switched = (project: object, user: object) => {
      const made = installed();
      writeTestFile(join(made.root, ".factory/hooks.json"), project);
      writeTestFile(join(made.base, "home/.factory/settings.json"), { hooks: user });
      return made;
    };
    const RED = ["red hooks-disabled", ...QUIET];
    expect(await found(switched({}, off))).toEqual(RED);
    expect(await found(switched(off, {}))).toEqual(RED);
    expect(await found(switched(off, on))).toEqual(RED);
    expect(await found(switched(on, off))).toEqual(QUIET);
  });

  test("doctor reports managed hooks that a project can turn off, unless they are pinned or exclusive", async () => {
    const MANAGED = "system/etc/factory/settings.json";
    const loose = installed("managed");
    const entry = loose.ours("PreToolUse", "managed");
    const hooks = { PreToolUse: [{ hooks: [entry] }] };
    writeTestFile(join(loose.base, MANAGED), { hooks });
    expect(await found(loose)).toEqual(["red managed-not-pinned", ...QUIET]);
    writeTestFile(join(loose.root, ".factory/hooks.json"), { hooksDisabled: true });
    expect(await found(loose)).toEqual(["red hooks-disabled", "red managed-not-pinned", ...QUIET]);
    writeTestFile(join(loose.base, MANAGED), { allowManagedHooksOnly: true, hooks });
    expect(await found(loose)).toEqual(QUIET);
    writeTestFile(join(loose.base, MANAGED), { hooks: { ...hooks, hooksDisabled: false } });
    expect(await found(loose)).toEqual(QUIET);
  });

  test("doctor reports that only managed hooks run", async () => {
    const made = installed();
    writeTestFile(join(made.base, "system/etc/factory/settings.json"), { allowManagedHooksOnly: true });
    expect(await found(made)).toEqual(["red managed-hooks-only", ...QUIET]);
  });

  test("doctor reads the settings file named by a variable", async () => {
    const made = installed();
    const overlay = join(made.base, "over.json");
    writeTestFile(overlay, { hooks: { hooksDisabled: true } });
    const place = { ...made.place, env: { ...made.place.env, FACTORY_RUNTIME_SETTINGS_PATH: overlay } };
    expect(await found(made, { machine: place })).toEqual(["red hooks-disabled", ...QUIET]);
  });

  test("doctor reports events that another file in the directory replaces", async () => {
    const ours = installed("user", "home/.factory/settings.json");
    const top = join(ours.base, "home/.factory/hooks.json");
    const theirs = [{ hooks: [{ type: "command", command: "true" }] }];
    writeTestFile(top, { Stop: theirs });
    expect(await found(ours)).toEqual(QUIET);
    for (const list of [theirs, []]) {
      writeTestFile(top, { PreToolUse: list });
      expect(await found(ours)).toEqual(["red events-replaced", ...QUIET]);
    }
    const legacy = installed("user", "home/.factory/hooks/hooks.json");
    writeTestFile(join(legacy.base, "home/.factory/hooks.json"), {});
    expect(await found(legacy)).toEqual(["red events-replaced", ...QUIET]);
    const others = installed();
    writeTestFile(join(others.base, "home/.factory/settings.json"), { hooks: { PreToolUse: theirs } });
    expect(await found(others)).toEqual(["red events-replaced", ...QUIET]);
  });

  test("doctor reports events of hooks.json inside a wrapper", async () => {
    const made = createMachine("droid");
    writeTestFile(made.pathOf("user"), { hooks: { PreToolUse: [{ hooks: [made.ours("PreToolUse")] }] } });
    expect(await found(made)).toEqual(["red hooks-wrapped"]);
  });
});
