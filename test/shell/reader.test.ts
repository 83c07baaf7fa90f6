import { expect, test } from "bun:test";
import type { AnyEvent } from "../../src/protocol/event.ts";
import { type Command, commands, commandsIn, mentions, readLine, shellLine } from "../../src/shell/index.ts";
import { argumentPattern, patternWords } from "../../src/shell/words/pattern.ts";
import { listPipeSources } from "../../src/shell/runs/pipe-sources.ts";
import { measureCpuTime } from "../support/machine.ts";
import { SHELL_LINES } from "./lines.ts";
import { RUNNER_LINES } from "./runner-lines.ts";
import { repeatText } from "./support.ts";

const word = (text: string) => (/^[^\s'"|]+$/.test(text) ? text : JSON.stringify(text));

/**
 * Formats a command on one line: `directory> NAME=value program words… >redirections [patched] (what runs it)`. What is
 * known only at run time appears as `⟨…⟩`.
 */
function show({ program, args, redirects, env, dynamic, cwd, via, remote, more, guessed, patched }: Command): string {
  const parts = [
    cwd === "" ? "" : `${cwd ?? "?"}>`,
    ...Object.entries(env).map(([name, value]) => `${name}=${word(value)}`),
    ...[program, ...args].map((text, at) => (dynamic[at - 1] === undefined ? word(text) : `⟨${dynamic[at - 1]}⟩`)),
    ...redirects.map(({ operator, target, fd, text, dynamic }) => {
      const what = text !== undefined ? JSON.stringify(text) : dynamic === undefined ? word(target) : `⟨${dynamic}⟩`;
      return `${fd ?? ""}${operator}${what}`;
    }),
    ...(more ? ["…"] : []),
    ...patched.map(
      ({ operation, file_path, moved_to }) => `[${operation} ${file_path}${moved_to ? ` ${moved_to}` : ""}]`,
    ),
    ...(via.length > 0 ? [`(${via.join(" ")})`] : []),
    ...(remote ? ["remote"] : []),
    ...(guessed ? ["guessed"] : []),
  ];
  return parts.filter((part) => part !== "").join(" ");
}

for (const [line, ...expected] of [...SHELL_LINES, ...RUNNER_LINES])
  test(`readLine parses ${JSON.stringify(line)}`, () => {
    const { commands, problem } = readLine(line);
    expect([...commands.map(show), ...(problem === undefined ? [] : [`! ${problem}`])]).toEqual(expected);
  });
test("listPipeSources finds the commands whose output a command reads", () => {
  /** Lists the programs whose output each `sh` reads. After a colon come the sources of the program before it. */
  const listSources = (line: string): string[] => {
    const describe = (command: Command): string => {
      const sources = listPipeSources(command);
      return command.program + (sources.length > 0 ? `:${sources.map(describe).join("+")}` : "");
    };
    return commandsIn(line)
      .filter(({ program }) => program === "sh")
      .map(describe);
  };
  const lines: Readonly<Record<string, readonly string[]>> = {
    "a | sh": ["sh:a"],
    "a |& sh": ["sh:a"],
    "a | b | sudo sh -s x": ["sh:b:a"],
    "{ a; b; } | sh": ["sh:a+b"],
    "a | { b; sh; }": ["sh:a"],
    "a | (cd x && sh)": ["sh:a"],
    "a | bash -c 'b; sh'": ["sh:a"],
    "f() { sh; }; a | f": ["sh:a"],
    "for x in $y; do cd $x; a | sh; done": ["sh:a"],
    "a | while read x; do b | sh; done": ["sh:b:a"],
    "a; sh": ["sh"],
    "a && sh": ["sh"],
    "sh | a": ["sh"],
  };
  for (const [line, expected] of Object.entries(lines))
    expect([line, listSources(line)]).toEqual([line, [...expected]]);
});
test("a fork bomb is found where it is defined, not where it is only printed", () => {
  const bombs = [
    ":(){ :|:& };:",
    "bomb(){ bomb& bomb& }; bomb",
    "function b { b | b & }; b",
    "f() ( f | f & )",
    "f() { while :; do f & f & done; }",
    "bash -c ':(){ :|:& };:'",
    "echo ':(){ :|:& };:' | sh",
  ];
  const others = [
    "echo ':(){ :|:& };:'",
    "cat <<E\n:(){ :|:& };:\nE",
    "sort_all() { if more; then sort_all a & sort_all b & fi; }",
    "retry() { run || retry; }",
    "f() { echo x | tr x y & }; f",
  ];
  for (const line of bombs) expect([line, readLine(line).forkBomb]).toEqual([line, expect.any(String)]);
  for (const line of others) expect([line, readLine(line).forkBomb]).toEqual([line, undefined]);
});

test("more than 250 command lines are covered", () =>
  expect(SHELL_LINES.length + RUNNER_LINES.length).toBeGreaterThan(250));

test("a command has its words, redirections, environment, directory and dynamic parts", () => {
  expect(commandsIn(`cd "a b" && A=1 sudo -u me /bin/rm -rf "$HOME"/x '*'* > log 2>&1`)[1]).toEqual({
    program: "rm",
    args: ["-rf", "$HOME/x", "**"],
    words: ["sudo", "-u", "me", "/bin/rm", "-rf", "$HOME/x", "**"],
    redirects: [
      { operator: ">", target: "log" },
      { operator: ">&", target: "1", fd: 2 },
    ],
    env: { A: "1" },
    dynamic: { 1: "$HOME/x", 2: "\\**" },
    cwd: "a b",
    via: ["sudo"],
    patched: [],
  });
});

test("an event's command line is parsed once, and other events have no commands", () => {
  const event = {
    event: "PreToolUse",
    tool: "Bash",
    tool_name: "Bash",
    input: { command: "ls; rm x" },
    cwd: "/",
  } as AnyEvent;
  expect(commands(event).map(({ program }) => program)).toEqual(["ls", "rm"]);
  expect(commands(event)).toBe(commands(event));
  expect(shellLine(event)).toBe(shellLine(event));
  // Lines that fail to parse take the longest, so even a failed parse is attempted only once.
  const large = { ...event, input: { command: repeatText("rm x; ", 17_000) } } as AnyEvent;
  const refusal = () => {
    try {
      return shellLine(large);
    } catch (error) {
      return error;
    }
  };
  expect(refusal()).toMatchObject({ name: "ShellError" });
  expect(refusal()).toBe(refusal());
  expect(commands({ ...event, tool: "Read", input: { file_path: "x" } } as AnyEvent)).toEqual([]);
  expect(commands({ event: "Stop", continuations: 0 } as AnyEvent)).toEqual([]);
});

/** A pattern, command lines in which a command matches it, and command lines in which none does. */
const PATTERNS: [pattern: string, fits: string[], misses: string[]][] = [
  [
    "git push*",
    ["git push", "git push -f", "git pushx", "cd x && sudo git push origin", "/usr/bin/git push", "A=1 git push"],
    ["git -C x push", "echo git push", "git  pull"],
  ],
  ["git push *", ["git push", "git push origin", "env git push"], ["git pushx", "git pus"]],
  ["git push:*", ["git push", "git push origin"], ["git pushx", "git push:x"]],
  ["git push", ["git push", "git   'push'", "git push > log", "(git push)"], ["git push origin", "sudo git pushx"]],
  ["git * main", ["git push origin main", "git merge main", "git -C x push main"], ["git main", "git push main x"]],
  ["* install", ["npm install", "sudo npm ci install"], ["npm install x", "install"]],
  ["*", ["a", "> x"], []],
  ["", ["a"], []],
  ["ls*", ["ls", "lsof", "ls -la", "ls>x"], ["als"]],
  ["sudo *", ["sudo rm x", "sudo", "/usr/bin/sudo rm x"], ["rm x"]],
  ["/usr/bin/git *", ["/usr/bin/git push", "sudo /usr/bin/git push"], ["git push"]],
  [
    "rm -rf *",
    ["bash -c 'rm -rf x'", "x=/; rm -rf $x", "find . -exec rm -rf {} +", "echo a | xargs rm -rf", "ssh host rm -rf x"],
    ["rm -r x", "echo 'rm -rf x'"],
  ],
  ["npm run test:*", ["npm run test", "npm run test -- x"], ["npm run test:unit"]],
  ["npm run test*", ["npm run test:unit"], ["npm run tes"]],
  ["* --force *", ["git push --force", "git push --force origin"], ["git push --forced"]],
  ["a*b*c", ["a b c", "abc", "a b b c c"], ["a c b", "ab", "xabc"]],
  ["aXa", ["aXa"], ["aX", "Xa", "a"]],
  ["aa*aa", ["aaaa", "aa aa"], ["aaa"]],
  ["echo a  b", ["echo 'a  b'"], ["echo a b"]],
  ["Git push", [], ["git push"]],
];

test("an argument pattern matches as it does in permission rules", () => {
  let ran = 0;
  for (const [pattern, fits, misses] of PATTERNS) {
    const test = argumentPattern(pattern);
    for (const line of fits)
      expect([pattern, line, commandsIn(line).some(test), ++ran > 0]).toEqual([pattern, line, true, true]);
    for (const line of misses)
      expect([pattern, line, commandsIn(line).some(test), ++ran > 0]).toEqual([pattern, line, false, true]);
    // Before the match, words are checked. This check never excludes a matching command.
    for (const line of fits)
      expect([pattern, line, patternWords(pattern).length === 0 || mentions(line, patternWords(pattern))]).toEqual([
        pattern,
        line,
        true,
      ]);
  }
  expect(ran).toBe(79);
});

test("an argument pattern takes less than 200 ms for 100 kB", async () => {
  const [command] = commandsIn(`x ${"a".repeat(100_000)}`) as [Command];
  const work = () => expect(argumentPattern(`x ${"a*".repeat(50)}b`)(command)).toBe(false);
  expect(await measureCpuTime(work)).toBeLessThan(200);
});

test("mentions() determines without parsing a command line whether it can involve a word", () => {
  const words = ["rm", ".env"];
  for (const line of [
    "rm x",
    "r''m x",
    "r\\m",
    '"r"m',
    "cat .E'n'V",
    "RM x",
    "r$@m",
    "$(x)",
    "`x`",
    "cat .e*",
    "cat .en?",
    "cat .en[v]",
    "cat {a,b}",
    "r\\\nm",
    "printf '\\162m' | sh",
    "echo x | base64 -d",
  ])
    expect([line, mentions(line, words)]).toEqual([line, true]);
  for (const line of ["ls -la", "git push origin main 2>&1 | tail -5", "cd a && make", 'echo "a b" > c', ""])
    expect([line, mentions(line, words)]).toEqual([line, false]);
});

test("mentions() finds every plain word in a command line's commands", () => {
  let told = 0;
  for (const [line] of [...SHELL_LINES, ...RUNNER_LINES])
    for (const { program, args, guessed } of commandsIn(line)) {
      if (guessed) continue;
      for (const text of [program, ...args].filter((text) => /^\w+$/.test(text)))
        expect([line, text, mentions(line, [text.toLowerCase()]), ++told > 0]).toEqual([line, text, true, true]);
    }
  expect(told).toBeGreaterThan(500);
});
