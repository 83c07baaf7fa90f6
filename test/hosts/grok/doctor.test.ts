import { describe, expect, test } from "bun:test";
import { chmodSync, existsSync, mkdirSync } from "node:fs";
import { dirname, join } from "node:path";
import { releases } from "../../e2e/releases.ts";
import {
  summarizeFindings,
  createMachine,
  writeTestFile,
  getSetup,
  expectSoundFindings,
  buildSpecificOutput,
  testFlaws,
  testVerdicts,
} from "../check-support.ts";

const DENY = '{"decision":"deny","reason":"R"}';
const BLOCK = '{"decision":"block","reason":"R"}';

testVerdicts([
  ["grok", "PreToolUse", "a document", DENY, "", 0, {}, "denied"],
  ["grok", "PreToolUse", "a document with exit code 1", DENY, "", 1, {}, "denied"],
  ["grok", "PreToolUse", "the older word", BLOCK, "", 0, {}, "denied"],
  [
    "grok",
    "PreToolUse",
    "Claude Code's form",
    buildSpecificOutput({ permissionDecision: "deny" }),
    "",
    0,
    {},
    "denied",
  ],
  [
    "grok",
    "PreToolUse",
    "two decisions, of which the nested one counts",
    buildSpecificOutput({ permissionDecision: "allow" }, { decision: "deny" }),
    "",
    0,
    {},
    "passed",
  ],
  ["grok", "PreToolUse", "allow with exit code 2", '{"decision":"allow"}', "no", 2, {}, "denied"],
  ["grok", "PreToolUse", "exit code 2", "", "no", 2, {}, "denied"],
  ["grok", "PreToolUse", "ask", '{"decision":"ask"}', "", 0, {}, "passed"],
  [
    "grok",
    "PreToolUse",
    "an unknown decision",
    '{"decision":"maybe"}',
    "",
    0,
    {},
    "broken not one that Grok Build supports",
  ],
  ["grok", "PreToolUse", "words", "log", "", 0, {}, "passed"],
  ["grok", "PreToolUse", "a text before the document", `log\n${DENY}`, "", 0, {}, "passed"],
  ["grok", "PreToolUse", "exit code 1", "", "no", 1, {}, "broken code 1"],
  ["grok", "PreToolUse", "a signal", "", "", null, {}, "broken killed"],
  ["grok", "UserPromptSubmit", "a document with exit code 1", BLOCK, "", 1, {}, "denied"],
  ["grok", "Stop", "a document", BLOCK, "", 0, {}, "denied"],
  ["grok", "Stop", "a document that ends the turn, exit code 2", '{"continue":false}', "no", 2, {}, "passed"],
  ["grok", "Stop", "exit code 2", "", "go on", 2, {}, "denied"],
  ["grok", "PostToolUse", "a document", BLOCK, "", 0, {}, "denied"],
  ["grok", "PostToolUse", "exit code 2", "", "no", 2, {}, "denied"],
  ["grok", "SessionStart", "a document", DENY, "", 0, {}, "passed"],
  ["grok", "SessionStart", "exit code 2", "", "no", 2, {}, "broken code 2"],
]);

const handlers = (...all: string[]) => `{"hooks":{"PreToolUse":[{"hooks":[${all.join()}]}]}}`;

testFlaws([
  ["grok", "a.json", '{"hooks":{},}', "ignores the whole file", ",}"],
  ["grok", "a.json", '{/* c */"hooks":{}}', "a comment", "/*"],
  ["grok", "a.json", '\ufeff{"hooks":{}}', "BOM"],
  ["grok", "a.json", '{"hooks":{"PreToolUse":{}}}', "ignores the whole file", "{}"],
  ["grok", "a.json", '{"hooks":{"pre_tool_use":{}}}', "ignores the whole file", "{}"],
  ["grok", "a.json", '{"hooks":{"PreToolUse":[],"Stop":null}}', "ignores the whole file", "null"],
  ["grok", "a.json", '{"hooks":{"PreToolUse":[{"matcher":"x"}]}}', "ignores the whole file", '{"matcher"'],
  ["grok", "a.json", handlers('{"type":"command","command":"x","timeout":1.5}'), "whole number", "1.5"],
  ["grok", "a.json", handlers('{"type":"command"}'), "ignores this entry", '{"type"'],
  ["grok", "a.json", handlers('{"type":"prompt","command":"x"}'), 'must be "command" or "http"', '"prompt"'],
  [
    "grok",
    "a.json",
    '{"hooks":{"PreToolUse":[{"matcher":"(?=x)","hooks":[]}]}}',
    "look-around isn't supported",
    '"(?=x)"',
  ],
  ["grok", "config.toml", "[hooks\n", "not valid TOML"],
  ["grok", "config.toml", '[hooks]\nPreToolUse = "x"\n', "ignores this event's entries"],
]);

