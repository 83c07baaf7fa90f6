import { expect, test } from "bun:test";
import { commandsIn } from "../../src/shell/index.ts";
import { listProgramNames } from "../../src/shell/programs/names.ts";
import { readProgramWord } from "../../src/shell/programs/names.ts";

test("a program's names omit the directory, the extension, the version and capital letters", () => {
  const names: [program: string, ...names: string[]][] = [
    ["rm", "rm"],
    ["/bin/rm", "rm"],
    ["C:\\Git\\git.EXE", "git"],
    ["python3.12", "python3.12", "python"],
    ["Node-20", "Node-20", "node-20", "node"],
    ["git-push", "git-push", "git"],
    ["grm", "grm", "rm"],
    ["bfg-1.14.jar", "bfg-1.14.jar", "bfg-1.14", "bfg"],
    ["Format-Volume", "Format-Volume"],
    ["7z", "7z"],
    ["123", "123"],
    ["=rm", "rm"],
    ["^rm", "rm"],
    ["a=b/rm", "rm"],
  ];
  for (const [program, ...expected] of names)
    expect([program, ...listProgramNames(program)]).toEqual([program, ...expected]);
});

test("a program's name is known from its word, in full, as a pattern, or not at all", () => {
  const words: [dynamic: string, name: string | undefined, pattern: string | undefined][] = [
    ["$HOME/bin/rm", "rm", undefined],
    ["~/bin/git.exe", "git", undefined],
    ["/bin/r?", undefined, "r?"],
    ["/???/rm", "rm", undefined],
    ["r${x}m", "rm", "r*m"],
    ["$(echo a/b)rm", "rm", "*rm"],
    ["R[Mm].exe", undefined, "r[mm]"],
    ["a\\*b*", undefined, "a\\*b*"],
    ["$x", undefined, undefined],
    ["*", undefined, undefined],
    ["bin/*", undefined, undefined],
  ];
  for (const [dynamic, name, pattern] of words)
    expect([dynamic, readProgramWord({ text: dynamic, dynamic })]).toEqual([
      dynamic,
      { ...(name !== undefined && { name }), ...(pattern !== undefined && { pattern }) },
    ]);
});

test("a name with unknown parts is treated as each program that it may be", () => {
  const programsIn = (line: string) => commandsIn(line).map(({ program, args }) => [program, ...args].join(" "));
  expect(programsIn("/bin/b?sh -c 'ls x'")).toEqual(["b?sh -c ls x", "bash -c ls x", "ls x"]);
  expect(programsIn("su${x}do ls")).toEqual(["ls"]);
  expect(programsIn("git-push -f")).toEqual(["git-push -f", "git push -f"]);
  expect(programsIn("git config alias.p 'push -f'; git p")).toEqual([
    "git config alias.p push -f",
    "git p",
    "git -c alias.p=push -f p",
    "git push -f",
  ]);
});

test("a program in capital letters, or by GNU's name, runs what its table states", () => {
  const programsIn = (line: string) => commandsIn(line).map(({ program, args }) => [program, ...args].join(" "));
  expect(programsIn("SSH h rm a")).toEqual(["ssh h rm a", "rm a"]);
  expect(programsIn("Git -c alias.x='reset --hard' x")).toEqual(["git -c alias.x=reset --hard x", "git reset --hard"]);
  expect(programsIn("Docker.exe run x rm a")).toEqual(["docker run x rm a", "rm a"]);
  expect(programsIn("gfind . -exec rm a ';'")).toEqual(["gfind . -exec rm a ;", "find . -exec rm a ;", "rm a"]);
  expect(programsIn("genv -S 'rm a'")).toEqual(["genv -S rm a", "env -S rm a", "rm a"]);
});
