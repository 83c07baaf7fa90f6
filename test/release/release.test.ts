import { describe, expect, test } from "bun:test";
import { generateKeyPairSync } from "node:crypto";
import { existsSync, mkdirSync, readdirSync, readFileSync, statSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { findProgram } from "../../src/hosts/find-program.ts";
import { makeFolder, makeSmallRelease, RELEASE_TIME, run, runRelease, writeSmallExecutables } from "./support.ts";
import { copySources } from "./sources.ts";

const TARGETS = ["linux-x64", "windows-x64"];
const { folder, key } = await makeSmallRelease(TARGETS);
const list = (root: string) => readdirSync(root, { recursive: true, encoding: "utf8" }).sort();
const read = (name: string) => readFileSync(join(folder, name), "utf8");

describe("a release", () => {
  test("has an archive for each platform, with the same files", async () => {
    const tar = await run(["tar", "-tvzf", join(folder, "bridge-hooks-0.1.0-linux-x64.tar.gz")], {
      env: { TZ: "UTC" },
    });
    expect(tar.stdout).toContain("-rwxr-xr-x root/root");
    expect(tar.stdout).toContain(" 2023-11-14 22:13 bridge-hooks-0.1.0-linux-x64/bridge-hooks\n");
    const names = tar.stdout
      .trim()
      .split("\n")
      .map((line) => line.split("/").slice(2).join("/"));
    expect(names.slice(0, 4)).toEqual(["bridge-hooks", "LICENSE", "README.md", "THIRD-PARTY-NOTICES.txt"]);
    const zip = join(folder, "bridge-hooks-0.1.0-windows-x64.zip");
    const python =
      "import sys,zipfile; z=zipfile.ZipFile(sys.argv[1]); assert z.testzip() is None; print([(i.filename, i.date_time[:3], oct(i.external_attr >> 16)) for i in z.infolist()][:2])";
    const { stdout } = await run(["python3", "-c", python, zip]);
    expect(stdout).toBe(
      "[('bridge-hooks-0.1.0-windows-x64/bridge-hooks.exe', (2023, 11, 14), '0o100755'), ('bridge-hooks-0.1.0-windows-x64/LICENSE', (2023, 11, 14), '0o100644')]\n",
    );
  });

  test("has the same content in .tar.zst as in .tar.gz", () => {
    const bytes = (name: string) => readFileSync(join(folder, `bridge-hooks-0.1.0-linux-x64.${name}`));
    expect(Buffer.from(Bun.zstdDecompressSync(bytes("tar.zst"))).equals(Bun.gunzipSync(bytes("tar.gz")))).toBe(true);
  });

  test("lists every file in SHA256SUMS, as sha256sum reads it", async () => {
    expect((await run(["sha256sum", "--check", "--strict", "--quiet", "SHA256SUMS"], { cwd: folder })).exit_code).toBe(
      0,
    );
    const listed = read("SHA256SUMS")
      .trim()
      .split("\n")
      .map((line) => line.slice(66));
    const files = list(folder).filter(
      (name) => statSync(join(folder, name)).isFile() && !/^(SHA256SUMS|release-key)/.test(name),
    );
    expect(listed.sort()).toEqual(files);
  });

  test("has a signature that openssl dgst verifies, and rejects for another file", async () => {
    const check = (file: string) =>
      run(["openssl", "dgst", "-sha256", "-verify", "release-key.pem", "-signature", "SHA256SUMS.sig", file], {
        cwd: folder,
      });
    expect(await check("SHA256SUMS")).toMatchObject({ exit_code: 0, stdout: "Verified OK\n" });
    expect((await check("build-info.json")).exit_code).not.toBe(0);
  });

  test("records version, time, Bun and targets in build-info.json", () => {
    const info = JSON.parse(read("build-info.json"));
    expect(info).toMatchObject({
      name: "bridge-hooks",
      version: "0.1.0",
      sourceDateEpoch: RELEASE_TIME,
      bun: { version: Bun.version, revision: Bun.revision },
    });
    expect(info.executables.map((one: { target: string }) => one.target)).toEqual(TARGETS);
  });

  test("lists the components of an executable as CycloneDX and as notices", () => {
    const bom = JSON.parse(read("bridge-hooks.cdx.json"));
    const names = bom.components.map((one: { name: string }) => one.name);
    expect(names).toEqual(expect.arrayContaining(["bun", "clipanion", "zod", "valibot", "bun-types"]));
    expect(names).not.toContain("oxlint");
    expect(bom.components[0].components.map((one: { name: string }) => one.name)).toEqual(
      expect.arrayContaining(["JavaScriptCore", "boringssl", "mimalloc"]),
    );
    expect(bom.serialNumber).toMatch(/^urn:uuid:[0-9a-f]{8}-[0-9a-f]{4}-4[0-9a-f]{3}-8[0-9a-f]{3}-[0-9a-f]{12}$/);
    const refs = bom.dependencies.map((one: { ref: string }) => one.ref);
    expect(refs[0]).toBe("bridge-hooks@0.1.0");
    for (const name of names) expect(read("THIRD-PARTY-NOTICES.txt").toLowerCase()).toContain(`\n${name} `);
  });
});

test("a release has the same bytes from another directory, umask, time zone and locale", async () => {
  const work = makeFolder();
  const executables = writeSmallExecutables(join(work, "executables"), TARGETS);
  const make = async (name: string, env: Record<string, string>, mask: string) => {
    const root = copySources(join(work, name));
    const out = join(work, `${name}.release`);
    const args = [
      "--out",
      out,
      "--key",
      key,
      "--executables",
      executables,
      "--work-tree",
      ...TARGETS.flatMap((one) => ["--target", one]),
    ];
    const { exit_code, stderr } = await runRelease(args, {
      root,
      env,
      within: ["sh", "-c", `umask ${mask}; exec "$@"`, "sh"],
    });
    expect([exit_code, stderr]).toEqual([0, expect.any(String)]);
    return out;
  };
  const one = await make("one", { TZ: "Asia/Tokyo", LC_ALL: "C" }, "022");
  const other = await make("some/longer/place", { TZ: "UTC", LC_ALL: "C.UTF-8", USER: "somebody" }, "077");
  expect(list(one)).toEqual(list(other));
  // ECDSA signatures contain a random number, so they aren't the same.
  for (const name of list(one))
    if (statSync(join(one, name)).isFile() && name !== "SHA256SUMS.sig")
      expect([name, readFileSync(join(one, name)).equals(readFileSync(join(other, name)))]).toEqual([name, true]);
});

const canMount = findProgram("unshare") !== undefined && (await run(["unshare", "-rm", "true"])).exit_code === 0;

describe("a release fails and leaves nothing behind if", () => {
  const work = makeFolder();
  const executables = writeSmallExecutables(join(work, "executables"), TARGETS);
  const small = ["--executables", executables, "--work-tree", "--target", "linux-x64"];
  const wrongKeys = {
    "there.pem": "nothing",
    "rsa.pem": "-----BEGIN PRIVATE KEY-----\nAAAA\n-----END PRIVATE KEY-----\n",
    "ed25519.pem": generateKeyPairSync("ed25519").privateKey.export({ format: "pem", type: "pkcs8" }),
  };
  for (const [name, text] of Object.entries(wrongKeys)) writeFileSync(join(work, name), text, { mode: 0o600 });
  writeFileSync(join(work, "open.pem"), readFileSync(key), { mode: 0o644 });
  mkdirSync(join(work, "full"));
  writeFileSync(join(work, "full", "file"), "");

  const CASES: readonly [name: string, args: readonly string[], message: RegExp][] = [
    ["--out is missing", ["--unsigned"], /^release: --out DIR is missing/],
    [
      "neither --key nor --unsigned is passed",
      ["--out", "x"],
      /^release: --key FILE is missing; pass the key that signs the release, or pass --unsigned$/,
    ],
    [
      "the target is unknown",
      ["--out", join(work, "x"), "--unsigned", "--target", "amiga"],
      /^release: unknown target "amiga"; known: linux-x64, /,
    ],
    [
      "the key file does not exist",
      ["--out", join(work, "x"), "--key", join(work, "none.pem")],
      /^release: the key in .*none.pem can't be read \(ENOENT\)/,
    ],
    [
      "the key file does not contain a key",
      ["--out", join(work, "x"), "--key", join(work, "there.pem")],
      /^release: .*there.pem is not a private key/,
    ],
    [
      "the key is of another type",
      ["--out", join(work, "x"), "--key", join(work, "ed25519.pem")],
      /^release: .*ed25519.pem contains a key of type ed25519, not P-256; create one with openssl genpkey \S+ EC /,
    ],
    [
      "other users may read the key file",
      ["--out", join(work, "x"), "--key", join(work, "open.pem")],
      /^release: other users can read the key in .*; run chmod 600 /,
    ],
    ["the output directory exists", ["--out", join(work, "full"), "--unsigned"], /^release: .*full exists; delete it/],
    [
      "an executable is missing",
      ["--out", join(work, "y/z"), "--unsigned", "--executables", work, "--work-tree"],
      /^release: .*bridge-hooks-linux-x64 is missing; /,
    ],
    [
      "--url is not a URL",
      ["--out", join(work, "x"), "--unsigned", "--url", "here"],
      /^release: --url here: not a URL/,
    ],
    ["an option is unknown", ["--output", "x"], /^release: Unknown option '--output'/],
  ];
  for (const [name, args, message] of CASES)
    test(name, async () => {
      const before = list(work);
      const { exit_code, stderr } = await runRelease(args);
      expect([exit_code, stderr.trim()]).toEqual([1, expect.stringMatching(message)]);
      expect(stderr.trim().split("\n").length).toBe(1);
      expect(list(work)).toEqual(before);
    });

  test.skipIf(!canMount)(
    `the disk is full${canMount ? "" : " (not run: namespaces are not allowed here)"}`,
    async () => {
      const disk = join(work, "disk");
      mkdirSync(disk);
      const mount = [
        "unshare",
        "-rm",
        "sh",
        "-c",
        `mount -t tmpfs -o size=1m none ${disk} && "$@"; code=$?; ls -A ${disk}; exit $code`,
        "sh",
      ];
      const { exit_code, stdout, stderr } = await runRelease(["--out", join(disk, "release"), "--unsigned", ...small], {
        within: mount,
      });
      expect([exit_code, stdout, stderr]).toEqual([
        1,
        "",
        expect.stringMatching(
          /^release: not enough disk space in .*disk for 1 target; free 1 GB, or pass another directory with --out\n$/,
        ),
      ]);
    },
  );

  test("it is interrupted", async () => {
    const out = join(work, "interrupted/release");
    const before = list(work);
    const child = Bun.spawn(
      [
        process.execPath,
        "--no-install",
        "release/main.ts",
        "--out",
        out,
        "--unsigned",
        "--work-tree",
        "--target",
        "linux-x64",
      ],
      {
        cwd: join(import.meta.dir, "../.."),
        env: { ...process.env, SOURCE_DATE_EPOCH: `${RELEASE_TIME}` },
        stderr: "pipe",
      },
    );
    const reader = child.stderr.getReader();
    expect(new TextDecoder().decode((await reader.read()).value)).toMatch(/^release: (building|waiting)/);
    child.kill("SIGTERM");
    expect(await child.exited).toBe(143);
    expect(list(work)).toEqual(before);
    expect(
      existsSync("/tmp/bridge-hooks-release/owner") &&
        readFileSync("/tmp/bridge-hooks-release/owner", "utf8") === `${child.pid}`,
    ).toBe(false);
  });
});
