import { describe, expect, test } from "bun:test";
import { spawnSync } from "node:child_process";
import { chmodSync, existsSync, readdirSync, readFileSync, rmSync } from "node:fs";
import { join } from "node:path";
import type { Payload } from "../../../src/protocol/host/host.ts";
import type { LoadedConfigFile, MachineContext } from "../../../src/protocol/host/install.ts";
import { ROOT } from "../../support/fixtures.ts";
import {
  getCheck,
  createFolder,
  writeTestFile,
  PROGRAM,
  buildSpecificOutput,
  DENY,
  testVerdicts,
  codexHandler,
  testFlaws,
  createMachine,
  summarizeFindings,
  expectSoundFindings,
} from "../check-support.ts";
import { scaleMs } from "../../support/machine.ts";

testVerdicts([
  ["codex", "PreToolUse", "a bare document", buildSpecificOutput(DENY), "", 0, {}, "denied"],
  [
    "codex",
    "PreToolUse",
    "another event's name",
    buildSpecificOutput({ ...DENY, hookEventName: "Stop" }),
    "",
    0,
    {},
    "denied",
  ],
  ["codex", "PreToolUse", "the older form", '{"decision":"block","reason":"R"}', "", 0, {}, "denied"],
  [
    "codex",
    "PreToolUse",
    "a rewrite",
    buildSpecificOutput({ permissionDecision: "allow", updatedInput: {} }),
    "",
    0,
    {},
    "passed",
  ],
  ["codex", "PreToolUse", "a text before the document", `log\n${buildSpecificOutput(DENY)}`, "", 0, {}, "passed"],
  ["codex", "PreToolUse", "an unknown key", buildSpecificOutput(DENY, { zz: 1 }), "", 0, {}, "broken zz"],
  ["codex", "PreToolUse", "an unknown key inside", buildSpecificOutput({ ...DENY, zz: 1 }), "", 0, {}, "broken zz"],
  [
    "codex",
    "PreToolUse",
    "no event's name",
    JSON.stringify({ hookSpecificOutput: DENY }),
    "",
    0,
    {},
    "broken hookEventName",
  ],
  ["codex", "PreToolUse", "no reason", buildSpecificOutput({ permissionDecision: "deny" }), "", 0, {}, "broken reason"],
  [
    "codex",
    "PreToolUse",
    "a bare allow",
    buildSpecificOutput({ permissionDecision: "allow" }),
    "",
    0,
    {},
    "broken allow",
  ],
  ["codex", "PreToolUse", "ask", buildSpecificOutput({ permissionDecision: "ask" }), "", 0, {}, "broken ask"],
  [
    "codex",
    "PreToolUse",
    "defer",
    buildSpecificOutput({ permissionDecision: "defer" }),
    "",
    0,
    {},
    "broken permissionDecision",
  ],
  [
    "codex",
    "PreToolUse",
    "a rewrite without allow",
    buildSpecificOutput({ updatedInput: {} }),
    "",
    0,
    {},
    "broken input",
  ],
  [
    "codex",
    "PreToolUse",
    "suppressOutput",
    buildSpecificOutput(DENY, { suppressOutput: true }),
    "",
    0,
    {},
    "broken suppressOutput",
  ],
  ["codex", "PreToolUse", "approve", '{"decision":"approve"}', "", 0, {}, "broken approve"],
  ["codex", "PreToolUse", "continue false", '{"continue":false}', "", 0, {}, "broken continue"],
  ["codex", "PreToolUse", "a list", "[]", "", 0, {}, "broken array"],
  [
    "codex",
    "PreToolUse",
    "a text after the document",
    `${buildSpecificOutput(DENY)}\nlog`,
    "",
    0,
    {},
    "broken not valid JSON",
  ],
  ["codex", "PreToolUse", "exit code 2 without output", buildSpecificOutput(DENY), " \n", 2, {}, "broken stderr"],
  ["codex", "PreToolUse", "the document with exit code 1", buildSpecificOutput(DENY), "no", 1, {}, "broken code 1"],
  ["codex", "PreToolUse", "a signal", "", "", null, {}, "broken killed"],
  ["codex", "SessionStart", "exit code 2", "", "no", 2, {}, "broken code 2"],
  ["codex", "PreCompact", "exit code 2", "", "no", 2, {}, "broken code 2"],
  ["codex", "SessionStart", "continue false", '{"continue":false}', "", 0, {}, "denied"],
  ["codex", "PreCompact", "continue false", '{"continue":false}', "", 0, {}, "denied"],
  ["codex", "Stop", "plain text", "done", "", 0, {}, "broken plain text"],
  [
    "codex",
    "Stop",
    "a context",
    '{"hookSpecificOutput":{"hookEventName":"Stop","additionalContext":"C"}}',
    "",
    0,
    {},
    "broken hookSpecific",
  ],
  ["codex", "SessionStart", "plain text", "context", "", 0, {}, "passed"],
  [
    "codex",
    "PostToolUse",
    "a changed output",
    buildSpecificOutput({ hookEventName: "PostToolUse", updatedMCPToolOutput: "x" }),
    "",
    0,
    {},
    "broken updatedMCP",
  ],
]);

