import { describe, expect, test } from "bun:test";
import {
  linkSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  rmSync,
  symlinkSync,
  utimesSync,
  writeFileSync,
} from "node:fs";
import * as fs from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import * as path from "node:path";
import fc from "fast-check";
import * as lightFs from "../../src/system/files.ts";
import type * as LightPath from "../../src/system/paths.ts";
import { ROOT } from "../support/fixtures.ts";
import { fuzz } from "../support/fuzz.ts";

const isLinux = process.platform === "linux";

/** Returns what a function returns or throws. */
function attempt(run: () => unknown): unknown {
  try {
    return { value: run() };
  } catch (error) {
    return { code: (error as NodeJS.ErrnoException).code, message: (error as Error).message };
  }
}

let runs = 0;
let lightPath: typeof LightPath;
/** Imports a fresh copy every ten runs, because the module switches to node:path after many requests. */
async function renewLightPath(): Promise<void> {
  if (runs++ % 10 === 0) lightPath = (await import(`../../src/system/paths.ts?${runs}`)) as typeof LightPath;
}

describe("system/paths returns the same as node:path", () => {
  const STEPS = ["", ".", "..", "...", "a", "b.c", ".git", " ", "ä", "\\", "C:", "a\0b", "~"];
  const somePath = fc
    .tuple(fc.constantFrom("", "/", "//", "///"), fc.array(fc.constantFrom(...STEPS), { maxLength: 6 }))
    .map(([start, steps]) => start + steps.join("/"));
  const check = (name: "basename" | "dirname" | "isAbsolute" | "normalize", given: string) =>
    expect([name, given, lightPath.posix[name](given)]).toEqual([name, given, path.posix[name](given)]);

  test("for any path", async () => {
    await fc.assert(
      fc.asyncProperty(fc.oneof(somePath, fc.string()), async (given) => {
        await renewLightPath();
        for (const name of ["basename", "dirname", "isAbsolute", "normalize"] as const) check(name, given);
        expect(lightPath.posix.basename(given, ".c")).toBe(path.posix.basename(given, ".c"));
      }),
      fuzz(5_000),
    );
  });
  test("for several paths", async () => {
    await fc.assert(
      fc.asyncProperty(fc.array(somePath, { maxLength: 4 }), somePath, somePath, async (all, from, to) => {
        await renewLightPath();
        expect([all, lightPath.posix.join(...all)]).toEqual([all, path.posix.join(...all)]);
        expect([all, lightPath.posix.resolve(...all)]).toEqual([all, path.posix.resolve(...all)]);
        expect([from, to, lightPath.posix.relative(from, to)]).toEqual([from, to, path.posix.relative(from, to)]);
      }),
      fuzz(5_000),
    );
  });
  test.skipIf(process.platform === "win32")("before and after it delegates to that module", async () => {
    runs = 0;
    await renewLightPath();
    for (let at = 0; at < 600; at++) expect(lightPath.join("/a", "..", `b${at}`)).toBe(`/b${at}`);
  });
  test("for values of other types and for Windows paths", async () => {
    runs = 0;
    await renewLightPath();
    expect(lightPath.posix.parse("/a/b.c")).toEqual(path.posix.parse("/a/b.c"));
    for (const name of [
      "basename",
      "dirname",
      "isAbsolute",
      "normalize",
      "join",
      "resolve",
      "relative",
      "parse",
    ] as const)
      for (const given of [undefined, null, 5, {}])
        expect([name, given, attempt(() => (lightPath.posix[name] as any)(given, given))]).toEqual([
          ...[name, given],
          attempt(() => (path.posix[name] as any)(given, given)),
        ]);
    expect(lightPath.win32.join("C:\\a", "..", "b/c")).toBe(path.win32.join("C:\\a", "..", "b/c"));
    expect(lightPath.win32.resolve("C:\\a", "..\\b")).toBe(path.win32.resolve("C:\\a", "..\\b"));
    expect([lightPath.sep, lightPath.delimiter]).toEqual([path.sep, path.delimiter]);
  });
});

