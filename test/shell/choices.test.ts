import { expect, test } from "bun:test";
import fc from "fast-check";
import { commandsIn, readLine } from "../../src/shell/index.ts";
import { fuzz } from "../support/fuzz.ts";
import { repeatText } from "./support.ts";

/** Lists the arguments of each `w` command in a command line, and its directory if that differs from the line's. */
const listGiven = (line: string) =>
  commandsIn(line)
    .filter(({ program }) => program === "w")
    .map(({ args, cwd }) => `${cwd === "" ? "" : `${cwd ?? "?"}> `}${args.join(" ")}`);

const CASES: Readonly<Record<string, readonly [line: string, ...given: string[]]>> = {
  "a variable has the value from each branch": ["if a; then x=1; elif b; then x=2; else x=3; fi; w $x", "1", "2", "3"],
  "a value from before a condition is kept": ["x=0; if a; then x=1; fi; w $x", "0", "1"],
  "a value from before exhaustive branches is lost": ["x=0; if a; then x=1; else x=2; fi; w $x", "1", "2"],
  "a variable is assumed to be set if one branch sets it": ["if a; then x=1; fi; w $x", "1"],
  "equal values from several branches are merged": ["if a; then x=1; else x=1; fi; w $x", "1"],
  "values of the same branch stay together": [
    "if a; then x=1; y=2; else x=3; y=4; fi; w $x; w $x $y",
    "1",
    "3",
    "1 2",
    "3 4",
  ],
  "values of different branches are combined": [
    "if a; then x=1; else x=2; fi; if b; then y=3; else y=4; fi; w $x$y",
    "13",
    "23",
    "14",
    "24",
  ],
  "a value derived from another value stays with it": ["if a; then x=1; else x=2; fi; y=$x$x; w $x $y", "1 11", "2 22"],
  "a default replaces previous values": ["x=0; case $1 in a) x=1;; *) x=2;; esac; w $x", "1", "2"],
  "a case may fall through to the next one": ["case $1 in a) x=1;& b) w $x;; esac", "1"],
  "a command after && may not run": ["x=0; a && x=1; w $x", "0", "1"],
  "a command behind || runs where the one before it has failed": ["x=0; a && x=1 || x=2; w $x", "2", "1"],
  "a value that is set between && is certain after it": ["x=0; a && x=1 && w $x", "1"],
  "a loop may run zero, one or more times": ["x=0; while a; do x=$x/1; done; w $x", "0", "0/1", "0/1/1", "$x"],
  "a loop with an early exit has the values of any iteration": [
    "for x in 1 2 3; do a && break; done; w $x",
    "1",
    "2",
    "3",
  ],
  "a loop with an unknown number of iterations has the values from its exits": [
    "x=0; while a; do x=1; b && break; x=2; c && continue; x=3; done; w $x",
    "0",
    "3",
    "1",
    "2",
  ],
  "a function has the values from its exits": ["f() { x=1; a && return; x=2; }; f; w $x", "2", "1"],
  "a loop takes each value that its words may have": [
    "if a; then x=1; else x=2; fi; for y in $x 3; do w $y; done",
    "1",
    "3",
    "2",
  ],
  "a function leaves the values that its branches set": ["f() { if a; then x=1; else x=2; fi; }; f; w $x", "1", "2"],
  "a local variable of branches is restored": [
    "if a; then x=1; else x=2; fi; f() { local x=3; w $x; }; f; w $x",
    "3",
    "1",
    "2",
  ],
  "a function defined in branches has each of the bodies": [
    "f() { w 0; }; if a; then f() { w $1; }; fi; f 1",
    "0",
    "1",
  ],
  "a redefined function has the last body": ["f() { w 0; }; f; f() { w $1; }; f 1", "0", "1"],
  "an alias defined in branches has each of the texts": [
    "if a; then alias x='w 1'; else alias x='w 2'; fi\nx",
    "?> 1",
    "?> 2",
    "1",
    "2",
  ],
  "the value of a replacement for a set variable is possible": ["w ${x:+1}", "${x:+1}", "1"],
  "the replacement for a variable with a value that contains it is not mistaken for it": ["w ${x:+$x/}1", "${x:+$x/}1"],
  "a subshell changes nothing": ["x=0; if a; then (x=1); fi; w $x", "0"],
  "an unknown value is one of several": ["x=0; if a; then x=$y; fi; w $x", "0", "$y"],
  "arguments are taken from each branch": ['if a; then set -- 1 2; else set -- 3; fi; w "$@"', "1 2", "3"],
  "a substitution has the output of each branch": ["w $([ -n a ] && echo 1 || echo 2)", "1", "2"],
  "a value is what each branch of a substitution prints": ["x=$(if a; then echo 1; fi); w $x", "1", ""],
  "a branch whose output is unknown leaves a substitution unknown": [
    "x=$(case $1 in a) echo 1;; *) b;; esac); w $x",
    "1",
    "$(case $1 in a) echo 1;; *) b;; esac)",
  ],
  "a directory is taken from each branch": ["if a; then cd d; else cd e; fi; cd f; w", "d/f> ", "e/f> "],
  "a directory after a test may be the previous one": ['[ -n "$X" ] && cd d; w', "", "d> "],
  "a directory behind || is that of either command": ["cd d || cd e; w", "d> ", "e> "],
  "a directory behind a test and || may be the one before": ["[ -d d ] || cd e; w", "", "e> "],
  "a pipeline is parsed with each value": ["if a; then x=1; else x=2; fi; echo $x | xargs w", "1", "2"],
  "more than eight values are unknown": [
    `case $1 in ${Array.from({ length: 9 }, (_, at) => `${at}) x=${at};;`).join(" ")} *) x=9;; esac; w $x`,
    "$x",
  ],
  "a few values are known even if other variables have many": [
    `case $1 in ${Array.from({ length: 9 }, (_, at) => `${at}) x=${at} y=${at % 2};;`).join(" ")} *) y=2;; esac; w $y`,
    "0",
    "1",
    "2",
  ],
};

