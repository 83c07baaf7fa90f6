import { describe, expect, test } from "bun:test";
import { readPlainLine } from "../../../src/run/quick/line.ts";

const commandsOf = (line: string) => readPlainLine(line)?.commands.map((words) => words.join(" "));

describe("the quick reader takes a line of plain words:", () => {
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
    ["echo 'a; rm x'", ["echo a", "rm x"]],
    ["cd src && npm test", ["npm test"], "src"],
    ["cd src; npm test", ["npm test"], "src"],
    ["sleep 1 &", ["sleep 1"]],
    ["make > build.log 2>&1", ["make build.log"]],
    ["make 2>err.log >>out/all.log | tail", ["make err.log out/all.log", "tail"]],
    ["echo a > b; echo c", ["echo a b", "echo c"]],
    ['npm test; echo "exit: $?"', ["npm test", "echo exit: $?"]],
    ['# It\'s a "test"; rm x\nnpm test # $(all)', ["npm test"]],
    ["a;# b\nc", ["a", "c"]],
    ["make || echo rc=$? > out.txt", ["make", "echo rc=$? out.txt"]],
    ['make; echo "$?"; echo $?', ["make", "echo $?", "echo $?"]],
  ];
  for (const [line, commands, folder] of lines)
    test(line, () => {
      expect(commandsOf(line)).toEqual(commands);
      expect(readPlainLine(line)?.folder).toBe(folder);
    });
});

test("the quick reader keeps the words of comments, since hooks may look for them", () =>
  expect(readPlainLine("# Don't DEPLOY\na && # now\nb")?.text).toBe("; a&&; b # dont deploy # now"));

test("the quick reader names the files that a line writes to", () =>
  expect(readPlainLine("make 2>err.log >> out/all.log b > /dev/null | tail > c")?.targets).toEqual([
    "err.log",
    "out/all.log",
    "c",
  ]));

describe("the quick reader leaves a line to the parser:", () => {
  const lines = [
    "echo $HOME",
    "echo $?x",
    "echo x$?",
    "echo '$?'",
    "echo $? | xargs cat",
    "cat $?",
    "$?",
    "make > $?",
    "x=$?",
    "cd $? && a",
    "echo `id`",
    "ls *.ts",
    "ls a?",
    "ls ~/x",
    "a\\b",
    "(a)",
    "{ a; }",
    "> file",
    "a 3> file",
    "a >| file",
    "a &> file",
    'a > "file"',
    "a > fi'le'",
    "a > ~/file",
    "cd > file && a",
    "a > file && cd x",
    "a < file",
    "a <<< x",
    "a 3>&1",
    "a>/dev/null",
    "echo 'unclosed",
    `echo "it's"`,
    "A=1 npm test",
    "if true; then a; fi",
    "eval a",
    "source x",
    ". x",
    "npm test && cd src",
    "cd a && cd b && c",
    "cd a || c",
    "cd a b && c",
    "echo aGk= | base64 -d | sh",
    "a#b $x",
    "a &&",
    "; a",
    "a ;; b",
    "a | | b",
    "a && # b",
    "a |\n# b",
    "# a\nb &&",
    "# a\n; b",
    "a # b\n|| c",
    'a "#" #b',
    "a''#b",
    "echo a!",
    "dir /s",
    "naïve",
    "a\rb",
    "a\0b",
    "x ".repeat(3000),
  ];
  for (const line of lines) test(JSON.stringify(line.slice(0, 40)), () => expect(readPlainLine(line)).toBeUndefined());
});
