import { closeSync, openSync, readSync, writeSync } from "node:fs";
import { getManagedConfig } from "../../policy/config-paths.ts";
import { type AllowPolicy, type Confirmation, formatPlaces } from "../../policy/allow.ts";
import { escapeInvisible } from "../../operate/text.ts";
import type { TerminalVerdict } from "./facts.ts";
import { judgeTerminal } from "./judge-terminal.ts";
import { createWord } from "./word.ts";

const TERMINAL = "/dev/tty";
const MAX_ANSWER_BYTES = 256;

async function readVerdict(): Promise<TerminalVerdict> {
  const { pid, env, platform } = process;
  if (platform === "linux") return judgeTerminal((await import("./read-linux.ts")).readLinuxFacts(pid, env));
  if (platform === "darwin") return judgeTerminal((await import("./read-macos.ts")).readMacFacts(pid, env));
  return { refusal: `who made this terminal can't be checked on ${platform}` };
}

/**
 * Checks that a person can confirm in the terminal of this process.
 * @throws Error where nobody can, or the managed file wants another kind of terminal.
 */
export async function checkTerminal(command: string, { from }: AllowPolicy): Promise<Confirmation> {
  const verdict = await readVerdict();
  if ("refusal" in verdict) throw new Error(`${command}: ${verdict.refusal}`);
  const { confirmed } = verdict;
  if (from && !from.includes(confirmed))
    throw new Error(
      `${command}: this is ${confirmed}, and ${getManagedConfig()} wants exceptions confirmed in ${formatPlaces(from)}; run it there`,
    );
  return confirmed;
}

/**
 * Has a person at the controlling terminal type a random word, which is shown there alone. Standard input and output may
 * be anything.
 * @throws Error if this process has no controlling terminal, or something else is typed.
 */
export function confirmInPerson(command: string, lines: readonly string[]): void {
  let terminal: number;
  try {
    terminal = openSync(TERMINAL, "r+");
  } catch {
    throw new Error(`${command}: this process has no terminal; a person has to run it, in a terminal of their own`);
  }
  try {
    const word = createWord();
    writeSync(terminal, `${lines.map(escapeInvisible).join("\n")}\n\nType ${word} to go on: `);
    if (readAnswer(terminal) !== word) throw new Error(`${command}: nothing was changed`);
  } finally {
    closeSync(terminal);
  }
}

function readAnswer(terminal: number): string {
  const bytes = new Uint8Array(MAX_ANSWER_BYTES);
  let length = 0;
  while (length < bytes.length) {
    const count = readSync(terminal, bytes, length, bytes.length - length, null);
    length += count;
    if (count === 0 || bytes.subarray(0, length).includes(10)) break;
  }
  return new TextDecoder().decode(bytes.subarray(0, length)).trim();
}