testFlaws([
  ["codex", "hooks.json", '{"hooks":{},}', "trailing comma", ","],
  ["codex", "hooks.json", '{"hooks":{} /* c */}', "comment", "/*"],
  ["codex", "hooks.json", '\ufeff{"hooks":{}}', "BOM"],
  ["codex", "hooks.json", '{"zz":1}', "unknown key"],
  ["codex", "hooks.json", '{"hooks":{},"hooks":{ }}', "twice", '"hooks":{ }'],
  ["codex", "hooks.json", codexHandler('{"type":"zz"}'), "hooks.0.type: must be command", '"zz"'],
  ["codex", "hooks.json", codexHandler('{"type":"command","command":"x","timeout":"5"}'), "timeout", '"5"'],
  ["codex", "hooks.json", codexHandler('{"type":"command","command":"x","timeout":1.5}'), "timeout", "1.5"],
  ["codex", "hooks.json", codexHandler("", '"matcher":"(",'), "matcher", '"("'],
  ["codex", "hooks.json", codexHandler("", '"matcher":"^(?!x)",'), "look-around", '"^(?!x)"'],
  ["codex", "hooks.json", codexHandler('{"type":"command"}'), "a command is missing", "{"],
  ["codex", "hooks.json", codexHandler("null"), "hooks.PreToolUse.0.hooks.0", "null"],
  ["codex", "hooks.json", '{"hooks":{"Stop":null}}', "hooks.Stop", "null"],
  ["codex", "config.toml", "a = 1\nx = = 1", "not valid TOML", "= 1"],
  ["codex", "config.toml", '[[hooks.Stop]]\n[[hooks.Stop.hooks]]\ntype = "zz"', "hooks.Stop.0.hooks.0.type"],
]);

/** The latest Codex release that end-to-end runs install. */
const [lockedRelease = ""] = readdirSync(join(ROOT, "test/e2e/releases"))
  .filter((name) => name.startsWith("codex-"))
  .sort((one, other) => Bun.semver.order(other.slice(6), one.slice(6)));
const vendor = join(
  ROOT,
  ".e2e/releases",
  lockedRelease,
  "node_modules/@openai",
  `codex-${process.platform}-${process.arch}/vendor`,
);
const realCodex = existsSync(vendor) ? join(vendor, readdirSync(vendor)[0] as string, "bin/codex") : "";
/** Codex is run without network access, which these tests don't need. */
const hasCodex = realCodex !== "" && existsSync(realCodex) && spawnSync("unshare", ["-rn", "true"]).status === 0;
const codexProgram = join(createFolder(), "codex");
if (hasCodex) {
  writeTestFile(codexProgram, `#!/bin/sh\nexec unshare -rn '${realCodex}' "$@"\n`);
  chmodSync(codexProgram, 0o755);
}

