import { afterAll, describe, expect, test } from "bun:test";
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { createCli } from "../../../src/cli/main.ts";
import { hosts } from "../../../src/hosts/index.ts";
import { EXECUTABLE, getPayload } from "../../support/fixtures.ts";

// Runs every command in a terminal, in a home directory that has data for each command.

const folder = mkdtempSync(join(tmpdir(), "terminal-"));
afterAll(() => rmSync(folder, { recursive: true, force: true }));
const [home, project] = [join(folder, "home"), join(folder, "project")];
const env = {
  HOME: home,
  XDG_STATE_HOME: join(home, "state"),
  XDG_CONFIG_HOME: join(home, ".config"),
  PATH: "/usr/bin:/bin",
  TERM: "xterm-256color",
  LANG: "C.UTF-8",
};

const write = (path: string, value: unknown) => {
  mkdirSync(join(path, ".."), { recursive: true });
  writeFileSync(path, typeof value === "string" ? value : JSON.stringify(value, null, 2));
};
const CONFIG = join(home, ".config/bridge-hooks/config.json");
write(CONFIG, {
  hooks: { "protect-secrets": { ignore: ["a/very/long/path/to/a/file/that/is/ignored/*.env", "日本語/*.env"] } },
  rules: {
    "git/push-force": { action: "ask" },
    "company/no-terraform": {
      program: "terraform",
      pattern: "apply",
      reason: "production is changed by the pipeline alone, which asks two people of the platform team",
      advice: "open a pull request, and wait for the plan that the pipeline adds to it",
      deny: ["terraform apply"],
    },
  },
  exceptions: [
    {
      rule: "filesystem/rm-recursive",
      match: "rm -rf ~/build",
      project,
      reason: "the build folder is made anew each time",
      until: "2099-01-01",
    },
  ],
  unknownKey: 1,
});
write(join(project, ".bridge-hooks.json"), { rules: { "git/push-force": { action: "deny" } } });
mkdirSync(join(project, ".git"));
for (const name of [".claude", ".cursor", ".codex", ".gemini"]) mkdirSync(join(home, name));

const run = (args: readonly string[], { stdin = "", more = {} } = {}) => {
  const { stdout, stderr, exitCode } = Bun.spawnSync([EXECUTABLE, ...args], {
    cwd: project,
    env: { ...env, ...more },
    stdin: Buffer.from(stdin),
  });
  return { stdout: `${stdout}`, stderr: `${stderr}`, exitCode };
};

async function runInTerminal(args: readonly string[], cols: number, more: Record<string, string> = {}, rows = 5000) {
  let text = "";
  const decoder = new TextDecoder();
  const child = Bun.spawn([EXECUTABLE, ...args], {
    cwd: project,
    env: { ...env, ...more },
    terminal: { cols, rows, data: (_, chunk) => void (text += decoder.decode(chunk, { stream: true })) },
  });
  await child.exited;
  child.terminal?.close();
  return text.replaceAll("\r\n", "\n");
}

const LINES = [
  "rm -rf /",
  "git push --force origin main",
  "cat .env && echo done",
  "echo 日本語のとても長いコマンド && rm -rf ~/ドキュメント && echo 👩‍👩‍👧 e\u0301",
  `rm -rf /home/somebody/${"a-long-folder/".repeat(9)} --verbose --one-file-system --preserve-root`,
];
run(["install", "--yes"]);
for (const host of ["claude", "codex"])
  for (const command of LINES) {
    const payload = { ...getPayload(host, "PreToolUse-Bash"), cwd: project };
    run(["--host", host], { stdin: JSON.stringify({ ...payload, tool_input: { command } }) });
  }
write(join(project, "payload.json"), getPayload("claude", "PreToolUse-Bash"));