describe("for grok,", () => {
  const installed = (scope: "user" | "project" | "managed" = "user") => {
    const made = createMachine("grok");
    const entry = made.ours("PreToolUse", scope);
    const path = made.pathOf(scope);
    const hooks = { PreToolUse: [{ hooks: [entry] }] };
    writeTestFile(
      path,
      scope === "managed"
        ? `[[hooks.PreToolUse]]\n[[hooks.PreToolUse.hooks]]\ntype = "command"\ncommand = ${JSON.stringify(entry.command)}\ntimeout = 20\n`
        : { hooks },
    );
    return { ...made, path };
  };
  const found = async ({ examine }: ReturnType<typeof createMachine>) => {
    const findings = await examine();
    expectSoundFindings(findings);
    return summarizeFindings(findings);
  };

  test("config files are listed by scope and system", () => {
    const paths = (platform: NodeJS.Platform, env = {}) =>
      getSetup("grok")
        .listConfigFiles({ roots: ["/p"], home: "/h", platform, env })
        .map(({ scope, path, target }) => `${scope} ${path}${target ? " *" : ""}`);
    const own = (folder: string) => [
      `user ${folder}/hooks/bridge-hooks.json *`,
      `user ${folder}/config.toml`,
      `system ${folder}/requirements.toml`,
      `system ${folder}/managed_config.toml`,
      "project /p/.grok/hooks/bridge-hooks.json *",
    ];
    const system = ["managed /etc/grok/requirements.toml *", "managed /etc/grok/managed_config.toml"];
    expect(paths("linux")).toEqual([...system, ...own("/h/.grok")]);
    expect(paths("darwin", { GROK_HOME: "/g" })).toEqual([...system, ...own("/g")]);
    expect(paths("win32")).toEqual(own("/h/.grok"));
  });

  test("all JSON files in a directory are read, except hidden ones", () => {
    const { place, pathOf } = createMachine("grok");
    const folder = dirname(pathOf("user"));
    for (const name of ["z.json", ".a.json", "b.txt"]) writeTestFile(join(folder, name), "{}");
    mkdirSync(join(folder, "sub"));
    const names = getSetup("grok")
      .listConfigFiles(place)
      .filter(({ path }) => path.startsWith(folder))
      .map(({ path }) => path.slice(folder.length + 1));
    expect(names).toEqual(["bridge-hooks.json", "z.json"]);
  });

  test("a dollar sign in an entry's program is quoted, and rejected on Windows", () => {
    const { buildHandler, listDialects } = getSetup("grok");
    const order = { native_event: "Stop", on_error: "allow", scope: "user" } as const;
    const { command } = buildHandler({ ...order, program: "/a $HOME/b", platform: "linux" });
    expect(command).toBe("'/a $''HOME/b' --host grok --timeout-ms 18000 --event Stop");
    expect(listDialects("linux")).toEqual(["sh"]);
    expect(() => buildHandler({ ...order, program: "C:\\$x\\b.exe", platform: "win32" })).toThrow(
      "reads as a variable",
    );
  });

  test("doctor reports nothing without an installation", async () =>
    expect(await found(createMachine("grok"))).toEqual([]));

  test("doctor notes that a failure lets the call proceed", async () =>
    expect(await found(installed())).toEqual(["note fails-open"]));

  test("doctor notes that a project's entries run only in a trusted folder", async () =>
    expect(await found(installed("project"))).toEqual(["note folder-trust", "note fails-open"]));

  test("doctor reports that only managed hooks run, whichever file sets it", async () => {
    for (const [name, text] of [
      ["home/.grok/requirements.toml", "allow_managed_hooks_only = true\n"],
      ["home/.grok/managed_config.toml", "allowManagedHooksOnly = true\n"],
      ["system/etc/grok/managed_config.toml", 'allow_managed_hooks_only = "yes"\n'],
      ["system/etc/claude-code/managed-settings.json", '{"allowManagedHooksOnly":true}'],
    ] as const) {
      const made = installed();
      writeTestFile(join(made.base, name), text);
      expect([name, await found(made)]).toEqual([name, ["red managed-hooks-only", "note fails-open"]]);
    }
    const made = installed();
    writeTestFile(join(made.base, "system/etc/grok/requirements.toml"), "allow_managed_hooks_only = false\n");
    expect(await found(made)).toEqual(["note fails-open"]);
    const managed = installed("managed");
    writeTestFile(join(managed.base, "home/.grok/requirements.toml"), "allow_managed_hooks_only = true\n");
    expect(await found(managed)).toEqual(["note fails-open"]);
  });

  test("doctor reports a disabled entry", async () => {
    const made = installed();
    writeTestFile(join(made.base, "home/.grok/disabled-hooks"), "global/other:stop[0].hooks[0]\n");
    expect(await found(made)).toEqual(["note fails-open"]);
    writeTestFile(join(made.base, "home/.grok/disabled-hooks"), "global/bridge-hooks:pre_tool_use[0].hooks[0]\n");
    expect(await found(made)).toEqual(["red entry-disabled", "note fails-open"]);
  });

  test("doctor notes Claude Code entries that Grok Build also runs, and none of Cursor", async () => {
    for (const own of [true, false]) {
      const made = own ? installed() : createMachine("grok");
      const command = `${process.execPath} --host claude --event PreToolUse`;
      writeTestFile(join(made.place.home, ".claude/settings.json"), {
        hooks: { PreToolUse: [{ hooks: [{ type: "command", command }] }] },
      });
      writeTestFile(join(made.root, ".cursor/hooks.json"), { version: 1, hooks: { preToolUse: [{ command }] } });
      const findings = (await made.examine()).filter(({ check }) => check === "imported-entries");
      expect(findings.map(({ what }) => what.includes("no entry for bridge-hooks itself"))).toEqual([!own]);
      if (own) expect(findings.map(({ fix }) => /\[compat\.(\w+)\]/.exec(fix)?.[1])).toEqual(["claude"]);
    }
  });

  describe.skipIf(process.platform === "win32")("with a program that lists the hooks it loads,", () => {
    const listing = (hooks: object[], projectTrusted = true) => JSON.stringify({ projectTrusted, hooks });
    const ask = async (made: ReturnType<typeof installed>, answer: string) => {
      const program = join(made.base, "grok");
      writeTestFile(program, `#!/bin/sh\ncat <<'END'\n${answer}\nEND\n`);
      chmodSync(program, 0o755);
      const findings = await made.examine({ program });
      expectSoundFindings(findings);
      return summarizeFindings(findings);
    };
    test("doctor reports an entry that it does not list", async () => {
      const made = installed();
      const { command: target } = made.ours("PreToolUse");
      const loaded = { event: "pre_tool_use", target };
      expect(await ask(made, listing([loaded]))).toEqual(["note fails-open"]);
      for (const hooks of [[], [{ ...loaded, event: "stop" }], [{ ...loaded, target: "other" }, { event: "stop" }]])
        expect(await ask(made, listing(hooks))).toEqual(["red entry-not-listed", "note fails-open"]);
    });
    test("doctor leaves a project's entries to the trust in its directory", async () => {
      const made = installed("project");
      expect(await ask(made, listing([], false))).toEqual(["note folder-trust", "note fails-open"]);
      expect(await ask(made, listing([]))).toEqual(["red entry-not-listed", "note folder-trust", "note fails-open"]);
    });
    test("doctor notes output that it can't parse", async () => {
      for (const answer of ["", "{}", "unknown command"])
        expect(await ask(installed(), answer)).toEqual(["note hooks-unlisted", "note fails-open"]);
    });
  });

  const locked = releases.find(({ host }) => host === "grok");
  const program = join(locked?.folder ?? "", "grok");
  describe.skipIf(!existsSync(program))("with the locked release (npm run e2e fetches it),", () => {
    const ask = async (made: ReturnType<typeof installed>) => {
      const machine = { ...made.place, env: { PATH: "/usr/bin:/bin", HOME: made.place.home } };
      return summarizeFindings(await made.examine({ machine, program }));
    };
    test("doctor accepts an entry that is loaded, and reports one in a file that is dropped", async () => {
      const made = installed();
      expect(await ask(made)).toEqual(["note fails-open"]);
      const hooks = { PreToolUse: [{ hooks: [made.ours("PreToolUse")] }], Stop: null };
      writeTestFile(made.path, { hooks });
      expect(await ask(made)).toContain("red entry-not-listed");
    });
  });
});
