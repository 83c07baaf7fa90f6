import { describe, expect, test } from "bun:test";
import { mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { parseConfigText } from "../../../src/policy/read.ts";
import { createProject } from "../../support/projects.ts";
import { createMachine, hasMachine } from "../allow/machine.ts";

const HOST = ["--host", "claude"];

/** Creates a home directory with a host's config and a user config file. */
function createHome(text: string) {
  const app = createProject({});
  const config = join(app.home, ".config/bridge-hooks/config.json");
  for (const folder of [join(app.home, ".claude"), dirname(config)]) mkdirSync(folder, { recursive: true });
  writeFileSync(config, text);
  return { ...app, config, read: () => readFileSync(config, "utf8"), [Symbol.dispose]: app.end };
}

const RULES = { "git/push-force": "warn" };

describe("install --mode changes only one value", () => {
  const CASES: [given: string, mode: string, after: unknown][] = [
    ['"observe"', "enforce", "enforce"],
    [JSON.stringify({ mode: "observe", rules: RULES }), "enforce", { mode: "enforce", rules: RULES }],
    [JSON.stringify({ rules: RULES }), "warn", { rules: RULES, mode: "warn" }],
    [JSON.stringify({ rules: RULES }), "enforce", { rules: RULES }],
    [JSON.stringify({ hooks: { notify: "observe" } }), "observe", { hooks: { notify: "observe" }, mode: "observe" }],
    ['{"mode": "observe", "until": "2999-01-01"}', "warn", { mode: "warn", until: "2999-01-01" }],
    ['{"mode": "observe", "until": "2999-01-01"}', "enforce", { mode: "enforce" }],
    ['{"mode": "observe", "until": "2020-01-01"}', "observe", { mode: "observe" }],
    ['{"mode": "observe", "until": "soon"}', "observe", { mode: "observe" }],
    ['{"until": "2999-01-01"}', "enforce", { mode: "enforce" }],
    ['{"mode": "obsrve", "rules": {"git/push-force": "warn"}}', "observe", { mode: "observe", rules: RULES }],
    ["5", "observe", "observe"],
    ["[]", "enforce", "enforce"],
    ["null", "warn", "warn"],
  ];
  for (const [given, mode, after] of CASES)
    test(`from ${given} to ${mode}`, async () => {
      using home = createHome(`{ "mode": ${given}, "log": {} }\n`);
      expect(home.run(["install", "--mode", mode, "--yes", ...HOST])).toMatchObject({ code: 0, stderr: "" });
      expect(await parseConfigText(home.config, home.read())).toEqual({ mode: after, log: {} });
      const again = home.run(["install", "--mode", mode, ...HOST]);
      expect([again.code, again.stderr]).toEqual([0, ""]);
      expect(again.stdout).toContain("No changes needed");
    });

  test("and reports what remains: the end, and the modes of hooks and rules", () => {
    using home = createHome(
      '{ "mode": { "mode": "observe", "until": "2999-01-01", "rules": { "git/*": "enforce" } } }',
    );
    const stays = "sets other modes for rules/git/* (enforce), and they are kept";
    const { stdout } = home.run(["install", "--mode", "warn", "--yes", ...HOST]);
    expect(stdout.replaceAll(/\s+/g, " ")).toContain(stays);
    expect(stdout).toContain("Mode: warn until 2999-01-01, then enforce.\n");
    // An entry that allows calls on failure would still do so after the mode has ended.
    expect(stdout.replaceAll(/\s+/g, " ")).toContain(
      'if a hook fails, the call is denied (--on-error deny): mode "warn" ends on 2999-01-01, but the entries remain; to allow calls on failure: --on-error allow',
    );
    expect(readFileSync(join(home.home, ".claude/settings.json"), "utf8")).toContain("--on-error deny");
  });
});

describe("install --mode shows the change of the config file", () => {
  const TEXT = `{\n  // The trial.\n  "mode": { "mode": "observe", /* mine */ "rules": { "git/push-force": "warn" } }\n}\n`;
  const AFTER = TEXT.replace('"observe"', '"enforce"');
  const lines = (text: string) => text.split("\n")[2];
  const DIFF = `-${lines(TEXT)}\n+${lines(AFTER)}\n`;

  test("in a dry run, which writes nothing", () => {
    using home = createHome(TEXT);
    home.run(["install", "--yes", ...HOST]);
    const { code, stdout } = home.run(["install", "--mode", "enforce", "--dry-run", ...HOST]);
    expect([code, stdout]).toEqual([0, expect.stringContaining(DIFF)]);
    expect(stdout).not.toContain("nothing to do");
    const data = JSON.parse(home.run(["install", "--mode", "enforce", "--dry-run", "--json", ...HOST]).stdout);
    expect(data).toMatchObject({ written: false, mode: { mode: "enforce", file: home.config, changed: true } });
    expect(data.mode.diff).toContain(DIFF.trimEnd());
    expect(home.read()).toBe(TEXT);
  });
  test("before it asks, and writes nothing without an answer", () => {
    using home = createHome(TEXT);
    home.run(["install", "--yes", ...HOST]);
    const { code, stdout, stderr } = home.run(["install", "--mode", "enforce", ...HOST]);
    expect([code, stdout]).toEqual([1, expect.stringContaining(DIFF)]);
    expect(stderr).toEndWith("install --mode enforce --host claude --yes\n");
    expect(home.read()).toBe(TEXT);
  });
  test("and keeps every other byte of it, without asking", () => {
    using home = createHome(TEXT);
    const { code, stdout } = home.run(["install", "--mode", "enforce", "--yes", ...HOST]);
    expect([code, stdout]).toEqual([0, expect.stringContaining(DIFF)]);
    expect(home.read()).toBe(AFTER);
  });
});

test("install --mode writes nothing if another setting in the file overrides the mode", () => {
  using home = createHome('{ "mode": { "mode": "observe", "untill": "2999-01-01" } }');
  const { code, stderr } = home.run(["install", "--mode", "observe", "--yes", ...HOST]);
  expect([code, stderr]).toEqual([1, expect.stringContaining('mode.untill: unknown field "untill"')]);
  writeFileSync(home.config, '{ "mode": ');
  const broken = home.run(["install", "--mode", "observe", "--yes", ...HOST]);
  expect([broken.code, broken.stderr]).toEqual([1, expect.stringContaining("config.json:1:")]);
  expect(home.run(["status", ...HOST]).stdout).not.toContain("PreToolUse");
});

describe.skipIf(!hasMachine)("with a managed file", () => {
  const install = (managed: object, user: object, args: string) => {
    const machine = createMachine(managed);
    const [text, ...lines] = machine.run(`
      mkdir -p "$HOME/.claude" "$HOME/.config/bridge-hooks"
      echo '${JSON.stringify(user)}' > "$HOME/.config/bridge-hooks/config.json"
      OUT=$("$BRIDGE" install ${args} --yes --host claude 2>&1 | tr '\\n' ' ' | tr -s ' ')
      cat "$HOME/.config/bridge-hooks/config.json" | tr -d '\\n'; echo; cat /etc/bridge-hooks/config.json; echo; echo "$OUT"`);
    return { user: JSON.parse(text ?? ""), managed: JSON.parse(lines[0] ?? ""), said: lines.slice(1).join(" ") };
  };

  test("that determines the mode, another mode is rejected, and the user's mode has no effect", () => {
    const refused = install({ mode: "enforce" }, {}, "--mode observe");
    expect(refused.said).toContain("/etc/bridge-hooks/config.json sets the mode (enforce)");
    const same = install({ mode: { mode: "warn" } }, { mode: "observe" }, "--mode warn");
    expect(same.user).toEqual({ mode: "observe" });
    expect(same.said).toContain("has no effect, because /etc/bridge-hooks/config.json sets it");
  });
  test("that lets users set the mode, the user's mode is set", () => {
    const { user, managed } = install({ mode: { mode: "observe", users: true } }, {}, "--mode enforce");
    expect([user, managed]).toEqual([{ mode: "enforce" }, { mode: { mode: "observe", users: true } }]);
  });
  test("with its own mode, the rest of the file is unchanged, and an overriding user's mode is named", () => {
    const given = { mode: { mode: "observe", users: true, rules: RULES } };
    const { managed, said } = install(given, { mode: "warn" }, "--scope managed --mode enforce");
    expect(managed).toEqual({ mode: { mode: "enforce", users: true, rules: RULES } });
    expect(said).toContain(".config/bridge-hooks/config.json sets the mode here, which");
  });
});
