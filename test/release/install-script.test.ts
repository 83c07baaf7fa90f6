import { afterAll, describe, expect, test } from "bun:test";
import { existsSync, mkdirSync, readdirSync, readFileSync, statSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { detectTarget } from "../../src/operate/executable/image.ts";
import { findProgram } from "../../src/hosts/find-program.ts";
import { waitFor } from "../support/machine.ts";
import { makeInstaller } from "./installer.ts";
import { makeFolder, makeSmallRelease, run, writeSmallExecutables } from "./support.ts";

const here = detectTarget().slice("bun-".length);
const { folder } = await makeSmallRelease([here]);
const archive = `bridge-hooks-0.1.0-${here}.tar.gz`;

/** Serves the release and broken variants of it. The first part of the URL's path says what is broken. */
const requested: string[] = [];
const server = Bun.serve({
  // A busy machine might take longer than the default of ten seconds.
  idleTimeout: 255,
  hostname: "127.0.0.1",
  port: 0,
  async fetch(request) {
    const [, wrong = "", name = ""] = new URL(request.url).pathname.split("/");
    requested.push(`${wrong}/${name}`);
    if (wrong === "moved") return Response.redirect(`/right/${name}`, 302);
    const file = Bun.file(join(folder, name));
    if (wrong === "gone" || !(await file.exists())) return new Response("not found", { status: 404 });
    const bytes = Buffer.from(await file.bytes());
    if (wrong === "changed" && name === archive) bytes[bytes.length - 20] = (bytes[bytes.length - 20] ?? 0) ^ 1;
    if (wrong === "cut" && name === archive)
      return new Response(
        new ReadableStream({
          start(stream) {
            stream.enqueue(bytes.subarray(0, 300));
            stream.close();
          },
        }),
      );
    if (wrong === "endless" && name === archive)
      return new Response(
        new ReadableStream({
          async pull(stream) {
            stream.enqueue(bytes.subarray(0, 1));
            // The delay just slows down an endless stream.
            await Bun.sleep(50);
          },
        }),
      );
    if (wrong === "resigned" && name === "SHA256SUMS") return new Response(`${"0".repeat(64)}  ${archive}\n`);
    if (wrong === "unlisted" && name === "SHA256SUMS") return new Response("");
    return new Response(bytes);
  },
});
afterAll(() => server.stop(true));

/** A connection that ends in the middle of a file, which no HTTP server would do on purpose. */
const broken = Bun.listen({
  hostname: "127.0.0.1",
  port: 0,
  socket: {
    data(socket, request) {
      const name = /^GET \/([^ ]*)/.exec(request.toString())?.[1] ?? "";
      const bytes = readFileSync(join(folder, name));
      socket.write(`HTTP/1.1 200 OK\r\nContent-Length: ${bytes.length}\r\nConnection: close\r\n\r\n`);
      socket.write(name === archive ? bytes.subarray(0, 200) : bytes);
      socket.end();
    },
  },
});
afterAll(() => broken.stop(true));

const { install, prepareInstall } = makeInstaller(folder, (wrong) =>
  wrong === "broken" ? `http://127.0.0.1:${broken.port}` : `${server.url.href}${wrong}`,
);

for (const shell of ["dash", "bash"]) {
  const there = findProgram(shell) !== undefined;
  test.skipIf(!there)(
    `${shell} runs install.sh, which installs the executable once and then doesn't change it${there ? "" : ` (not run: there is no ${shell})`}`,
    async () => {
      const home = makeFolder();
      const first = await install("right", [], { home, shell });
      const target = join(home, ".local/bin/bridge-hooks");
      expect([first.exit_code, first.stdout, first.stderr]).toEqual([
        0,
        `bridge-hooks 0.1.0 is in ${target}.\nNext: add ${home}/.local/bin to your PATH, and run ${target} install\n`,
        "",
      ]);
      expect(statSync(target).mode & 0o777).toBe(0o755);
      expect((await run([target, "--version"])).stdout).toBe("0.1.0\n");
      const again = await install("right", [], { home, shell });
      expect([again.exit_code, again.stdout.split("\n")[0]]).toEqual([
        0,
        `bridge-hooks 0.1.0 is already in ${target}.`,
      ]);
      expect(readdirSync(join(home, ".local/bin"))).toEqual(["bridge-hooks"]);
    },
  );
}

describe("install.sh", () => {
  test("follows a redirect", async () =>
    expect((await install("moved", [], { home: makeFolder() })).exit_code).toBe(0));
  test("downloads with wget if curl is missing", async () => {
    const { exit_code, stderr } = await install("right", ["--dir", "here"], { home: makeFolder(), without: ["curl"] });
    expect([exit_code, stderr]).toEqual([0, ""]);
  });
  test("installs into a directory with a space in its name", async () => {
    const home = makeFolder();
    const { stdout } = await install("right", ["--dir", join(home, "my bin")], { home }, {});
    expect(stdout).toContain(`is in ${home}/my bin/bridge-hooks.`);
  });
  test("inserts --version into the URL", async () => {
    const home = makeFolder();
    const { stderr } = await install(
      "right",
      ["--version", "v9.8.7"],
      { home },
      { BRIDGE_HOOKS_URL: `${server.url.href}{version}/` },
    );
    expect(stderr).toContain("/9.8.7 has no bridge-hooks-9.8.7-");
    expect(requested).toContain("9.8.7/SHA256SUMS");
  });
});

describe("install.sh installs nothing, and gives the reason, if", () => {
  const CASES: readonly [
    name: string,
    wrong: string,
    args: readonly string[],
    message: RegExp,
    without?: readonly string[],
  ][] = [
    [
      "the archive has the wrong checksum",
      "changed",
      [],
      /the checksum of \S+\.tar\.gz differs from the release's list; nothing was installed/,
    ],
    ["the archive is truncated", "cut", [], /the checksum of \S+ differs/],
    ["the connection breaks while curl downloads", "broken", [], /tar\.gz can't be downloaded; nothing was installed/],
    [
      "the connection breaks while wget downloads",
      "broken",
      [],
      /tar\.gz can't be downloaded; nothing was installed/,
      ["curl"],
    ],
    ["SHA256SUMS was changed", "resigned", [], /the signature of \S+SHA256SUMS is invalid; nothing was installed/],
    ["SHA256SUMS is empty", "unlisted", [], /the signature of/],
    ["the release does not exist", "gone", [], /SHA256SUMS can't be downloaded; nothing was installed/],
    [
      "SHA256SUMS lacks the requested version",
      "right",
      ["--version", "0.2.0"],
      /has no bridge-hooks-0\.2\.0-\S+\.tar\.gz; nothing was installed/,
    ],
    ["neither curl nor wget is installed", "right", [], /neither curl nor wget is installed/, ["curl", "wget"]],
    ["tar is not installed", "right", [], /tar is not installed/, ["tar"]],
    ["an option is unknown", "right", ["--prefix", "x"], /unknown option --prefix; see --help/],
    ["an option lacks its value", "right", ["--dir"], /--dir requires a value; see --help/],
    ["--version is not a version", "right", ["--version", "1;ls"], /--version requires a version/],
    ["--dir is a file", "right", ["--dir", "file"], /file can't be written to; pass another directory with --dir/],
  ];
  for (const [name, wrong, args, message, without = []] of CASES)
    test(name, async () => {
      const home = makeFolder();
      writeFileSync(join(home, "file"), "");
      const { exit_code, stdout, stderr } = await install(wrong, args, { home, without });
      expect([exit_code, stdout]).toEqual([1, ""]);
      expect(stderr.trim().split("\n").at(-1)).toMatch(message);
      const left = existsSync(join(home, ".local/bin")) ? readdirSync(join(home, ".local/bin")) : [];
      expect(left).toEqual([]);
    });
});

describe("install.sh leaves nothing behind", () => {
  const canMount = findProgram("unshare") !== undefined && Bun.spawnSync(["unshare", "-rm", "true"]).exitCode === 0;
  test.skipIf(!canMount)(`on a full disk${canMount ? "" : " (not run: namespaces are not allowed here)"}`, async () => {
    const home = makeFolder();
    const disk = join(home, "disk");
    mkdirSync(disk);
    const { argv, ...options } = prepareInstall("right", ["--dir", disk], { home });
    const env = { ...options.env, PATH: `${options.env.PATH}:${process.env.PATH}` };
    const messages = new Set<string>();
    // Any step can run out of disk space: writing the list, the signature, the key, the archive, or its contents.
    for (let pages = 1; ; pages++) {
      const script = `mount -t tmpfs -o size=${pages * 4}k none ${disk} && "$@"; code=$?; ls -A ${disk}; exit $code`;
      const within = [findProgram("unshare") ?? "", "-rm", findProgram("sh") ?? "", "-c", script, "sh"];
      const { exit_code, stdout, stderr } = await run([...within, ...argv], { ...options, env });
      if (exit_code === 0) break;
      expect([pages, exit_code, stdout]).toEqual([pages, 1, ""]);
      const last = stderr.trim().split("\n").at(-1) ?? "";
      messages.add(/can't be (downloaded|written to|unpacked)/.exec(last)?.[1] ?? last);
    }
    expect([...messages].sort()).toEqual(["downloaded", "unpacked", "written to"]);
  });
  test("if it is interrupted", async () => {
    const home = makeFolder();
    const { argv, ...options } = prepareInstall("endless", [], { home });
    const child = Bun.spawn(argv, { ...options, env: { ...process.env, ...options.env }, detached: true });
    const bin = join(home, ".local/bin");
    await waitFor(
      () => existsSync(bin) && readdirSync(bin).some((name) => existsSync(join(bin, name, "archive"))),
      "the beginning of the archive",
    );
    // Signal the whole process group, the way a terminal does.
    process.kill(-child.pid, "SIGINT");
    expect(await child.exited).toBe(130);
    expect(readdirSync(bin)).toEqual([]);
  });
});

describe("if its target exists, install.sh", () => {
  const cases: readonly [name: string, program: string, message: RegExp][] = [
    [
      "another program",
      "#!/bin/sh\necho hello\n",
      /exists and is not a bridge-hooks executable; pass another directory/,
    ],
    [
      "a newer release",
      "#!/bin/sh\n[ $1 = --version ] && echo 0.10.0\n",
      /is 0\.10\.0, newer than 0\.1\.0; pass --version 0\.1\.0 to downgrade/,
    ],
    [
      "an executable with the user's own hooks",
      `#!/bin/sh\n[ $1 = --version ] && echo 0.0.1 || echo '{"hooks": [{"origin": "own"}]}'\n`,
      /contains your own hooks/,
    ],
  ];
  for (const [name, program, message] of cases)
    test(`keeps ${name}, and gives the reason`, async () => {
      const home = makeFolder();
      const target = join(home, "bridge-hooks");
      writeSmallExecutables(home, [], "");
      writeFileSync(target, program, { mode: 0o755 });
      const { exit_code, stderr } = await install("right", ["--dir", home], { home });
      expect([exit_code, stderr]).toEqual([1, expect.stringMatching(message)]);
      expect(readFileSync(target, "utf8")).toBe(program);
    });
  test("replaces an older release, and with --version a newer one", async () => {
    for (const [there, args] of [
      ["0.0.9", []],
      ["0.10.0", ["--version", "0.1.0"]],
    ] as const) {
      const home = makeFolder();
      writeFileSync(join(home, "bridge-hooks"), `#!/bin/sh\n[ $1 = --version ] && echo ${there}\n`, { mode: 0o755 });
      expect((await install("right", ["--dir", home, ...args], { home })).exit_code).toBe(0);
      expect((await run([join(home, "bridge-hooks"), "--version"])).stdout).toBe("0.1.0\n");
    }
  });
});

describe("the platform that install.sh detects", () => {
  const PLATFORMS: readonly [uname: string, more: string, platform: string][] = [
    ["Linux x86_64", "ldd='ldd (GNU libc) 2.36'", "linux-x64"],
    ["Linux aarch64", "ldd='musl libc (aarch64)'", "linux-arm64-musl"],
    ["Darwin arm64", "", "darwin-arm64"],
    ["Darwin x86_64", "", "darwin-x64"],
    ["Darwin x86_64", "translated=1", "darwin-arm64"],
  ];
  for (const [uname, more, platform] of PLATFORMS)
    test(`is ${platform} for ${uname}${more && ` with ${more}`}`, async () => {
      const functions = readFileSync(join(folder, "install.sh"), "utf8").replace(/\nmain "\$@"\n$/, "\n");
      const [system, machine] = uname.split(" ");
      const program = `${functions}\nldd= translated=\n${more}\nuname() { if [ $1 = -s ]; then echo ${system}; else echo ${machine}; fi; }\nldd() { echo "$ldd"; }\nsysctl() { echo "$translated"; }\nfind_platform`;
      const { stdout, stderr } = await run(["sh", "-c", program]);
      expect([stdout, stderr]).toEqual([`${platform}\n`, ""]);
    });
  test("is an error on another system", async () => {
    const functions = readFileSync(join(folder, "install.sh"), "utf8").replace(/\nmain "\$@"\n$/, "\n");
    const { exit_code, stderr } = await run(["sh", "-c", `${functions}\nuname() { echo Plan9; }\nfind_platform`]);
    expect([exit_code, stderr]).toEqual([
      1,
      "bridge-hooks: unsupported system Plan9; executables exist for Linux, macOS and Windows\n",
    ]);
  });
});
