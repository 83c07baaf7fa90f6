import { afterAll, describe, expect, test } from "bun:test";
import { mkdirSync, readdirSync, readFileSync, statSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { detectTarget } from "../../src/operate/executable/image.ts";
import { findReachableSwitches } from "../../src/operate/executable/runtime.ts";
import { explainOwner } from "../../src/operate/update/owner.ts";
import { unpackFile } from "../../src/operate/update/unpack.ts";
import { findProgram } from "../../src/hosts/find-program.ts";
import type { HookDescriptor } from "../../src/protocol/hook.ts";
import { linkExecutable } from "../support/executables.ts";
import { EXECUTABLE } from "../support/fixtures.ts";
import { makeFolder, makeNextRelease, makeSmallRelease, run, writeKey } from "./support.ts";

const here = detectTarget().slice("bun-".length);
const { folder, key } = await makeSmallRelease([...new Set([here, "linux-x64", "windows-x64"])]);
const publicKey = join(folder, "release-key.pem");
/** A stand-in for a release whose doctor passes, fails, or hangs until it's interrupted. */
const EXECUTABLE_TEXT = `#!/bin/sh
[ "$1" = --version ] && echo 0.1.0 && exit 0
[ "$1" = doctor ] || exit 0
case "$TEST_DOCTOR" in
  fails) echo "denied $*" >&2; exit 2 ;;
  hangs) exec sleep 600 ;;
  *) echo "{}" ;;
esac
`;
const [newer, older] = ["0.2.0", "0.0.9"].map((version) =>
  makeNextRelease([here], version, { key, executable: EXECUTABLE_TEXT }),
) as [Promise<string>, Promise<string>];

const server = Bun.serve({
  // A busy machine might take longer than the default of ten seconds.
  idleTimeout: 255,
  hostname: "127.0.0.1",
  port: 0,
  async fetch(request) {
    const [, place = "", name = ""] = new URL(request.url).pathname.split("/");
    const from: Record<string, string> = {
      same: folder,
      newer: await newer,
      older: await older,
    };
    const file = Bun.file(join(from[place] ?? (await newer), name));
    if (place === "gone" || !(await file.exists())) return new Response("", { status: 404 });
    const bytes = Buffer.from(await file.bytes());
    if (place === "changed" && name.endsWith(".gz")) bytes[9] = 7;
    return new Response(bytes);
  },
});
afterAll(() => server.stop(true));

/** @param doctor the outcome of the new release's doctor */
function makeMachine({ doctor = "passes" }: { doctor?: "passes" | "fails" | "hangs" } = {}) {
  const home = makeFolder();
  const bin = join(home, "bin");
  mkdirSync(bin);
  const file = join(bin, "bridge-hooks");
  linkExecutable(EXECUTABLE, file);
  const line = (place: string) => [file, "update", "--url", `${server.url.href}${place}`, "--key", publicKey, "--yes"];
  const env = { HOME: home, PATH: "/usr/bin:/bin", XDG_STATE_HOME: join(home, "state"), TEST_DOCTOR: doctor };
  const options = { cwd: home, env };
  const update = (place: string, ...args: string[]) => run([...line(place), ...args], options);
  return { file, bin, update, line, options };
}

const canMount = findProgram("unshare") !== undefined && (await run(["unshare", "-rm", "true"])).exit_code === 0;

describe("update", () => {
  test("--check reports the available release, and changes nothing", async () => {
    const { file, update } = makeMachine();
    const found = await update("newer", "--check");
    expect([found.exit_code, found.stdout]).toEqual([
      1,
      expect.stringMatching(/^\S+\/newer has 0\.2\.0, newer than 0\.1\.0\.\n$/),
    ]);
    const same = await update("same");
    expect([same.exit_code, same.stdout]).toEqual([0, expect.stringContaining("Already up to date")]);
    expect(readFileSync(file).equals(readFileSync(EXECUTABLE))).toBe(true);
  });
  test("replaces nothing without confirmation, and reports how to confirm", async () => {
    const { file, line, options } = makeMachine();
    const asking = line("newer").filter((word) => word !== "--yes");
    const { exit_code, stderr } = await run(asking, options);
    expect([exit_code, stderr]).toEqual([
      1,
      `bridge-hooks: no changes made: no terminal to ask for confirmation; to skip confirmation: ${asking.join(" ")} --yes\n`,
    ]);
    expect(readFileSync(file).equals(readFileSync(EXECUTABLE))).toBe(true);
  });
  test("installs the new release", async () => {
    const { file, bin, update } = makeMachine();
    const { exit_code, stdout } = await update("newer");
    expect([exit_code, stdout]).toEqual([
      0,
      `Updated ${file} to 0.2.0. New hooks may subscribe to more events; to add entries: ${file} install\n`,
    ]);
    expect((await run([file, "--version"])).stdout).toBe("0.2.0\n");
    expect(readdirSync(bin)).toEqual(["bridge-hooks"]);
  });
  test("restores the old release if doctor's result is worse with the new one", async () => {
    const { file, bin, update } = makeMachine({ doctor: "fails" });
    const { exit_code, stderr } = await update("newer");
    expect([exit_code, stderr.trim().split("\n").at(-1)]).toEqual([
      1,
      "bridge-hooks: the old executable was restored because with 0.2.0, doctor fails",
    ]);
    expect(readFileSync(file).equals(readFileSync(EXECUTABLE))).toBe(true);
    expect(readdirSync(bin)).toEqual(["bridge-hooks"]);
  });
  test("installs an older release only on request", async () => {
    const { file, update } = makeMachine();
    const refused = await update("older");
    expect([refused.exit_code, refused.stderr]).toEqual([
      1,
      expect.stringMatching(/ is 0\.0\.9, older than 0\.1\.0; to install it, pass --allow-older\n$/),
    ]);
    expect((await run([file, "--version"])).stdout).toStartWith("0.1.0\n");
    expect((await update("older", "--allow-older")).exit_code).toBe(0);
    expect((await run([file, "--version"])).stdout).toBe("0.0.9\n");
  });
  test("leaves only the old release in place if interrupted", async () => {
    const { file, bin, line, options } = makeMachine({ doctor: "hangs" });
    const child = Bun.spawn(line("newer"), { ...options, stdin: "ignore", stderr: "pipe", detached: true });
    const reader = child.stderr.pipeThrough(new TextDecoderStream()).getReader();
    for (let said = ""; !said.includes("with the new executable");)
      said += (await reader.read()).value ?? expect.unreachable(said);
    process.kill(-child.pid, "SIGINT");
    const rest = await reader.read();
    expect([await child.exited, rest.value]).toEqual([1, "bridge-hooks: interrupted; no changes made\n"]);
    expect(readFileSync(file).equals(readFileSync(EXECUTABLE))).toBe(true);
    expect(readdirSync(bin)).toEqual(["bridge-hooks"]);
  });
  test.skipIf(!canMount)(
    `a full disk changes nothing${canMount ? "" : " (not run: namespaces are not allowed here)"}`,
    async () => {
      const { file, bin, line, options } = makeMachine();
      const size = Math.ceil(statSync(file).size / 1024) + 64;
      const script = `mount -t tmpfs -o size=${size}k none ${bin} && cp ${EXECUTABLE} ${file} && "$@"; code=$?; ls -A ${bin}; cmp ${EXECUTABLE} ${file}; exit $code`;
      const { exit_code, stdout, stderr } = await run(
        ["unshare", "-rm", "sh", "-c", script, "sh", ...line("newer")],
        options,
      );
      expect([exit_code, stdout, stderr.trim().split("\n").at(-1)]).toEqual([
        1,
        "bridge-hooks\n",
        `bridge-hooks: no space left in ${bin}; no changes made`,
      ]);
    },
  );
  const WRONG: readonly [name: string, place: string, args: readonly string[], message: RegExp][] = [
    ["a changed archive", "changed", [], /does not match the release's checksum; no changes made$/],
    ["no release", "gone", [], /SHA256SUMS(\.sig)? can't be downloaded \(status 404\); no changes made$/],
    [
      "another owner's key",
      "newer",
      ["--key", "other.pem"],
      /SHA256SUMS is not signed with the key in \S+; no changes made$/,
    ],
    ["an invalid key", "newer", ["--key", "none.pem"], /none\.pem is not a P-256 public key in PEM/],
    ["a private key", "newer", ["--key", "private.pem"], /private\.pem is not a P-256 public key in PEM/],
  ];
  const { file, bin, update } = makeMachine();
  const home = join(bin, "..");
  for (const [name, place, args, message] of WRONG)
    test(`changes nothing for ${name}`, async () => {
      writeKey(join(home, "private.pem"));
      writeFileSync(join(home, "none.pem"), "no key");
      await run(["openssl", "pkey", "-in", "private.pem", "-pubout", "-out", "other.pem"], { cwd: home });
      const { exit_code, stderr } = await update(place, ...args);
      expect([exit_code, stderr.trim().split("\n").at(-1)]).toEqual([1, expect.stringMatching(message)]);
      expect(readFileSync(file).equals(readFileSync(EXECUTABLE))).toBe(true);
      expect(readdirSync(bin)).toEqual(["bridge-hooks"]);
    });
});

test("update names the updater of an executable that it did not install", () => {
  const starter = [{ name: "a", origin: "starter" }] as HookDescriptor[];
  expect(explainOwner("/home/u/bin/x", [{ name: "mine" }] as HookDescriptor[])).toContain("your own hooks");
  const owners: [file: string, words: string][] = [
    ["/p/node_modules/@bridge-hooks/linux-x64/bridge-hooks", "npm install"],
    ["/opt/homebrew/Cellar/bridge-hooks/0.1.0/bin/bridge-hooks", "brew upgrade"],
    ["C:\\Users\\u\\scoop\\apps\\bridge-hooks\\current\\bridge-hooks.exe", "scoop update"],
    ["/home/u/.local/share/mise/installs/http-bridge-hooks/0.1.0/bridge-hooks", "mise upgrade"],
    ["/opt/bridge-hooks/bridge-hooks", "an administrator"],
  ];
  for (const [file, words] of owners) expect(explainOwner(file, starter)).toContain(words);
});

test("a program is extracted from both archive formats", () => {
  for (const [archive, path] of [
    ["bridge-hooks-0.1.0-linux-x64.tar.gz", "bridge-hooks-0.1.0-linux-x64/bridge-hooks"],
    ["bridge-hooks-0.1.0-windows-x64.zip", "bridge-hooks-0.1.0-windows-x64/bridge-hooks.exe"],
  ] as const) {
    expect(unpackFile(readFileSync(join(folder, archive)), path).toString()).toStartWith("#!/bin/sh\n");
    expect(() => unpackFile(readFileSync(join(folder, archive)), path.replace("hooks", "none"))).toThrow(
      "the archive does not contain",
    );
  }
});

test("variable names in the runtime are found on each system, unlike names in the program", () => {
  const image = (runtime: string, path: string) => Buffer.from(`${runtime}${path}chunk-1.js BUN_OPTIONS`, "latin1");
  for (const path of ["/$bunfs/root/", "B:/~BUN/root/"]) {
    expect(findReachableSwitches(image("\xffUN_BE_BUN \xffUN_OPTIONS", path))).toEqual([]);
    expect(findReachableSwitches(image("\xffUN_BE_BUN BUN_OPTIONS", path))).toEqual(["BUN_OPTIONS"]);
    expect(findReachableSwitches(image("", path))).toEqual(["BUN_BE_BUN"]);
  }
});

describe("verify", () => {
  const check = async (...args: string[]) => {
    const { exit_code, stdout, stderr } = await run([EXECUTABLE, "verify", ...args, "--json"], { cwd: folder });
    if (stderr !== "") return { exit_code, stderr };
    const { proven, checks } = JSON.parse(stdout);
    return { exit_code, proven, results: Object.fromEntries(checks.map((one: any) => [one.check, one.result])) };
  };
  const archive = `bridge-hooks-0.1.0-${here}.tar.gz`;
  test("confirms a release's download", async () => {
    expect(await check(archive, "--key", publicKey)).toEqual({
      exit_code: 0,
      proven: true,
      results: { file: "ok", listed: "ok", signature: "ok", hardening: "skipped" },
    });
  });
  test("confirms nothing without the key", async () => {
    expect(await check(archive)).toMatchObject({
      exit_code: 1,
      proven: false,
      results: { listed: "ok", signature: "skipped" },
    });
  });
  test("rejects another file, another key and an unhardened runtime", async () => {
    const work = makeFolder();
    const key = join(work, "key.pem");
    writeKey(join(work, "private.pem"));
    await run(["openssl", "pkey", "-in", "private.pem", "-pubout", "-out", key], { cwd: work });
    const sums = ["--sums", join(folder, "SHA256SUMS")];
    expect(await check(EXECUTABLE, ...sums, "--key", key)).toMatchObject({
      exit_code: 1,
      results: { listed: "wrong", signature: "wrong", hardening: "ok", policy: "ok" },
    });
    const soft = join(work, "bridge-hooks");
    const bytes = readFileSync(EXECUTABLE);
    bytes.write("BUN_BE_BUN", bytes.indexOf(Buffer.from("\xffUN_BE_BUN", "latin1")));
    writeFileSync(soft, bytes);
    expect(await check(soft)).toMatchObject({ results: { listed: "skipped", hardening: "wrong" } });
    expect(await check(join(work, "nothing"))).toEqual({
      exit_code: 1,
      stderr: `bridge-hooks: ${work}/nothing is not a file\n`,
    });
  });
});
