import { afterAll, beforeAll } from "bun:test";
import { mkdirSync, mkdtempSync, realpathSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { type Hook, createHookEntry } from "../../src/protocol/hook.ts";
import type { Payload } from "../../src/protocol/host/host.ts";
import { setStateDirectory } from "../../src/call/state/state-directory.ts";
import { answerCall } from "../support/answer-call.ts";
import { getFacts } from "../hosts/host-facts.ts";
import { changeRecordedCall } from "../support/fixtures.ts";
import { scaleMs } from "../support/machine.ts";

export const folder = realpathSync(mkdtempSync(join(tmpdir(), "bridge-hooks-script-")));
export const projectFolder = join(folder, "project");
export const stateFolder = join(folder, "state");
mkdirSync(projectFolder);
process.on("exit", () => rmSync(folder, { recursive: true, force: true }));

/** Keeps hook state next to the scripts, for all tests of a file. */
export function useTestState(): void {
  beforeAll(() => setStateDirectory(stateFolder));
  afterAll(() => setStateDirectory());
}

export const writeScript = (name: string, text: string | Uint8Array) => {
  const file = join(folder, name);
  writeFileSync(file, text);
  return file;
};

/** Number of modules `importModule` has written. */
export let moduleCount = 0;
export async function importModule(text: string): Promise<Hook> {
  const file = writeScript(
    `module-${++moduleCount}.ts`,
    `import { fromCommand } from "${join(import.meta.dir, "../../src/author/kit/script.ts")}";\nexport default ${text};\n`,
  );
  return (await import(file)).default as Hook;
}

/** Runs a hook for a host's payload and returns the answer. */
export async function respondAsHost(hook: Hook, host: string, payload: Payload, flags: readonly string[] = []) {
  const native = ["--host", host, "--timeout-ms", String(scaleMs(4_000)), ...flags];
  const { stdout, stderr, exit_code } = await answerCall([createHookEntry(hook, "guard")], {}, native, {
    env: {},
    read: () => JSON.stringify(payload),
  });
  return { stdout, stderr, exit_code };
}

// Three typical user-written guards.

writeScript(
  "guard.sh",
  `#!/bin/bash
# Denies rm -rf; written for Claude Code.
input=$(cat)
command=$(printf '%s' "$input" | sed -n 's/.*"command":"\\([^"]*\\)".*/\\1/p')
if printf '%s' "$command" | grep -q 'rm -rf'; then
  echo "rm -rf is not allowed here" >&2
  exit 2
fi
exit 0
`,
);
writeScript(
  "answers.awk",
  `#!/usr/bin/awk -f
# Answers in JSON: a rewrite, an ask, and a message.
/"command":"npm install"/ { print "{\\"hookSpecificOutput\\":{\\"hookEventName\\":\\"PreToolUse\\",\\"permissionDecision\\":\\"allow\\",\\"updatedInput\\":{\\"command\\":\\"npm ci\\"}}}" }
/"command":"git push"/ { print "{\\"hookSpecificOutput\\":{\\"hookEventName\\":\\"PreToolUse\\",\\"permissionDecision\\":\\"ask\\",\\"permissionDecisionReason\\":\\"push?\\"}}" }
/"command":"ls"/ { print "{\\"systemMessage\\":\\"it lists\\"}" }
`,
);
writeScript(
  "cursor.sh",
  `#!/bin/sh
# Written for Cursor's beforeShellExecution.
if grep -q '"command":"rm -rf /"'; then
  echo '{"continue":true,"permission":"deny","user_message":"U","agent_message":"A"}'
else
  echo '{"continue":true,"permission":"allow"}'
fi
`,
);

/** Builds a host's payload for a shell command about to run. */
export function buildShellPayload(host: string, command: string): Payload {
  const { shell, at } = getFacts(host);
  return { ...changeRecordedCall(host, shell.tool, { command }), ...(at?.(projectFolder) ?? { cwd: projectFolder }) };
}
export const getFlags = (host: string): readonly string[] => getFacts(host).flags ?? [];

export const REASON = "rm -rf is not allowed here";
