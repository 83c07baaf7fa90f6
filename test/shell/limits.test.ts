import { expect, test } from "bun:test";
import { join } from "node:path";
import type { CodeLanguage } from "../../src/shell/programs/program.ts";
import { lookUpProgram } from "../../src/shell/programs/index.ts";
import { commandsIn } from "../../src/shell/index.ts";
import { parsePlainLine } from "../../src/shell/plain-line.ts";
import { loadParser } from "../../src/shell/parser.ts";
import { findSuperlinearGrowth, repeatToSize } from "../attack/growth.ts";
import { ROOT } from "../support/fixtures.ts";
import { fuzz, pickRepresentatives } from "../support/fuzz.ts";
import { measureCpuTime, toQuietCpuTime } from "../support/machine.ts";
import { repeatText } from "./support.ts";
import fc from "fast-check";

const nested = (open: string, close: string, depth: number) => repeatText(open, depth) + "a" + repeatText(close, depth);

/** Command lines that exceed a limit, each with its message, and large ones that stay within the limits. */
const LARGE: Record<string, [line: string, outcome: string | number]> = {
  "200 kB": ["x".repeat(200_000), "too long to parse (200000 characters; at most 131072)"],
  "100 kB in one word": ["x".repeat(100_000), 1],
  "100 kB in quotes": [`python -c '${repeatText("x = 1 + 2 + 3\n")}'`, 1],
  "100 kB of quotes": [repeatText("'"), "too many commands and words"],
  "100 kB of double quotes": [repeatText('"'), "too many commands and words"],
  "100 kB of backticks": [repeatText("`a`"), "too many commands and words"],
  "100 kB of backslashes": [repeatText("\\"), "too many commands and words"],
  "100 kB of $": [repeatText("$"), "too many commands and words"],
  "100 kB of here-document": [`cat > x <<'E'\n${repeatText("if (a && b || c) { d << 2; }\n", 1500)}E`, 1],
  "30000 commands": [repeatText("a;", 30_000), "too many commands"],
  "5000 commands": [repeatText("echo a b;"), "too many commands"],
  "500 commands": [repeatText("echo a b\n", 500), 500],
  "50000 words": [repeatText("x "), "too many commands and words"],
  "2500 words": [repeatText("x ", 2500), 1],
  "50000 (": [repeatText("(", 50_000), "nested too deeply"],
  "25000 ( and )": [nested("(", ")", 25_000), "nested too deeply"],
  "100 ( and )": [nested("( ", ")", 100), 1],
  "20000 $(": [repeatText("$(", 20_000), "nested too deeply"],
  "100 $( and )": [nested("$(", ")", 100), 101],
  '15000 "$(': [repeatText('"$(', 15_000), "nested too deeply"],
  "1000 chains of 16 $(": [repeatText(`${nested("$(", ")", 16)} `, 1000), "too many commands and words"],
  "30000 $((": [repeatText("$((", 30_000), "nested too deeply"],
  "20000 ${a:-": [repeatText("${a:-", 20_000), "nested too deeply"],
  "40000 <(": [repeatText("<(", 40_000), "nested too deeply"],
  "20000 {": [repeatText("{ ", 20_000), "nested too deeply"],
  "10000 if": [repeatText("if a; then ", 9000), "nested too deeply"],
  "10000 coproc": [repeatText("coproc ", 10_000), "nested too deeply"],
  "20000 {a,b}": [repeatText("{a,b}"), "too many commands and words"],
  "20000 open {a,": [repeatText("{a,", 20_000), 1],
  "{1..60} again and again": [repeatText("{1..60} "), "too many commands and words"],
  "{1..1000000000}": ["rm {1..1000000000}", 1],
  "20000 here-documents in a row": [repeatText("<<a ", 20_000), "too many here-documents"],
  "8000 here-documents": [repeatText("cat <<a\nx\na\n"), "too many here-documents"],
  "a sum of 20000": [`echo $((${repeatText("1+", 20_000)}1))`, 1],
  "bash -c in bash -c": [
    Array.from({ length: 9 }).reduce<string>((line) => `bash -c ${JSON.stringify(line).replaceAll("$", "\\$")}`, "ls"),
    10,
  ],
  "20000 bash -c": [repeatText("bash -c "), "too many commands and words"],
  "eval eval …": [repeatText("eval ", 2000), "too many commands and words"],
  "sudo sudo …": [repeatText("sudo ", 2000), "nested too deeply"],
  "unknown options of sudo": [`sudo ${repeatText("--x ", 2000)} rm`, 1],
  "a value that doubles": [`a=xxxxxxxxxx;${repeatText("a=$a$a;", 40)}rm $a`, "nested too deeply"],
  "an array that doubles": [
    `a=(1 2 3);${repeatText('a=("${a[@]}" "${a[@]}");', 40)}rm $a`,
    "too many commands and words",
  ],
  "loops in loops": [
    `${repeatText("for a in 1 2 3 4 5 6 7 8 9; do ", 9)}x${repeatText("; done", 9)}`,
    "too many commands and words",
  ],
  "functions that call two functions": [
    `f0() { x; };${Array.from({ length: 30 }, (_, at) => `f${at + 1}() { f${at}; f${at}; };`).join("")}f30`,
    "too many commands and words",
  ],
  "a function that calls itself": ["f() { f; f | f; }; f", 4],
  "a directory that grows": [repeatText("cd aaaaaaaaaaaaaaaaaaaaaaaa\n", 500), 500],
  "xargs with many": [`echo ${repeatText("a ", 2000)} | xargs rm ${repeatText("{} ", 500)}`, 2],
  "10000 $${": [repeatText("$${", 10_000), 'too many "$$" next to braces'],
  "50000 line breaks": [repeatText("\n1"), "too many commands"],
  "a long format": [`printf '${repeatText("x", 50_000)}%s' ${repeatText("a ", 1000)}| sh`, 2],
  "line breaks at the end": [`echo $(printf '${repeatText("\\n", 5000)}x')`, 2],
  "60 kB in a here-document for a shell": [`bash <<'E'\necho '${repeatText("a b ", 15_000)}'\nE`, 2],
  "40 kB in bash -c in a loop": [
    `for i in a b c d e f; do bash -c 'echo "${repeatText("a b ", 10_000)}"'; done`,
    "nested too deeply",
  ],
  "options and other words": [`sudo ${repeatText("--x ", 2000)}"a"`, 1],
  "only errors": [repeatText(") ", 40_000), "nested too deeply"],
};

