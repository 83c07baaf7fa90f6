import { describe, expect, test } from "bun:test";
import { mkdirSync, mkdtempSync, realpathSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import blockDestructive from "../../hooks/block-destructive.ts";
import protectHooks from "../../hooks/protect-hooks.ts";
import protectSecrets from "../../hooks/protect-secrets.ts";
import type { Hook } from "../../src/protocol/hook.ts";
import { askHook } from "../support/ask-hook.ts";
import { BASH_DESTRUCTIVE_TEXTS, BASH_HOOK_TEXTS, BASH_SECRET_TEXTS } from "./windows-bash-lines.ts";
import { CMD_DESTRUCTIVE_TEXTS, CMD_HOOK_TEXTS, CMD_SECRET_TEXTS } from "./windows-cmd-lines.ts";
import { HOOKS, SECRETS } from "./windows-file-lines.ts";
import { DESTRUCTIVE, type WindowsCases } from "./windows-lines.ts";
import { DESTRUCTIVE_TEXTS, HOOK_TEXTS, SECRET_TEXTS } from "./windows-text-lines.ts";

const root = realpathSync(mkdtempSync(join(tmpdir(), "bridge-hooks-windows-")));
process.on("exit", () => rmSync(root, { recursive: true, force: true }));
for (const [file, text] of Object.entries({
  ".claude/settings.json": "{}",
  ".env": "KEY=hunter2\n",
  "evil.json": "{}",
  "src/a.ts": "",
})) {
  mkdirSync(join(root, file, ".."), { recursive: true });
  writeFileSync(join(root, file), text);
}

/** Returns a hook's decision on a command. */
async function decide(hook: unknown, command: string, shell: string | undefined): Promise<string | undefined> {
  const input = { command, ...(shell && { shell }) };
  const event = { event: "PreToolUse", tool: "Bash", tool_name: "Bash", cwd: root, input };
  return (await askHook(hook as Hook, event))?.decision;
}

const GUARDS: readonly (readonly [name: string, hook: unknown, cases: readonly WindowsCases[]])[] = [
  ["block-destructive", blockDestructive, DESTRUCTIVE],
  ["protect-secrets", protectSecrets, SECRETS],
  ["protect-hooks", protectHooks, HOOKS],
  [
    "block-destructive, for strings and variables,",
    blockDestructive,
    [...DESTRUCTIVE_TEXTS, ...CMD_DESTRUCTIVE_TEXTS, ...BASH_DESTRUCTIVE_TEXTS],
  ],
  ["protect-secrets, for strings,", protectSecrets, [...SECRET_TEXTS, ...CMD_SECRET_TEXTS, ...BASH_SECRET_TEXTS]],
  ["protect-hooks, for strings,", protectHooks, [...HOOK_TEXTS, ...CMD_HOOK_TEXTS, ...BASH_HOOK_TEXTS]],
];

for (const [name, hook, cases] of GUARDS)
  for (const { shell, denied, allowed } of cases)
    describe(`${name} in ${shell}`, () => {
      for (const line of denied)
        test(`denies ${line}`, async () => expect(await decide(hook, line, shell)).toBe("deny"));
      for (const line of allowed)
        test(`allows ${line}`, async () => expect(await decide(hook, line, shell)).toBeUndefined());
    });

test("more than 720 denied and 200 allowed commands are tested", () => {
  const all = GUARDS.flatMap(([, , cases]) => cases);
  expect(all.flatMap(({ denied }) => denied).length).toBeGreaterThan(720);
  expect(all.flatMap(({ allowed }) => allowed).length).toBeGreaterThan(200);
});

describe("without a named shell, the hooks deny", () => {
  const lines: readonly [hook: unknown, line: string][] = [
    [blockDestructive, "Remove-Item -Recurse -Force C:\\"],
    [blockDestructive, "ri C:\\ -rec -fo"],
    [blockDestructive, "rd /s /q C:\\"],
    [blockDestructive, "del /s /q C:\\*"],
    [blockDestructive, "Get-ChildItem C:\\ -Recurse | Remove-Item"],
    [blockDestructive, "[IO.Directory]::Delete('C:\\', $true)"],
    [blockDestructive, "pwsh -c 'ri C:\\ -r'"],
    [blockDestructive, "cmd //c 'rd /s /q C:\\'"],
    [protectSecrets, "Get-Content .env"],
    [protectSecrets, "$env:API_KEY"],
    [protectSecrets, "Get-ChildItem env:"],
    [protectHooks, "Set-Content .claude/settings.json '{}'"],
    [protectHooks, "Get-ChildItem .claude | Remove-Item"],
  ];
  for (const [hook, line] of lines) test(line, async () => expect(await decide(hook, line, undefined)).toBe("deny"));
});

describe("without a named shell, bash's parse of a call of another shell is enough for the hooks to allow", () => {
  const lines = [
    'cmd.exe /c "rd /s /q \\"build dir\\""',
    'powershell.exe -Command "Remove-Item -Recurse -Force \\"build dir\\""',
  ];
  for (const line of lines)
    test(line, async () => expect(await decide(blockDestructive, line, undefined)).toBeUndefined());
});
