import { closeSync, openSync, readSync, writeSync } from "node:fs";
import { escapeInvisible } from "../../operate/text.ts";
import { findHostAbove } from "./parents.ts";

const TERMINAL = "/dev/tty";
const MAX_ANSWER_BYTES = 256;

/**
 * Has a person at a terminal of their own type a word. Standard input and output may be anything: only the terminal that
 * controls this process is asked.
 * @throws Error where there is no such terminal, a host is above this process, or something else is typed.
 */
export function confirmInPerson(command: string, lines: readonly string[], word: string): void {
  const host = findHostAbove();
  if (host !== undefined)
    throw new Error(`${command}: ${host} runs this terminal; run it in one that no agent can type into`);
  let terminal: number;
  try {
    terminal = openSync(TERMINAL, "r+");
  } catch {
    throw new Error(`${command}: there is no terminal here; a person has to run it, in a terminal of their own`);
  }
  try {
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