const outcome = (line: string): string | number => {
  try {
    return commandsIn(line).length;
  } catch (error) {
    if ((error as Error).name !== "ShellError") throw error;
    return (error as Error).message;
  }
};

/** CPU limit per command line on a quiet machine: about four times as long as the slowest one takes. */
const LONGEST_MS = 200;

for (const [name, [line, expected]] of Object.entries(LARGE))
  test(`a command line with ${name} is ${typeof expected === "number" ? "parsed" : "rejected"} within 200 ms`, async () => {
    let found = "" as string | number;
    expect(await measureCpuTime(() => (found = outcome(line)))).toBeLessThan(LONGEST_MS);
    if (typeof expected === "number") expect(found).toBe(expected);
    else
      expect(found).toMatch(
        /^the command line (?:is|has) .* \(.*\); (?:split it into several commands|move it to a script file)$/,
      );
    if (typeof expected === "string") expect(found).toContain(expected);
  });

const CHILD = `
import { readFileSync } from "node:fs";
import { readLine } from ${JSON.stringify(join(ROOT, "src/shell/index.ts"))};
const line = readFileSync(0, "utf8");
readLine("a");
const begun = process.cpuUsage();
try { readLine(line); } catch {}
const { user, system } = process.cpuUsage(begun);
console.log((user + system) / 1000);
`;

/**
 * Measures the CPU time of a command line in a process that hasn't parsed anything large yet, in milliseconds on a
 * quiet machine.
 */
async function cold(line: string): Promise<number> {
  const child = Bun.spawn([process.execPath, "-e", CHILD], {
    stdin: new Blob([line]),
    stdout: "pipe",
    stderr: "inherit",
  });
  return toQuietCpuTime(Number(await new Response(child.stdout).text()));
}

