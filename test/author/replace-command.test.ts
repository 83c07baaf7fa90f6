import { describe, expect, test } from "bun:test";
import {
  type Command,
  type CommandMatch,
  type CommandReplacement,
  commandsIn,
  replaceCommand,
} from "../../src/index.ts";
import { ORDINARY_LINES } from "../support/ordinary-lines.ts";
import type { EventOf } from "../../src/protocol/event.ts";

type Shell = "bash" | "powershell" | "cmd";
const createEvent = (tool: "Bash" | "MCP", tool_name: string, input: object) =>
  ({
    event: "PreToolUse",
    native_event: "PreToolUse",
    host: "claude",
    session_id: "s",
    cwd: "/work",
    _native: {},
    tool,
    tool_name,
    input,
  }) as EventOf<"PreToolUse">;
const bash = (command: string, shell: Shell = "bash") => createEvent("Bash", "Bash", { command, shell });

/** Returns the new command line; undefined if nothing matches, null if it can't be changed. */
function replace(line: string, [match, to]: readonly [CommandMatch, CommandReplacement], shell?: Shell) {
  const response = replaceCommand(bash(line, shell), match, to);
  return response?.modified_input ? response.modified_input.command : response;
}

const PIP = ["pip install", "uv pip install"] as const;

describe("replaceCommand changes one command and nothing else", () => {
  const cases: [line: string, changed: string | null | undefined, shell?: Shell][] = [
    ["pip install x && cd y", "uv pip install x && cd y"],
    ["cd y; pip install x", "cd y; uv pip install x"],
    ["sudo -E pip install 'a b'", "sudo -E uv pip install 'a b'"],
    ["A=1 pip install x > log 2>&1 # pip install", "A=1 uv pip install x > log 2>&1 # pip install"],
    ["echo pip install; pip install x", "echo pip install; uv pip install x"],
    ["pip install x | tee pip", "uv pip install x | tee pip"],
    ["pip install x; pip list; pip install y", "uv pip install x; pip list; uv pip install y"],
    ["pip install x; pip install x", "uv pip install x; uv pip install x"],
    ['x=$(pip install y) && echo "$(pip install z)"', 'x=$(uv pip install y) && echo "$(uv pip install z)"'],
    ["bash -c 'pip install x && ls'", "bash -c 'uv pip install x && ls'"],
    ["bash -c \"pip install 'x y'\"", "bash -c \"uv pip install 'x y'\""],
    ["ssh build 'pip install x'", "ssh build 'uv pip install x'"],
    ["echo 'pip install x' | sh", "echo 'uv pip install x' | sh"],
    ["bash <<EOF\npip install x\nEOF", "bash <<EOF\nuv pip install x\nEOF"],
    ["cat <<EOF\npip install x\nEOF\npip install z", "cat <<EOF\npip install x\nEOF\nuv pip install z"],
    ["for i in 1 2; do pip install $i; done", "for i in 1 2; do uv pip install $i; done"],
    ["if pip install x; then echo pip; fi", "if uv pip install x; then echo pip; fi"],
    ["(cd a && pip install -r r.txt) || exit 1", "(cd a && uv pip install -r r.txt) || exit 1"],
    ['f() { pip install "$@"; }; f x', 'f() { uv pip install "$@"; }; f x'],
    ['"pip" install $HOME/x *.whl', 'uv "pip" install $HOME/x *.whl'],
    ["/usr/bin/pip install x", "uv pip install x"],
    ["pip -q install x", undefined],
    ["pip \\\n  install x", "uv pip \\\n  install x"],
    ["ls | xargs pip install", "ls | xargs uv pip install"],
    ["find . -name r.txt -exec pip install -r {} \\;", "find . -name r.txt -exec uv pip install -r {} \\;"],
    ["pip install x; Write-Host pip", "uv pip install x; Write-Host pip", "powershell"],
    ["if ($true) { pip install 'a b' }", "if ($true) { uv pip install 'a b' }", "powershell"],
    ["pip install x & echo pip", "uv pip install x & echo pip", "cmd"],
    // The words occur, but not as the command to be replaced.
    ["pip list", undefined],
    ["echo 'pip install x'", undefined],
    ["", undefined],
    // The command name is split by quotes, or comes from a variable that other commands use as well.
    ["pi'p' install x", null],
    ["P=pip; $P install x; $P list", null],
    ['f() { pip "$@"; }; f install x; f list', null],
  ];
  for (const [line, changed, shell] of cases)
    test(`${shell ?? "bash"}: ${line.replaceAll("\n", "⏎")}`, () =>
      expect(replace(line, PIP, shell)).toBe(changed as string));
});

