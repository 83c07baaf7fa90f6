import { afterAll, describe, expect, test } from "bun:test";
import {
  chmodSync,
  chownSync,
  existsSync,
  lstatSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { buildMdmFiles } from "../../../src/operate/mdm/mdm.ts";
import { getRecordPath, listClientFiles } from "../../../src/operate/mdm/placed-files.ts";
import { findProgram } from "../../../src/hosts/find-program.ts";
import { hosts } from "../../../src/hosts/index.ts";
import { parsePowerShell } from "../../../src/shell/powershell/parser.ts";
import { createPackOrder } from "../../support/pack-orders.ts";

const work = mkdtempSync(join(tmpdir(), "bridge-hooks-rollout-"));
afterAll(() => rmSync(work, { recursive: true, force: true }));

const config = {
  bytes: Buffer.from("\u0000no line end, 日本 '"),
  hash: "0",
  modes: { general: { mode: "enforce" } },
} as const;
const order = createPackOrder([{ events: ["PreToolUse", "PostToolUse", "Stop"] }], {
  programs: { linux: "/opt/it's $HOME `id`/b", macos: "/opt/it's $HOME `id`/b", windows: "C:\\it's\\b.exe" },
});
const pack = await buildMdmFiles(order, hosts, [], config);
const small = await buildMdmFiles(
  order,
  hosts.filter(({ id }) => id === "claude" || id === "codex"),
  [],
  config,
);
const textOf = (path: string, files = pack) => files.find((one) => one.path === path)?.text ?? expect.unreachable(path);

const isRoot = process.getuid?.() === 0;

describe.each(["linux", "macos"] as const)("place-files.sh on %s", (system) => {
  const placed = listClientFiles(pack, system);
  const record = getRecordPath(system);
  let root = "";
  const newRoot = () => {
    root = mkdtempSync(join(work, "it's a root "));
  };
  /** Runs a script the way a Jamf Pro policy does, with a mount point. */
  const run = (args: readonly string[], options = {}) => runScript([root, "mac", "mia", ...args], options);
  function runScript(args: readonly string[], { files = pack, env = {} }: { files?: typeof pack; env?: object } = {}) {
    const script = join(work, "place-files.sh");
    writeFileSync(script, textOf(`rollout/${system}/place-files.sh`, files));
    const { exitCode, stdout, stderr } = Bun.spawnSync(["sh", script, ...args], {
      env: { PATH: process.env.PATH ?? "", ...env },
    });
    return { code: exitCode, lines: stdout.toString().trimEnd().split("\n"), stderr: stderr.toString() };
  }
  const there = () =>
    readdirSync(root, { recursive: true, encoding: "utf8" })
      .map((path) => `/${path}`)
      .filter((path) => statSync(root + path).isFile())
      .sort();
  const targets = (files = placed) => files.map(({ target }) => target);

  test("places each file byte for byte, with its permissions, and changes nothing in a second run", () => {
    newRoot();
    expect(run(["check"])).toEqual({ code: 1, lines: targets().map((path) => `missing   ${root}${path}`), stderr: "" });
    expect(there()).toEqual([]);
    const first = run(["install"]);
    expect([first.code, first.stderr]).toEqual([0, ""]);
    expect(there()).toEqual([...targets(), record].sort());
    for (const { target, bytes } of placed) {
      expect([target, Buffer.compare(readFileSync(root + target), bytes)]).toEqual([target, 0]);
      expect([target, statSync(root + target).mode & 0o777]).toEqual([target, 0o644]);
      expect(statSync(dirname(root + target)).mode & 0o777).toBe(0o755);
    }
    const listStamps = () =>
      [...targets(), record].map((path) => [path, statSync(root + path, { bigint: true }).ctimeNs]);
    const stamps = listStamps();
    const second = run(["install"]);
    expect([second.code, second.lines.at(-1)]).toEqual([0, "nothing to change"]);
    expect(listStamps()).toEqual(stamps);
    expect(run(["check"]).code).toBe(0);
  });
  test("replaces files that were changed after it placed them, whatever was changed", () => {
    const [content = "", mode = "", gone = "", link = "", owner = ""] = targets();
    const policy = targets().at(-1) as string;
    for (const path of [content, policy]) writeFileSync(root + path, '{ "mode": "observe" }');
    chmodSync(root + mode, 0o666);
    rmSync(root + gone);
    rmSync(root + link);
    symlinkSync(root, root + link);
    if (isRoot) chownSync(root + owner, 12, 12);
    const changed = [content, mode, gone, link, ...(isRoot ? [owner] : []), policy];
    const states = ["different", "exposed", "missing", "different", ...(isRoot ? ["exposed"] : []), "different"];
    const check = run(["check"]);
    expect([check.code, check.lines.filter((line) => !line.startsWith("ok"))]).toEqual([
      1,
      changed.map((path, at) => `${states[at]?.padEnd(9)} ${root}${path}`),
    ]);
    const { code, lines, stderr } = run(["install"]);
    expect([code, stderr, lines.filter((line) => !line.startsWith("ok"))]).toEqual([
      ...[0, ""],
      changed.map((path) => `placed    ${root}${path}`),
    ]);
    for (const { target, bytes } of placed) {
      const stat = lstatSync(root + target);
      expect([target, stat.isFile(), stat.mode & 0o777, stat.uid]).toEqual([
        target,
        true,
        0o644,
        process.getuid?.() ?? 0,
      ]);
      expect([target, Buffer.compare(readFileSync(root + target), bytes)]).toEqual([target, 0]);
    }
    expect(there()).toEqual([...targets(), record].sort());
    expect(run(["install"]).lines.at(-1)).toBe("nothing to change");
  });
  test("replaces a changed file in a later run if the first run fails", () => {
    const [changed = "", folder = ""] = targets();
    writeFileSync(root + changed, "{}");
    rmSync(root + folder);
    mkdirSync(root + folder);
    const tools = mkdtempSync(join(work, "tools-"));
    writeFileSync(join(tools, "base64"), "#!/bin/sh\nhead -c 9\n", { mode: 0o755 });
    const failed = run(["install"], { env: { PATH: `${tools}:${process.env.PATH ?? ""}` } });
    expect([failed.code, failed.stderr]).toEqual([
      1,
      `place-files.sh: ${root}${changed} can't be written; run this script as root, and check the free disk space\n` +
        `place-files.sh: ${root}${folder} is a directory; move it away\n`,
    ]);
    rmSync(root + folder, { recursive: true });
    const { code, stderr } = run(["install"]);
    expect([code, stderr, run(["check"]).code]).toEqual([0, "", 0]);
  });
  test("removes the files that a newer pack lacks, and all files in the end", () => {
    const kept = listClientFiles(small, system).map(({ target }) => target);
    expect(run(["install"], { files: small }).code).toBe(0);
    expect(there()).toEqual([...kept, record].sort());
    expect(run(["remove", "codex"]).lines.length).toBe(1);
    expect(there()).toEqual([...kept.filter((path) => !path.includes("codex")), record].sort());
    expect(run(["remove"]).code).toBe(0);
    // These are the system's own directories, which only in this test are empty.
    expect(readdirSync(root, { recursive: true })).toEqual(
      system === "linux" ? ["etc"] : ["Library", "Library/Application Support"],
    );
    expect(run(["remove"])).toEqual({ code: 0, lines: ["nothing to change"], stderr: "" });
  });
  test("does not change content that no pack placed, and places all other files", () => {
    newRoot();
    const [foreign = "", linked = ""] = targets();
    for (const path of [foreign, linked]) mkdirSync(dirname(root + path), { recursive: true });
    writeFileSync(root + foreign, "{}");
    symlinkSync("/dev/null", root + linked);
    const { code, stderr } = run(["install"]);
    expect([code, stderr]).toEqual([
      1,
      `place-files.sh: ${root}${foreign} was not placed by a pack, so it stays unchanged; add the bridge-hooks entries to this file, or move it away\n` +
        `place-files.sh: ${root}${linked} was not placed by a pack, so it stays unchanged; add the bridge-hooks entries to this file, or move it away\n`,
    ]);
    expect(readFileSync(root + foreign, "utf8")).toBe("{}");
    expect(there().length).toBe(placed.length);
    const changed = targets().at(-1) as string;
    writeFileSync(root + changed, "changed");
    expect(run(["remove"]).stderr).toContain(`${changed} was changed after it was placed, so it stays unchanged`);
    expect(there()).toEqual([foreign, changed].sort());
  });
  test("can be limited to hosts, with Jamf's parameters and with its own", () => {
    newRoot();
    expect(run(["install", "claude,codex"]).code).toBe(0);
    expect(there()).toEqual([...targets(placed.filter(({ host }) => /^(claude|codex)$/.test(host))), record].sort());
    expect(run(["check", "claude"]).lines.length).toBe(1);
    expect(run(["install", "cursor"]).code).toBe(0);
    expect(readFileSync(root + record, "utf8").split("\n").length).toBe(4);
    expect(run(["remove"]).code).toBe(0);
    expect(run(["install", "cursr"])).toMatchObject({
      code: 1,
      stderr: expect.stringContaining('no files for "cursr"'),
    });
    expect(run(["instal"])).toMatchObject({
      code: 1,
      stderr: 'place-files.sh: unknown action "instal"; use install, check or remove\n',
    });
    // Jamf passes all eleven parameters, using empty strings for those that aren't set.
    expect(run(["", "", "", "", "", "", "", ""]).code).toBe(0);
    expect(there().length).toBe(placed.length + 1);
  });
  test("accepts a root before the action, and installs nothing if another action is named", () => {
    newRoot();
    expect(runScript([root, "check"]).code).toBe(1);
    expect(runScript([root, "check", "codex"]).lines.length).toBe(1);
    expect(runScript([root, "remove"]).code).toBe(0);
    expect(runScript([root, "instal"])).toMatchObject({
      code: 1,
      stderr: 'place-files.sh: unknown action "instal"; use install, check or remove\n',
    });
    expect(there()).toEqual([]);
    expect(runScript([root, "install", "codex"]).code).toBe(0);
    expect(there().length).toBe(2);
  });
  test("uses macOS's programs: shasum, and a base64 without -d", () => {
    newRoot();
    const tools = mkdtempSync(join(work, "tools-"));
    const scripts = {
      sha256sum: "exit 127",
      shasum: '[ "$*" = "-a 256" ] && exec /usr/bin/sha256sum',
      base64: '[ "$*" = --decode ] && exec /usr/bin/base64 -d',
    };
    for (const [name, text] of Object.entries(scripts))
      writeFileSync(join(tools, name), `#!/bin/sh\n${text}\n`, { mode: 0o755 });
    const env = { PATH: `${tools}:${process.env.PATH ?? ""}` };
    expect(run(["install"], { env }).stderr).toBe("");
    expect(there()).toEqual([...targets(), record].sort());
  });
  test("reports a file that can't be written, and leaves no part of it", () => {
    newRoot();
    const tools = mkdtempSync(join(work, "tools-"));
    writeFileSync(join(tools, "base64"), "#!/bin/sh\nhead -c 9\n", { mode: 0o755 });
    const { code, stderr } = run(["install"], { env: { PATH: `${tools}:${process.env.PATH ?? ""}` } });
    expect([code, stderr.split("\n")[0]]).toEqual([
      1,
      `place-files.sh: ${root}${targets()[0]} can't be written; run this script as root, and check the free disk space`,
    ]);
    expect(there()).toEqual([]);
    expect(existsSync(root + record)).toBe(false);
  });
});

for (const shell of ["dash", "bash", "zsh"])
  test.skipIf(findProgram(shell) === undefined)(`${shell} parses place-files.sh`, () => {
    for (const system of ["linux", "macos"])
      expect(
        Bun.spawnSync([shell, "-n"], {
          stdin: Buffer.from(textOf(`rollout/${system}/place-files.sh`)),
        }).stderr.toString(),
      ).toBe("");
  });

describe("the PowerShell scripts for Intune", () => {
  const scripts = pack.filter(({ path }) => /^rollout\/windows\/.*\.ps1$/.test(path));
  test("have a BOM, CRLF line endings, and no unfilled placeholders", () => {
    expect(scripts.map(({ path }) => path.split("/").at(-1))).toEqual([
      "intune-detection.ps1",
      "intune-remediation.ps1",
      "remove-files.ps1",
      "intune-app-detection.ps1",
    ]);
    for (const { text } of scripts) {
      expect(text).toStartWith("\ufeff#");
      expect(text.replaceAll("\r\n", "")).not.toMatch(/\n|@[A-Z_]+@/);
    }
  });
  test("contain each Windows file byte for byte, with its hash and its path", () => {
    const placed = listClientFiles(pack, "windows");
    for (const { text } of scripts.slice(0, 3)) {
      const rows = [
        ...text.matchAll(/^ {2}@\{ Path = '(.*)'; Hash = '([0-9a-f]{64})'; Data = '([A-Za-z0-9+/=]*)' \}\r$/gm),
      ];
      expect(rows.map(([, path = "", hash, data = ""]) => [path.replaceAll("''", "'"), hash, data])).toEqual(
        placed.map(({ target, sha256, bytes }) => [target, sha256, Buffer.from(bytes).toString("base64")]),
      );
    }
    expect(placed.every(({ target }) => /^C:\\(ProgramData|Program Files)\\/.test(target))).toBe(true);
  });
  test("can be parsed by the PowerShell parser, as can the pack's other scripts", () => {
    const all = pack.filter(({ path }) => path.endsWith(".ps1"));
    expect(all.length).toBeGreaterThan(scripts.length + 3);
    for (const { path, text } of all)
      expect([path, parsePowerShell(text.replace("\ufeff", "")).problem]).toEqual([path, undefined]);
  });
  test("check, install and remove by default", () => {
    expect(scripts.slice(0, 3).map(({ text }) => /\[string\]\$Action = "(\w+)"/.exec(text)?.[1])).toEqual([
      "check",
      "install",
      "remove",
    ]);
  });
});
