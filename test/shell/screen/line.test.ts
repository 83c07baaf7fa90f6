import { describe, expect, test } from "bun:test";
import { readPlainLine } from "../../../src/shell/screen/line.ts";
import { UNKNOWN } from "../../../src/shell/screen/variables.ts";

const VARIABLES: Readonly<Record<string, string>> = { HOME: "/home/dev", D: "/srv/app", LONG: "a b" };
const read = (line: string) => readPlainLine(line, (name) => VARIABLES[name]);
const commandsOf = (line: string) => read(line)?.commands.map((words) => words.join(" ").replaceAll(UNKNOWN, "?"));

describe("the prefilter parses", () => {
  const lines: [line: string, commands: string[], folder?: string][] = [
    ["npm test", ["npm test"]],
    ["  npm   test  ", ["npm test"]],
    ['npm test 2>&1 | tail -20 && echo "done"', ["npm test", "tail -20", "echo done"]],
    ["make > /dev/null 2>&1; echo ok", ["make", "echo ok"]],
    ["make 2>/dev/null || true", ["make", "true"]],
    ["make &>/dev/null", ["make"]],
    ["a\nb", ["a", "b"]],
    ["r'm' x", ["rm x"]],
    ["git log --format='a b'", ["git log --format=a b"]],
    ["echo 'a; rm x'", ["echo a rm x"]],
    ["cd src && npm test", ["npm test"], "src"],
    ["cd src; npm test", ["npm test"], "src"],
    ["npm test && cd src", ["npm test"], "src"],
    ["(cd src && a) || b", ["a", "b"], "src"],
    ["sleep 1 &", ["sleep 1"]],
    ["make > build.log 2>&1", ["make build.log"]],
    ["make 2>err.log >>out/all.log | tail", ["make err.log out/all.log", "tail"]],
    ["echo a > b; echo c", ["echo a b", "echo c"]],
    ["sort < a.txt", ["sort a.txt"]],
    ['npm test; echo "exit: $?"', ["npm test", "echo exit: ?"]],
    ['# It\'s a "test"; rm x\nnpm test # $(all)', ["npm test"]],
    ["a;# b\nc", ["a", "c"]],
    ["make || echo rc=$? > out.txt", ["make", "echo rc=? out.txt"]],
    ["(a; b) | c", ["a", "b", "c"]],
    ["{ a; b; } > out.txt", ["a", "b", "> out.txt"]],
    ["if [ -f x ]; then a; elif b; then c; else d; fi && e", ["[ -f x ]", "a", "b", "c", "d", "e"]],
    ["while true; do a; done | b", ["true", "a", "b"]],
    ['for f in a b; do gzip "$f"; done', ["for a b", "gzip ?"]],
    ["! a && time b", ["a", "b"]],
    ["A=1 npm test", ["= A=1", "npm test"]],
    ["A=1; echo $A/x", ["= A=1", "echo 1/x"]],
    ["false && A=a.txt; cat $A", ["false", "= A=a.txt", "cat ?"]],
    ["export A=src && ls $A", ["export A=src", "ls src"]],
    ["ls ~ ~/x $D/y ${D} a~ HEAD~2 @{1}", ["ls /home/dev /home/dev/x /srv/app/y /srv/app a~ HEAD~2 @{1}"]],
    ['OUT=$(npm test 2>&1); echo "got $OUT"', ["npm test", "= OUT=?", "echo got ?"]],
    ["kill $(cat x.pid)", ["cat x.pid", "kill ?"]],
    ["echo ${U}x $U/y v$U", ["echo ?x ?/y v?"]],
    ["set -euo pipefail; a", ["set -euo pipefail", "a"]],
    ["grep -E '^a(b|c)?$' x", ["grep -E ^a(b c)?$ x"]],
    ["echo a\\ b \\; 100% a!", ["echo a b   100% a!"]],
    ["a \\\n  b", ["a b"]],
  ];
  for (const [line, commands, folder] of lines)
    test(JSON.stringify(line), () => {
      expect(commandsOf(line)).toEqual(commands);
      expect(read(line)?.folder).toBe(folder);
    });
});

