import { linkSync, mkdirSync, mkdtempSync, realpathSync, symlinkSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { getPayload } from "../support/fixtures.ts";
import type { Machine } from "./machines.ts";

/** Project files that the calls use. */
const FILES: Readonly<Record<string, string>> = {
  "package.json": "{}\n",
  "src/app.ts": "export const a = 1;\n",
  "src/new folder/b.ts": "",
  ".env": "KEY=1\n",
  ".claude/settings.json": "{}\n",
};

/** Creates a directory whose path doesn't trigger any hook. */
export function createQuickProject(): string {
  const folder = realpathSync(mkdtempSync(join(tmpdir(), "quick-project-")));
  for (const [file, text] of Object.entries(FILES)) {
    mkdirSync(dirname(join(folder, file)), { recursive: true });
    writeFileSync(join(folder, file), text);
  }
  mkdirSync(join(folder, ".git"), { recursive: true });
  symlinkSync(".env", join(folder, "soft.ts"));
  symlinkSync(".claude", join(folder, "linked"));
  linkSync(join(folder, ".env"), join(folder, "hard.ts"));
  return folder;
}

/** Matches the line that the hook built in by `checkQuick` prints. */
export const TRACE = /^asked\r?\n/m;

/** `PATHS` are handled by the quick path, and `OTHER_PATHS` aren't. */
const PATHS = ["src/app.ts", "package.json", "src/none.ts", "src/./app.ts", "src/new folder/b.ts", "none/x.ts"];
const OTHER_PATHS = [
  ".env",
  ".ENV",
  ".claude/settings.json",
  "SRC/APP.TS",
  "../x",
  "src/app.ts.",
  ".env.",
  "a.ts:b",
  "soft.ts",
  "hard.ts",
  "linked/settings.json",
];

/** Commands that bash, PowerShell and cmd.exe all parse the same way, followed by ones they don't. */
const LINES = [
  "npm test",
  "npm run test:unit && npx eslint src --max-warnings 0",
  "git status 2>/dev/null",
  "cd src && ls -la",
  "curl -s http://localhost:3000/health | head -5",
  'rg -n "fix me" src/app.ts > out.txt 2>&1',
];
const OTHER_LINES = String.raw`
cat .env
cat src/app.ts.
cat .ENV
cat soft.ts
cat hard.ts
cd linked && cat settings.json
git push --force origin main
echo {} > .claude/settings.json
ls | cat
ri -r .
ri -Recurse -Force ..
del src
Remove-Item -Recurse -Force C:\
type .env
type src\app.ts
cat .env::$DATA
echo %TEMP%
sudo rm -rf /
env
ls env:
printenv`
  .trim()
  .split("\n");

interface QuickCall {
  stdin: string;
  /** Whether the quick path must answer this call. */
  isPlain: boolean;
}

/** Lists Claude Code calls in a project, keyed by name. */
export function listQuickCalls({ toPath }: Pick<Machine, "toPath">, project: string): Map<string, QuickCall> {
  const found = new Map<string, QuickCall>();
  const add = (name: string, file: string, change: object) => {
    const stdin = JSON.stringify(getPayload("claude", file, { cwd: toPath(project), ...change }));
    found.set(name, { stdin, isPlain: PATHS.includes(name.replace(/^\w+ /, "")) || LINES.includes(name) });
  };
  for (const path of [...PATHS, ...OTHER_PATHS]) {
    const file_path = toPath(`${project}/${path}`);
    add(`Read ${path}`, "PreToolUse-Read", { tool_input: { file_path } });
    add(`Write ${path}`, "PreToolUse-Write", { tool_input: { file_path, content: "a" } });
  }
  for (const command of [...LINES, ...OTHER_LINES])
    add(command, "PreToolUse-Bash", { tool_input: { command, description: "d" } });
  add("a session ends", "SessionEnd-other", {});
  const file_path = "/c/Users/x/.env";
  add("a directory without a drive", "PreToolUse-Read", { cwd: "/c/Users/x", tool_input: { file_path } });
  return found;
}
