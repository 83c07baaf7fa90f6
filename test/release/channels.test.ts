import { describe, expect, test } from "bun:test";
import { existsSync, readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { TARGETS } from "../../src/operate/executable/image.ts";
import { findProgram } from "../../src/hosts/find-program.ts";
import { makeSmallRelease, run } from "./support.ts";

const URL = "https://example.invalid/bridge-hooks/v{version}";
const { folder } = await makeSmallRelease(
  TARGETS.map((target) => target.slice(4)),
  ["--url", URL],
);
const read = (name: string) => readFileSync(join(folder, "channels", name), "utf8");
const sums = new Map(
  readFileSync(join(folder, "SHA256SUMS"), "utf8")
    .trim()
    .split("\n")
    .map((line) => [line.slice(66), line.slice(0, 64)]),
);
/** Lists every download in a text together with the hash that follows it. */
const files = [...sums.keys()];

describe("the package manager file", () => {
  const CASES: readonly [name: string, pattern: RegExp, count: number][] = [
    ["homebrew/bridge-hooks.rb", /v0\.1\.0\/([\w.-]+)"\s+sha256 "(\w{64})"/g, 4],
    ["scoop/bridge-hooks.json", /v0\.1\.0\/([\w.-]+)",\s+"hash": "(\w{64})"/g, 2],
    ["winget/BridgeHooks.BridgeHooks.installer.yaml", /v0\.1\.0\/([\w.-]+)"\s+InstallerSha256: (\w{64})/g, 2],
    ["mise/mise.toml", /v0\.1\.0\/([\w.-]+)", checksum = "sha256:(\w{64})"/g, 6],
  ];
  for (const [name, pattern, count] of CASES)
    test(`${name} names archives of the release, with their hashes`, () => {
      const found = [...read(name).matchAll(pattern)];
      expect(found.length).toBe(count);
      for (const [, file = "", hash = ""] of found)
        expect([file, hash.toLowerCase()]).toEqual([file, sums.get(file) ?? "not in the release"]);
    });
  test("aqua/registry.yaml names an archive of the release for each of its platforms", () => {
    const { packages } = Bun.YAML.parse(read("aqua/registry.yaml")) as any;
    const [
      {
        url,
        supported_envs,
        files: [program],
      },
    ] = packages;
    expect(supported_envs).toEqual([
      "linux/amd64",
      "linux/arm64",
      "darwin/amd64",
      "darwin/arm64",
      "windows/amd64",
      "windows/arm64",
    ]);
    for (const env of supported_envs) {
      const [os, arch] = env.replace("amd64", "x64").split("/");
      const fill = (text: string) =>
        text
          .replaceAll("{{trimV .Version}}", "0.1.0")
          .replace("{{.OS}}", os)
          .replace("{{.Arch}}", arch)
          .replace("{{.Format}}", os === "windows" ? "zip" : "tar.gz");
      expect(files).toContain(fill(url).replace("https://example.invalid/bridge-hooks/v0.1.0/", ""));
      expect(fill(program.src)).toBe(`bridge-hooks-0.1.0-${os}-${arch}/bridge-hooks`);
    }
  });
});

test("the files for Scoop, mise and winget are valid, and contain the release's version", () => {
  expect(JSON.parse(read("scoop/bridge-hooks.json"))).toMatchObject({ version: "0.1.0", bin: "bridge-hooks.exe" });
  expect(Bun.TOML.parse(read("mise/mise.toml"))).toMatchObject({
    tools: { "http:bridge-hooks": { version: "0.1.0" } },
  });
  const winget = readdirSync(join(folder, "channels/winget")).map(
    (name) => Bun.YAML.parse(read(`winget/${name}`)) as any,
  );
  expect(winget.map(({ ManifestType }) => ManifestType).sort()).toEqual(["defaultLocale", "installer", "version"]);
  for (const one of winget)
    expect([one.PackageIdentifier, one.PackageVersion, one.ManifestVersion]).toEqual([
      "BridgeHooks.BridgeHooks",
      "0.1.0",
      "1.6.0",
    ]);
});

const ruby = findProgram("ruby");
test.skipIf(ruby === undefined)(
  `ruby accepts the syntax of the Homebrew formula${ruby === undefined ? " (not run: there is no ruby)" : ""}`,
  async () => {
    const { exit_code, stderr } = await run([ruby ?? "", "-c", join(folder, "channels/homebrew/bridge-hooks.rb")]);
    expect([exit_code, stderr]).toEqual([0, ""]);
  },
);

test("the install scripts contain the release's URL with a placeholder for the version", () => {
  for (const name of ["install.sh", "install.ps1"])
    expect(readFileSync(join(folder, name), "utf8")).toContain(`'${URL}'`);
});

test("a release without --url has no package manager files", async () => {
  const { folder: other } = await makeSmallRelease(["windows-x64"]);
  expect(existsSync(join(other, "channels"))).toBe(false);
});
