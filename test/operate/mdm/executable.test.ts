import { afterAll, describe, expect, test } from "bun:test";
import {
  chmodSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  writeFileSync,
} from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { buildMdmFiles, writePack } from "../../../src/operate/mdm/mdm.ts";
import { DEFAULT_PROGRAM_PATHS } from "../../../src/operate/mdm/programs.ts";
import { createPackOrder } from "../../support/pack-orders.ts";
import { readPackages } from "../../../src/operate/mdm/packages.ts";
import { findProgram } from "../../../src/hosts/find-program.ts";
import { hosts } from "../../../src/hosts/index.ts";
import { ROOT } from "../../support/fixtures.ts";

const work = mkdtempSync(join(tmpdir(), "bridge-hooks-mdm-"));
afterAll(() => rmSync(work, { recursive: true, force: true }));
const place = join(work, "it's a place");
const program = join(place, "bridge-hooks");
const order = createPackOrder([{ events: ["PreToolUse"] }], {
  programs: { ...DEFAULT_PROGRAM_PATHS, linux: program, windows: "C:\\it's\\b.exe" },
});
const pack = join(work, "pack");
writePack(pack, await buildMdmFiles(order, hosts));

function run(script: string, ...args: string[]) {
  const file = join(pack, "executable/linux", script);
  const { exitCode, stdout, stderr } = Bun.spawnSync(["sh", file, ...args], { cwd: work });
  return [exitCode, stdout.toString(), stderr.toString()] as const;
}

/** Creates a stand-in for an executable. Only its version is checked when it's placed. */
function writeVersion(version: string): string {
  const file = join(work, `bridge-hooks-${version}`);
  writeFileSync(file, `#!/bin/sh\n[ "$1" = --version ] && echo ${version}\n`);
  return file;
}
const versions = () =>
  readdirSync(join(place, "versions"))
    .map((name) => name.split("-")[0])
    .sort();
const inForce = () => Bun.spawnSync([program, "--version"]).stdout.toString().trim();

describe("place.sh", () => {
  test("adds versions next to each other, reactivates an earlier one, and removes all", () => {
    expect(run("place.sh", "list")).toEqual([0, "", ""]);
    const [code, first] = run("place.sh", "add", writeVersion("0.1.0"));
    expect([code, first]).toEqual([0, expect.stringMatching(/^0\.1\.0-[0-9a-f]{8} is active\n$/)]);
    const before = statSync(program).ino;
    expect(run("place.sh", "add", writeVersion("0.2.0"))[0]).toBe(0);
    // The file is replaced rather than overwritten, which a resident process notices.
    expect([inForce(), statSync(program).ino === before]).toEqual(["0.2.0", false]);
    expect(statSync(program).mode & 0o777).toBe(0o755);
    const name = first.split(" ")[0] ?? "";
    expect(run("place.sh", "list")[1].split("\n").slice(0, 2)).toEqual([
      `  ${name}`,
      expect.stringMatching(/^\* 0\.2\.0-/),
    ]);
    expect(run("place.sh", "add", join(work, "bridge-hooks-0.2.0"))[0]).toBe(0);
    expect(versions()).toEqual(["0.1.0", "0.2.0"]);
    expect(run("place.sh", "use", name)).toEqual([0, `${name} is active\n`, ""]);
    expect(run("place.sh", "use", name)[0]).toBe(0);
    expect([inForce(), readdirSync(place).sort()]).toEqual(["0.1.0", ["bridge-hooks", "versions"]]);
    expect(run("place.sh", "drop", name)).toEqual([1, "", `place.sh: ${name} is active; use another version first\n`]);
    expect(run("place.sh", "remove")).toEqual([0, "", ""]);
    expect(existsSync(place)).toBe(false);
  });

  test("keeps an existing executable as a version", () => {
    mkdirSync(place);
    writeFileSync(program, readFileSync(writeVersion("0.0.9")), { mode: 0o755 });
    expect(run("place.sh", "add", writeVersion("0.1.0"))[0]).toBe(0);
    expect([versions(), inForce()]).toEqual([["0.0.9", "0.1.0"], "0.1.0"]);
    expect(
      run("place.sh", "drop", readdirSync(join(place, "versions")).find((name) => name.startsWith("0.0.9")) ?? "")[0],
    ).toBe(0);
    expect([versions(), inForce()]).toEqual([["0.1.0"], "0.1.0"]);
    expect(run("place.sh", "remove")[0]).toBe(0);
  });

  test("fails with one line for wrong arguments, and changes nothing", () => {
    run("place.sh", "add", writeVersion("0.1.0"));
    writeFileSync(join(work, "other"), "#!/bin/sh\necho hello\n");
    const cases: readonly [args: readonly string[], message: RegExp][] = [
      [[], /^place\.sh: unknown action; use add FILE, /],
      [["add"], /^place\.sh: add requires a file\n$/],
      [["add", "nothing"], /^place\.sh: nothing is not a file\n$/],
      [["add", "other"], /^place\.sh: other is not a bridge-hooks executable that runs here\n$/],
      [["use", "0.3.0"], /^place\.sh: no version 0\.3\.0 in .*versions; place\.sh list shows all versions\n$/],
      [["use", "../.."], /^place\.sh: \.\.\/\.\. is not a version; /],
      [["drop", ".draft"], /is not a version/],
    ];
    for (const [args, message] of cases) {
      expect([args, ...run("place.sh", ...args)]).toEqual([args, 1, "", expect.stringMatching(message)]);
      expect([readdirSync(place).sort(), versions()]).toEqual([["bridge-hooks", "versions"], ["0.1.0"]]);
    }
    expect(run("place.sh", "remove")[0]).toBe(0);
  });
});