/** For each command that prints human-readable output, the command lines to run. */
const CASES: Readonly<Record<string, readonly (readonly string[])[]>> = {
  allow: [["allow", "--last", "--reason", "mine"]],
  "allow list": [["allow", "list"]],
  "allow revoke": [["allow", "revoke", "unheard-of"]],
  build: [["build", join(folder, "nothing")]],
  completion: [["completion", "tcsh"]],
  "config check": [["config", "check", CONFIG]],
  "config diff": [["config", "diff", CONFIG, "--no-history"]],
  "config schema": [],
  "config set": [["config", "set", "log.keep", "7d"]],
  "config show": [
    ["config", "show"],
    ["config", "show", "--origin"],
  ],
  "config unset": [["config", "unset", "log.keep"]],
  docs: [["docs"], ["docs", "troubleshooting"], ["docs", "--search", "managed config"], ["docs", "unheard-of"]],
  doctor: [["doctor", "--host", "claude"]],
  explain: [
    ["explain", "--last"],
    ["explain", "--command", "git push --force"],
  ],
  export: [["export", "--to", "nowhere"]],
  help: [["help"], ["help", "host-call"]],
  init: [["init", join(folder, "new")]],
  install: [
    ["install", "--dry-run", "--host", "grok"],
    ["install", "--yes", "--scope", "user"],
  ],
  list: [["list"]],
  log: [["log"], ["log", "--denied", "--since", "7d"]],
  "log delete": [["log", "delete", "--before", "2001-01-01"]],
  "log verify": [["log", "verify"]],
  matrix: [["matrix"], ["matrix", "claude"], ["matrix", "--event", "Stop"], ["matrix", "--host", "cursor", "--notes"]],
  mdm: [["mdm", "--out", join(folder, "pack")]],
  pause: [["pause", "10m", "--reason", "why"]],
  replay: [
    ["replay", "payload.json"],
    ["replay", "--history"],
  ],
  report: [["report", "--out", join(folder, "report.html")]],
  rules: [["rules"], ["rules", "--all"], ["rules", "git/push-force"], ["rules", "company/no-terraform"]],
  "rules test": [["rules", "test", CONFIG]],
  status: [["status"]],
  test: [["test", join(folder, "nothing")]],
  try: [
    ["try", "--command", LINES[1] as string],
    ["try", "--command", LINES[4] as string, "--explain"],
  ],
  uninstall: [["uninstall", "--dry-run", "--host", "pi"]],
  update: [["update", "--check", "--url", "http://127.0.0.1:9"]],
  verify: [["verify", "payload.json"]],
  "--version": [["--version"]],
};
/** Diffs are printed unwrapped. */
const isDiff = (text: string) => /^--- /m.test(text);

const widthOf = (text: string) => Bun.stringWidth(text);
/**
 * Matches a line that may be pasted and must not be wrapped: a path, a URL or a bridge-hooks command, optionally after
 * a label.
 */
