import { expect, test } from "bun:test";
import { listFileUses } from "../../src/shell/files.ts";
import { commandsIn } from "../../src/shell/index.ts";
import { lookUpProgram, listProgramRows } from "../../src/shell/programs/index.ts";
import { getOptionTable } from "../../src/shell/programs/options.ts";

const filesIn = (line: string) => commandsIn(line).flatMap(listFileUses);

test("each program stands in one row", () => {
  const names = listProgramRows().flatMap(([names, , of]) =>
    names.split(" ").map((name) => (of ? `${of} ${name}` : name)),
  );
  expect(names.length).toBeGreaterThan(300);
  expect(names.filter((name, at) => names.indexOf(name) !== at)).toEqual([]);
  for (const name of names) expect([name, lookUpProgram(name) === undefined]).toEqual([name, false]);
});

test("each option of a program is named once", () => {
  for (const [names, program] of listProgramRows()) {
    const { options = "", code, source, shell, reads, writes, into, uses, makes, settings, folder } = program;
    const [short = "", ...long] = options.split(" ");
    const named = [
      ...[...short.replaceAll(":", "")].map((letter) => `-${letter}`),
      ...long.map((name) => name.replace("=", "")),
      ...[code, source, shell, reads, writes, into, uses, makes, settings, folder].flatMap((list) =>
        list === undefined ? [] : list.split(" "),
      ),
    ];
    expect([names, named.filter((name, at) => named.indexOf(name) !== at)]).toEqual([names, []]);
    expect([names, getOptionTable(program).size]).toEqual([names, named.length]);
    for (const name of named) expect([names, name]).toEqual([names, expect.stringMatching(/^(?:--?[\w-]+|\/\w)$/)]);
  }
});

test("an option's value that isn't the target does not take its place", () => {
  expect(filesIn("cp --preserve=mode a b")).toContainEqual({ text: "b", access: "write", takes: ["a"] });
  expect(filesIn("rsync --log-file=l a b")).toContainEqual({ text: "b", access: "write", takes: ["a"] });
  expect(filesIn("cp -t b a")).toContainEqual({ text: "b", access: "write", takes: ["a"] });
});

test("the text of a shell is not a file of its, wherever its options stand", () => {
  for (const line of ["bash -ce 'rm a' x", "bash -c -e 'rm a' x", "bash +x -c 'rm a' x", "bash -xc 'rm a' x"])
    expect([line, filesIn(line).some(({ text }) => text === "rm a")]).toEqual([line, false]);
  expect(filesIn("bash script.sh -c x")).toContainEqual({ text: "script.sh", access: "read" });
});

test("what stands beside the names is none", () => {
  for (const name of ["", "0", "1", "0.1", "1.0", "\n0.1", "0.1\tenv", "env\t", "git", "git git"])
    expect([name, lookUpProgram(name) !== undefined]).toEqual([name, name === "git"]);
});