describe("replaceCommand accepts", () => {
  const words = (change: (args: readonly string[]) => readonly string[]) => (command: Command) => [
    command.program,
    ...change(command.args),
  ];
  const without = (option: string) => words((args) => args.filter((arg) => arg !== option));
  test("a program's name", () =>
    expect(replace("npm i -D 'a b' && ls", ["npm", "pnpm"])).toBe("pnpm i -D 'a b' && ls"));
  test("several names", () =>
    expect(replace("npm i a; npm install b; npm test", [["npm i", "npm install"], "pnpm add"])).toBe(
      "pnpm add a; pnpm add b; npm test",
    ));
  test("a function that selects commands, and a function that changes them", () =>
    expect(replace("git push -f x; git push y", [({ args }) => args.includes("-f"), without("-f")])).toBe(
      "git push x; git push y",
    ));
  test("a new option in place of another", () =>
    expect(
      replace("git push -f origin x", [
        "git push",
        words((args) => args.map((arg) => (arg === "-f" ? "--force-with-lease" : arg))),
      ]),
    ).toBe("git push --force-with-lease origin x"));
  test("an option at the end", () => {
    expect(replace("git push -f; ls", ["git push", without("-f")])).toBe("git push; ls");
    expect(replace("git push", ["git push", words((args) => [...args, "--dry-run"])])).toBe("git push --dry-run");
  });
  test("words with spaces and quotes, quoted in the command line's style", () => {
    expect(replace("ls x", ["ls", ["eza", "a b"]])).toBe("eza 'a b' x");
    expect(replace("ls x", ["ls", ["eza", "it's"]])).toBe('eza "it\'s" x');
    expect(replace("sh -c 'ls x'", ["ls", ["eza", "a b"]])).toBe("sh -c 'eza \"a b\" x'");
    expect(commandsIn(replace("ls x", ["ls", ["eza", "$HOME"]]) as string)[0]).toMatchObject({
      args: ["$HOME", "x"],
      dynamic: {},
    });
  });
  test("a function that leaves a command unchanged", () =>
    expect(replace("ls x", ["ls", () => undefined])).toBeUndefined());
  test("words that the command already has", () => expect(replace("ls x", ["ls", "ls"])).toBeUndefined());
  test("an MCP tool's shell command", () => {
    const event = createEvent("MCP", "mcp__shell__run_command", {
      server: "shell",
      tool: "run_command",
      arguments: { command: "pip install x", timeout: 1 },
    });
    expect(replaceCommand(event, ...PIP)).toEqual({
      modified_input: { arguments: { command: "uv pip install x", timeout: 1 } },
    });
  });
  test("no other tool's input", () => {
    const event = createEvent("MCP", "mcp__a__b", { server: "a", tool: "b", arguments: { text: "pip install x" } });
    expect(replaceCommand(event, ...PIP)).toBeUndefined();
  });
});

describe("a changed command line, parsed again, has the same commands except for the replaced ones", () => {
  const lines = Object.entries(ORDINARY_LINES).map(([name, { line }]) => [name, line(4)] as const);
  let changedCount = 0;
  for (const [name, line] of lines)
    test(name, () => {
      const before = commandsIn(line);
      for (const { program } of before.filter((one) => /^[\w-]+$/.test(one.program)).slice(0, 8)) {
        const changed = replace(line, [program, `other-${program}`]);
        expect(changed).not.toBeUndefined();
        if (typeof changed !== "string") continue;
        changedCount++;
        const after = commandsIn(changed).map((one) => one.program);
        expect(after).toEqual(before.map((one) => (one.program === program ? `other-${program}` : one.program)));
        // Reversing the replacement must restore the original command line.
        expect(replace(changed, [`other-${program}`, program])).toBe(line);
      }
    });
  test("most command lines can be changed", () => {
    expect(lines.length).toBeGreaterThan(20);
    expect(changedCount).toBeGreaterThan(lines.length * 0.8);
  });
});
