import { expect, test } from "bun:test";
import { mkdirSync, realpathSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { toNativePath } from "../../src/author/kit/expand-word.ts";
import { paths } from "../../src/author/kit/paths.ts";
import { createNameMatcher } from "../../src/author/kit/wildcards.ts";
import type { AnyEvent } from "../../src/protocol/event.ts";
import { root, workFolder, formatUses, createCall, useEnvironment } from "./paths-support.ts";
import fc from "fast-check";
import { startCpuClock } from "../support/machine.ts";
import { fuzz } from "../support/fuzz.ts";

useEnvironment();

/** Calls to tools other than the shell. */
const CALLS: [name: string, event: object, ...uses: string[]][] = [
  ["Read", createCall("Read", { file_path: "notes" }), "read W/.env named W/notes (notes)"],
  ["Read of home", createCall("Read", { file_path: "~/.ssh/id" }), "read H/.ssh/id (~/.ssh/id)"],
  ["Read of unusual characters", createCall("Read", { file_path: "~/a*$x" }), "read H/a*$x (~/a*$x)"],
  [
    "Read of wildcards, which have no meaning in a path",
    createCall("Read", { file_path: "*.ts" }),
    "read W/*.ts (*.ts)",
  ],
  [
    "Read of a URL",
    createCall("Read", { file_path: `file://${workFolder}/a%20b/x` }),
    "read W/a b/x (file://W/a%20b/x)",
  ],
  ["Read of another system's path", createCall("Read", { file_path: "C:\\x\\.env" }), "read C:\\x\\.env (C:\\x\\.env)"],
  ["Write", createCall("Write", { file_path: "broken", content: "" }), "write W/nowhere/x named W/broken (broken)"],
  [
    "Edit",
    createCall("Edit", {
      files: [
        { file_path: "a.ts", operation: "update", edits: [] },
        { file_path: "b.ts", operation: "move", moved_to: "link/b.ts", edits: [] },
      ],
    }),
    ...["write W/a.ts (a.ts)", "write W/b.ts (b.ts)", "write W/other/deep/b.ts named W/link/b.ts (link/b.ts)"],
  ],
  [
    "Glob",
    createCall("Glob", { pattern: "*.ts" }),
    "list W (.)",
    "list W/*.ts (./*.ts) wildcard",
    "list W/a.ts (./*.ts)",
    "list W/b.ts (./*.ts)",
  ],
  [
    "Glob elsewhere",
    createCall("Glob", { pattern: "c.*", path: "sub" }),
    "list W/sub (sub)",
    "list W/sub/c.* (sub/c.*) wildcard",
    "list W/sub/c.ts (sub/c.*)",
  ],
  ["Grep", createCall("Grep", { pattern: "KEY", path: ".env" }), "read W/.env (.env)"],
  ["Grep here", createCall("Grep", { pattern: "KEY" }), "read W (.)"],
  ["WebFetch", createCall("WebFetch", { url: "https://x.example/a" })],
  ["WebSearch", createCall("WebSearch", { query: ".env" })],
  ["Task", createCall("Task", { prompt: "read .env" })],
  ["MCP read", createCall("MCP", { tool: "read_file", arguments: { path: ".env" } }), "read W/.env (.env)"],
  [
    "MCP write",
    createCall("MCP", { tool: "writeFile", arguments: { filePath: "a", content: "b/c" } }),
    "write W/a (a)",
  ],
  [
    "MCP move",
    createCall("MCP", { tool: "move_file", arguments: { source: "./a", destination: "sub/b" } }),
    "write W/a (./a)",
    "write W/sub/b (sub/b)",
  ],
  [
    "MCP copy",
    createCall("MCP", { tool: "copy", arguments: { source: "./a", destination: "./b" } }),
    "read W/a (./a)",
    "write W/b (./b)",
  ],
  ["MCP list", createCall("MCP", { tool: "list_directory", arguments: { directory: "sub" } }), "list W/sub (sub)"],
  [
    "MCP many",
    createCall("MCP", { tool: "read_multiple_files", arguments: { paths: ["a.ts", "notes"] } }),
    "read W/a.ts (a.ts)",
    "read W/.env named W/notes (notes)",
  ],
  [
    "MCP deep",
    createCall("MCP", {
      tool: "edit",
      arguments: { changes: [{ file: { file_name: "a" } }, { uri: `file://${workFolder}/b` }] },
    }),
    "write W/a (a)",
    "write W/b (file://W/b)",
  ],
  [
    "MCP unknown",
    createCall("MCP", { tool: "frobnicate", arguments: { file: "./a", text: "./b", count: 1, on: true, none: null } }),
    "write W/a (./a) uncertain",
  ],
  [
    "MCP text",
    createCall("MCP", {
      tool: "echo",
      arguments: { text: "hi", source: "const a = 1", uri: "https://x.example/a", target: "prod" },
    }),
  ],
  [
    "MCP patch",
    createCall("MCP", {
      tool: "apply",
      arguments: { input: "*** Begin Patch\n*** Add File: a/.env\n+x\n*** End Patch" },
    }),
    "write W/a/.env (a/.env)",
  ],
  [
    "a guessed tool",
    {
      ...createCall("Bash", { command: "cat a", cwd: workFolder, workdir: workFolder, path: "b" }, "write_it"),
      guessed: true,
    },
    "read W/a (a)",
    "write W/b (b)",
  ],
  ["another tool", createCall("Other", { notebook_path: "n.ipynb" }, "NotebookEdit"), "write W/n.ipynb (n.ipynb)"],
  [
    "a finished call",
    { ...createCall("Read", { file_path: "a" }), event: "PostToolUse", output: { text: "", raw: "" } },
    "read W/a (a)",
  ],
  [
    "a prompt",
    { event: "UserPromptSubmit", cwd: workFolder, prompt: ".env", attachments: ["notes"] },
    "read W/.env named W/notes (notes)",
  ],
  ["a prompt without attachments", { event: "UserPromptSubmit", cwd: workFolder, prompt: ".env" }],
  ["Stop", { event: "Stop", cwd: workFolder, continuations: 0 }],
  ["Bash elsewhere", createCall("Bash", { command: "cat c.ts", cwd: "sub" }), "read W/sub/c.ts (c.ts)"],
  ["Bash in a distant directory", createCall("Bash", { command: "cat x", cwd: join(root, "home") }), "read H/x (x)"],
];

for (const [name, event, ...uses] of CALLS)
  test(`paths() finds the files of ${name}`, () => expect(formatUses(event)).toEqual(uses));

test("a Git Bash path is converted to a Windows path only on Windows", () => {
  const PATHS = [
    ["/c/Users/me/x", "c:/Users/me/x"],
    ["/C/x", "C:/x"],
    ["/c", "c:/"],
    ["/c/", "c:/"],
    ["/cygdrive/d/a b/*.ts", "d:/a b/*.ts"],
    ["/cd/x", "/cd/x"],
    ["/cygdrive", "/cygdrive"],
    ["/tmp/c/x", "/tmp/c/x"],
    ["c/x", "c/x"],
    ["C:/x", "C:/x"],
    ["//c/x", "//c/x"],
    ["", ""],
  ] as const;
  for (const [path, there] of PATHS) {
    expect([path, toNativePath(path, "win32")]).toEqual([path, there]);
    expect(toNativePath(path, "linux")).toBe(path);
  }
});

test("paths() analyzes an event once", () => {
  const event = createCall("Bash", { command: "cat *" }) as unknown as AnyEvent;
  expect(paths(event)).toBe(paths(event));
});

test("paths() resolves an event without a directory from the current directory", () => {
  const [use] = paths({ ...createCall("Read", { file_path: "x" }), cwd: "" } as unknown as AnyEvent);
  expect(use?.path).toBe(join(realpathSync(process.cwd()), "x"));
});

test("paths() finds all of 1000 names in less than 400 ms", () => {
  const names = Array.from({ length: 1000 }, (_, at) => `deep/down/n${at}`);
  const readCpuTime = startCpuClock();
  const found = paths(createCall("Bash", { command: `cat ${names.join(" ")}` }) as unknown as AnyEvent);
  expect(readCpuTime()).toBeLessThan(400);
  expect(found.map(({ path }) => path)).toEqual(names.map((name) => join(workFolder, name)));
});

test("paths() lists up to 303 files for wildcards in a directory with 300 files", () => {
  const folder = join(root, "many");
  mkdirSync(folder);
  for (let at = 0; at < 300; at++) writeFileSync(join(folder, `f${at}`), "");
  const found = paths({ ...createCall("Bash", { command: "cat * */* */*/*" }), cwd: folder } as unknown as AnyEvent);
  expect(found.length).toBe(303);
});

test("paths() accepts any shell command and any tool input", () => {
  const shell = fc.string({
    unit: fc.constantFrom(..."ab $`'\"\\(){}[]<>|&;=*?~#!\n-./:@", "cat ", "cp ", "git ", "$HOME", "find ", "tar "),
    maxLength: 40,
  });
  fc.assert(
    fc.property(shell, fc.jsonValue(), (command, input) => {
      for (const use of [
        ...paths(createCall("Bash", { command }) as unknown as AnyEvent),
        ...paths(createCall("MCP", { tool: "x", arguments: { path: input } }) as unknown as AnyEvent),
      ])
        expect([typeof use.path, typeof use.named, typeof use.given]).toEqual(["string", "string", "string"]);
    }),
    fuzz(1_000),
  );
});

/** Converts a wildcard to a regular expression, for comparison. */
const expression = (pattern: string) =>
  new RegExp(
    `^${pattern.replace(/\\([^])|\[!|[*?.]/g, (all, letter) => (letter ? `\\${letter}` : all === "[!" ? "[^" : all === "*" ? ".*" : all === "?" ? "." : "\\."))}$`,
  );

test("a wildcard matches the same names as in a shell", () => {
  const fits = (pattern: string, name: string) => createNameMatcher(pattern)(name);
  const pattern = fc.string({
    unit: fc.constantFrom("a", "b", "-", "*", "?", "[ab]", "[!a]", "[a-c]", "\\*", "\\?"),
    maxLength: 8,
  });
  const name = fc.string({ unit: fc.constantFrom(..."abcd-*?"), minLength: 1, maxLength: 8 });
  fc.assert(
    fc.property(pattern, name, (pattern, name) => {
      expect(fits(pattern, name)).toBe(expression(pattern).test(name));
    }),
    fuzz(5_000),
  );
  expect([fits("*", ".a"), fits(".*", ".a"), fits("?a", ".a"), fits("[.]a", ".a")]).toEqual([
    false,
    true,
    false,
    false,
  ]);
  const readCpuTime = startCpuClock();
  expect(fits(`${"*a".repeat(30)}*b`, "a".repeat(250))).toBe(false);
  expect(readCpuTime()).toBeLessThan(200);
});
