import { describe, expect, test } from "bun:test";
import { mkdirSync, mkdtempSync, realpathSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { comparablePath, expandShortNames, mayBeShortName } from "../../src/author/kit/comparable-path.ts";
import { buildGuardedFiles, isGuarded } from "../../src/author/kit/guarded-files.ts";
import { mentionsHook } from "../../src/author/kit/hook-names.ts";
import { startCpuClock } from "../support/machine.ts";

const SAME: [path: string, form: string][] = [
  ["/Users/Me/.Claude/SETTINGS.json", "/users/me/.claude/settings.json"],
  ["/x/.claude/\u017fetting\u017f.json", "/x/.claude/settings.json"],
  ["/x/.bridge-hoo\u212as.json", "/x/.bridge-hooks.json"],
  ["/x/.clau\u200cde/set\ufefftings.json", "/x/.claude/settings.json"],
  ["/home/jos\u00e9/x", comparablePath("/HOME/JOSE\u0301/x")],
  ["/\u1e9b\u0323", comparablePath("/\u1e69")],
];

const WINDOWS: [path: string, form: string][] = [
  ["C:\\Users\\me\\.claude\\settings.json.", "c:/users/me/.claude/settings.json"],
  ["C:\\Users\\me\\.claude\\settings.json . .", "c:/users/me/.claude/settings.json"],
  ["C:\\Users\\me\\.claude\\settings.json::$DATA", "c:/users/me/.claude/settings.json"],
  ["C:\\Users\\me\\.claude\\settings.json:other", "c:/users/me/.claude/settings.json"],
  ["C:\\Users\\me\\.claude::$INDEX_ALLOCATION\\settings.json", "c:/users/me/.claude/settings.json"],
  ["C:/Users/me/.claude./settings.json ", "c:/users/me/.claude/settings.json"],
  ["\\\\?\\C:\\Users\\me\\.claude\\settings.json", "c:/users/me/.claude/settings.json"],
  ["\\\\?\\UNC\\server\\share\\x", "server/share/x"],
  ["\\\\localhost\\C$\\Users\\x", "c:/users/x"],
  ["\\\\127.0.0.1\\d$", "d:"],
  ["\\\\?\\UNC\\localhost\\c$\\x.", "c:/x"],
  ["\\\\server\\c$\\x", "//server/c$/x"],
  ["C:\\a\\.claude\\x\\..\\.\\settings.json", "c:/a/.claude/settings.json"],
  ["C:\\..\\x", "c:/../x"],
];

describe("comparablePath", () => {
  test.each(SAME)("folds case and Unicode normalization: %j", (path, form) => {
    for (const platform of ["darwin", "win32", "linux"] as const) expect(comparablePath(path, platform)).toBe(form);
  });
  test("keeps different characters distinct", () => {
    const names = ["/é", "/e", "/ß", "/b", "/а", "/a", "/x.", "/x", "/x:y"];
    expect(new Set(names.map((name) => comparablePath(name, "linux"))).size).toBe(names.length);
  });
});

describe("comparablePath for Windows", () => {
  test.each(WINDOWS)("resolves another name of the same file: %j", (path, form) => {
    for (const platform of ["win32", "linux"] as const) expect(comparablePath(path, platform)).toBe(form);
  });
  test("resolves other names in relative paths only on Windows", () => {
    for (const path of [".env.", ".env ", ".env::$DATA", ".env:x"])
      expect([comparablePath(path, "win32"), comparablePath(path, "darwin")]).toEqual([".env", path.toLowerCase()]);
    expect([".", "..", "...", "a/..", "../a", "", "/"].map((path) => comparablePath(path, "win32"))).toEqual([
      ".",
      "..",
      "...",
      "",
      "../a",
      "",
      "/",
    ]);
  });
  test("takes less than 2 s for a megabyte of dots or short names", () => {
    const readCpuTime = startCpuClock();
    comparablePath(`C:\\${". ".repeat(500_000)}x`, "win32");
    comparablePath("~1/".repeat(100_000), "win32");
    expect(readCpuTime()).toBeLessThan(2000);
  });
  test("matches 8.3 short names to their possible long names", () => {
    const yes = [
      ["claude~1", ".claude"],
      ["settin~1.jso", "settings.json"],
      ["settin~2.jso", "settings.local.json"],
      ["hooks~1.jso", "hooks.json"],
      ["config~1.tom", "config.toml"],
      ["bridge~1.jso", ".bridge-hooks.json"],
      ["se3f5a~1.jso", "settings.json"],
      ["codex~12", ".codex"],
    ] as const;
    for (const [short, long] of yes) expect([short, mayBeShortName(short, long)]).toEqual([short, true]);
    for (const [short, long] of [
      ["claude~1", "claudia"],
      ["settin~1", "settings.json"],
      ["settin~x.jso", "settings.json"],
      ["settings.json", "settings.json"],
      ["other~1.jso", "settings.json"],
    ] as const)
      expect([short, mayBeShortName(short, long)]).toEqual([short, false]);
    expect(expandShortNames("c:/claude~1/settin~1.jso", new Set([".claude", "settings.json"]))).toEqual([
      "c:/.claude/settings.json",
    ]);
    expect(expandShortNames("a~1/".repeat(50), new Set(["ab", "ac"]))).toEqual([]);
  });
});

describe("a guarded file", () => {
  const at = (platform: NodeJS.Platform, home: string) =>
    buildGuardedFiles([`${home}/app`], {
      home,
      platform,
      env: { ProgramData: "C:/ProgramData", CODEX_HOME: `${home}/codex` },
    });
  const windows = at("win32", "C:\\Users\\me");
  const WINDOWS_NAMES = [
    ...WINDOWS.slice(0, 7).map(([path]) => path),
    "C:\\Users\\me\\CLAUDE~1\\SETTIN~1.JSO",
    "C:\\Users\\me\\.claude\\SETTIN~1.JSO",
    "D:\\other\\CODEX~1\\hooks.json::$DATA",
    "C:\\ProgramData\\OpenAI\\Codex.\\requirements.toml",
  ];
  test.each(WINDOWS_NAMES)("is recognized on Windows as %s", (path) => expect(isGuarded(windows, path)).toBe(true));
  test("is recognized on Linux by its Windows path", () =>
    expect(isGuarded(at("linux", "/home/me"), "C:\\Users\\me\\CLAUDE~1\\SETTIN~1.JSO")).toBe(true));
  test("is not confused with files with similar names", () => {
    for (const path of ["C:\\Users\\me\\NOTES~1\\SETTIN~1.JSO", "C:\\Users\\me\\.claude\\x:settings.json", "C:\\x~1"])
      expect([path, isGuarded(windows, path)]).toEqual([path, false]);
    const linux = at("linux", "/home/me");
    for (const path of ["/home/me/.claude/settings.json.", "/home/me/CLAUDE~1/SETTIN~1.JSO"])
      expect([path, isGuarded(linux, path)]).toEqual([path, false]);
  });
  test("is recognized on macOS by letters that the file system treats as equal", () => {
    const mac = at("darwin", "/Users/jos\u00e9");
    for (const path of [
      "/Users/jose\u0301/.claude/\u017fettings.json",
      "/users/JOS\u00c9/codex/hooks.json",
      "/any/.bridge-hoo\u212as.json",
      "/Library/Application Support/Claude\u200cCode/managed-\u017fettings.json",
    ])
      expect([path, isGuarded(mac, path)]).toEqual([path, true]);
  });
  test("is found in a text under one of its alternative names", () => {
    const place = { home: "/Users/me", platform: "darwin", env: {} } as const;
    const may = (line: string) => mentionsHook(line, place);
    expect([may("cat x > y"), may("cat x > .clau\u200cde/y"), may("ls .CODE\u212a"), may("wc .cur\u017for")]).toEqual([
      false,
      true,
      false,
      true,
    ]);
  });
});

test("files are distinguished by all digits of their IDs", () => {
  const folder = realpathSync(mkdtempSync(join(tmpdir(), "bridge-hooks-ids-")));
  mkdirSync(join(folder, ".claude"));
  writeFileSync(join(folder, ".claude/settings.json"), "{}");
  writeFileSync(join(folder, "other.json"), "{}");
  const table = buildGuardedFiles([folder], { home: folder, platform: process.platform, env: {} });
  const { fileIds } = table.getSessionIds();
  expect([...fileIds].every((id) => /^\d+ \d+(\/|$)/.test(id))).toBe(true);
  expect([
    isGuarded(table, join(folder, ".claude/settings.json")),
    isGuarded(table, join(folder, "other.json")),
  ]).toEqual([true, false]);
});