const PASTED = /^(?:.* )?(?:[("'`<]*(?:~|\.{0,2}\/|\w+:\/\/)\S*|(?:sudo )?\S*bridge-hooks .*|"\w+": ".*)$/;
/** Whether a word that's too long may be broken after this character. */
const isBreak = (letter: string | undefined) => letter === undefined || ",|/{[:;=&".includes(letter);
const splitWords = (text: string) => text.split(/\s+/).filter(Boolean);

/** Whether a word occurs in the original output as a whole word or as a complete item of a list. */
function isWhole(word: string, words: ReadonlySet<string>, all: string): boolean {
  if (words.has(word) || word.includes("…") || /^[\d.:-]+$/.test(word)) return true;
  for (let at = all.indexOf(word); at >= 0; at = all.indexOf(word, at + 1)) {
    const before = all[at - 1];
    const after = all[at + word.length];
    // A hash longer than the line has no better place to be broken.
    if (/^[0-9a-f]{8,}$/.test(word)) return true;
    const isStart = /\s/.test(before ?? " ") || isBreak(before);
    if (isStart && (/\s/.test(after ?? " ") || isBreak(word.at(-1)))) return true;
  }
  return false;
}

const printed = new Map<string, string>();
/** Returns what a command prints to a pipe, where only help is wrapped. */
function runUncut(args: readonly string[]): string {
  const key = args.join(" ");
  const known = printed.get(key);
  if (known !== undefined) return known;
  const { stdout, stderr } = run(args, { more: { COLUMNS: /^help|--help$/.test(key) ? "400" : "" } });
  printed.set(key, `${stdout}\n${stderr}`);
  return `${stdout}\n${stderr}`;
}

test("every command has a case", () =>
  expect(Object.keys(CASES).toSorted()).toEqual(
    createCli()
      .definitions()
      .map(({ path }) => path.replace("bridge-hooks ", ""))
      .filter((name) => name !== "serve")
      .toSorted(),
  ));

describe.each([60, 80, 120])("in a terminal of %d columns", (cols) => {
  for (const [name, cases] of Object.entries(CASES))
    for (const args of name.startsWith("-") || cols > 60 ? cases : [...cases, [...name.split(" "), "--help"]])
      test(`${args.join(" ").replaceAll(folder, "").slice(0, 60)} prints no line that is too wide, truncated or padded`, async () => {
        const text = await runInTerminal(args, cols, { NO_COLOR: "1", PAGER: "cat" });
        // Progress lines are overwritten by later output.
        const lines = text.split("\n").map((line) => line.slice(line.lastIndexOf("\u001b[K") + 1).replace(/^\[K/, ""));
        if (isDiff(text)) return;
        expect(lines.length).toBeGreaterThan(1);
        expect(lines.filter((line) => widthOf(line) > cols && !PASTED.test(line))).toEqual([]);
        expect(lines.filter((line) => line !== line.trimEnd())).toEqual([]);
        // These commands print different text to a pipe or when run again. At this width, a host's table has shorter
        // headers.
        if (/^(?:allow|docs|init|mdm|pause|report)$/.test(name) || (name === "matrix" && cols < 80)) return;
        const uncut = runUncut(args);
        const words = new Set(splitWords(uncut));
        expect(splitWords(lines.join("\n")).filter((word) => !isWhole(word, words, uncut))).toEqual([]);
      });
});

test("log shows the command of each call at 80 columns, on a separate line after its other fields", async () => {
  const text = await runInTerminal(["log", "--host", "claude"], 80, { NO_COLOR: "1", PAGER: "cat" });
  expect(text).toMatch(
    /^\w{8} {2}\S+ \S+ {2}claude {2}PreToolUse Bash {2}ask\n {4}git\/push-force {2}git push --force origin main/m,
  );
});

describe("the pager", () => {
  const PAGER = "sed s/^/paged:/";
  const isPaged = async (args: readonly string[], more: Record<string, string> = { PAGER }, rows = 24) =>
    // A note on stderr can come first.
    /^paged:/m.test(await runInTerminal(args, 80, more, rows));
  test("shows output longer than the screen", async () => {
    for (const args of [
      ["matrix"],
      ["rules", "--all"],
      ["docs"],
      ["docs", "troubleshooting"],
      ["help"],
      ["list"],
      ["install", "--help"],
    ])
      expect([args, await isPaged(args)]).toEqual([args, true]);
    for (const args of [["--version"], ["rules", "git/push-force"], ["matrix", "--json"]])
      expect([args, await isPaged(args)]).toEqual([args, false]);
    expect(await isPaged(["matrix"], { PAGER }, 400)).toBe(false);
  });
  test("is named by BRIDGE_HOOKS_PAGER or else PAGER, and is not used if the value is empty or cat", async () => {
    expect(await isPaged(["matrix"], { BRIDGE_HOOKS_PAGER: PAGER, PAGER: "cat" })).toBe(true);
    for (const none of ["", "cat", " "]) {
      expect(await isPaged(["matrix"], { PAGER: none })).toBe(false);
      expect(await isPaged(["matrix"], { BRIDGE_HOOKS_PAGER: none, PAGER })).toBe(false);
    }
  });
  test("is not used with --no-pager, in a dumb terminal, in a pipe, and in an agent's session", async () => {
    expect(await isPaged(["matrix", "--no-pager"])).toBe(false);
    expect(await isPaged(["matrix"], { PAGER, TERM: "dumb" })).toBe(false);
    expect(run(["matrix"], { more: { PAGER } }).stdout).not.toContain("paged:");
    const marks = hosts.flatMap(({ childVariables }) => childVariables);
    expect(marks.length).toBeGreaterThan(3);
    for (const mark of marks) expect([mark, await isPaged(["help"], { PAGER, [mark]: "1" })]).toEqual([mark, false]);
  });
  test("does not lose the text if it is missing or fails to start", async () => {
    const plain = await runInTerminal(["matrix"], 80, { PAGER: "cat" });
    expect(await runInTerminal(["matrix"], 80, { PAGER: "/nowhere/pager 2>/dev/null" }, 24)).toBe(plain);
  });
});

describe("colors", () => {
  const args = ["try", "--command", "rm -rf /", "--host", "claude"];
  const isColored = (text: string) => text.includes("\u001b[1;31m");
  const inTerminal: [variables: Record<string, string>, colored: boolean][] = [
    [{}, true],
    [{ NO_COLOR: "1" }, false],
    [{ NO_COLOR: "" }, true],
    [{ CLICOLOR: "0" }, false],
    [{ TERM: "dumb" }, false],
    [{ CLICOLOR: "0", CLICOLOR_FORCE: "1" }, true],
    [{ FORCE_COLOR: "0" }, false],
    [{ NO_COLOR: "1", FORCE_COLOR: "1" }, false],
  ];
  test("in a terminal follow NO_COLOR, CLICOLOR, FORCE_COLOR and TERM", async () => {
    for (const [variables, colored] of inTerminal)
      expect([variables, isColored(await runInTerminal(args, 80, variables))]).toEqual([variables, colored]);
  });
  test("in a pipe are only forced by CLICOLOR_FORCE, FORCE_COLOR or --color always", () => {
    const inPipe: typeof inTerminal = [
      [{}, false],
      [{ CLICOLOR_FORCE: "1" }, true],
      [{ CLICOLOR_FORCE: "0" }, false],
      [{ FORCE_COLOR: "1" }, true],
      [{ FORCE_COLOR: "1", NO_COLOR: "1" }, false],
    ];
    for (const [more, colored] of inPipe)
      expect([more, isColored(run(args, { more }).stdout)]).toEqual([more, colored]);
    expect(isColored(run([...args, "--color", "always"], { more: { NO_COLOR: "1" } }).stdout)).toBe(true);
    expect(isColored(run([...args, "--color=never"], { more: { FORCE_COLOR: "1" } }).stdout)).toBe(false);
    expect(run([...args, "--color", "some"]).stderr).toBe(
      'bridge-hooks: --color must be auto, always, never, not "some"\n',
    );
    expect(run([...args, "--json"], { more: { FORCE_COLOR: "1" } }).stdout).not.toContain("\u001b");
  });
});

test("a terminal without UTF-8 gets ASCII, in aligned columns", async () => {
  for (const args of [
    ["matrix", "cursor"],
    ["try", "--command", "git push"],
    ["rules", "--all"],
    ["docs", "troubleshooting"],
    ["help"],
    ...Object.keys(CASES).flatMap((name) => (name.startsWith("-") ? [] : [[...name.split(" "), "--help"]])),
  ]) {
    const text = await runInTerminal(args, 80, { LANG: "C", NO_COLOR: "1", PAGER: "cat" });
    expect([args, text.match(/[^\x00-\x7f]+/g)]).toEqual([args, null]);
    expect(text.split("\n").filter((line) => line.length > 80 && !PASTED.test(line))).toEqual([]);
  }
  const text = await runInTerminal(["matrix", "cursor"], 80, {
    LC_ALL: "en_US.ISO-8859-1",
    PAGER: "cat",
    NO_COLOR: "1",
  });
  expect(text).toContain("preToolUse           +*");
});