describe("smoke-test.sh", () => {
  const write = (text: string) => {
    mkdirSync(place, { recursive: true });
    writeFileSync(program, text, { mode: 0o755 });
  };
  /**
   * Runs the smoke test without its directory checks: test directories don't belong to root, and any user may write to
   * /tmp.
   */
  const smoke = (): [code: number | null, lines: string[]] => {
    const [code, stdout] = run("smoke-test.sh");
    return [
      code,
      stdout
        .split("\n")
        .filter((line) => !/users other than root can write|belongs to user|Next, run/.test(line) && line !== ""),
    ];
  };

  test("confirms that a call of every host is denied, and fails for a directory that other users can write to", () => {
    write(`#!/bin/sh\nexec '${process.execPath}' --no-install '${join(ROOT, "src/main.ts")}' "$@"\n`);
    expect(smoke()[1]).toEqual([
      `ok      ${program} is version 0.1.0`,
      ...hosts.map(({ id }) => `ok      a call from ${id} is denied`),
    ]);
    chmodSync(place, 0o777);
    expect(run("smoke-test.sh")).toEqual([
      1,
      expect.stringContaining(`FAILED  users other than root can write to ${place}`),
      "",
    ]);
    chmodSync(place, 0o755);
  });

  test("fails for an executable that is missing, does not run, or allows everything", () => {
    rmSync(place, { recursive: true });
    expect(smoke()).toEqual([1, [`FAILED  no executable at ${program}`]]);
    write("#!/bin/sh\nexit 127\n");
    expect(smoke()[1][0]).toBe(`FAILED  ${program} does not run on this machine`);
    write("#!/bin/sh\n[ $1 = --version ] && echo 0.1.0\n");
    expect(smoke()).toEqual([
      1,
      [`ok      ${program} is version 0.1.0`, ...hosts.map(({ id }) => `FAILED  a call from ${id} is not denied`)],
    ]);
    rmSync(place, { recursive: true });
  });
});

test("the PowerShell scripts have a BOM, CRLF line endings, quoted values and a call of every host", () => {
  const read = (name: string) => readFileSync(join(pack, "executable/windows", name), "utf8");
  for (const name of ["place.ps1", "smoke-test.ps1"]) {
    expect(read(name)).toStartWith("\ufeff#");
    expect(read(name)).toContain("\r\n$program = 'C:\\it''s\\b.exe'\r\n");
    expect(read(name).replaceAll("\r\n", "")).not.toMatch(/[\n@]PROGRAM|@CALLS@/);
  }
  const calls = read("smoke-test.ps1").match(/^Test-Denial \w+ [\w.]+ '[\x20-\x7e]+'\r$/gm) ?? [];
  expect(calls.length).toBe(hosts.length);
});

for (const shell of ["dash", "bash"])
  test.skipIf(findProgram(shell) === undefined)(`${shell} parses place.sh and smoke-test.sh`, () => {
    for (const name of ["place.sh", "smoke-test.sh"])
      expect(Bun.spawnSync([shell, "-n", join(pack, "executable/linux", name)]).stderr.toString()).toBe("");
  });

const PLACES = DEFAULT_PROGRAM_PATHS;
describe("mdm --package", () => {
  test("copies packages into the pack, and their commands into its README", async () => {
    const names = ["bridge-hooks_9.9.9_arm64.deb", "acme.msi"];
    for (const name of names) writeFileSync(join(work, name), Buffer.from([0, 255, 10]));
    const files = await buildMdmFiles(
      order,
      hosts,
      readPackages(
        names.map((name) => join(work, name)),
        PLACES,
        PLACES,
      ),
    );
    const dir = join(work, "with");
    writePack(dir, files);
    expect([...readFileSync(join(dir, "executable/windows/acme.msi"))]).toEqual([0, 255, 10]);
    const readme = readFileSync(join(dir, "executable/README.md"), "utf8");
    for (const line of [
      "`DEBIAN_FRONTEND=noninteractive apt-get install -y ./bridge-hooks_9.9.9_arm64.deb`",
      "`msiexec /x acme.msi /qn /norestart`",
      "`rpm --erase bridge-hooks`",
      "`sh place.sh use VERSION`",
      "[windows/acme.msi](windows/acme.msi)",
    ])
      expect(readme).toContain(line);
    expect(readme).not.toContain("_amd64.deb");
  });
  test("rejects other files, missing files and a path that contradicts --bin-path", () => {
    expect(() => readPackages(["a.zip"], PLACES, PLACES)).toThrow(
      "--package a.zip: not a .deb, .rpm, .pkg, .msi; pass a package from a release",
    );
    expect(() => readPackages([join(work, "none.deb")], PLACES, PLACES)).toThrow("none.deb can't be read (ENOENT)");
    expect(() => readPackages(["a.msi"], { ...PLACES, windows: "D:\\b.exe" }, PLACES)).toThrow(
      "--package a.msi installs to C:\\Program Files\\bridge-hooks\\bridge-hooks.exe, but --bin-path is D:\\b.exe",
    );
  });
});
