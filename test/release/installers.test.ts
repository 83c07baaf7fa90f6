import { describe, expect, test } from "bun:test";
import { mkdirSync, readdirSync, readFileSync, statSync, symlinkSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { parse as plist } from "plist";
import { addMsiPackage, findMsiTools, findProductCode, msiCommand } from "../../release/packages/msi.ts";
import { describePlatform, type Release } from "../../release/release.ts";
import { DEFAULT_PROGRAM_PATHS } from "../../src/operate/mdm/programs.ts";
import { makeFolder, makeNextRelease, makeSmallRelease, RELEASE_TIME, run } from "./support.ts";

const ARCHITECTURES = ["x64", "arm64"] as const;
const targets = ["windows-x64", "windows-arm64", "darwin-arm64"];
const { folder } = await makeSmallRelease(targets);

describe("the package for Windows Installer", async () => {
  const tools = await findMsiTools();
  const missing = "missing" in tools ? tools.missing : "";
  const read = async (command: string, ...args: string[]) => {
    if (!("root" in tools)) throw new Error(missing);
    return (await run(msiCommand(tools, RELEASE_TIME, command, ...args))).stdout;
  };
  const table = async (file: string, name: string) =>
    (await read("msiinfo", "export", file, name))
      .split(/\r?\n/)
      .slice(3)
      .filter(Boolean)
      .map((line) => line.split("\t"));
  const testIfMade = (name: string, work: () => Promise<void>) =>
    test.skipIf(missing !== "")(missing === "" ? name : `${name} (not run: ${missing})`, work);

  for (const arch of ARCHITECTURES)
    testIfMade(`for ${arch} puts the executable where mdm looks for it, for the whole machine`, async () => {
      const file = join(folder, `bridge-hooks-0.1.0-windows-${arch}.msi`);
      const work = makeFolder();
      await read("msiextract", "-C", work, file);
      const places = Object.fromEntries(
        (await table(file, "Directory")).map(([id, parent, name]) => [id, [parent, name]]),
      );
      expect(places).toEqual({
        INSTALLDIR: ["ProgramFiles64Folder", "bridge-hooks"],
        ProgramFiles64Folder: ["TARGETDIR", "."],
        TARGETDIR: ["", "SourceDir"],
      });
      expect(DEFAULT_PROGRAM_PATHS.windows).toBe("C:\\Program Files\\bridge-hooks\\bridge-hooks.exe");
      expect((await run(["sh", join(work, "bridge-hooks/bridge-hooks.exe"), "--version"])).stdout).toBe("0.1.0\n");
      expect(readdirSync(join(work, "bridge-hooks")).sort()).toEqual([
        "LICENSE.txt",
        "THIRD-PARTY-NOTICES.txt",
        "bridge-hooks.exe",
      ]);
      const properties = Object.fromEntries(await table(file, "Property"));
      expect(properties).toMatchObject({
        ProductCode: findProductCode({ version: "0.1.0" }, arch),
        ProductVersion: "0.1.0",
        ALLUSERS: "1",
      });
      const summary = await read("msiinfo", "suminfo", file);
      expect(summary).toContain(`Template: ${arch === "x64" ? "x64" : "Arm64"};1033\n`);
      expect(summary).toContain("Created: Tue Nov 14 22:13:20 2023\n");
    });

  testIfMade("has the release's time even if the path of the tools has a space", async () => {
    const root = join(makeFolder(), "a blank");
    symlinkSync("root" in tools ? tools.root : "", root);
    const file = join(root, "../made.msi");
    const release: Release = {
      name: "bridge-hooks",
      version: "0.1.0",
      description: "",
      license: "MIT",
      commit: undefined,
      time: RELEASE_TIME,
      url: undefined,
      urlTemplate: undefined,
      publicKey: undefined,
      texts: { license: "", readme: "", notices: "" },
    };
    const platform = { ...describePlatform("bun-windows-x64"), executable: Buffer.from("MZ"), sha256: "" };
    await addMsiPackage(release, platform, { root }, (_, content) => writeFileSync(file, content));
    expect(await read("msiinfo", "suminfo", file)).toContain("Created: Tue Nov 14 22:13:20 2023\n");
  });

  testIfMade("replaces an older release, and refuses to replace a newer one", async () => {
    const next = join(await makeNextRelease(["windows-x64"], "0.2.0"), "bridge-hooks-0.2.0-windows-x64.msi");
    const first = join(folder, "bridge-hooks-0.1.0-windows-x64.msi");
    const [before, after] = [await table(first, "Upgrade"), await table(next, "Upgrade")];
    expect(after.map(([code]) => code)).toEqual(before.map(([code]) => code));
    expect(after.map(([, from, to, , , , property]) => [from, to, property])).toEqual([
      ["", "0.2.0", "WIX_UPGRADE_DETECTED"],
      ["0.2.0", "", "WIX_DOWNGRADE_DETECTED"],
    ]);
    expect(await table(next, "LaunchCondition")).toEqual([
      ["NOT WIX_DOWNGRADE_DETECTED", "A newer bridge-hooks is installed. Remove it first to go back to 0.2.0."],
    ]);
    const codes = await Promise.all(
      [first, next].map(async (file) => Object.fromEntries(await table(file, "Property"))),
    );
    expect(codes[0]?.ProductCode).not.toBe(codes[1]?.ProductCode);
  });
});

describe("the package for macOS", () => {
  const script = join(folder, "macos/make-pkg.sh");
  const archive = join(folder, "bridge-hooks-0.1.0-darwin-arm64.tar.gz");

  test("contains the executable where mdm expects it", async () => {
    const out = join(makeFolder(), "out");
    const { exit_code, stdout, stderr } = await run(["sh", script, archive, out, "--layout"], {});
    expect([exit_code, stdout, stderr]).toEqual([0, `${out}/root\n`, ""]);
    const root = join(out, "root");
    const files = readdirSync(root, { recursive: true, encoding: "utf8" }).sort();
    expect(files.filter((path) => statSync(join(root, path)).isFile())).toEqual([
      "opt/bridge-hooks/bridge-hooks",
      "opt/bridge-hooks/share/LICENSE",
      "opt/bridge-hooks/share/THIRD-PARTY-NOTICES.txt",
      "opt/bridge-hooks/share/completions/_bridge-hooks",
      "opt/bridge-hooks/share/completions/bridge-hooks.bash",
      "opt/bridge-hooks/share/completions/bridge-hooks.fish",
      "opt/bridge-hooks/share/man/bridge-hooks.1",
      "private/etc/paths.d/bridge-hooks",
    ]);
    expect(files).toContain("Library/Application Support/bridge-hooks");
    expect(join("/", "opt/bridge-hooks/bridge-hooks")).toBe(DEFAULT_PROGRAM_PATHS.macos);
    for (const path of files) expect([path, statSync(join(root, path)).mode & 0o022]).toEqual([path, 0]);
    expect(statSync(join(root, "opt/bridge-hooks/bridge-hooks")).mode & 0o777).toBe(0o755);
    const distribution = readFileSync(join(out, "distribution.xml"), "utf8");
    expect(distribution).toContain('hostArchitectures="arm64"');
    expect(distribution).toContain('<pkg-ref id="bridge-hooks" version="0.1.0">component.pkg</pkg-ref>');
  });

  test("has the entitlements that docs/operate/platforms.md recommends", async () => {
    const page = await Bun.file(join(import.meta.dir, "../../docs/operate/platforms.md")).text();
    const taken = [...page.matchAll(/^- `(com\.apple\.[\w.-]+)`/gm)].map(([, name]) => [name, true]);
    expect(taken.length).toBe(2);
    expect(plist(readFileSync(join(folder, "macos/entitlements.plist"), "utf8"))).toEqual(Object.fromEntries(taken));
  });

  test("is not built for invalid arguments: make-pkg.sh prints one line and leaves nothing", async () => {
    const work = makeFolder();
    mkdirSync(join(work, "there"));
    writeFileSync(join(work, "bridge-hooks-0.1.0-darwin-x64.tar.gz"), "no archive");
    const cases: readonly [args: readonly string[], message: RegExp][] = [
      [[], /^make-pkg: pass the archive/],
      [[archive, "there"], /^make-pkg: there exists; pass another directory\n$/],
      [["bridge-hooks-0.1.0-linux-x64.tar.gz", "out", "--layout"], /is not an archive for macOS\n$/],
      [
        ["bridge-hooks-0.1.0-darwin-x64.tar.gz", "out", "--layout"],
        /bridge-hooks-0\.1\.0-darwin-x64\.tar\.gz can't be unpacked\n$/,
      ],
      [[archive, "out", "--sign", "x"], /^make-pkg: unknown option --sign\n$/],
      [[archive, "out", "--notary", "x"], /^make-pkg: Apple notarizes only signed packages; add --installer\n$/],
      ...(process.platform === "darwin"
        ? []
        : [[[archive, "out"], /^make-pkg: \w+ is not installed; run this script on a Mac/] as [string[], RegExp]]),
    ];
    for (const [args, message] of cases) {
      const { exit_code, stderr } = await run(["sh", script, ...args], { cwd: work });
      expect([args, exit_code, stderr]).toEqual([args, 1, expect.stringMatching(message)]);
      expect(readdirSync(work).sort()).toEqual(["bridge-hooks-0.1.0-darwin-x64.tar.gz", "there"]);
    }
  });
});
