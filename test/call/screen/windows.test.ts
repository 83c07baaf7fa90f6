import { afterAll, beforeAll, describe, expect, test } from "bun:test";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import blockDestructive from "../../../hooks/block-destructive.ts";
import protectHooks from "../../../hooks/protect-hooks.ts";
import protectSecrets from "../../../hooks/protect-secrets.ts";
import type { Hook } from "../../../src/protocol/hook.ts";
import { createCallIndex } from "../../../src/call/screen/call-index.ts";
import { openModuleSystem } from "../../../src/system/module-system.ts";
import { parseQuickly } from "../../../src/call/screen/read-quickly.ts";
import type { QuickSystem } from "../../../src/system/quick-types.ts";
import { isPlainInAllShells, toPlainPath, translateCall } from "../../../src/call/screen/windows.ts";
import { adaptToWindows } from "../../../src/system/windows-files.ts";
import { readLine } from "../../../src/shell/index.ts";
import { listShells } from "../../../src/shell/runs/shell-detection.ts";
import { listCmdlets } from "../../../src/shell/powershell/cmdlets.ts";
import { buildOrdinaryPaths, buildOrdinaryTexts } from "../../score/ordinary/files.ts";
import { buildOrdinaryLines } from "../../score/ordinary/lines.ts";
import { createProject, type ScoreProject } from "../../score/project.ts";
import { askHook } from "../../support/ask-hook.ts";
import { changeRecordedCall, ROOT } from "../../support/fixtures.ts";
import { scaleCases, seed } from "../../support/fuzz.ts";
import { BASH_DESTRUCTIVE_TEXTS, BASH_HOOK_TEXTS, BASH_SECRET_TEXTS } from "../../hooks/windows-bash-lines.ts";
import { CMD_DESTRUCTIVE_TEXTS, CMD_HOOK_TEXTS, CMD_SECRET_TEXTS } from "../../hooks/windows-cmd-lines.ts";
import { HOOKS, SECRETS } from "../../hooks/windows-file-lines.ts";
import { DESTRUCTIVE } from "../../hooks/windows-lines.ts";
import { DESTRUCTIVE_TEXTS, HOOK_TEXTS, SECRET_TEXTS } from "../../hooks/windows-text-lines.ts";
import { answerQuickly, createRandom, loadStarterHooks } from "./differential.ts";
import { addAliases, createGenerator } from "./generate-calls.ts";

const PLAIN_PATHS: Readonly<Record<string, string>> = {
  "C:\\Users\\x\\proj": "/C:/Users/x/proj",
  "c:/Users/x/proj/": "/c:/Users/x/proj",
  "C:\\": "/C:",
  "D:\\a b\\c.d\\.env": "/D:/a b/c.d/.env",
  "src\\a.ts": "src/a.ts",
  "./src/a.ts": "./src/a.ts",
  ".": ".",
  "": "",
};

const OTHER_PATHS = [
  ...[
    "/c/Users/x",
    "/c:/Users/x",
    "/tmp/x",
    "\\x",
    "\\\\server\\share\\x",
    "//server/share",
    "\\\\?\\C:\\x",
    "\\\\.\\C:",
  ],
  ...["C:", "C:x", "C:.env", "a.txt:stream", "C:\\a.txt::$DATA", "C:\\x:$I30:$INDEX_ALLOCATION\\y"],
  ...[
    "C:\\PROGRA~1\\x",
    "SETTIN~1.JSO",
    "C:\\x.\\y",
    "C:\\x \\y",
    "C:\\.claude.",
    "a ",
    "..\\x",
    "C:\\x\\..\\y",
    "x...",
  ],
];

describe("a Windows path", () => {
  for (const [given, plain] of Object.entries(PLAIN_PATHS))
    test(`is normalized: "${given}"`, () => expect(toPlainPath(given)).toBe(plain));

  for (const given of OTHER_PATHS)
    test(`takes the full path: "${given}"`, () => expect(toPlainPath(given)).toBeUndefined());

  test("is treated as a plain directory only if its real path is the same", () => {
    const real: Record<string, string> = {
      "C:/": "C:\\",
      "c:/Proj": "C:\\proj",
      "C:/Proj/./a": "C:\\Proj\\a",
      "C:/junction": "C:\\Users\\x\\.claude",
      "C:/PROGRA~1": "C:\\Program Files",
      "X:/": "C:\\Users\\x",
    };
    const { inspect, toNativePath } = adaptToWindows({
      inspect: (path) => ({ kind: path in real ? "folder" : "absent", device: "1", size: 5 }),
      findRealPath: (path) => real[path] as string,
    });
    const kinds = ["/C:", "/c:/Proj", "/C:/Proj/./a", "/C:/junction", "/C:/PROGRA~1", "/X:", "/C:/x", "/x"].map(
      (path) => inspect(path).kind,
    );
    expect(kinds).toEqual(["folder", "folder", "folder", "other", "other", "other", "absent", "absent"]);
    expect(toNativePath?.("/C:/a/b")).toBe("C:/a/b");
    expect(toNativePath?.("C:\\Program Files\\x")).toBe("C:\\Program Files\\x");
  });
});