for (const [title, [line, ...given]] of Object.entries(CASES))
  test(`${title}: ${line}`, () => expect(listGiven(line)).toEqual(given));

test("a quoted builtin assigns like an unquoted one", () =>
  expect(listGiven("''export x=1 y=$z; w $x $y")).toEqual(["1 $z"]));

test("a command that uses fifty variables set in branches is parsed with each of their values", () => {
  const numbers = Array.from({ length: 50 }, (_, at) => at);
  const branches = numbers.map((at) => `if a; then x${at}=a${at}; else x${at}=b${at}; fi`).join("; ");
  const given = listGiven(`${branches}; w ${numbers.map((at) => `$x${at}`).join(" ")}`);
  expect(given).toEqual(["a", "b", "$x"].map((name) => numbers.map((at) => `${name}${at}`).join(" ")));
});

test("branch-dependent parts are only parsed again until a limit that ordinary commands don't reach", () => {
  const branches = "case $1 in 1) x=1;; 2) x=2;; 3) x=3;; 4) x=4;; 5) x=5;; 6) x=6;; 7) x=7;; *) x=8;; esac; ";
  const { commands } = readLine(branches + repeatText("w $x; ", 300));
  expect(commands.filter(({ program }) => program === "w").length).toBeLessThan(3_000);
});

/** Lists the `w` commands in a command line; undefined if the line has too many commands. */
function readOrRefuse(line: string) {
  try {
    return commandsIn(line).filter(({ program }) => program === "w");
  } catch (error) {
    expect((error as Error).name).toBe("ShellError");
    return undefined;
  }
}

const bash = Bun.which("bash");

/** Command lists with branches and loops. Each condition may or may not hold. */
const { list } = (() => {
  const name = fc.constantFrom("x", "y", "z");
  const value = fc.oneof(
    fc.constantFrom("1", "2", "3"),
    name.map((one) => `$${one}`),
    name.map((one) => `\${${one}}4`),
  );
  return fc.letrec<{ list: string; command: string }>((tie) => {
    const [one, other] = [tie("list"), tie("list")];
    const [command, next] = [tie("command"), tie("command")];
    return {
      command: fc.oneof(
        { maxDepth: 2, depthSize: "small", withCrossShrink: true },
        fc.tuple(name, value).map(([to, given]) => `${to}=${given}`),
        fc.constantFrom('w "$x"', 'w "$x" "$y"', 'w "$y$z"', "set -- $x", 'w "$1"', "u", "v"),
        one.map((inner) => `if c; then ${inner}; fi`),
        one.map((inner) => `( ${inner} )`),
        fc.tuple(one, other).map(([first, second]) => `if c; then ${first}; else ${second}; fi`),
        fc.tuple(one, other).map(([first, second]) => `case $((RANDOM % 3)) in 0) ${first};; *) ${second};; esac`),
        fc.tuple(one, other).map(([first, second]) => `case $((RANDOM % 3)) in 0) ${first};& 1) ${second};; esac`),
        fc.tuple(command, next).map(([first, second]) => `c && ${first} || ${second}`),
        fc.tuple(command, next).map(([first, second]) => `c || ${first} && ${second}`),
        fc
          .tuple(name, value, one, other)
          .map(([to, given, first, second]) => `for ${to} in 5 ${given}; do ${first}; c && break; ${second}; done`),
      ),
      list: fc.array(command, { minLength: 1, maxLength: 2 }).map((all) => all.join("; ")),
    };
  });
})();

test.if(bash !== null)("no path through a command line gives a command words that were not parsed", () => {
  const start = "v() { x=6; }; x=a; y=b; z=c; set -- d";
  const lines = fc.sample(fc.tuple(list, list, list), fuzz(300)).map(([first, second, rest]) => {
    const body = `${first}; c && return; ${second}`.replace(/\bu\b/g, ":");
    return `u() { ${body}; }; ${start}; ${rest}; w "$x" "$y" "$z"`;
  });
  const seeds = ["1", "2", "3"];
  const functions = `w() { printf '%s|' "$@"; echo; }; c() { ((RANDOM % 2)); }`;
  const runs = lines.flatMap((line) => [...seeds.map((seed) => `(RANDOM=${seed}; ${line})`), "echo end"]);
  const shell = Bun.spawnSync([bash as string], { env: {}, stdin: Buffer.from([functions, ...runs].join("\n")) });
  const printed = shell.stdout.toString().split("end\n");
  let compared = 0;
  for (const [at, line] of lines.entries()) {
    const read = readOrRefuse(line) ?? [];
    const known = new Set(read.map(({ args }) => `${args.join("|")}|`));
    if (read.some(({ dynamic }) => Object.keys(dynamic).length > 0)) continue;
    for (const given of read.length === 0 ? [] : (printed[at] ?? "").split("\n").filter(Boolean)) {
      expect([line, given, known.has(given)]).toEqual([line, given, true]);
      compared++;
    }
  }
  expect(compared).toBeGreaterThan(lines.length);
});
