import { expect, test } from "bun:test";
import { splitArguments } from "../../hooks/_destructive/given-options.ts";
import { findPasswordStoreRequest } from "../../hooks/_secrets/keepers.ts";
import { findFileOperands } from "../../hooks/_secrets/operands.ts";
import { listFileUses } from "../../src/shell/files/files.ts";
import { type Command, commandsIn } from "../../src/shell/index.ts";
import { readFindArguments } from "../../src/shell/programs/find-arguments.ts";
import { readGitArguments } from "../../src/shell/programs/git-arguments.ts";
import { isInterpreter, optionKind, runsPackages, takesPattern } from "../../src/shell/programs/index.ts";

const commandIn = (line: string) => commandsIn(line)[0] as Command;
const words = (line: string) => line.split(" ");

test("git's own options end at its subcommand", () => {
  const line = "-C a --git-dir x -c k=v --config-env k=E --no-pager -C b commit -C HEAD";
  expect(readGitArguments(words(line))).toEqual({ verb: "commit", at: 11, folders: [1, 10] });
  expect(readGitArguments(["-C"])).toEqual({ verb: "", at: 2, folders: [1] });
  expect(listFileUses(commandIn("git -C a -C b add x"))).toContainEqual({ text: "a/b/x", given: "x", access: "read" });
});

test("find's arguments are split into options, directories and expression", () => {
  const args = words("-L -D tree a b ( -name -x -o ! -newer f ) -exec rm {} + -fprintf o %p -delete");
  const { starts, steps } = readFindArguments(args);
  expect(starts).toEqual([3, 4]);
  expect(steps.map(({ word, kind, values }) => [word, kind, ...values])).toEqual([
    ["(", "operator"],
    ["-name", "name", "-x"],
    ["-o", "operator"],
    ["!", "operator"],
    ["-newer", "other", "f"],
    [")", "operator"],
    ["-exec", "run", "rm", "{}"],
    ["-fprintf", "write", "o", "%p"],
    ["-delete", "single"],
  ]);
  for (const { word, at } of steps) expect(args[at]).toBe(word);
});

test("an unknown find test does not hide the action after it", () => {
  for (const action of ["-delete", "-exec rm {} ;", "-fprint x"])
    expect(readFindArguments(words(`. -unknown ${action}`)).steps.at(1)?.word).toBe(words(action)[0] as string);
});

test("the word after an option is a file, text or code according to the program's table", () => {
  expect(optionKind("ssh", "-i")).toBe("uses");
  expect(optionKind("git push", "-o")).toBe("text");
  expect(optionKind("python3.12", "-c")).toBe("code");
  expect([optionKind("xargs", "-i"), optionKind("sudo", "-n"), optionKind("nothing", "-x")]).toEqual([
    undefined,
    undefined,
    undefined,
  ]);
});

test("programs are recognized as interpreters, package runners or pattern parsers", () => {
  expect(["node", "python3.12", "pwsh", "bash", "awk"].map(isInterpreter)).toEqual([true, true, true, false, false]);
  expect(["npx", "bun", "node"].map(runsPackages)).toEqual([true, true, false]);
  expect(["grep", "git grep", "jq", "chmod", "7z"].map(takesPattern)).toEqual([true, true, true, false, false]);
});

test("an option of another subcommand does not hide an operand", () => {
  const operandsIn = (line: string) => splitArguments(commandIn(line)).operands.map(({ text }) => text);
  expect(operandsIn("git -C x push -o y origin main")).toEqual(["push", "origin", "main"]);
  expect(operandsIn("git checkout -s .")).toEqual(["checkout", "."]);
  expect(operandsIn("git push --receive-pack=x --exec y origin")).toEqual(["push", "origin"]);
});

test("the first operand is a file if an option gives the pattern", () => {
  const namesOf = (line: string) => findFileOperands(commandIn(line)).map(({ text }) => text);
  for (const line of ["sed --expression=p .env", "grep -ex .env", "jq -e . .env", "awk --source=x .env", "grep x .env"])
    expect([line, namesOf(line).includes(".env")]).toEqual([line, true]);
  expect(namesOf("node -r ./.env.js x")).toContain("./.env.js");
  expect(namesOf("ssh -i id_rsa x")).not.toContain("id_rsa");
});

test("the value of an option before a subcommand that reads secrets is not an operand", () => {
  expect(
    findPasswordStoreRequest(commandIn("aws --profile a --region b --output c secretsmanager get-secret-value")),
  ).toBe("aws secretsmanager get-secret-value");
});
