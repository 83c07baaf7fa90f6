import { afterAll, describe, expect, test } from "bun:test";
import { mkdirSync, mkdtempSync, realpathSync, rmSync, writeFileSync } from "node:fs";
import { homedir, tmpdir } from "node:os";
import { join } from "node:path";
import { commandsIn } from "../../src/shell/index.ts";
import { addFailedCdCommands } from "../../src/shell/files/folder-steps.ts";
import { measureCpuTime } from "../support/machine.ts";

const folder = realpathSync(mkdtempSync(join(tmpdir(), "bridge-hooks-folders-")));
afterAll(() => rmSync(folder, { recursive: true, force: true }));
mkdirSync(join(folder, "sub/deeper"), { recursive: true });
writeFileSync(join(folder, "file"), "");

/** Returns the working directory of the last `rm` in a command line, once directory changes are resolved. */
const findFolder = (line: string, shell: "bash" | "powershell" | "cmd" = "bash") =>
  addFailedCdCommands(commandsIn(line, [shell]), folder, homedir()).findLast(({ program }) => program === "rm")?.cwd;

describe("a cd that can't succeed does not change the directory:", () => {
  const cases: readonly (readonly [line: string, folder: string])[] = [
    ["cd nowhere; rm x", ""],
    ["cd nowhere\nrm x", ""],
    ["cd file; rm x", ""],
    ["pushd nowhere 2>/dev/null; rm x", ""],
    ["cd nowhere || true; rm x", ""],
    ["cd nowhere && true; rm x", ""],
    ["(cd nowhere; rm x)", ""],
    ["f() { cd nowhere; }; f; rm x", ""],
    ["cd sub; cd nowhere; rm x", "sub"],
    ["cd nowhere; cd sub; rm x", "sub"],
    ["cd sub/nowhere; rm x", ""],
    ["cd /nowhere-at-all; rm x", ""],
    ["cd sub && cd nowhere; rm x", "sub"],
    ["rmdir sub; cd sub; rm x", ""],
    ["mkdir other; cd nowhere; rm x", ""],
    ["echo nowhere; cd nowhere; rm x", ""],
  ];
  for (const [line, where] of cases) test(line, () => expect(findFolder(line)).toBe(where));
  test("in PowerShell: cd nowhere; Remove-Item x", () =>
    expect(findFolder("cd nowhere; Remove-Item x", "powershell")).toBe(""));
  test("in cmd.exe: cd nowhere & del x", () => expect(findFolder("cd nowhere & del x", "cmd")).toBe(""));
});

test("commands after a cd that can't succeed are also judged in the directory that it names", () => {
  const read = addFailedCdCommands(commandsIn("cd nowhere; rm x"), folder, homedir());
  expect(read.flatMap(({ program, cwd }) => (program === "rm" ? [cwd] : []))).toEqual(["nowhere", ""]);
});

describe("a cd that can succeed changes the directory:", () => {
  const cases: readonly (readonly [line: string, folder: string])[] = [
    ["cd sub; rm x", "sub"],
    ["cd sub; cd deeper; rm x", "sub/deeper"],
    ["cd nowhere && rm x", "nowhere"],
    ["cd nowhere && cd further && rm x", "nowhere/further"],
    ["mkdir -p nowhere/a; cd nowhere/a; rm x", "nowhere/a"],
    ["git clone https://example.com/nowhere.git; cd nowhere; rm x", "nowhere"],
    ["rm -rf sub; mkdir sub; cd sub; rm x", "sub"],
    ["cd ~; rm x", "~"],
  ];
  for (const [line, where] of cases) test(line, () => expect(findFolder(line)).toBe(where));
});

describe("a wildcard or a variable after cd leads to the directory that it names:", () => {
  const cases: readonly (readonly [line: string, folder: string | undefined])[] = [
    ["cd s?b; rm x", "sub"],
    ["cd s[u]b && rm x", "sub"],
    ["cd */; rm x", "sub"],
    ["cd sub/* && rm x", "sub/deeper"],
    ["cd su*; cd deep*; rm x", "sub/deeper"],
    ["cd ./su*/../s?b && rm x", "sub"],
    ['cd "$PWD"/su* && rm x', "sub"],
    ["cd ${NOT_SET_HERE:-sub}; rm x", "sub"],
    ["mkdir other; cd ot*; rm x", "other"],
    ["mkdir -p other/a; cd ot* && rm x", "other"],
    ["cd nowhere*; rm x", ""],
    ["cd nowhere* && rm x", undefined],
    ["cd f*e; rm x", ""],
    ["cd $NOT_SET_HERE/a; rm x", undefined],
    ["cd $(ls); rm x", "sub"],
    ["cd $(made-up); rm x", undefined],
    ["for d in *; do cd $d; rm x; done", "sub"],
  ];
  for (const [line, where] of cases) test(line, () => expect(findFolder(line)).toBe(where as string));
});

test("in a missing directory, each cd is assumed to succeed", () =>
  expect(addFailedCdCommands(commandsIn("cd a; rm x"), join(folder, "gone"), homedir()).at(-1)?.cwd).toBe("a"));

test("a command line with 300 cd commands takes less than 500 ms", async () => {
  const line = Array.from({ length: 300 }, (_, at) => `cd nowhere${at % 90}; rm x${at}`).join("; ");
  const read = commandsIn(line);
  const work = () => expect(addFailedCdCommands(read, folder, homedir()).length).toBeGreaterThan(read.length);
  expect(await measureCpuTime(work)).toBeLessThan(500);
});