describe("doctor for codex", () => {
  const OFF = "[features]\nhooks = false\n";
  const groups = (handler: Payload, event = "PreToolUse") => ({ hooks: { [event]: [{ hooks: [handler] }] } });
  const required = ({ command }: Payload, more = "") =>
    `${more}[hooks]\nmanaged_dir = "/opt"\n[[hooks.PreToolUse]]\n[[hooks.PreToolUse.hooks]]\ntype = "command"\ncommand = ${JSON.stringify(command)}\n`;
  const TRUST = "red untrusted";

  const cases: [string, (made: ReturnType<typeof createMachine>) => void, string[]][] = [
    ["no codex program and no recorded trust", () => undefined, [TRUST]],
    [
      "no codex program and recorded trust",
      ({ pathOf }) =>
        writeTestFile(
          pathOf("user", "config.toml"),
          `[hooks.state."${pathOf("user", "hooks.json")}:pre_tool_use:0:0"]\ntrusted_hash = "sha256:0"\n`,
        ),
      ["red trust-unknown"],
    ],
    [
      "no codex program and a disabled entry",
      ({ pathOf }) =>
        writeTestFile(
          pathOf("user", "config.toml"),
          `[hooks.state."${pathOf("user", "hooks.json")}:pre_tool_use:0:0"]\nenabled = false\n`,
        ),
      ["red entry-disabled"],
    ],
    [
      "a user's switch",
      ({ pathOf }) => writeTestFile(pathOf("user", "config.toml"), OFF),
      ["red hooks-disabled", TRUST],
    ],
    [
      "the switch's older name",
      ({ pathOf }) => writeTestFile(pathOf("user", "config.toml"), "[features]\ncodex_hooks = false\n"),
      ["red hooks-disabled", TRUST],
    ],
    [
      "a project's switch",
      ({ pathOf }) => writeTestFile(pathOf("project", "config.toml"), OFF),
      ["red hooks-disabled", TRUST],
    ],
    [
      "a switch that a pin overrides",
      ({ pathOf }) => {
        writeTestFile(pathOf("managed"), "[features]\nhooks = true\n");
        writeTestFile(pathOf("user", "config.toml"), OFF);
      },
      [TRUST],
    ],
    ["hooks that are pinned off", ({ pathOf }) => writeTestFile(pathOf("managed"), OFF), ["red hooks-disabled", TRUST]],
    [
      "managed hooks only",
      ({ pathOf }) => writeTestFile(pathOf("managed"), "allow_managed_hooks_only = true\n"),
      ["red managed-hooks-only", TRUST],
    ],
    [
      "the switch's older name next to the newer one",
      ({ pathOf }) => writeTestFile(pathOf("user", "config.toml"), "[features]\ncodex_hooks = false\nhooks = true\n"),
      [TRUST],
    ],
    [
      "the switch of plugins' hooks",
      ({ pathOf }) => writeTestFile(pathOf("user", "config.toml"), "[features]\nplugin_hooks = false\n"),
      ["note plugin-hooks", TRUST],
    ],
    [
      "hooks in both files of a layer",
      ({ pathOf }) =>
        writeTestFile(
          pathOf("user", "config.toml"),
          '[[hooks.Stop]]\n[[hooks.Stop.hooks]]\ntype = "command"\ncommand = "x"\n',
        ),
      ["note two-representations", TRUST],
    ],
    [
      "a config.toml with trust and no hooks",
      ({ pathOf }) =>
        writeTestFile(
          pathOf("user", "config.toml"),
          'hooks.state."/x:stop:0:0" = { trusted_hash = "sha256:0" }\nhooks.Stop = []\n',
        ),
      [TRUST],
    ],
  ];
  for (const [what, plant, expected] of cases)
    test(`reports ${expected.join(", ") || "nothing"} for ${what}`, async () => {
      const made = createMachine("codex");
      writeTestFile(made.pathOf("user", "hooks.json"), groups(made.ours("PreToolUse")));
      plant(made);
      const findings = await made.examine();
      expect(summarizeFindings(findings)).toEqual(expected);
      expectSoundFindings(findings);
    });

  test("names a switch as spelled in the file, with its line", async () => {
    const made = createMachine("codex");
    writeTestFile(made.pathOf("user", "hooks.json"), groups(made.ours("PreToolUse")));
    const said: string[] = [];
    for (const text of [
      "# c\n[features]\nx = 1\ncodex_hooks = false\n",
      "features.hooks = false\n",
      "\nfeatures = { hooks = false }\n",
    ]) {
      for (const scope of ["managed", "user"] as const) {
        for (const path of [made.pathOf("managed"), made.pathOf("user", "config.toml")]) rmSync(path, { force: true });
        writeTestFile(made.pathOf(scope, ".toml"), text);
        said.push((await made.examine())[0]?.what.replace(made.pathOf(scope, ".toml"), scope) ?? "");
      }
    }
    expect(said).toEqual([
      "managed:4 pins [features] codex_hooks = false",
      "user:4 sets [features] codex_hooks = false",
      "managed:1 pins [features] hooks = false",
      "user:1 sets [features] hooks = false",
      "managed:2 pins [features] hooks = false",
      "user:2 sets [features] hooks = false",
    ]);
  });

  test("reports managed entries that are not pinned", async () => {
    const made = createMachine("codex");
    writeTestFile(made.pathOf("managed"), required(made.ours("PreToolUse")));
    expect(summarizeFindings(await made.examine())).toEqual(["red managed-not-pinned"]);
    writeTestFile(made.pathOf("project", "config.toml"), OFF);
    expect(summarizeFindings(await made.examine())).toEqual(["red hooks-disabled", "red managed-not-pinned"]);
    writeTestFile(made.pathOf("managed"), `${required(made.ours("PreToolUse"))}[features]\nhooks = true\n`);
    expect(await made.examine()).toEqual([]);
  });

  test("reports entries that deny by exit code on Windows", async () => {
    const made = createMachine("codex", { platform: "win32", env: { ProgramData: "C:/ProgramData" } });
    const handler = made.ours("PreToolUse");
    writeTestFile(made.pathOf("user", "hooks.json"), groups(handler));
    const names = async () => (await made.examine()).map(({ check }) => check);
    expect(await names()).not.toContain("exit-code-lost");
    const command = String(handler.command).replace(" --codex-deny json", "");
    writeTestFile(made.pathOf("user", "hooks.json"), groups({ ...handler, command }));
    expect(await names()).toContain("exit-code-lost");
    expectSoundFindings(await made.examine());
  });

  test.skipIf(process.platform === "win32")("does not wait for a codex program that never answers", async () => {
    const made = createMachine("codex");
    writeTestFile(made.pathOf("user", "hooks.json"), groups(made.ours("PreToolUse")));
    writeTestFile(join(made.base, "codex"), "#!/bin/sh\nexec sleep 60\n");
    chmodSync(join(made.base, "codex"), 0o755);
    const before = Date.now();
    expect(summarizeFindings(await made.examine({ program: join(made.base, "codex") }))).toEqual([TRUST]);
    expect(Date.now() - before).toBeLessThan(scaleMs(20_000));
    expect(summarizeFindings(await made.examine({ program: "/nonexistent/codex" }))).toEqual([TRUST]);
  });

  describe.skipIf(!hasCodex)(
    hasCodex ? `with the real ${lockedRelease}` : "with the real Codex: skipped, run `npm run e2e` once to fetch it",
    () => {
      const QUIET = `model = "fake-model"\ncheck_for_update_on_startup = false\nweb_search = "disabled"\n[analytics]\nenabled = false\n[features]\nplugins = false\napps = false\n`;
      const started = (files: (made: ReturnType<typeof createMachine>) => Record<string, string | object>) => {
        const made = createMachine("codex");
        writeTestFile(made.pathOf("user", "config.toml"), QUIET);
        const machine: MachineContext = {
          ...made.place,
          env: { PATH: "/usr/bin:/bin", HOME: made.place.home, CODEX_HOME: join(made.place.home, ".codex") },
        };
        for (const [path, text] of Object.entries(files(made))) writeTestFile(path, text);
        return { ...made, examine: () => made.examine({ machine, program: codexProgram }) };
      };
      const trust = ({ place }: ReturnType<typeof createMachine>, cwd: string) => {
        const driver = join(ROOT, "test/e2e/hosts/codex-app-server.ts");
        const env = { PATH: "/usr/bin:/bin", HOME: place.home, CODEX_HOME: join(place.home, ".codex") };
        const { status } = spawnSync(process.execPath, [driver, '[{"do":"trust"}]', codexProgram], {
          cwd,
          env,
          timeout: 20_000,
        });
        expect(status).toBe(0);
      };

      test("reports an untrusted, modified or disabled entry, and accepts a trusted one", async () => {
        const made = started(({ pathOf, ours }) => ({ [pathOf("user", "hooks.json")]: groups(ours("PreToolUse")) }));
        const before = readFileSync(made.pathOf("user", "config.toml"), "utf8");
        const untrusted = await made.examine();
        expect(summarizeFindings(untrusted)).toEqual(["red untrusted"]);
        expect(untrusted[0]?.what).toContain("not trusted yet: PreToolUse");
        expectSoundFindings(untrusted);
        expect(readFileSync(made.pathOf("user", "config.toml"), "utf8")).toBe(before);

        trust(made, made.root);
        expect(await made.examine()).toEqual([]);

        writeTestFile(made.pathOf("user", "hooks.json"), groups({ ...made.ours("PreToolUse"), timeout: 21 }));
        const modified = await made.examine();
        expect(modified[0]?.what).toContain("changed after being trusted");

        const key = `${made.pathOf("user", "hooks.json")}:pre_tool_use:0:0`;
        writeTestFile(
          made.pathOf("user", "config.toml"),
          `${QUIET}[hooks.state.${JSON.stringify(key)}]\nenabled = false\n`,
        );
        expect(summarizeFindings(await made.examine())).toEqual(["red entry-disabled"]);
      });

      test("reports an entry in an untrusted project", async () => {
        const made = started(({ pathOf, ours }) => ({
          [pathOf("project", "hooks.json")]: groups(ours("Stop"), "Stop"),
        }));
        const findings = await made.examine();
        expect(summarizeFindings(findings)).toEqual(["red entry-not-listed"]);
        expect(findings[0]?.fix).toContain("trust");
        writeTestFile(
          made.pathOf("user", "config.toml"),
          `${QUIET}[projects.${JSON.stringify(made.root)}]\ntrust_level = "trusted"\n`,
        );
        expect(summarizeFindings(await made.examine())).toEqual(["red untrusted"]);
      });

      test("reads entries in config.toml, and reports hooks that are turned off", async () => {
        const made = started(({ pathOf, ours }) => ({
          [pathOf("user", "config.toml")]: `${QUIET}${required(ours("PreToolUse")).replace(/^\[hooks\]\n.*\n/, "")}`,
        }));
        expect(summarizeFindings(await made.examine())).toEqual(["red untrusted"]);
        writeTestFile(
          made.pathOf("user", "config.toml"),
          readFileSync(made.pathOf("user", "config.toml"), "utf8").replace("[features]\n", OFF),
        );
        expect(summarizeFindings(await made.examine())).toEqual(["red hooks-disabled", "red entry-not-listed"]);
      });

      test("notes hooks in both files of a layer once", async () => {
        const made = started(({ pathOf, ours }) => ({
          [pathOf("user", "hooks.json")]: groups(ours("PreToolUse")),
          [pathOf("user", "config.toml")]:
            `${QUIET}[[hooks.Stop]]\n[[hooks.Stop.hooks]]\ntype = "command"\ncommand = "true"\n`,
        }));
        const findings = await made.examine();
        expect(summarizeFindings(findings)).toEqual(["note two-representations", "red untrusted"]);
        expectSoundFindings(findings);
      });

      test("reports a file that Codex rejects, with Codex's message", async () => {
        const made = started(({ pathOf, ours }) => ({
          [pathOf("user", "hooks.json")]: { ...groups(ours("PreToolUse")), zz: 1 },
        }));
        const findings = await made.examine();
        expect(summarizeFindings(findings)).toEqual(["red entry-not-listed", "red host-complains"]);
        expect(findings[1]?.what).toContain("unknown field `zz`");
        expectSoundFindings(findings);
      });

      test("finds a problem in exactly the files that Codex rejects", async () => {
        const made = started(() => ({}));
        const handler = (more: object) => ({ type: "command", command: PROGRAM, ...more });
        const texts: [string, boolean][] = [
          [JSON.stringify({ description: "d", ...groups(handler({ timeout: 0, zz: 1 })) }), true],
          [JSON.stringify({ hooks: { Zz: [], PreToolUse: [{ matcher: "*", hooks: [handler({})] }] } }), true],
          [`// c\n${JSON.stringify(groups(handler({})))}`, false],
          [`\ufeff${JSON.stringify(groups(handler({})))}`, false],
          [JSON.stringify(groups(handler({}))).replace("}]", "},]"), false],
          [JSON.stringify({ zz: 1, ...groups(handler({})) }), false],
          [`{"hooks":{},${JSON.stringify(groups(handler({}))).slice(1)}`, false],
          [JSON.stringify(groups(handler({ type: "zz" }))), false],
          [JSON.stringify(groups(handler({ type: undefined }))), false],
          [JSON.stringify(groups(handler({ timeout: 1.5 }))), false],
          [JSON.stringify({ hooks: { PreToolUse: [{ matcher: "^(?!x)", hooks: [handler({})] }] } }), false],
        ];
        const path = made.pathOf("user", "hooks.json");
        for (const [text, fine] of texts) {
          writeTestFile(path, text);
          const file: LoadedConfigFile = {
            scope: "user",
            path,
            syntax: "json",
            text,
            ownEntries: [
              {
                native_event: "PreToolUse",
                command: PROGRAM,
                handler: {},
                path: ["hooks", "PreToolUse", 0, "hooks", 0],
              },
            ],
          };
          const machine: MachineContext = {
            ...made.place,
            env: { PATH: "/usr/bin:/bin", HOME: made.place.home, CODEX_HOME: join(made.place.home, ".codex") },
          };
          const findings = await getCheck("codex").examineConfig({
            machine,
            files: [file],
            program: codexProgram,
          });
          expect([text, findings.every(({ check }) => check === "untrusted")]).toEqual([text, fine]);
          expect([text, getCheck("codex").findConfigProblems(text, path).length === 0]).toEqual([text, fine]);
        }
      });
    },
  );
});
