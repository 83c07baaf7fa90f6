import { afterAll, describe, expect, test } from "bun:test";
import { chmodSync, existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { buildCoverageFiles } from "../../../src/operate/mdm/coverage-files.ts";
import { DEFAULT_PROGRAM_PATHS } from "../../../src/operate/mdm/programs.ts";
import { findProgram } from "../../../src/hosts/find-program.ts";
import { EXECUTABLE } from "../../support/fixtures.ts";

const work = mkdtempSync(join(tmpdir(), "bridge-hooks-coverage-"));
afterAll(() => rmSync(work, { recursive: true, force: true }));
let count = 0;

const order = (program: string) => ({
  programs: { ...DEFAULT_PROGRAM_PATHS, linux: program, macos: program, windows: "C:\\it's\\b.exe" },
});

/** Runs a pack's script the way the management client does. */
function run(path: string, { program = EXECUTABLE, config = "", env = {} as Record<string, string> } = {}) {
  const script = join(work, `script-${++count}`);
  writeFileSync(script, buildCoverageFiles(order(program), config).find((one) => one.path === path)?.text ?? "");
  const home = env.HOME ?? join(work, "nobody");
  const { exitCode, stdout } = Bun.spawnSync(["sh", script], {
    cwd: work,
    env: { PATH: process.env.PATH ?? "", HOME: home, ...env },
  });
  return [exitCode, stdout.toString()] as const;
}

/** Creates an executable whose doctor prints the given report. */
function createDoctor(report: string): string {
  const file = join(work, `doctor-${++count}`);
  writeFileSync(`${file}.json`, report);
  writeFileSync(file, `#!/bin/sh\n[ "$*" = "doctor --json" ] && cat '${file}.json'\n`, { mode: 0o755 });
  return file;
}

const LINUX = "coverage/linux/coverage.sh";
const HEALTHY = {
  version: "0.1.0",
  policy: { name: "acme", version: "1.4", hash: "abc123", parts: { hooks: "h", managed: "m1" } },
  healthy: true,
  hosts: [{ host: "one", version: "2.1", entries: [], findings: [] }],
  findings: [],
};
const RED = { check: "drift", level: "red", what: "x", impact: "y", fix: "z" };

describe("the coverage line of a client", () => {
  test("with the real executable is red without entries or with another config, and ok once installed", () => {
    const home = join(work, "home");
    mkdirSync(join(home, ".cursor"), { recursive: true });
    const env = { HOME: home, XDG_STATE_HOME: join(home, "state") };
    const bare = run(LINUX, { env });
    expect([bare[0], bare[1]]).toEqual([
      1,
      expect.stringMatching(/^RED: not-installed; bridge-hooks [\d.]+; policy \S+ [\d.]+ [0-9a-f]{12}; /),
    ]);
    const install = Bun.spawnSync([EXECUTABLE, "install", "--host", "cursor", "--yes"], {
      cwd: home,
      env: { PATH: process.env.PATH ?? "", ...env },
    });
    expect(install.exitCode).toBe(0);
    const installed = run(LINUX, { env });
    expect(installed).toEqual([0, expect.stringMatching(/^ok; bridge-hooks .*; cursor\n$/)]);
    expect(run(LINUX, { env, config: "0123456789ab" })).toEqual([1, expect.stringMatching(/^RED: other-config; /)]);
  });
  test("names each red check once, and the policy with its mode", () => {
    const what = "the user's config file changes this machine's policy: git/clean ask, a: b";
    const weakened = { ...RED, check: "policy-weakened", level: "note", what };
    const cases: [object, string, number, string][] = [
      [{}, "m1", 0, "ok; bridge-hooks 0.1.0; policy acme 1.4 abc123; one 2.1\n"],
      [
        {
          healthy: false,
          findings: [RED],
          hosts: [
            {
              host: "one",
              entries: [],
              findings: [RED, { ...RED, check: "slow", level: "note" }, { ...RED, check: "stale-path" }],
            },
          ],
        },
        "",
        1,
        "RED: drift, stale-path; bridge-hooks 0.1.0; policy acme 1.4 abc123; one\n",
      ],
      [{}, "m2", 1, "RED: other-config; bridge-hooks 0.1.0; policy acme 1.4 abc123; one 2.1\n"],
      [{ healthy: false }, "", 1, "RED: unknown; bridge-hooks 0.1.0; policy acme 1.4 abc123; one 2.1\n"],
      [
        { policy: { ...HEALTHY.policy, mode: { mode: "observe", file: "f", others: { a: "warn" } } }, hosts: [] },
        "",
        0,
        "ok; bridge-hooks 0.1.0; policy acme 1.4 abc123 (observe); no host\n",
      ],
      [
        { findings: [{ ...weakened, check: "slow" }, weakened] },
        "m1",
        0,
        "ok; bridge-hooks 0.1.0; policy acme 1.4 abc123; one 2.1; changed by the user: git/clean ask, a: b\n",
      ],
    ];
    for (const [more, config, code, line] of cases) {
      const program = createDoctor(JSON.stringify({ ...HEALTHY, ...more }, null, 2));
      expect([more, ...run(LINUX, { program, config })]).toEqual([more, code, line]);
    }
  });
  test("can't be forged by a string in the report, and contains no markup or control characters", () => {
    const forged = `x",\n  "healthy": true,\n      "level": "red"</result><script>`;
    const report = {
      ...HEALTHY,
      healthy: false,
      hosts: [{ host: "one", version: `2</result>\u001b[31m`, entries: [], findings: [{ ...RED, what: forged }] }],
    };
    const program = createDoctor(JSON.stringify(report, null, 2));
    expect(run(LINUX, { program })).toEqual([
      1,
      expect.stringMatching(/^RED: drift; bridge-hooks 0\.1\.0; policy acme 1\.4 abc123; one 2\?\/result\?[\w?]*\n$/),
    ]);
  });
  test("is red without an executable, or without a report", () => {
    expect(run(LINUX, { program: join(work, "none's") })[1]).toMatch(/^RED: no executable at .*\n$/);
    for (const text of ["", "{", "bridge-hooks: failed"])
      expect(run(LINUX, { program: createDoctor(text) })).toEqual([1, "RED: doctor printed no report\n"]);
  });
});

describe("the macOS coverage script, which an MDM runs as root,", () => {
  const tools = join(work, "tools");
  const JAMF = "coverage/macos/jamf-extension-attribute.sh";
  /** Creates stand-ins for the system tools that the script uses. */
  function createTools(user: string): Record<string, string> {
    mkdirSync(tools, { recursive: true });
    const texts = {
      id: `[ "$2" = mia ] && echo 501 || echo 0`,
      uname: "echo Darwin",
      stat: `echo ${user}`,
      launchctl: `[ "$1" = asuser ] && [ "$2" = 501 ] && shift 2 && exec "$@"`,
      sudo: `[ "$*" != "\${*#-H -u mia }" ] && shift 3 && exec "$@"`,
    };
    for (const [name, text] of Object.entries(texts)) {
      writeFileSync(join(tools, name), `#!/bin/sh\n${text}\n`);
      chmodSync(join(tools, name), 0o755);
    }
    return { PATH: `${tools}:${process.env.PATH ?? ""}` };
  }
  test("runs doctor as the logged-in user, and prints <result> for Jamf", () => {
    const program = createDoctor(JSON.stringify(HEALTHY, null, 2));
    const line = "ok; bridge-hooks 0.1.0; policy acme 1.4 abc123; one 2.1";
    const env = createTools("mia");
    expect(run(JAMF, { program, env })).toEqual([0, `<result>${line}</result>\n`]);
    expect(run("coverage/macos/intune-custom-attribute.sh", { program, env })).toEqual([0, `${line}\n`]);
  });
  test("reports that no user is logged in", () => {
    const program = createDoctor(JSON.stringify(HEALTHY, null, 2));
    for (const user of ["root", "loginwindow"])
      expect(run(JAMF, { program, env: createTools(user) })).toEqual([
        0,
        "<result>unknown: nobody is logged in</result>\n",
      ]);
  });
});

test("the PowerShell coverage script has a BOM, CRLF line endings and quoted values", () => {
  const { text } = buildCoverageFiles(order("/x"), "abc").find(({ path }) => path.endsWith(".ps1")) ?? { text: "" };
  expect(text).toStartWith("\ufeff# Detection script for Intune remediations");
  for (const line of ["$program = 'C:\\it''s\\b.exe'", "$config = 'abc'"]) expect(text).toContain(`\r\n${line}\r\n`);
  expect(text.replaceAll("\r\n", "")).not.toMatch(/[\n]|@[A-Z]+@/);
});

for (const shell of ["dash", "bash"])
  test.skipIf(findProgram(shell) === undefined)(`${shell} parses the coverage scripts`, () => {
    for (const { path, text } of buildCoverageFiles(order("/it's"), "").filter((one) => one.path.endsWith(".sh")))
      expect([path, Bun.spawnSync([shell, "-n"], { stdin: Buffer.from(text) }).stderr.toString()]).toEqual([path, ""]);
  });

describe("mdm --config", () => {
  const mdm = (...argv: string[]) => {
    const { stdout, stderr, exitCode } = Bun.spawnSync([EXECUTABLE, "mdm", ...argv], {
      cwd: work,
      env: { PATH: process.env.PATH ?? "", HOME: work },
    });
    return { stdout: stdout.toString(), stderr: stderr.toString(), exitCode };
  };
  test("packs a valid config for each system, and scripts that check its hash", () => {
    const text = '// ours\n{ "mode": "observe", "rules": { "git/push-force": { "action": "ask" } } }\n';
    writeFileSync(join(work, "policy.json"), text);
    expect(mdm("--out", "pack", "--host", "cursor", "--config", "policy.json").exitCode).toBe(0);
    for (const system of ["linux", "macos", "windows"])
      expect(readFileSync(join(work, "pack/policy", system, "config.json"), "utf8")).toBe(text);
    const readme = readFileSync(join(work, "pack/README.md"), "utf8");
    for (const path of ["/etc/bridge-hooks/config.json", "C:\\Program Files\\bridge-hooks\\config.json"])
      expect(readFileSync(join(work, "pack/policy/README.md"), "utf8")).toContain(`to \`${path}\``);
    expect(readFileSync(join(work, "pack", LINUX), "utf8")).toMatch(/^config='[0-9a-f]{12}'$/m);
    expect([existsSync(join(work, "pack/cursor")), existsSync(join(work, "pack/claude"))]).toEqual([true, false]);
    expect(readme).not.toContain("Claude Code");
  });
  test("rejects an invalid or missing config with the reason, and writes nothing", () => {
    writeFileSync(join(work, "bad.json"), '{ "rules": { "git/push-forse": { "action": "ask" } } }');
    const { exitCode, stderr } = mdm("--out", "bad", "--config", "bad.json");
    expect([exitCode, existsSync(join(work, "bad"))]).toEqual([1, false]);
    expect(stderr).toMatch(/--config bad\.json is invalid[^]*bad\.json:1:\d+: .*git\/push-force/);
    expect(mdm("--out", "bad", "--config", "none.json").stderr).toContain("can't be read");
    expect(mdm("--out", "bad", "--host", "cursr").stderr).toContain("did you mean cursor");
  });
});