test("a Windows call has the user's home directory, and none of the variables that every Windows sets", () => {
  const said = { contents: [], command: undefined, payload: {} };
  const call = { event: "PreToolUse", tool: "Read", ...said, folder: undefined, roots: [] };
  const env = {
    USERPROFILE: "C:\\Users\\x",
    HOME: "/c/Users/x",
    ProgramData: "c:\\programdata",
    ProgramFiles: "D:\\P",
    A: "1",
  };
  const found = translateCall({ ...call, cwd: "C:\\p", paths: ["C:\\p\\a.ts", "b.ts"] }, env);
  expect(found?.call).toEqual({ ...call, cwd: "/C:/p", paths: ["/C:/p/a.ts", "b.ts"] });
  const names = ["HOME", "A", "B", "ProgramData=C:\\ProgramData", "ProgramFiles=C:\\Program Files"];
  expect(names.map((name) => found?.env[name])).toEqual(["/C:/Users/x", "1", undefined, undefined, "D:\\P"]);
  for (const change of [{ cwd: "/c/p" }, { paths: ["C:\\p\\a.ts:s"] }, { folder: "C:x" }, { command: "echo ~" }])
    expect(translateCall({ ...call, cwd: "C:\\p", paths: [], ...change }, env)).toBeUndefined();
});

const PLAIN_LINES = String.raw`
npm test
npm run test:unit && npx eslint src --max-warnings 0
git status
git log --oneline -5 2>/dev/null
cd src && ls -la
npm test > out.txt 2>&1
./gradlew build --info
node_modules/.bin/tsc --noEmit
curl -s http://localhost:3000/health
rg -n "fix me" src/app.ts
rg -n 'a$|b' src | head -5
echo "a b" && pwd
cat package.json; mkdir -p src/new`
  .trim()
  .split("\n");

const OTHER_LINES = String.raw`
cat src\a.ts
cat ~/x
echo $HOME
echo %TEMP%
echo ^x
cat C:/x
cat --file=C:x
cat -fC:x
cat /etc/passwd
cat a //server/share/x
cat --file=/etc/passwd
cc -I/usr/include
cat a.txt::x
cat PROGRA~1/x
cat .ssh./id
cat '.ssh ./id'
ls env:
cat --x=env:PATH
ri -r .
sudo=1 ri .
git status; del src
git status | sort
ls | cat
ls -r
ls -Depth 3
cp -whatif a b
git status & echo x
"git" status
g"it" status
echo "a"b
echo 'a''b'
echo a,b
npm i @types/node
(git status)
if true; then ls; fi
return ls
foreach-object x
echo x | % y
3 + 4
copy a b /y
npm run format src/a`
  .trim()
  .split("\n");

describe("a command", () => {
  for (const line of PLAIN_LINES)
    test(`means the same in all shells: ${line}`, () => expect(isPlainInAllShells(line)).toBe(true));
  for (const line of OTHER_LINES)
    test(`takes the full path: ${line}`, () => expect(isPlainInAllShells(line)).toBe(false));
});

let project: ScoreProject;
let isCallTaken: (tool: string, input: object) => Promise<boolean>;
const isTaken = (command: string) => isCallTaken("Bash", { command });
beforeAll(async () => {
  project = createProject();
  addAliases(project);
  const index = createCallIndex(await loadStarterHooks());
  const other = openModuleSystem() as QuickSystem;
  // The simulated Windows drive holds this system's files.
  const toOwn = (path: string) => path.replace(/^C:(?=\/)/, "");
  const windows = adaptToWindows({
    ...other,
    inspect: (path) => other.inspect(toOwn(path)),
    findRealPath: (path) => path,
  });
  const system = { ...other, ...windows };
  const env = { USERPROFILE: `C:${project.home}` };
  isCallTaken = async (tool, input) => {
    const payload = { ...changeRecordedCall("claude", tool, input), cwd: `C:${project.cwd}` };
    return (await answerQuickly(["--host", "claude"], JSON.stringify(payload), index, system, env)) !== undefined;
  };
});
afterAll(() => project.remove());

/** Lists the denials of a command by the guards, in each shell that might run it on Windows. */
async function findDenials(command: string): Promise<string[]> {
  const found: string[] = [];
  for (const shell of listShells(command, {}, "win32"))
    for (const hook of [blockDestructive, protectHooks, protectSecrets]) {
      const event = {
        event: "PreToolUse",
        tool: "Bash",
        tool_name: "Bash",
        cwd: project.cwd,
        input: { command, shell },
      };
      const answer = await askHook(hook as unknown as Hook, event).catch((error: Error) => ({
        decision: error.message,
      }));
      if (answer?.decision !== undefined) found.push(`${shell}: ${answer.decision}`);
    }
  return found;
}

/**
 * Lists programs that another shell would run even though bash doesn't run them and no word in the command names them.
 */