test("the prefilter keeps the words of comments, because hooks may search for them", () =>
  expect(read("# Don't DEPLOY\na && # now\nb")?.text).toBe("; a&&; b # dont deploy # now"));

test("the prefilter names the files that a command line writes", () =>
  expect(read("make 2>err.log >> out/all.log b > /dev/null | tail > c")?.targets).toEqual([
    "err.log",
    "out/all.log",
    "c",
  ]));

test("the prefilter also treats an unknown variable in a word as empty", () => {
  expect(read("r${x}m a.e$()nv")).toBeUndefined();
  expect(read("sudo r${x}m $y")?.text).toBe(` sudo r${UNKNOWN}m rm ${UNKNOWN} `);
  expect(read('echo "$API_TOKEN" ${D}')?.variables).toEqual(["API_TOKEN", "D"]);
});

describe("the prefilter leaves to the parser", () => {
  const lines = [
    ...["$?", "$x a", '"$x" a', "${x}rm a", "$(a) b", "make > $?", "make > $x", "cd $? && a", "cd $x && a"],
    ...["echo `id`", "ls *.ts", "ls a?", "ls [ab]", "r?", "ls {a,b}", "ls {1..3}", "~x/a", "ls ~+", "a=b:~/x c"],
    ...["> file", "a 3> file", "a >| file", "a &> file", 'a > "file"', "a > fi'le'", "a > ~/file"],
    ...["a > file\\ b", "a <<< x", "a << E\nE", "a <(b)", "a >(b)", "a 3>&1", "a>/dev/null", "a<b", "a <& 3"],
    ...[
      "echo 'unclosed",
      'echo "',
      "a $(b",
      "a )",
      "a $(b))",
      "(a",
      "a; }",
      "fi",
      "then a",
      "if a; then b",
      "if; then a; fi",
    ],
    ...["if a; then b; done", "for x in a; b; done", "for x; do a; done", "while a; done", "do a", "fi a", "(a) b"],
    ...["f() { a; }", "f () { a; }", "function f { a; }", "case a in b) c;; esac", "select x in a; do b; done"],
    ...["eval a", "source x", ". x", "exec a", "alias a=b", "trap a EXIT", "pushd a", "read x", "set -- a b", "set a"],
    ...["cd", "cd -", "cd a && cd b && c", "cd a b && c", "cd '' && a"],
    ...[
      "echo aGk= | base64 -d | sh",
      "echo '\\x72'",
      'echo "\\162"',
      "echo $'a'",
      'echo $"a"',
      "echo a\\",
      "printf -v x a",
      "printf %s%s a b | c",
    ],
    ...[
      "IFS=, a",
      "HOME=/x; ls ~/a",
      "PWD=/x a",
      "echo ${x:-a} ",
      "echo ${x%a}",
      "echo ${#x}",
      "echo $((1))",
      "echo $_",
    ],
    ...[
      "x=$(echo a); b $x/c",
      "x=$(a); b $x/c",
      "x=a; x=b; c $x/d",
      "false && x=a; b $x/c",
      "x=a b $x/c",
      "x='a b'; c",
    ],
    ...["for x in a b; do c $x/d; done", "if a; then x=b; fi; c $x/d", "(x=a); b ${x}c", "ls $LONG", "x+=a", "x[0]=a"],
    ...[
      "sh -c 'a $x'",
      "echo r\\$x | sh",
      "sh -c r\\$\\{x\\}m",
      "python3 -c 'a(b)'",
      "echo 'a $x' | sh",
      "git -c alias.x='!a' x",
      "ssh h 'a; $x'",
      "cmd /c a",
      "dir /s",
    ],
    ...["a &&", "; a", "a ;; b", "a | | b", "a && # b", "a |\n# b", "# a\nb &&", "# a\n; b", "a # b\n|| c"],
    ...["echo %x% r^m", "naïve", "a\rb", "a\0b", "x ".repeat(3000)],
  ];
  for (const line of lines) test(JSON.stringify(line.slice(0, 40)), () => expect(read(line)).toBeUndefined());
});
