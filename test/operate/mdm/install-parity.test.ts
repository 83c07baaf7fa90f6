import { afterAll, describe, expect, test } from "bun:test";
import { cpSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { chooseFailurePolicy } from "../../../src/cli/terminal/options.ts";
import { getUserConfigSteps } from "../../../src/policy/config-paths.ts";
import { AUDIENCES } from "../../../src/policy/vocabulary.ts";
import { buildShared } from "../../support/executables.ts";
import { findManagedPath } from "../../../src/hosts/setup/pack.ts";
import { parseJsonOrToml } from "../../../src/hosts/setup/define-setup.ts";
import { hosts } from "../../../src/hosts/index.ts";
import { EXECUTABLE } from "../../support/fixtures.ts";

const work = mkdtempSync(join(tmpdir(), "bridge-hooks-parity-"));
afterAll(() => rmSync(work, { recursive: true, force: true }));
const PROGRAM = "/opt/bridge-hooks/bridge-hooks";
const home = join(work, "home");
mkdirSync(home);
const run = (...argv: string[]) => {
  const { exitCode, stdout, stderr } = Bun.spawnSync([EXECUTABLE, ...argv], {
    cwd: work,
    env: { PATH: "/usr/bin:/bin", HOME: home },
  });
  return { code: exitCode, output: `${stdout}${stderr}` };
};
const setups = await Promise.all(hosts.map(async (host) => ({ host, setup: await host.setup() })));
const managed = setups.flatMap(({ host, setup }) => {
  const path = findManagedPath(setup, "linux");
  return path === "" ? [] : [{ host, setup, path }];
});
/** Settings that a pack applies to the whole fleet but that an installation leaves to the owner of the machine. */
const FLEET_KEYS: Readonly<Record<string, readonly string[]>> = {
  claude: ["managedSourcesBehavior", "pluginConfigs"],
  droid: ["allowManagedHooksOnly"],
};

/** Runs both `mdm` and `install --scope managed`, the latter on an empty image. */
function writeBoth(name: string, flags: readonly string[], config?: string) {
  const [pack, image] = [join(work, name, "pack"), join(work, name, "image")];
  mkdirSync(dirname(image + PROGRAM), { recursive: true });
  cpSync(EXECUTABLE, image + PROGRAM);
  const more = config === undefined ? [] : ["--config", config];
  expect(run("mdm", "--out", pack, ...flags, ...more).code).toBe(0);
  return (id: string, path: string) => {
    const wanted = config === undefined ? flags : [...flags, "--on-error", "allow"];
    const scope = ["--scope", "managed", "--root", image, "--bin", PROGRAM, "--host", id, "--yes"];
    const { code, output } = run("install", ...scope, ...wanted);
    expect([id, code, output]).toEqual([id, 0, expect.any(String)]);
    const manifest = JSON.parse(readFileSync(join(pack, "pack.json"), "utf8"));
    const found = manifest.files.find(
      (one: { target: string; system: string }) => one.target === path && one.system === "linux",
    );
    return [join(pack, found.path), image + path].map((file) => readFileSync(file, "utf8")) as [string, string];
  };
}

writeFileSync(join(work, "observe.json"), '{ "mode": "observe" }');
const CASES: readonly [name: string, flags: readonly string[], config?: string][] = [
  ["by default", []],
  ["with --on-error allow", ["--on-error", "allow"]],
  ["with an event", ["--event", "PreToolUse"]],
  ["with every event", ["--event", "all"]],
  ["with a policy that only observes", [], "observe.json"],
];
describe.each(CASES)("mdm writes what install --scope managed writes %s", (name, flags, config) => {
  const write = writeBoth(name, flags, config);
  test.each(managed)("for $host.id", ({ host, path }) => {
    const [packed, installed] = write(host.id, path);
    if (!/\.(json|toml)$/.test(path)) return expect(packed).toBe(installed);
    const document = parseJsonOrToml(packed, path) as Record<string, unknown>;
    for (const key of FLEET_KEYS[host.id] ?? []) expect(delete document[key]).toBe(true);
    expect(document).toEqual(parseJsonOrToml(installed, path) as Record<string, unknown>);
  });
});
test("covers each host with a managed config", () => expect(managed.length).toBe(10));

test("the mode determines the failure policy, unless a flag sets it", () => {
  const enforce = { mode: "enforce" } as const;
  expect(chooseFailurePolicy(undefined, enforce)).toBe("deny");
  for (const mode of ["observe", "warn"] as const) {
    expect(chooseFailurePolicy(undefined, { mode })).toBe("allow");
    expect(chooseFailurePolicy("deny", { mode })).toBe("deny");
    // The mode ends on that date, but the entries aren't rewritten then.
    expect(chooseFailurePolicy(undefined, { mode, until: "2027-01-01" })).toBe("deny");
  }
});
test("install obeys the active mode, as install --mode does", () => {
  const failures = () => readFileSync(join(home, ".cursor/hooks.json"), "utf8").includes('"failClosed": true');
  const install = (...more: string[]) => expect(run("install", "--host", "cursor", "--yes", ...more).code).toBe(0);
  install("--mode", "observe");
  expect(failures()).toBe(false);
  install();
  expect(failures()).toBe(false);
  install("--mode", "enforce");
  expect(failures()).toBe(true);
});
test("mdm adds the entry for announce if its policy enables it, as install does if that policy is active", async () => {
  const { outfile } = await buildShared("test/support/trace-hooks", {});
  const guard = (HOME: string, ...argv: string[]) => {
    const { exitCode, stderr } = Bun.spawnSync([outfile, ...argv], { cwd: work, env: { PATH: "/usr/bin:/bin", HOME } });
    expect([exitCode, exitCode === 0 ? "" : `${stderr}`]).toEqual([0, ""]);
  };
  const reads = (...path: string[]) => readFileSync(join(...path), "utf8").includes('"SessionStart"');
  for (const announce of AUDIENCES) {
    const owner = join(work, announce);
    const own = join(owner, ...getUserConfigSteps());
    mkdirSync(dirname(own), { recursive: true });
    writeFileSync(own, JSON.stringify({ announce }));
    for (const flag of ["--out", "--plugin"])
      guard(home, "mdm", flag, join(owner, flag), "--host", "claude", "--config", own);
    guard(owner, "install", "--host", "claude", "--yes");
    // The config files on this machine don't apply to an image in another directory.
    const image = join(owner, "image");
    mkdirSync(dirname(image + PROGRAM), { recursive: true });
    cpSync(outfile, image + PROGRAM);
    guard(owner, "install", "--host", "claude", "--yes", "--scope", "managed", "--root", image, "--bin", PROGRAM);
    expect([
      reads(owner, ".claude/settings.json"),
      reads(owner, "--out/claude/linux/managed-settings.d/50-bridge-hooks.json"),
      reads(owner, "--plugin/claude/linux/plugins/bridge-hooks/hooks/hooks.json"),
      reads(image, "etc/claude-code/managed-settings.d/50-bridge-hooks.json"),
    ]).toEqual([announce !== "off", announce !== "off", announce !== "off", false]);
  }
});
test("mdm reports the failure policy, and the reason for it", () => {
  expect(run("mdm", "--out", "observed", "--config", "observe.json").output).toEndWith(
    '\nIf a hook fails, the call is allowed (--on-error allow): mode "observe" denies nothing.\n',
  );
  expect(run("mdm", "--out", "plain").output).toEndWith("\nIf a hook fails, the call is denied (--on-error deny).\n");
  expect(run("mdm", "--out", "x", "--event", "PreToolUs").output).toContain('unknown event "PreToolUs"; did you mean');
});