function listOtherPrograms(line: string): string[] {
  const [own, ...others] = listShells(line, {}, "win32").map((shell) =>
    readLine(line, [shell]).commands.map(({ program }) => program),
  );
  return others.flat().filter((program) => !own?.includes(program) && !line.toLowerCase().includes(program));
}

test("the quick path on Windows answers no denied command of PowerShell, cmd.exe and Git Bash", async () => {
  const all = [DESTRUCTIVE, SECRETS, HOOKS, DESTRUCTIVE_TEXTS, CMD_DESTRUCTIVE_TEXTS, BASH_DESTRUCTIVE_TEXTS];
  const others = [SECRET_TEXTS, CMD_SECRET_TEXTS, BASH_SECRET_TEXTS, HOOK_TEXTS, CMD_HOOK_TEXTS, BASH_HOOK_TEXTS];
  const lines = [...all, ...others].flatMap((cases) => cases.flatMap(({ denied }) => denied));
  const taken: string[] = [];
  for (const line of lines) if (await isTaken(line)) taken.push(line);
  expect(taken).toEqual([]);
});

test("the quick path on Windows answers as many ordinary calls as the documentation states", async () => {
  const toWindows = (path: string) => path.replace(/^~/, `C:${project.home}`).replace(/^(?=\/)/, "C:");
  const lines = [...buildOrdinaryLines()].flatMap(([, some]) => some.map((command) => ["Bash", { command }] as const));
  const reads = buildOrdinaryPaths().map((path) => ["Read", { file_path: toWindows(path) }] as const);
  const writes = buildOrdinaryTexts().map(
    ({ path, text }) => ["Write", { file_path: toWindows(path), content: text }] as const,
  );
  const shares: number[] = [];
  for (const calls of [lines, reads, writes]) {
    let taken = 0;
    for (const [tool, input] of calls) if (await isCallTaken(tool, input)) taken++;
    shares.push(Math.round((taken / calls.length) * 100));
  }
  const [ofLines, ofReads, ofWrites] = shares;
  expect(readFileSync(join(ROOT, "docs/contributing/lab.md"), "utf8")).toMatch(
    new RegExp(
      `shell commands \\(${ofLines}% on Windows\\), ${ofReads}% of [\\d,]+ reads and ${ofWrites}% of [\\d,]+ writes`,
    ),
  );
});

const NAMES = listCmdlets().flatMap(({ names }) => names);
const PARAMETERS = listCmdlets().flatMap(({ parameters }) => parameters.flatMap(({ names }) => names));
const LINES = scaleCases(10_000);

test(`of ${LINES} generated commands, those that the quick path answers on Windows run no other program in other shells`, async () => {
  const random = createRandom(seed);
  const pick = <T>(list: readonly T[]): T => list[Math.floor(random() * list.length)] as T;
  const generate = await createGenerator(project, random);
  const ordinary = [...buildOrdinaryLines()].flatMap(([, lines]) => lines);
  const listCommands = (text: string) => {
    const payload = parseQuickly(text) as { tool_input?: { command?: unknown } } | undefined;
    const command = payload?.tool_input?.command;
    return typeof command === "string" ? [command] : [];
  };
  const changes: ((line: string) => string)[] = [
    (line) => `${pick(NAMES)} ${line}`,
    (line) => line.replace(/^\S+/, () => pick(NAMES)),
    (line) => `${line} -${pick(PARAMETERS).slice(0, 1 + Math.floor(random() * 8))}${pick(["", " x", ":x", " ."])}`,
    (line) => `${line} ${pick(["|", ";", "&&", "||", "\n"])} ${pick(NAMES)} ${pick(["", ".", "x", "-r x"])}`,
    (line) => `${pick(["ls", "pwd", "echo src", "cat a"])} | ${line}`,
    (line) =>
      line.replace(/\S+$/, (word) =>
        pick([`"${word}"`, `'${word}'`, `"${word}"x`, `env:${word}`, `x:${word}`, `@${word}`]),
      ),
    (line) =>
      `${line} ${pick(["env:", "C:x", "/x", "//x/y", "a.txt:s", "x./y", "~", "a,b", "2>&1", "> nul", "#x", "src/a", "/s"])}`,
    (line) => line.replace(/\S+/, (word) => word.toUpperCase()),
  ];
  const wrong: string[] = [];
  let taken = 0;
  for (let count = 0; count < LINES; count++) {
    const [given = pick(ordinary)] = random() < 0.5 ? listCommands(generate().text) : [];
    const line = random() < 0.6 ? pick(changes)(given) : given;
    if (!(await isTaken(line))) continue;
    taken++;
    const [denials, programs] = [await findDenials(line), listOtherPrograms(line)];
    if (denials.length > 0 || programs.length > 0) wrong.push(`${line}\n  ${[...denials, ...programs].join(", ")}`);
  }
  expect(wrong).toEqual([]);
  expect(taken).toBeGreaterThan(LINES / 20);
});
