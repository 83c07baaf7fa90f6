import { describe, expect, test } from "bun:test";
import { chmodSync, existsSync, mkdirSync, readFileSync, statSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { fetchPackages } from "../../release/debian-packages.ts";
import { findProgram } from "../../src/hosts/find-program.ts";
import { detectTarget } from "../../src/operate/executable/image.ts";
import {
  answerForever,
  answerWith,
  FORGED,
  listFile,
  packMembers,
  readServed,
  type Served,
  signArchive,
  signList,
} from "./forged-releases.ts";
import { makeInstaller, refusal } from "./installer.ts";
import { makeFolder, makeNextRelease, makeSmallRelease, run, serveFiles } from "./support.ts";

const here = detectTarget().slice("bun-".length);
const { folder, key } = await makeSmallRelease([here]);
const name = `bridge-hooks-0.1.0-${here}`;
const archive = `${name}.tar.gz`;
const right = readServed(folder, archive);
const older = readServed(await makeNextRelease([here], "0.0.9", { key }), `bridge-hooks-0.0.9-${here}.tar.gz`);
const list = readFileSync(join(folder, "SHA256SUMS"), "utf8");
const line = list.split("\n").find((one) => one.endsWith(archive)) ?? expect.unreachable();

const forgedArchive = packMembers([{ path: `${name}/bridge-hooks`, content: FORGED, mode: 0o755 }]);

/** Served files, keyed by the first part of the URL's path. */
const places: Record<string, Served> = { right, older };
const requested: string[] = [];
const url = serveFiles((place, file) => {
  requested.push(`${place}/${file}`);
  if (place === `endless-${file}`) return answerForever();
  return answerWith(places[place.startsWith("endless-") ? "right" : place], file);
});
const { install, attack } = makeInstaller(folder, (place) => `${url}${place}`);

describe("install.sh installs nothing for", () => {
  const twice = `${line}\n${listFile(archive, forgedArchive)}`;
  const CASES: readonly [name: string, served: Served, message: RegExp][] = [
    ["a release without a signature", { ...right, "SHA256SUMS.sig": undefined as never }, /\.sig can't be downloaded/],
    ["a release with an empty signature", { ...right, "SHA256SUMS.sig": "" }, /the signature of .* is invalid/],
    [
      "a page in place of the signature",
      { ...right, "SHA256SUMS.sig": "<html></html>" },
      /the signature of .* is invalid/,
    ],
    [
      "a release with another release's signature",
      { ...right, "SHA256SUMS.sig": older["SHA256SUMS.sig"] ?? "" },
      /the signature of .* is invalid/,
    ],
    ["an older release in place of this one", older, /has no bridge-hooks-0\.1\.0-\S+; nothing was installed/],
    [
      "an older archive under this one's name",
      { ...right, [archive]: older[`bridge-hooks-0.0.9-${here}.tar.gz`] ?? "" },
      /the checksum of \S+ differs/,
    ],
    [
      "an older executable in an archive of this name",
      signArchive(
        key,
        archive,
        packMembers([{ path: `${name}/bridge-hooks`, content: "#!/bin/sh\necho 0.0.9\n", mode: 0o755 }]),
      ),
      /does not run on this machine; nothing was installed/,
    ],
    ["a truncated list", { ...right, SHA256SUMS: list.slice(0, -1) }, /the signature of .* is invalid/],
    [
      "a truncated archive",
      { ...right, [archive]: right[archive]?.slice(0, 300) ?? "" },
      /the checksum of \S+ differs/,
    ],
    ["a list with two hashes for the archive", { ...right, ...signList(key, twice) }, /lists \S+ more than once/],
    ["a list with the archive's line twice", { ...right, ...signList(key, `${line}\n${line}\n`) }, /more than once/],
    ["a list with CRLF", { ...right, ...signList(key, list.replaceAll("\n", "\r\n")) }, /has no bridge-hooks-/],
    [
      "a list with text in place of a hash",
      { ...right, ...signList(key, `${"x".repeat(64)}  ${archive}\n`) },
      /no hash/,
    ],
  ];
  for (const [index, [what, served, message]] of CASES.entries())
    test(what, async () => {
      places[`case${index}`] = served;
      expect(await attack(`case${index}`, [], { home: makeFolder() })).toEqual(refusal(message));
    });
  for (const file of ["SHA256SUMS", "SHA256SUMS.sig"])
    for (const [program, without] of [
      ["curl", ["wget"]],
      ["wget", ["curl"]],
    ] as const)
      test(`an endless ${file}, by ${program}`, async () => {
        expect(await attack(`endless-${file}`, [], { home: makeFolder(), without })).toEqual(
          refusal(/can't be downloaded; nothing was installed/),
        );
      });
  test("a version that is a path", async () => {
    for (const version of ["..", "../../x", "-x", ".1"])
      expect(await attack("right", ["--version", version], { home: makeFolder() })).toEqual(
        refusal(/--version requires a version/),
      );
  });
  test("a redirect from https to http", async () => {
    const certificate = makeFolder();
    const request = ["-x509", "-newkey", "rsa:2048", "-nodes", "-days", "2", "-subj", "/CN=test"];
    const names = ["-addext", "subjectAltName=IP:127.0.0.1", "-keyout", "key.pem", "-out", "cert.pem"];
    expect((await run(["openssl", "req", ...request, ...names], { cwd: certificate })).exit_code).toBe(0);
    const [cert = "", tlsKey = ""] = ["cert.pem", "key.pem"].map((one) => readFileSync(join(certificate, one), "utf8"));
    const secure = serveFiles(
      (place, file) => (place === "stays" ? answerWith(right, file) : Response.redirect(`${url}right/${file}`, 302)),
      { cert, key: tlsKey },
    );
    const env = { CURL_CA_BUNDLE: join(certificate, "cert.pem") };
    const { install } = makeInstaller(folder, (place) => `${secure}${place}`);
    expect((await install("stays", [], { home: makeFolder() }, env)).exit_code).toBe(0);
    const { exit_code, stderr } = await install("leaves", [], { home: makeFolder() }, env);
    expect([exit_code, stderr]).toEqual([1, expect.stringContaining("SHA256SUMS can't be downloaded")]);
  });
});

const tars = await fetchPackages("release-tar", {
  architecture: "amd64",
  packages: ["busybox-static", "libarchive-tools"],
}).catch((error: Error) => error);

describe("a signed but hostile archive", () => {
  const path = `${name}/bridge-hooks`;
  const program = {
    path,
    content: readFileSync(join(folder, "..", "executables", `bridge-hooks-${here}`)),
    mode: 0o755,
  };
  const victim = join(makeFolder(), "victim");
  const content = "unchanged";
  /** Rows of an archive's members, with whether the executable in it gets installed. */
  const ARCHIVES: readonly [name: string, members: Parameters<typeof packMembers>[0], installs: boolean][] = [
    [
      "paths with ..",
      [{ path: "../../escaped", content }, { path: `${name}/../../../escaped`, content }, program],
      true,
    ],
    ["absolute paths", [{ path: victim, content: "changed" }, program], true],
    ["a link in place of its directory", [{ path: name, content: "", link: join(victim, "..") }, program], true],
    ["a link in place of the temporary file", [{ path: "bridge-hooks", content: "", link: victim }, program], true],
    ["a symbolic link as the executable", [{ path, content: "", link: victim }], false],
    ["a hard link as the executable", [{ path, content: "", link: victim, type: "1" }], false],
    [
      "a hard link to another member",
      [
        { ...program, path: "x" },
        { path, content: "", link: "x", type: "1" },
      ],
      false,
    ],
    ["a character device as the executable", [{ path, content: "", link: "", type: "3" }], false],
    ["a block device as the executable", [{ path, content: "", link: "", type: "4" }], false],
    ["a pipe as the executable", [{ path, content: "", link: "", type: "6" }], false],
    ["no executable", [{ path: "bridge-hooks", content }], false],
    ["an empty executable", [{ path, content: "" }], false],
  ];
  const missing = tars instanceof Error ? " (not run: no package)" : "";
  const TARS: readonly [name: string, script: string | undefined][] = [
    ["this machine's tar", `#!/bin/sh\nexec ${findProgram("tar")} "$@"\n`],
    [`busybox${missing}`, missing ? undefined : `#!/bin/sh\nexec ${tars}/bin/busybox tar "$@"\n`],
    [
      `bsdtar, as on a Mac${missing}`,
      missing
        ? undefined
        : `#!/bin/sh\nLD_LIBRARY_PATH=${tars}/usr/lib/x86_64-linux-gnu exec ${tars}/usr/bin/bsdtar "$@"\n`,
    ],
  ];
  for (const [tar, script] of TARS)
    test.skipIf(script === undefined)(`writes only the executable with ${tar}`, async () => {
      for (const [what, members, installs] of ARCHIVES) {
        writeFileSync(victim, content);
        chmodSync(victim, 0o600);
        places["hostile"] = signArchive(key, archive, packMembers(members));
        const home = makeFolder();
        const { exit_code, left } = await attack("hostile", [], { home, instead: { tar: script ?? "" } });
        expect([what, exit_code, left]).toEqual([what, installs ? 0 : 1, installs ? [".local/bin/bridge-hooks"] : []]);
        if (installs) expect(readFileSync(join(home, ".local/bin/bridge-hooks")).equals(program.content)).toBe(true);
        expect([what, readFileSync(victim, "utf8"), statSync(victim).mode & 0o777]).toEqual([what, content, 0o600]);
      }
    });
});

describe("between verification and use", () => {
  test("every file is downloaded once", async () => {
    requested.length = 0;
    expect((await attack("right", [], { home: makeFolder() })).exit_code).toBe(0);
    expect(requested).toEqual(["SHA256SUMS", "SHA256SUMS.sig", archive].map((file) => `right/${file}`));
  });
  test("files are in a directory that only its owner can enter, whatever the umask is", async () => {
    const home = makeFolder();
    const program = `#!/bin/sh\nls -ld "\${0%/*}" >"$HOME/mode"\necho 0.1.0\n`;
    places["looks"] = signArchive(
      key,
      archive,
      packMembers([{ path: `${name}/bridge-hooks`, content: program, mode: 0o755 }]),
    );
    const before = process.umask(0);
    try {
      expect((await attack("looks", [], { home })).exit_code).toBe(0);
    } finally {
      process.umask(before);
    }
    expect(readFileSync(join(home, "mode"), "utf8")).toStartWith("drwx------");
  });
  test("a link in the target's place is replaced, and its target is unchanged", async () => {
    const home = makeFolder();
    mkdirSync(join(home, ".local/bin"), { recursive: true });
    const elsewhere = join(home, "elsewhere");
    writeFileSync(elsewhere, "#!/bin/sh\n[ $1 = --version ] && echo 0.0.9\n", { mode: 0o755 });
    await run(["ln", "-s", elsewhere, join(home, ".local/bin/bridge-hooks")]);
    expect((await attack("right", [], { home })).exit_code).toBe(0);
    expect(readFileSync(elsewhere, "utf8")).toContain("0.0.9");
    expect(existsSync(join(home, "ran"))).toBe(false);
  });
});

test("install.sh treats a release candidate as older than its release", async () => {
  const home = makeFolder();
  for (const [there, exit_code] of [
    ["0.1.0-rc.2", 0],
    ["0.1.1-rc.1", 1],
    ["0.1.0+build", 0],
  ] as const) {
    const target = join(home, "bridge-hooks");
    writeFileSync(target, `#!/bin/sh\n[ $1 = --version ] && echo ${there}\n`, { mode: 0o755 });
    const { exit_code: code } = await install("right", ["--dir", home], { home });
    expect([there, code]).toEqual([there, exit_code]);
  }
});
