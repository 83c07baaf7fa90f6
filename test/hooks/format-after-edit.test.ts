import { afterAll, describe, expect, test } from "bun:test";
import {
  chmodSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  realpathSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from "node:fs";
import { tmpdir } from "node:os";
import { basename, dirname, join } from "node:path";
import formatAfterEdit from "../../hooks/format-after-edit.ts";
import { createHookEntry } from "../../src/protocol/hook.ts";
import { runHooks } from "../../src/call/ask/dispatch.ts";
import { askHook, validateOptions } from "../support/ask-hook.ts";
import { scaleMs } from "../support/machine.ts";

const scratch = realpathSync(mkdtempSync(join(tmpdir(), "bridge-hooks-format-")));
afterAll(() => rmSync(scratch, { recursive: true, force: true }));

/** A formatter that logs its arguments and converts the last file it's given to uppercase. */
const FORMATTER = join(scratch, "shout");
const CALLS = join(scratch, "calls");
writeFileSync(
  FORMATTER,
  `#!/bin/sh
for word in "$@"; do printf '%s\\0' "$word" >> "${CALLS}"; last="$word"; done
printf '\\n\\0' >> "${CALLS}"
file="\${last#--file=}"
case "$(cat -- "$file")" in fail*) echo "can't format this" >&2; exit 3;; slow*) sleep 60;; esac
tr a-z A-Z < "$file" > "$file.tmp" && mv -- "$file.tmp" "$file"
`,
);
chmodSync(FORMATTER, 0o755);

let made = 0;
function newRoot(): string {
  const root = join(scratch, `r${made++}`);
  mkdirSync(join(root, "sub"), { recursive: true });
  put(join(root, ".git/HEAD"), "ref: refs/heads/main\n");
  return root;
}
const put = (path: string, text: string) => {
  mkdirSync(dirname(path), { recursive: true });
  writeFileSync(path, text);
  return path;
};

const base = (cwd: string) => ({ event: "PostToolUse", cwd, session_id: "s" });
/** Default time limit, scaled to the speed of this machine. */
const DEFAULTS = { timeoutMs: scaleMs(3_000) };
const write = (cwd: string, file_path: string, options: object) =>
  askHook(
    formatAfterEdit,
    { ...base(cwd), tool: "Write", tool_name: "Write", input: { file_path, content: "" } },
    { ...DEFAULTS, ...options },
  );
const edit = (cwd: string, files: object[], options: object) =>
  askHook(
    formatAfterEdit,
    { ...base(cwd), tool: "Edit", tool_name: "Edit", input: { files } },
    { ...DEFAULTS, ...options },
  );

/** Returns the arguments of each formatter run since this was last called. */
function calls(): string[][] {
  if (!existsSync(CALLS)) return [];
  const text = readFileSync(CALLS, "utf8");
  rmSync(CALLS);
  return text
    .split("\n\0")
    .filter(Boolean)
    .map((call) => call.split("\0").filter(Boolean));
}
const formatted = (file: string) => ({
  additional_context: `${file} was formatted after your edit: read it again before you change it.`,
});

describe("format-after-edit passes a file name as one argument", () => {
  const NAMES = [
    "plain.ts",
    "; rm -rf ~.ts",
    "$(touch pwned).ts",
    "`touch pwned`.ts",
    "a && touch pwned.ts",
    "| touch pwned.ts",
    "> pwned",
    'it\'s "quoted".ts',
    "back\\slash.ts",
    "two\nlines.ts",
    "-rf",
    "--config=evil.js",
    "*",
    "$HOME.ts",
    "${IFS}.ts",
    "{file}",
    "$& $1 $$.ts",
    "ünï ✓.ts",
    "~",
    "# no comment.ts",
    " leading and trailing ",
    "%PATH%.ts",
  ];
  const COMMANDS: [name: string, command: string | string[], argv: (file: string) => string[]][] = [
    ["a command string", `${FORMATTER} --write {file}`, (file) => ["--write", file]],
    ["a command list", [FORMATTER, "--write", "{file}"], (file) => ["--write", file]],
    ["an option", `${FORMATTER} --file={file}`, (file) => [`--file=${file}`]],
    [
      "a command list with unusual words",
      [FORMATTER, "$(touch pwned)", "", "{file}"],
      (file) => ["$(touch pwned)", file],
    ],
    [
      "a shell command that gets the file as an argument",
      ["sh", "-c", `"${FORMATTER}" -x "$1"`, "sh", "{file}"],
      (file) => ["-x", file],
    ],
  ];
  let ran = 0;
  for (const name of NAMES)
    for (const [kind, command, argv] of COMMANDS)
      test(`${JSON.stringify(name)} in ${kind}`, async () => {
        const root = newRoot();
        const file = put(join(root, name), "hi\n");
        expect(await write(root, file, { commands: { "**": command } })).toEqual(formatted(name));
        expect(calls()).toEqual([argv(file)]);
        expect(readFileSync(file, "utf8")).toBe("HI\n");
        expect(readdirSync(root).sort()).toEqual([".git", name, "sub"].sort());
        ran++;
      });
  test("in all 110 cases", () => expect(ran).toBe(110));
});

describe("format-after-edit", () => {
  const root = newRoot();
  const other = newRoot();
  symlinkSync(other, join(root, "out"));
  symlinkSync(root, join(other, "in"));
  mkdirSync(`${root}-beside`);
  const files = (...paths: string[]) => paths.map((file_path) => ({ file_path, operation: "update", edits: [] }));
  type Case = [name: string, input: string | object[], formatted: string[], cwd?: string, before?: () => void];
  const cases: Case[] = [
    ["a file by its absolute path", join(root, "a"), ["a"]],
    ["a file by a path relative to the session's directory", "a", ["a"]],
    ["a file by a path relative to a session directory below the root", "../a", ["a"], join(root, "sub")],
    ["a file in a directory below the root", "sub/b", ["sub/b"]],
    ["a file outside the root", join(other, "a"), []],
    ["a file above the root", "../a", []],
    ["a file in a directory whose name begins like the root", `${root}-beside/a`, []],
    ["a file through a link that leads out", "out/a", []],
    ["a file through a link that leads in", join(other, "in/a"), ["a"]],
    ["a link to a file outside the root", "link", [], root, () => symlinkSync(join(other, "a"), join(root, "link"))],
    ["a link to a file inside the root", "link-in", ["a"], root, () => symlinkSync("a", join(root, "link-in"))],
    ["a missing file", "gone", []],
    ["a directory instead of a file", "sub", []],
    ["the root", ".", []],
    ["a pipe", "pipe", [], root, () => Bun.spawnSync(["mkfifo", join(root, "pipe")])],
    ["a file of more than 10 MB", "large", [], root, () => writeFileSync(join(root, "large"), "x".repeat(10_000_001))],
    ["an edited file", files("a"), ["a"]],
    ["several edited files", files("a", "sub/b"), ["a", "sub/b"]],
    ["a file only once if it is edited under three names", files("a", join(root, "a"), "sub/../a"), ["a"]],
    ["only the edited files inside the root", files("../x", "a", join(other, "a")), ["a"]],
    ["a deleted file", [{ file_path: "gone", operation: "delete", edits: [] }], []],
    ["a moved file", [{ file_path: "gone", operation: "move", moved_to: "a", edits: [] }], ["a"]],
    ["a file moved out", [{ file_path: "sub/gone", operation: "move", moved_to: join(other, "a"), edits: [] }], []],
    ["nothing for an empty edit", [], []],
    [
      "only 20 of 25 edited files",
      files(...Array.from({ length: 25 }, (_, at) => `many/${at}`)),
      Array.from({ length: 20 }, (_, at) => `many/${at}`),
    ],
  ];
  for (let at = 0; at < 25; at++) put(join(root, "many", `${at}`), "hi");
  for (const [name, input, expected, cwd = root, before] of cases)
    test(`${expected.length > 0 ? "formats" : "does not format"} ${name}`, async () => {
      for (const path of [join(root, "a"), join(root, "sub/b"), join(other, "a")]) put(path, "hi");
      before?.();
      const options = { commands: { "**": [FORMATTER, "{file}"] } };
      const answer = typeof input === "string" ? await write(cwd, input, options) : await edit(cwd, input, options);
      expect(calls()).toEqual(expected.map((file) => [join(root, file)]));
      const told = expected.map((file) => formatted(file).additional_context).join("\n\n");
      expect(answer).toEqual(told ? { additional_context: told } : undefined);
      expect(readFileSync(join(other, "a"), "utf8")).toBe("hi");
    });
});

describe("format-after-edit with", () => {
  const root = newRoot();
  const A = [FORMATTER, "a", "{file}"];
  const B = [FORMATTER, "b", "{file}"];
  const cases: [commands: Record<string, string[]>, file: string, ran: string[]][] = [
    [{ "*.ts": A }, "x.ts", ["a"]],
    [{ "*.ts": A }, "deep/er/x.ts", ["a"]],
    [{ "*.ts": A }, "x.tsx", []],
    [{ "*.ts": A }, "ts", []],
    [{ "*.{ts,tsx}": A }, "x.tsx", ["a"]],
    [{ "*.ts": A, "*.md": B }, "x.md", ["b"]],
    [{ "*.ts": A, "x.*": B }, "x.ts", ["a", "b"]],
    [{ "x.*": B, "*.ts": A }, "x.ts", ["b", "a"]],
    [{ "src/*.ts": A }, "src/x.ts", ["a"]],
    [{ "src/*.ts": A }, "src/deep/x.ts", []],
    [{ "src/**/*.ts": A }, "src/deep/x.ts", ["a"]],
    [{ "src/**/*.ts": A }, "src/x.ts", ["a"]],
    [{ "src/**": A }, "lib/x.ts", []],
    [{ "**/*.ts": A }, "x.ts", ["a"]],
    [{ Makefile: A }, "Makefile", ["a"]],
    [{ Makefile: A }, "sub/Makefile", ["a"]],
    [{ "/x.ts": A }, "x.ts", []],
    [{ "*": A }, "anything", ["a"]],
    [{ "*": A }, ".hidden", ["a"]],
    [{ "*.TS": A }, "x.ts", []],
  ];
  for (const [commands, file, ran] of cases)
    test(`${Object.keys(commands).join(" and ")} runs ${ran.join(" and ") || "nothing"} for ${file}`, async () => {
      put(join(root, file), "HI");
      // The file is already uppercase, so nothing changes and nothing is reported.
      expect(await write(root, file, { commands })).toBeUndefined();
      expect(calls().map(([first]) => first as string)).toEqual(ran);
    });
});

describe("format-after-edit", () => {
  const only = { commands: { "*": [FORMATTER, "{file}"] } };
  test("reports a failure with the end of its output", async () => {
    const root = newRoot();
    put(join(root, "sub/a"), "fail");
    expect(await write(root, "sub/a", only)).toEqual({
      additional_context: `format-after-edit: ${FORMATTER} failed (exit code 3) for sub/a.\ncan't format this`,
    });
  });
  test("reports a failure without output, and the file's change", async () => {
    const root = newRoot();
    put(join(root, "a"), "hi");
    const commands = { "*": ["sh", "-c", 'echo new > "$1"; exit 1', "sh", "{file}"] };
    expect(await write(root, "a", { commands })).toEqual({
      additional_context: `format-after-edit: sh failed (exit code 1) for a.\n\n${formatted("a").additional_context}`,
    });
  });
  test("reports a failure, and another command's change", async () => {
    const root = newRoot();
    put(join(root, "a"), "hi");
    expect(await write(root, "a", { commands: { a: "false {file}", "*": [FORMATTER, "{file}"] } })).toEqual({
      additional_context: `format-after-edit: false failed (exit code 1) for a.\n\n${formatted("a").additional_context}`,
    });
  });
  test("reports only the end of a long output", async () => {
    const root = newRoot();
    put(join(root, "a"), "hi");
    const answer = await write(root, "a", { commands: { "*": ["sh", "-c", "seq 1 5000; exit 1", "sh", "{file}"] } });
    expect(answer?.additional_context).toBe(
      `format-after-edit: sh failed (exit code 1) for a.\n… ${Array.from({ length: 300 }, (_, at) => 4701 + at).join("\n")}`,
    );
  });
  test("reports a missing program", async () => {
    const root = newRoot();
    put(join(root, "a"), "hi");
    for (const program of ["no-such-formatter", "./no-such-formatter", "/no/such/formatter"])
      expect((await write(root, "a", { commands: { "*": [program, "{file}"] } }))?.additional_context).toStartWith(
        `format-after-edit: ${program} could not be started (`,
      );
  });
  const [A, B] = ["a", "b"].map((file_path) => ({ file_path, operation: "update", edits: [] })) as [object, object];
  test("ends a command at its timeout, and has no time left for the next command", async () => {
    const root = newRoot();
    put(join(root, "a"), "slow");
    put(join(root, "b"), "slow");
    const answer = await edit(root, [A, B], { ...only, timeoutMs: scaleMs(400) });
    const late = (file: string) => `format-after-edit: ${FORMATTER} timed out for ${file}.`;
    expect(answer).toEqual({ additional_context: `${late("a")}\n\n${late("b")}` });
  });
  test("gives a second file the time left over by the first", async () => {
    const root = newRoot();
    put(join(root, "a"), "hi");
    put(join(root, "b"), "hi");
    const timeoutMs = scaleMs(800);
    // A single file could be formatted within the time limit.
    const command = ["sh", "-c", `sleep ${(0.6 * timeoutMs) / 1_000}`, "sh", "{file}"];
    expect(await edit(root, [A, B], { commands: { "*": command }, timeoutMs })).toEqual({
      additional_context: "format-after-edit: sh timed out for b.",
    });
  });
  test("reports a file removed by the formatter as formatted", async () => {
    const root = newRoot();
    put(join(root, "a"), "hi");
    expect(await write(root, "a", { commands: { "*": "rm {file}" } })).toEqual(formatted("a"));
  });
});

describe("format-after-edit", () => {
  const root = newRoot();
  put(join(root, "tools/fmt"), `#!/bin/sh\npwd > "$1"\n`);
  chmodSync(join(root, "tools/fmt"), 0o755);
  test("runs in the root, including a program of the repository that the user names", async () => {
    put(join(root, "sub/a"), "hi");
    for (const program of ["tools/fmt", "./tools/fmt", join(root, "tools/fmt")]) {
      put(join(root, "sub/a"), "hi");
      await write(join(root, "sub"), "a", { commands: { "*": [program, "{file}"] } });
      expect(readFileSync(join(root, "sub/a"), "utf8")).toBe(`${root}\n`);
    }
  });
  const cases: [folders: string[], runs: boolean][] = [
    [[root], true],
    [[`${dirname(root)}/*`], true],
    [["/nowhere", `${dirname(root)}/**`], true],
    [[], false],
    [[dirname(root)], false],
    [[`${root}/*`], false],
    [["~/*"], false],
    [[basename(root)], false],
  ];
  for (const [folders, runs] of cases)
    test(`${runs ? "runs" : "does not run"} with directories ${JSON.stringify(folders).replaceAll(dirname(root), "…")}`, async () => {
      put(join(root, "a"), "hi");
      calls();
      await write(root, "a", { commands: { "*": [FORMATTER, "{file}"] }, folders });
      expect(calls()).toEqual(runs ? [[join(root, "a")]] : []);
    });
  test("runs in the session's directory without a repository, and nowhere without a directory", async () => {
    const folder = join(scratch, "plain");
    const file = put(join(folder, "a"), "hi");
    const outside = put(join(scratch, "outside"), "hi");
    const options = { commands: { "*": [FORMATTER, "{file}"] } };
    for (const [cwd, path] of [
      [folder, file],
      [folder, outside],
      ["", file],
    ] as const)
      await write(cwd, path, options);
    expect(calls()).toEqual([[file]]);
  });
});

describe("format-after-edit does nothing with the options", () => {
  for (const options of [{}, { commands: {} }, { folders: ["/**"] }, { timeoutMs: 10 }])
    test(JSON.stringify(options), async () => {
      const root = newRoot();
      put(join(root, "a"), "hi");
      expect(await write(root, "a", options)).toBeUndefined();
      expect(readFileSync(join(root, "a"), "utf8")).toBe("hi");
    });
});

describe("format-after-edit rejects", () => {
  const SHELL = `a shell would interpret the file's name; write ["sh", "-c", "prettier --write \\"$1\\"", "sh", "{file}"]`;
  const WORD = `{file} must be a separate word or an option's value: "--write", "{file}"`;
  const TEXT = "the command isn't run by a shell, so it can't contain shell syntax; write a list of words";
  const commands: [command: unknown, message: string][] = [
    ["prettier --write", "it must contain {file}, which stands for the file's path"],
    [[], "the command must begin with a program"],
    ["", "the command must begin with a program"],
    ["{file}", "the command must begin with a program"],
    [["{file}", "x"], "the command must begin with a program"],
    [["", "{file}"], "the command must begin with a program"],
    ["prettier --write '{file}'", TEXT],
    ['prettier --write "{file}"', TEXT],
    ["prettier {file} && true", TEXT],
    ["prettier {file} > out", TEXT],
    ["prettier {file}; true", TEXT],
    ["prettier $X {file}", TEXT],
    ["prettier `x` {file}", TEXT],
    ["prettier *.ts {file}", TEXT],
    ["prettier {file}.bak", WORD],
    ["prettier x{file}", WORD],
    ["prettier a={file}", WORD],
    [["sh", "-c", "prettier {file}"], WORD],
    [["sh", "-c", "{file}"], SHELL],
    [["bash", "-lc", "{file}"], SHELL],
    [["/bin/zsh", "-c", "{file}", "x"], SHELL],
    [["bash.exe", "-c", "{file}"], SHELL],
    [["cmd", "/c", "prettier", "{file}"], SHELL],
    [["C:\\Windows\\System32\\cmd.exe", "/c", "prettier", "{file}"], SHELL],
    [["powershell", "-Command", "prettier", "{file}"], SHELL],
    [["pwsh", "-File", "x.ps1", "{file}"], SHELL],
    [1, "a command must be a string or a list of words"],
    [[1, "{file}"], "a command must be a string or a list of words"],
    [null, "a command must be a string or a list of words"],
  ];
  for (const [command, message] of commands)
    test(`the command ${JSON.stringify(command)}`, () =>
      expect(validateOptions(formatAfterEdit, { commands: { "*.ts": command } })).rejects.toThrow(
        `hooks.hook.commands.*.ts: ${message}; set it in`,
      ));
  const wrong: object[] = [
    { commands: [] },
    { commands: "x" },
    { folders: "~" },
    { timeoutMs: 0 },
    { timeoutMs: 1.5 },
    { command: {} },
  ];
  for (const options of wrong)
    test(`the options ${JSON.stringify(options)}`, () =>
      expect(validateOptions(formatAfterEdit, options)).rejects.toThrow());
  test("no command that passes the file name to a shell as an argument", async () => {
    for (const command of [
      ["sh", "script.sh", "{file}"],
      ["bash", "-ec", "x", "bash", "{file}"],
      ["shfmt", "-w", "{file}"],
      ["fish_indent", "-w", "{file}"],
    ])
      expect(await validateOptions(formatAfterEdit, { commands: { "*": command } })).toMatchObject({
        commands: { "*": command },
      });
  });
});

describe("format-after-edit in a cloned project", () => {
  test("runs nothing that the project's config names", async () => {
    const root = newRoot();
    put(join(root, "a"), "hi");
    put(
      join(root, ".bridge-hooks.json"),
      JSON.stringify({ hooks: { "format-after-edit": { commands: { "*": [FORMATTER, "{file}"] }, folders: ["**"] } } }),
    );
    const event = {
      ...base(root),
      host: "test",
      native_event: "x",
      tool: "Write",
      tool_name: "Write",
      input: { file_path: "a", content: "" },
      _native: {},
    };
    const [outcome] = await runHooks(
      [createHookEntry(formatAfterEdit, "format-after-edit")],
      event as never,
      performance.now() + scaleMs(4_000),
    );
    expect([outcome?.failure, outcome?.response, calls()]).toEqual([undefined, {}, []]);
  });
});

describe("format-after-edit", () => {
  test("misses changes by a shell command or an MCP server", () =>
    expect(formatAfterEdit.tool).toEqual(["Edit", "Write"]));
  test("does not keep a formatter from running code in its own config", async () => {
    const root = newRoot();
    put(join(root, "config"), "touch ran");
    put(join(root, "a"), "hi");
    await write(root, "a", { commands: { a: ["sh", "-c", ". ./config", "sh", "{file}"] } });
    expect(existsSync(join(root, "ran"))).toBe(true);
  });
});
