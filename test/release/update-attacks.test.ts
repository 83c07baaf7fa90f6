import { describe, expect, test } from "bun:test";
import { mkdirSync, readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { gunzipSync, gzipSync } from "node:zlib";
import { createZip } from "../../release/archive.ts";
import { detectTarget } from "../../src/operate/executable/image.ts";
import { unpackFile } from "../../src/operate/update/unpack.ts";
import { findRelease } from "../../src/operate/update/update.ts";
import { parseSums } from "../../src/operate/verify/signature.ts";
import { linkExecutable } from "../support/executables.ts";
import { EXECUTABLE } from "../support/fixtures.ts";
import {
  answerForever,
  answerWith,
  listFile,
  type Member,
  packMembers,
  readServed,
  type Served,
  signArchive,
  signList,
} from "./forged-releases.ts";
import { makeFolder, makeNextRelease, makeSmallRelease, run, serveFiles, writeKey } from "./support.ts";

const here = detectTarget().slice("bun-".length);
const { folder, key } = await makeSmallRelease([here]);
const publicKey = join(folder, "release-key.pem");
const nameOf = (version: string) => `bridge-hooks-${version}-${here}`;
const archive = `${nameOf("0.2.0")}.tar.gz`;
const newer = readServed(await makeNextRelease([here], "0.2.0", { key }), archive);
const same = readServed(folder, `${nameOf("0.1.0")}.tar.gz`);
const list = String(newer["SHA256SUMS"]);
const line = listFile(archive, newer[archive] ?? "");
const pack = (content: string) => packMembers([{ path: `${nameOf("0.2.0")}/bridge-hooks`, content, mode: 0o755 }]);

const places: Record<string, Served> = { newer, same };
const requested: string[] = [];
const url = serveFiles((place, file) => {
  requested.push(`${place}/${file}`);
  if (place === `endless-${file}`) return answerForever();
  if (place === "loop") return Response.redirect(`/loop/${file}`, 302);
  if (place === "moved") return Response.redirect(`/newer/${file}`, 301);
  return answerWith(places[place.startsWith("endless-") ? "newer" : place], file);
});

const bin = join(makeFolder(), "bin");
mkdirSync(bin);
const file = join(bin, "bridge-hooks");
linkExecutable(EXECUTABLE, file);
async function update(place: string, ...args: string[]) {
  const home = join(bin, "..");
  const { exit_code, stderr } = await run(
    [file, "update", "--url", `${url}${place}`, "--key", publicKey, "--yes", ...args],
    {
      cwd: home,
      env: { HOME: home, PATH: "/usr/bin:/bin", XDG_STATE_HOME: join(home, "state") },
    },
  );
  return { exit_code, last: stderr.trim().split("\n").at(-1) ?? "" };
}

describe("update changes nothing for", () => {
  const another = writeKey(join(makeFolder(), "another.pem"));
  const CASES: readonly [name: string, served: Served, message: RegExp][] = [
    ["a release without a signature", { ...newer, "SHA256SUMS.sig": undefined as never }, /\.sig can't be downloaded/],
    ["an empty signature", { ...newer, "SHA256SUMS.sig": "" }, /is not signed with the key/],
    ["a page in place of the signature", { ...newer, "SHA256SUMS.sig": "<html></html>" }, /is not signed with the key/],
    ["a release signed with another key", { ...newer, ...signList(another, list) }, /is not signed with the key/],
    [
      "another release's signature",
      { ...newer, "SHA256SUMS.sig": same["SHA256SUMS.sig"] ?? "" },
      /is not signed with the key/,
    ],
    ["a truncated list", { ...newer, SHA256SUMS: list.slice(0, -1) }, /is not signed with the key/],
    [
      "a truncated archive",
      { ...newer, [archive]: newer[archive]?.slice(0, 300) ?? "" },
      /does not match the release's checksum/,
    ],
    [
      "an older archive under the new name",
      { ...newer, [archive]: same[`${nameOf("0.1.0")}.tar.gz`] ?? "" },
      /does not match the release's checksum/,
    ],
    [
      "an older executable in an archive of the new name",
      signArchive(key, archive, pack("#!/bin/sh\necho 0.0.9\n")),
      /the new executable does not run on this machine/,
    ],
    [
      "a list with two hashes for the archive",
      { ...newer, ...signList(key, line + listFile(archive, "x")) },
      /more than once/,
    ],
    [
      "a list with CRLF",
      { ...newer, ...signList(key, list.replaceAll("\n", "\r\n")) },
      /line 1 does not consist of a checksum/,
    ],
    [
      "a list of two releases",
      { ...newer, ...signList(key, listFile(`${nameOf("0.3.0")}.tar.gz`, "x") + line) },
      /lists several releases: 0\.3\.0, 0\.2\.0/,
    ],
    [
      "an executable that is changed after verification",
      signArchive(key, archive, pack(`#!/bin/sh\n[ "$1" = --version ] && echo 0.2.0 && echo '# more' >>"$0"\n`)),
      /was modified after verification; no changes made/,
    ],
  ];
  for (const [index, [what, served, message]] of CASES.entries())
    test(what, async () => {
      places[`case${index}`] = served;
      expect(await update(`case${index}`)).toEqual({ exit_code: 1, last: expect.stringMatching(message) });
      expect(readFileSync(file).equals(readFileSync(EXECUTABLE))).toBe(true);
      expect(readdirSync(bin)).toEqual(["bridge-hooks"]);
    });
});

describe("a URL that update requests", () => {
  const source = (place: string) => ({ url: `${url}${place}`, key: publicKey });
  test("is requested once for each file", async () => {
    requested.length = 0;
    expect((await findRelease(source("moved"))).version).toBe("0.2.0");
    expect(requested.sort()).toEqual(
      ["moved", "newer"].flatMap((place) => ["SHA256SUMS", "SHA256SUMS.sig"].map((one) => `${place}/${one}`)),
    );
  });
  for (const name of ["SHA256SUMS", "SHA256SUMS.sig"])
    test(`may not send an endless ${name}`, async () => {
      await expect(findRelease(source(`endless-${name}`))).rejects.toThrow("larger than 1 MB); no changes made");
    });
  test("may not redirect in circles", async () => {
    await expect(findRelease(source("loop"))).rejects.toThrow("too many redirects");
  });
});

test("update does not leave https, not even through redirects", async () => {
  const certificate = makeFolder();
  const request = ["-x509", "-newkey", "rsa:2048", "-nodes", "-days", "2", "-subj", "/CN=test"];
  const names = ["-addext", "subjectAltName=IP:127.0.0.1", "-keyout", "key.pem", "-out", "cert.pem"];
  expect((await run(["openssl", "req", ...request, ...names], { cwd: certificate })).exit_code).toBe(0);
  const read = (one: string) => readFileSync(join(certificate, one), "utf8");
  /** Redirects from https to http, where the server redirects back to https. */
  let secure = "";
  const plain = serveFiles((_, name) => Response.redirect(`${secure}stays/${name}`, 302));
  secure = serveFiles(
    (place, name) => (place === "stays" ? answerWith(newer, name) : Response.redirect(`${plain}back/${name}`, 302)),
    { cert: read("cert.pem"), key: read("key.pem") },
  );
  const check = async (place: string) => {
    const argv = [file, "update", "--check", "--url", `${secure}${place}`, "--key", publicKey];
    const { stdout, stderr } = await run(argv, { env: { NODE_EXTRA_CA_CERTS: join(certificate, "cert.pem") } });
    return stdout + stderr;
  };
  expect(await check("stays")).toContain("has 0.2.0, newer than 0.1.0");
  expect(await check("leaves")).toContain("redirect to a URL that is not HTTPS");
});

test("only one regular file with the exact path is extracted from an archive", () => {
  const path = `${nameOf("0.2.0")}/bridge-hooks`;
  const program = { path, content: "program" };
  const read = (...members: Member[]) => unpackFile(Buffer.from(packMembers(members)), path).toString();
  expect(read({ path: `../${path}`, content: "x" }, { path: `/${path}`, content: "y" }, program)).toBe("program");
  expect(read({ path: nameOf("0.2.0"), content: "", link: "/etc" }, program)).toBe("program");
  for (const type of ["1", "2", "3", "4", "5", "6", "7"])
    expect(() => read({ path, content: "", link: "x", type })).toThrow("the archive does not contain");
  const tar = gunzipSync(packMembers([program]));
  expect(() => unpackFile(gzipSync(tar.subarray(0, 515)), path)).toThrow("the archive does not contain");
  tar.set(Buffer.from("77777777777\0"), 124);
  expect(() => unpackFile(gzipSync(tar), path)).toThrow("the archive does not contain");
  const folder = `${nameOf("0.2.0")}`;
  const zip = createZip(
    [
      { path: `../${folder}/bridge-hooks.exe`, content: "x" },
      { path: `${folder}/bridge-hooks.exe`, content: "program" },
    ],
    { time: 0 },
  );
  expect(unpackFile(Buffer.from(zip), `${folder}/bridge-hooks.exe`).toString()).toBe("program");
});

test("a list is parsed line by line, or not at all", () => {
  const [hash, other] = ["a".repeat(64), "b".repeat(64)];
  expect([...parseSums(`${hash}  a b\n${other} *c\n`, "SHA256SUMS")]).toEqual([
    ["a b", hash],
    ["c", other],
  ]);
  for (const text of [
    "",
    "\n",
    `${hash}  a\r\n`,
    `${hash} a\n`,
    `${hash}  a\n\n`,
    `x${hash}  a\n`,
    `${hash.slice(1)}  a\n`,
  ])
    expect(() => parseSums(text, "SHA256SUMS")).toThrow(
      /^SHA256SUMS: line \d does not consist of a checksum and a path$/,
    );
  expect(() => parseSums(`${hash}  a\n${hash}  a\n`, "SHA256SUMS")).toThrow("SHA256SUMS lists a more than once");
});
