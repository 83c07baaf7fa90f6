import { afterAll, describe, expect, test } from "bun:test";
import {
  chmodSync,
  chownSync,
  cpSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { type MdmCheck, checkInstalledPack, type CheckOptions } from "../../../src/operate/mdm/check.ts";
import { EXECUTABLE } from "../../support/fixtures.ts";

const work = mkdtempSync(join(tmpdir(), "bridge-hooks-check-"));
afterAll(() => rmSync(work, { recursive: true, force: true }));
const root = join(work, "root");
const pack = join(work, "pack");
const mdm = (...argv: string[]) => {
  const { exitCode, stdout, stderr } = Bun.spawnSync([EXECUTABLE, "mdm", ...argv], {
    cwd: work,
    env: { PATH: "/usr/bin:/bin", HOME: join(work, "home") },
  });
  return { code: exitCode, stdout: stdout.toString(), stderr: stderr.toString() };
};
const check = (...argv: string[]) => {
  const { code, stdout, stderr } = mdm("--check", "--root", root, "--json", ...argv);
  const report: MdmCheck = stderr === "" ? JSON.parse(stdout) : expect.unreachable(stderr);
  return { code, ...report };
};
const statesOf = ({ files }: MdmCheck) =>
  Object.fromEntries(files.map(({ path, state }) => [path.slice(root.length), state]));
const coverageOf = ({ hosts }: MdmCheck) => Object.fromEntries(hosts.map(({ host, coverage }) => [host, coverage]));
const place = (action: string) => {
  const argv = ["sh", join(pack, "rollout/linux/place-files.sh"), root, "", "", action];
  expect(Bun.spawnSync(argv).exitCode).toBe(0);
};
const PROGRAM = "/opt/bridge-hooks/bridge-hooks";
const CLAUDE = "/etc/claude-code/managed-settings.d/50-bridge-hooks.json";
const CODEX = "/etc/codex/requirements.toml";
const CURSOR = "/etc/cursor/hooks.json";
const POLICY = "/etc/bridge-hooks/config.json";
const isRoot = process.getuid?.() === 0;

describe.skipIf(!isRoot)("mdm --check against an image", () => {
  test("checks only hosts that are installed or named", () => {
    mkdirSync(root);
    writeFileSync(join(work, "policy.json"), '{ "mode": "observe" }');
    expect(mdm("--out", "pack", "--config", "policy.json").code).toBe(0);
    const bare = check();
    expect([bare.code, bare.ok, statesOf(bare)]).toEqual([1, false, { [PROGRAM]: "missing", [POLICY]: "none" }]);
    expect(coverageOf(bare)).toMatchObject({ claude: "absent", crush: "unmanaged", pi: "unmanaged" });
    expect(coverageOf(check("--pack", pack))).toMatchObject({ claude: "missing", codex: "missing", pi: "unmanaged" });
    const named = check("--host", "claude", "--host", "codex");
    expect(statesOf(named)).toEqual({ [CLAUDE]: "missing", [CODEX]: "missing" });
    expect(coverageOf(named)).toEqual({ claude: "missing", codex: "missing" });
    const unmanaged = check("--host", "crush");
    expect([unmanaged.code, unmanaged.ok, unmanaged.files, coverageOf(unmanaged)]).toEqual([
      ...[1, false, []],
      { crush: "unmanaged" },
    ]);
    expect(named.files[0]?.fix).toMatch(/^sudo .*bridge-hooks install --scope managed --host claude --root \S+\/root$/);
  });
  test("is green for files placed by place-files.sh, with the pack's own content", () => {
    mkdirSync(dirname(root + PROGRAM), { recursive: true });
    cpSync(EXECUTABLE, root + PROGRAM);
    place("install");
    const placed = check("--pack", pack);
    expect([placed.code, placed.ok]).toEqual([0, true]);
    expect(new Set(Object.values(coverageOf(placed)))).toEqual(new Set(["covered", "unmanaged"]));
    expect(new Set(placed.files.map(({ state }) => state))).toEqual(new Set(["ok"]));
    expect(statesOf(placed)["/etc/bridge-hooks/config.json"]).toBe("ok");
    // Under the pack's policy, which only observes, entries allow calls on failure; this executable's entries deny
    // them.
    expect(statesOf(check())[CLAUDE]).toBe("different");
    expect(check("--config", "policy.json").ok).toBe(true);
    expect(check("--on-error", "allow").ok).toBe(true);
  });
  test("checks the policy file separately, and names its mode, even without a pack", () => {
    const policy = root + POLICY;
    const find = (...argv: string[]) => check(...argv).files.filter(({ path }) => path === policy);
    const before = readFileSync(policy, "utf8");
    expect(find()).toEqual([{ host: "bridge-hooks", path: policy, state: "ok", mode: { mode: "observe" } }]);
    expect(find("--pack", pack)).toEqual(find());
    expect(find("--host", "claude")).toEqual([]);
    writeFileSync(policy, '{ "mode": { "mode": "warn", "until": "2999-01-01" } }');
    expect(find()[0]?.mode).toEqual({ mode: "warn", until: "2999-01-01" });
    expect(mdm("--check", "--root", root).stdout).toContain(
      `${policy}\n             mode: warn until 2999-01-01, then enforce\n`,
    );
    writeFileSync(policy, '{ "mode": "obsrve" }');
    expect(find()).toEqual([
      {
        ...{ host: "bridge-hooks", path: policy, state: "different" },
        problem: 'mode: must be "observe", "warn" or "enforce", or an object',
        fix: `${EXECUTABLE} config check --scope managed ${policy}`,
      },
    ]);
    writeFileSync(policy, '{ "mode": "observe", "locked": false }');
    expect([find("--pack", pack)[0]?.state, find()[0]?.state]).toEqual(["different", "ok"]);
    writeFileSync(policy, before);
    chmodSync(policy, 0o666);
    expect(find()).toMatchObject([{ state: "exposed", fix: `sudo chmod go-w ${policy}` }]);
    chmodSync(policy, 0o644);
    rmSync(policy);
    expect(find()).toEqual([{ host: "bridge-hooks", path: policy, state: "none" }]);
    expect(mdm("--check", "--root", root).stdout).toContain("no policy file; each user's config sets the mode");
    expect(find("--pack", pack)).toMatchObject([{ state: "missing" }]);
    mkdirSync(policy);
    expect(find()).toMatchObject([{ state: "different", problem: "not a regular file" }]);
    rmSync(policy, { recursive: true });
    writeFileSync(policy, before);
  });
  test("distinguishes different content from ours with additions", () => {
    const cursor = JSON.parse(readFileSync(root + CURSOR, "utf8"));
    cursor.hooks.stop = [{ command: "/opt/theirs" }, ...(cursor.hooks.stop ?? [])];
    writeFileSync(root + CURSOR, JSON.stringify({ ...cursor, more: true }));
    writeFileSync(root + CODEX, `allow_managed_hooks_only = true\n${readFileSync(root + CODEX, "utf8")}`);
    writeFileSync(root + CLAUDE, "{}");
    const { code, files, ...rest } = check("--pack", pack);
    expect(coverageOf({ files, ...rest })).toMatchObject({ cursor: "covered", codex: "covered", claude: "outdated" });
    expect(statesOf({ files, ...rest })).toMatchObject({
      [CURSOR]: "merged",
      [CODEX]: "merged",
      [CLAUDE]: "different",
    });
    const [wrong, ...others] = files.filter(({ fix }) => fix !== undefined);
    expect([code, others, wrong?.fix]).toEqual([
      1,
      [],
      `sudo sh ${pack}/rollout/linux/place-files.sh ${root} - - install claude`,
    ]);
    for (const text of ["{", '{"hooks":{}}', ""]) {
      writeFileSync(root + CURSOR, text);
      expect([text, statesOf(check("--pack", pack))[CURSOR]]).toEqual([text, "different"]);
    }
  });
  test("is red for a file with our entries and a setting that turns hooks off", () => {
    const pristine = join(pack, "claude/linux/managed-settings.d/50-bridge-hooks.json");
    const settings = JSON.parse(readFileSync(pristine, "utf8"));
    writeFileSync(root + CLAUDE, JSON.stringify({ ...settings, disableAllHooks: true }));
    const { code, files, hosts } = check("--pack", pack, "--host", "claude");
    expect([code, hosts]).toEqual([1, [{ host: "claude", coverage: "outdated" }]]);
    expect(files).toMatchObject([{ state: "different", problem: expect.stringContaining("disableAllHooks") }]);
    writeFileSync(root + CLAUDE, readFileSync(pristine));
    expect(check("--pack", pack, "--host", "claude").code).toBe(0);
    writeFileSync(root + CLAUDE, "{}");
  });
  test("is red for a named host that the pack doesn't cover", () => {
    const claudeOnly = join(work, "claude-only");
    expect(mdm("--out", claudeOnly, "--host", "claude").code).toBe(0);
    const { code, hosts } = check("--pack", claudeOnly, "--host", "cursor");
    expect([code, hosts]).toEqual([1, [{ host: "cursor", coverage: "unmanaged" }]]);
  });
  test("finds who else may change a file: by its owner, its mode, its directory or a link", () => {
    const stateOf = (path: string) => check("--pack", pack).files.find((one) => one.path === root + path);
    chownSync(root + CODEX, 12, 0);
    expect(stateOf(CODEX)).toMatchObject({ state: "exposed", fix: `sudo chown root ${root}${CODEX}` });
    chownSync(root + CODEX, 0, 0);
    chmodSync(root + CODEX, 0o664);
    expect(stateOf(CODEX)).toMatchObject({ state: "exposed", fix: `sudo chmod go-w ${root}${CODEX}` });
    chmodSync(root + CODEX, 0o644);
    chmodSync(dirname(root + CODEX), 0o777);
    expect(stateOf(CODEX)?.problem).toBe(`users other than root can write to ${dirname(root + CODEX)}`);
    chmodSync(dirname(root + CODEX), 0o755);
    chmodSync(root + PROGRAM, 0o757);
    expect(stateOf(PROGRAM)?.state).toBe("exposed");
    chmodSync(root + PROGRAM, 0o755);
    rmSync(root + CODEX);
    symlinkSync("/dev/null", root + CODEX);
    expect(stateOf(CODEX)?.problem).toBe("not a regular file");
  });
  test("prints each file, its problem and the fix, within the width", () => {
    const { stdout } = Bun.spawnSync([EXECUTABLE, "mdm", "--check", "--root", root, "--pack", pack], {
      env: { PATH: "/usr/bin:/bin", HOME: work, COLUMNS: "80" },
    });
    const text = stdout.toString();
    expect(text).toContain("Claude Code: outdated\n  different  ");
    expect(text).toMatch(/fix: sudo sh/);
    expect(text).toMatch(
      /\nno managed files:\s+OpenClaw, pi, Crush, [^;]*;\s+run\s+as\s+each\s+user:\s[^]*\sinstall\n/,
    );
    expect(text).toMatch(/\n3 of \d+ files need a fix\n$/);
    for (const line of text.split("\n")) if (!line.includes(root)) expect(line.length).toBeLessThanOrEqual(80);
  });
  test("rejects a directory that is not a pack, or whose files have changed", () => {
    expect(mdm("--check", "--pack", work).stderr).toBe(
      `bridge-hooks: --pack ${work}: pack.json can't be read (ENOENT); pass a directory written by bridge-hooks mdm\n`,
    );
    writeFileSync(join(pack, "claude/linux/managed-settings.d/50-bridge-hooks.json"), "{}");
    expect(mdm("--check", "--pack", pack).stderr).toContain("was changed after bridge-hooks mdm wrote it");
    writeFileSync(join(pack, "pack.json"), "{}");
    expect(mdm("--check", "--pack", pack).stderr).toContain("was not written by bridge-hooks mdm");
    expect(mdm("--out", "x", "--pack", pack).stderr).toContain("require --check");
    expect(mdm("--check", "--out", "x").stderr).toContain("--check can't be combined");
    expect(mdm().stderr).toBe("bridge-hooks: mdm: pass --out DIR, --plugin DIR or --check\n");
  });
});

test("accepts a delivered profile in place of the file, and checks the executable's version", () => {
  const at = join(work, "mac");
  const profile = "/Library/Managed Preferences/x.plist";
  const options: CheckOptions = {
    ...{ presentHosts: ["claude"], selectedHosts: [], candidateHosts: [], isDeployed: false },
    ...{ profiles: { claude: [profile] }, system: at, platform: "darwin" },
    disablingSettings: new Map(),
    formatFix: () => "fix",
  };
  const files = [{ host: "claude", path: "a", target: "/Library/a.json", bytes: Buffer.from("{}") }];
  const stateOf = (system: string) =>
    checkInstalledPack({ version: "9.9.9", program: PROGRAM, files }, { ...options, system }).files.map(
      (one) => one.state,
    );
  expect(stateOf(at)).toEqual(["missing", "missing"]);
  mkdirSync(dirname(at + profile), { recursive: true });
  writeFileSync(at + profile, "");
  expect(stateOf(at)).toEqual(["missing", "profile"]);
  const found = checkInstalledPack(
    { version: "9.9.9", program: EXECUTABLE, files: [] },
    { ...options, system: "", platform: "win32" },
  );
  expect(found.files[0]?.problem).toMatch(/^version [\d.]+ instead of the pack's 9\.9\.9$/);
});