test("a large or nested command line is parsed or rejected within 200 ms in a new process", async () => {
  const table = Object.entries(LARGE);
  expect(table.length).toBeGreaterThan(50);
  // Above, every command line was measured in this process. In a new process, one command line per outcome is enough.
  for (const [name, [line]] of pickRepresentatives(table, ([, [, expected]]) => String(expected))) {
    const ms = await cold(line);
    expect([name, ms > 0, ms < LONGEST_MS]).toEqual([name, true, true]);
  }
});

test("any text for bash is parsed, or rejected with a message", () => {
  const shell = fc.string({
    unit: fc.constantFrom(
      ..."ab $`'\"\\(){}[]<>|&;=*?~#!\n-",
      "$(",
      "<<",
      "if ",
      "do ",
      "rm ",
      "x=",
      "esac",
      "[[ ",
      "sudo ",
    ),
    maxLength: 60,
  });
  fc.assert(
    fc.property(fc.oneof(shell, fc.string({ unit: "binary" })), (line) => {
      expect(typeof outcome(line)).toBeString();
    }),
    fuzz(3_000),
  );
});

/** Ways to quote a word so that a shell leaves it unchanged. */
const QUOTES: ((word: string) => string)[] = [
  (word) => `'${word.replaceAll("'", "'\\''")}'`,
  (word) => `"${word.replace(/[\\"$`]/g, "\\$&")}"`,
  (word) => (word === "" ? "''" : word.replace(/[^\w\n]/gu, "\\$&").replaceAll("\n", "'\n'")),
  (word) => `$'${word.replace(/[\\']/g, "\\$&").replaceAll("\n", "\\n")}'`,
];

test("a quoted word is parsed as the word itself", () => {
  const quoted = fc.tuple(
    fc.string({
      unit: fc.oneof(
        fc.constantFrom(..."ab $`'\"\\(){}[]<>|&;=*?~#!\n-,."),
        fc.string({ minLength: 1, maxLength: 1, unit: "grapheme" }),
      ),
    }),
    fc.constantFrom(...QUOTES),
  );
  fc.assert(
    fc.property(fc.array(quoted, { maxLength: 6 }), (words) => {
      fc.pre(words.every(([word]) => !/[\0\r]/.test(word)));
      const line = ["printf", ...words.map(([word, quote]) => quote(word))].join(" ");
      const [command] = commandsIn(line);
      expect(command?.args).toEqual(words.map(([word]) => word));
      expect(command?.dynamic).toEqual({});
    }),
    fuzz(2_000),
  );
});

const bash = Bun.which("bash");

test.skipIf(!bash)("words are expanded as bash expands them", () => {
  const piece = fc.constantFrom(
    ...[
      "a",
      "-f",
      "=",
      "/",
      "]",
      "}",
      "'a b'",
      '"$A b"',
      "'$A'",
      '"${B}"',
      "$A",
      "$B",
      "${B}",
      "$C",
      '"$C"',
      '"${D[@]}"',
      "${D[1]}",
      "$@",
      '"$@"',
    ],
    ...[
      "$'\\n\\x41\\''",
      "\\ ",
      "\\$",
      "\\\\",
      "\\{",
      "{p,q}",
      "{1..3}",
      "{c..a}",
      "{01..03}",
      "{,z}",
      "{p,'q r'}",
      "{p,{r,s}t}",
      "{x}",
      "{a,b",
      "$(echo one  two)",
    ],
    ...['"$(echo one  two)"', "`echo x`", '"`echo x`"', '"\\$\\a\\""', '"{a,b}"', "{$A,k}", '"a\\\nb"', "$'{x,y'"],
  );
  const line = fc.array(fc.array(piece, { minLength: 1, maxLength: 3 }), { minLength: 1, maxLength: 4 });
  const lines = fc.sample(line, fuzz(1_000)).map((words) => words.map((pieces) => pieces.join("")).join(" "));
  const before = "A=aa; B='b  c'; C=; D=(d1 'd 2'); ";
  const script = `w() { printf '%s\\0' "$#" "$@"; }; ${before}\n${lines.map((words) => `w ${words}`).join("\n")}\n`;
  const shell = Bun.spawnSync([bash as string], { env: {}, stdin: Buffer.from(script) });
  let compared = 0;
  const said = shell.stdout.toString().split("\0");
  for (const words of lines) {
    const expected = said.splice(0, 1 + Number(said[0])).slice(1);
    const command = commandsIn(`${before}w ${words}`).findLast(({ program }) => program === "w");
    // `$A{1..3}` expands to `$A1 $A2 $A3`, whose values are unknown.
    if (Object.keys(command?.dynamic ?? { 0: "" }).length > 0) continue;
    expect([words, command?.args, ++compared > 0]).toEqual([words, expected, true]);
  }
  expect(compared).toBeGreaterThan(0.75 * lines.length);
  expect(said).toEqual([""]);
});