describe("system/files returns the same as node:fs", () => {
  const folder = mkdtempSync(join(tmpdir(), "bridge-hooks-light-"));
  const at = (name: string) => join(folder, name);
  mkdirSync(at("folder/inner"), { recursive: true });
  writeFileSync(at("file"), "ref: refs/heads/main\n");
  writeFileSync(at("empty"), "");
  writeFileSync(at("umlaut-ä"), "Grüße\n");
  writeFileSync(at("bom"), "\uFEFFtext");
  writeFileSync(at("binary"), new Uint8Array([104, 0xff, 0, 105]));
  writeFileSync(at("8k"), "x".repeat(1 << 13));
  writeFileSync(at("almost-8k"), "x".repeat((1 << 13) - 1));
  linkSync(at("file"), at("second-name"));
  symlinkSync("file", at("link"));
  symlinkSync("umlaut-ä", at("link-to-umlaut"));
  symlinkSync(at("folder"), at("link-to-folder"));
  symlinkSync("nowhere", at("broken"));
  symlinkSync("circle", at("circle"));
  utimesSync(at("empty"), 1_700_000_000.123, 1_600_000_000.456);
  if (isLinux) Bun.spawnSync(["mkfifo", at("pipe")]);
  const PATHS = [
    ...["file", "empty", "umlaut-ä", "bom", "binary", "8k", "almost-8k", "second-name", "link", "broken", "circle"],
    ...["link-to-umlaut", "link-to-folder/inner", "link-to-folder/../file", "folder", "folder/", "absent", "file/x"],
    ...["broken/x", "circle/x", "folder/./inner//", "a\0b", "x".repeat(300), "x/".repeat(3_000)],
  ]
    .map((name) => `${folder}/${name}`)
    .concat(["", "/", ".", "..", "no/such/file", "/proc/self/exe", "/dev/null", "/root/x", "\ud800"]);
  const readStats = (stats: fs.Stats | undefined) =>
    stats && {
      ...{ mode: stats.mode, nlink: stats.nlink, size: stats.size, mtimeMs: Math.floor(stats.mtimeMs) },
      kinds: [stats.isFile(), stats.isDirectory(), stats.isSymbolicLink()],
    };
  /** A pipe without a writer, and a file of a hundred megabytes. */
  const isUnreadable = (path: string) => path.endsWith("/pipe") || path === "/proc/self/exe";
  const QUESTIONS: Record<string, (by: typeof fs, path: string) => unknown> = {
    exists: (by, path) => by.existsSync(path),
    stat: (by, path) => readStats(by.statSync(path)),
    "stat or nothing": (by, path) => readStats(by.statSync(path, { throwIfNoEntry: false })),
    lstat: (by, path) => readStats(by.lstatSync(path)),
    "lstat or nothing": (by, path) => readStats(by.lstatSync(path, { throwIfNoEntry: false })),
    identity: (by, path) => {
      const found = by.statSync(path, { throwIfNoEntry: false, bigint: true });
      return found && `${found.dev} ${found.ino}`;
    },
    readlink: (by, path) => by.readlinkSync(path),
    realpath: (by, path) => by.realpathSync(path),
    "native realpath": (by, path) => by.realpathSync.native(path),
    read: (by, path) => (isUnreadable(path) ? "" : by.readFileSync(path, "utf8")),
    "read bytes": (by, path) => (isUnreadable(path) ? "" : [...by.readFileSync(path)]),
    list: (by, path) => by.readdirSync(path).sort(),
  };
  const OPTIONAL = ["stat or nothing", "lstat or nothing", "identity"];
  for (const [name, ask] of Object.entries(QUESTIONS))
    test(`for ${name}`, () => {
      for (const given of [...PATHS, at("pipe")]) {
        const expected = attempt(() => ask(fs, given)) as { code?: string };
        // Bun throws for a path below a file even if a missing file is allowed; Node.js doesn't.
        const isNothing = expected.code === "ENOTDIR" && OPTIONAL.includes(name);
        expect([given, attempt(() => ask(lightFs as unknown as typeof fs, given))]).toEqual([
          given,
          isNothing ? { value: undefined } : expected,
        ]);
      }
    });
  test("for files on other devices", () => {
    for (const given of ["/proc", "/sys", "/dev", "/dev/shm", "/tmp"])
      expect(attempt(() => QUESTIONS.identity?.(lightFs as unknown as typeof fs, given))).toEqual(
        attempt(() => QUESTIONS.identity?.(fs, given)),
      );
    rmSync(folder, { recursive: true });
  });
});

test("hooks and the code they load use only the file attributes that system/files has", () => {
  const files = ["src/shell", "src/author/kit", "hooks"].flatMap((room) =>
    [...new Bun.Glob(`${room}/**/*.ts`).scanSync(ROOT)].map((name) => join(ROOT, name)),
  );
  expect(files.length).toBeGreaterThan(100);
  const others =
    /\.(?:[acm]time|birthtime|[ac]timeMs|birthtimeMs|[acm]timeNs|rdev|blksize|blocks|isFIFO|isSocket|is(?:Block|Character)Device)\b/;
  const asking = files
    .map((file) => readFileSync(file, "utf8"))
    .filter((text) => /from "(?:node:fs|bridge-hooks\/files|[^"]*system\/files\.ts)"/.test(text));
  expect(asking.length).toBeGreaterThan(10);
  expect(asking.filter((text) => others.test(text))).toEqual([]);
});
