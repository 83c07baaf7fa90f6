import { closeSync, openSync, readSync, writeSync } from "node:fs";
import { getManagedConfig } from "../../policy/config-paths.ts";
import { type AllowPolicy, type Confirmation, formatTerminals } from "../../policy/allow.ts";
import { formatOwnCommand } from "../../system/own-command.ts";
import { escapeInvisible } from "../../operate/text.ts";
import type { TerminalFacts, TerminalVerdict } from "./facts.ts";
import { judgeTerminal } from "./judge-terminal.ts";
import { createWord } from "./word.ts";

const TERMINAL_DEVICE = "/dev/tty";
const MAX_ANSWER_BYTES = 1024;

/**
 * Reads facts about this process, its terminal and its ancestors. Returns undefined on systems that don't expose them.
 */
export async function readTerminalFacts(): Promise<TerminalFacts | undefined> {
  const { pid, env, platform } = process;
  if (platform === "linux") return (await import("./read-linux.ts")).readLinuxFacts(pid, env);
  if (platform === "darwin") return (await import("./read-macos.ts")).readMacFacts(pid, env);
  return undefined;
}

async function readVerdict(): Promise<TerminalVerdict> {
  const facts = await readTerminalFacts();
  return facts
    ? judgeTerminal(facts)
    : { refusal: `the origin of this terminal can't be verified on ${process.platform}` };
}

/** Appends the full command if running it in another terminal would help. */
const createRefusal = (command: string, refusal: string): Error =>
  new Error(
    `${command}: ${refusal}${/\brun the command\b/.test(refusal) ? `: ${formatOwnCommand(process.argv.slice(2))}` : ""}`,
  );

/**
 * Checks that a person can confirm in this process's terminal.
 * @throws Error if no person can confirm here, or if the managed file requires another kind of terminal.
 */
export async function checkTerminal(command: string, { from }: AllowPolicy): Promise<Confirmation> {
  const verdict = await readVerdict();
  if ("refusal" in verdict) throw createRefusal(command, verdict.refusal);
  const { confirmed } = verdict;
  if (from && !from.includes(confirmed))
    throw createRefusal(
      command,
      `${getManagedConfig()} requires confirmation in ${formatTerminals(from)}, but this is ${confirmed}; run the command there`,
    );
  return confirmed;
}

/**
 * Prompts a person at the controlling terminal; stdin and stdout may be redirected.
 * @throws Error if this process has no controlling terminal, or if the answer is empty.
 */
export function askUserInTerminal(command: string, question: string): string {
  const answer = readFromTerminal(command, `\n${question}`);
  if (answer === "") throw new Error(`${command}: no changes made; a reason is required`);
  return answer;
}

/**
 * Asks a person at the controlling terminal to type a random word, which only that terminal displays.
 * @throws Error if this process has no controlling terminal, or if the word doesn't match.
 */
export function confirmInTerminal(command: string, lines: readonly string[]): void {
  const word = createWord();
  if (readFromTerminal(command, `${lines.join("\n")}\n\nType ${word} to continue: `) !== word)
    throw new Error(`${command}: no changes made`);
}

/** Writes a prompt to the controlling terminal and reads a line from it. */
function readFromTerminal(command: string, text: string): string {
  let terminal: number;
  try {
    terminal = openSync(TERMINAL_DEVICE, "r+");
  } catch {
    throw createRefusal(command, "this process has no terminal; a person must run the command in their own terminal");
  }
  try {
    writeSync(terminal, escapeInvisible(text));
    return readAnswer(terminal);
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