test("a plain command line is parsed without the parser exactly as with it", () => {
  const word = fc.string({ unit: fc.constantFrom(..."ab1./:@%+,-=if'\""), minLength: 1, maxLength: 5 });
  const quoted = fc.constantFrom(
    "'a b'",
    `"a b"`,
    `-m"x=y"`,
    "a'b'\"c\"",
    "''",
    `""`,
    "'a\nb'",
    `"$x"`,
    '"a\\"',
    "$x",
    "x=1",
  );
  const reserved = fc.constantFrom("if", "time", "done", "in", "function", "coproc");
  const between = fc.constantFrom(
    ..." | && | || | ; | | |& | & |\n| \n |  |\t|;;| > | 2> | >> | 2>&1 | < | >&2 |>|3<|&>|>|<<|<(|>-".split("|"),
    " | ",
    "|",
    " || ",
    "||",
    "\n\n",
    " && \n",
  );
  let same = 0;
  // In the parser's commands, `suffix` lists everything after the name, and getters expose the arguments and
  // redirections as well.
  const toPlain = (tree: unknown): unknown =>
    JSON.parse(JSON.stringify(tree, (key, value: unknown) => (/^(?:args|redirects)$/.test(key) ? undefined : value)));
  const listParts = (node: unknown): unknown[] => {
    const { commands = [], command, args, redirects } = node as Record<string, unknown[] | undefined>;
    return [...(command ? listParts(command) : []), ...commands.flatMap(listParts), toPlain([args, redirects])];
  };
  const runs = fuzz(20_000);
  fc.assert(
    fc.property(
      fc.array(
        fc.tuple(
          fc.oneof({ arbitrary: word, weight: 4 }, { arbitrary: quoted, weight: 4 }, reserved),
          fc.oneof(fc.constant(" "), between),
        ),
        { minLength: 1, maxLength: 8 },
      ),
      fc.constantFrom("", "if ", "time ", "git ", " ", "\n", "> x "),
      (words, before) => {
        const line = before + words.flat().join("");
        const tree = parsePlainLine(line);
        if (!tree) return;
        const parsed = loadParser().parse(line);
        expect([line, toPlain(tree)]).toEqual([line, toPlain(parsed)]);
        expect([line, listParts(tree)]).toEqual([line, listParts(parsed)]);
        same++;
      },
    ),
    runs,
  );
  expect(same).toBeGreaterThan(runs.numRuns / 20);
});

test("searching code takes time proportional to its length in every language", async () => {
  const parts = [
    '"',
    "'",
    "`",
    "\\",
    'run("',
    "run(['a',",
    "\"' ` ",
    'send "',
    "spawn {",
    "a:",
    "a:;",
    "\ta\n",
    "* * * * * ",
    "$(shell ",
  ];
  const more = ["!", "\\!", 'print|"', '"a"|', "e ", ";e ", "\n", "=", "qx{", "%x{", '"""', "@-+ "];
  // All parts share one limit, so that even slight quadratic growth in one of them shows.
  for (const program of "python3 perl awk make expect crontab vim psql sed gdb".split(" ")) {
    const language = lookUpProgram(program)?.language as CodeLanguage;
    const work = (size: number) => [...parts, ...more].forEach((part) => language.find(repeatToSize(part, size)));
    expect([program, await findSuperlinearGrowth(work)]).toEqual([program, undefined]);
  }
});
