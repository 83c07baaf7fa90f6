import { expect, test } from "bun:test";
import { listFileUses } from "../../src/shell/files/files.ts";
import { commandsIn } from "../../src/shell/index.ts";
import { lookUpProgram } from "../../src/shell/programs/index.ts";
import { getOptionTable } from "../../src/shell/programs/options.ts";
import { listRowNames, ROW_GROUPS } from "../../src/shell/programs/rows.ts";

const filesIn = (line: string) => commandsIn(line).flatMap(listFileUses);
const rows = ROW_GROUPS.flatMap((loadRows) => Object.entries(loadRows()));

test("each program is in one row", () => {
  const names = rows.flatMap(([key]) => listRowNames(key));
  expect(names.length).toBeGreaterThan(300);
  expect(names.filter((name, at) => names.indexOf(name) !== at)).toEqual([]);
  for (const name of names) expect([name, lookUpProgram(name) === undefined]).toEqual([name, false]);
});

test("each option of a program is named once", () => {
  for (const [names, program] of rows) {
    const {
      options = "",
      code,
      source,
      shell,
      reads,
      writes,
      into,
      fills,
      uses,
      makes,
      settings,
      folder,
      mounts,
    } = program;
    const [short = "", ...long] = options.split(" ");
    const named = [
      ...[...short.replaceAll(":", "")].map((letter) => `-${letter}`),
      ...long.map((name) => name.replace("=", "")),
      ...[code, source, shell, reads, writes, into, fills, uses, makes, settings, folder, mounts].flatMap((list) =>
        list === undefined ? [] : list.split(" "),
      ),
    ];
    expect([names, named.filter((name, at) => named.indexOf(name) !== at)]).toEqual([names, []]);
    expect([names, getOptionTable(program).size]).toEqual([names, named.length]);
    for (const name of named) expect([names, name]).toEqual([names, expect.stringMatching(/^(?:--?[\w-]+|\/\w)$/)]);
  }
});

test("the value of an option other than the target is not treated as the target", () => {
  const target = { text: "b", access: "write", takes: ["a"], replaces: true } as const;
  expect(filesIn("cp --preserve=mode a b")).toContainEqual(target);
  expect(filesIn("rsync --log-file=l a b")).toContainEqual(target);
  expect(filesIn("cp -t b a")).toContainEqual(target);
});

test("a file loses its content if the program and its options replace it", () => {
  const replaced = (line: string) => filesIn(line).flatMap(({ text, replaces }) => (replaces ? [text] : []));
  const LINES: Readonly<Record<string, readonly string[]>> = {
    "cp a b": ["b"],
    "cp -n a b": [],
    "mv a b": ["b"],
    "mv --backup a b": [],
    "ln -s a b": [],
    "ln -sfn a b": ["b"],
    "install -m 644 a b": ["b"],
    "rsync -a a b": ["b"],
    "rsync -an a b": [],
    "curl -so b h": ["b"],
    "wget -O b h": ["b"],
    "wget https://h/b": [],
    "curl -O https://h/b": ["b"],
    "dd if=a of=b": ["b"],
    "tee a b": ["a", "b"],
    "tee -a b": [],
    "sort a -o b": ["b"],
    "echo x > b": ["b"],
    "echo x >> b": [],
    "echo x &> b": ["b"],
    "sed -i s/a/b/ b": [],
  };
  for (const [line, files] of Object.entries(LINES)) expect([line, replaced(line)]).toEqual([line, [...files]]);
});

test("the code of a shell's -c is not a file, whatever the order of its options", () => {
  for (const line of ["bash -ce 'rm a' x", "bash -c -e 'rm a' x", "bash +x -c 'rm a' x", "bash -xc 'rm a' x"])
    expect([line, filesIn(line).some(({ text }) => text === "rm a")]).toEqual([line, false]);
  expect(filesIn("bash script.sh -c x")).toContainEqual({ text: "script.sh", access: "read" });
});

test("text next to a name in the table is not a program name", () => {
  for (const name of ["", "0", "1", "0.1", "1.0", "\n0.1", "0.1\tenv", "env\t", "git", "git git"])
    expect([name, lookUpProgram(name) !== undefined]).toEqual([name, name === "git"]);
});
