import { afterAll, describe, expect, test } from "bun:test";
import {
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  realpathSync,
  renameSync,
  rmSync,
  writeFileSync,
} from "node:fs";
import { tmpdir } from "node:os";
import { basename, join } from "node:path";
import { replaceExecutable } from "../../src/operate/executable/replace-executable.ts";
import { isInUseError, removeLeftoverFile, renameOver, replaceFile } from "../../src/system/replace-file.ts";

const folder = realpathSync(mkdtempSync(join(tmpdir(), "bridge-hooks-replace-")));
afterAll(() => rmSync(folder, { recursive: true, force: true }));
let count = 0;
function makeFiles() {
  const place = join(folder, String(++count));
  mkdirSync(place);
  const [from, to] = [join(place, "new"), join(place, "guard.exe")];
  writeFileSync(from, "new");
  writeFileSync(to, "old");
  return { place, from, to, list: () => readdirSync(place).sort() };
}

const fail = (code: string) => {
  throw Object.assign(new Error(code), { code, syscall: "rename" });
};

/** Renames files the way Windows does: the executables in `running` can be renamed but not replaced. */
const renameLikeWindows = (running: readonly string[], more: (from: string, to: string) => void = () => {}) => {
  const held = new Set(running.map((path) => readFileSync(path, "utf8")));
  return (from: string, to: string) => {
    more(from, to);
    if (existsSync(to) && held.has(readFileSync(to, "utf8"))) fail("EPERM");
    renameSync(from, to);
  };
};

describe("a running executable", () => {
  test("is replaced on Windows, where it must be moved aside", () => {
    const { from, to, place, list } = makeFiles();
    replaceExecutable(from, to, { platform: "win32", rename: renameLikeWindows([to]) });
    expect(readFileSync(to, "utf8")).toBe("new");
    // On this system, nothing keeps the old file from being removed.
    expect(list()).toEqual(["guard.exe"]);
    expect(place).toBe(join(folder, String(count)));
  });
  test("is removed by the next build after it was moved aside", () => {
    const { place, from, to, list } = makeFiles();
    writeFileSync(join(place, ".bridge-hooks-old-12-ab.exe"), "");
    writeFileSync(join(place, ".bridge-hooks-old.txt"), "mine");
    replaceExecutable(from, to);
    expect(list()).toEqual([".bridge-hooks-old.txt", "guard.exe"]);
  });
  test("is moved back if the new executable can't take its place", () => {
    const { from, to, list } = makeFiles();
    const rename = renameLikeWindows([to], (one, other) => {
      if (one === from && !existsSync(other)) fail("EACCES");
    });
    expect(() => replaceExecutable(from, to, { platform: "win32", rename })).toThrow("EACCES");
    expect([readFileSync(to, "utf8"), list()]).toEqual(["old", ["guard.exe", "new"]]);
  });
  test("is replaced directly on other systems", async () => {
    const { place, to } = makeFiles();
    writeFileSync(to, readFileSync("/bin/sleep"), { mode: 0o755 });
    rmSync(to);
    writeFileSync(to, readFileSync("/bin/sleep"), { mode: 0o755 });
    Bun.spawnSync(["chmod", "755", to]);
    const running = Bun.spawn([to, "20"]);
    replaceExecutable(join(place, "new"), to);
    expect([readFileSync(to, "utf8"), running.exitCode]).toEqual(["new", null]);
    running.kill();
    await running.exited;
  });
  test("stays in place if permission is missing, which is reported immediately", () => {
    const { from, to } = makeFiles();
    const renames: string[] = [];
    const rename = (one: string) => {
      renames.push(basename(one));
      fail("EACCES");
    };
    expect(() => replaceExecutable(from, to, { platform: "linux", rename })).toThrow("EACCES");
    expect(renames).toEqual(["new"]);
  });
});

describe("a file that another program holds open", () => {
  test("is replaced once a later attempt succeeds", () => {
    const { from, to } = makeFiles();
    let left = 3;
    const rename = (one: string, other: string) => (left-- > 0 ? fail("EBUSY") : renameSync(one, other));
    renameOver(from, to, { rename });
    expect(readFileSync(to, "utf8")).toBe("new");
  });
  test("is an error after several attempts", () => {
    const { from, to } = makeFiles();
    let tries = 0;
    const rename = () => {
      tries++;
      fail("EPERM");
    };
    expect(() => renameOver(from, to, { platform: "win32", rename })).toThrow("EPERM");
    expect(tries).toBeGreaterThan(1);
  });
  test("is recognized by EBUSY, and on Windows by EPERM and EACCES", () => {
    const held = (code: string, platform: NodeJS.Platform) =>
      isInUseError(Object.assign(new Error("x"), { code }), platform);
    expect(["EPERM", "EACCES", "EBUSY", "ENOENT"].map((code) => [held(code, "win32"), held(code, "linux")])).toEqual([
      [true, false],
      [true, false],
      [true, true],
      [false, false],
    ]);
  });

  // A file used as a mount point is busy for every user. Any user may mount in a separate namespace.
  const canMount = Bun.spawnSync(["unshare", "-rm", "true"]).exitCode === 0;
  test.skipIf(!canMount)("is written if it becomes free, and otherwise unchanged", () => {
    const { place, to } = makeFiles();
    const script = join(place, "write.ts");
    const source = join(import.meta.dir, "../../src/system/replace-file.ts");
    writeFileSync(
      script,
      `import { replaceFile } from ${JSON.stringify(source)};\nreplaceFile(process.argv[2], "written", { durable: true });\n`,
    );
    const run = (more: string) =>
      Bun.spawnSync([
        "unshare",
        "-rm",
        "sh",
        "-c",
        `mount --bind "$1" "$1" && { ${more} "$2" "$3" "$1"; }`,
        "sh",
        to,
        process.execPath,
        script,
      ]);
    const busy = run("");
    expect([busy.exitCode === 0, readFileSync(to, "utf8")]).toEqual([false, "old"]);
    expect(busy.stderr.toString()).toContain("EBUSY");
    const freed = run('{ sleep 0.2; umount "$1"; } &');
    expect([freed.stderr.toString(), readFileSync(to, "utf8")]).toEqual(["", "written"]);
    // The failed attempt left no temporary file behind.
    expect(readdirSync(place).sort()).toEqual(["guard.exe", "new", "write.ts"]);
  });
});

describe("a leftover", () => {
  test("is removed, whether it is a file or a directory, and a failure to remove it is not an error", () => {
    const { place, to } = makeFiles();
    removeLeftoverFile(to);
    removeLeftoverFile(place);
    removeLeftoverFile(place);
    removeLeftoverFile("/proc/self/status");
    expect(existsSync(place)).toBe(false);
  });
  test("of a failed write does not hide the write's error", () => {
    expect(() => replaceFile("/proc/bridge-hooks", "x")).toThrow(/ENOENT|EACCES|EPERM/);
  });
});
