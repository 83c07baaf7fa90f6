import { findNeutralOutput } from "./neutral.ts";
import { parseQuickly, readEntryFlags } from "./quick.ts";
import { openQuickSystem, type QuickInput } from "./system.ts";

/** How long a payload may take to arrive, as in any call. */
const READ_MS = 2_000;

/**
 * Answers a call that concerns no hook, and ends the process. Most calls are such: neither a host, nor a hook, nor
 * `node:fs` is loaded for them.
 * @returns what was read of stdin, where the call has to be looked at; undefined if nothing was read.
 */
export function answerQuickly(argv: readonly string[]): QuickInput | undefined {
  const flags = readEntryFlags(argv);
  const system = flags && openQuickSystem();
  if (!system) return undefined;
  const input = system.readStdin(READ_MS);
  if (!input.isWhole) return input;
  const text = new TextDecoder().decode(input.bytes);
  const payload = parseQuickly(text);
  const output = payload && findNeutralOutput(flags, payload, system, process.env);
  if (output === undefined || (output !== "" && !system.writeStdout(`${output}\n`))) return { ...input, text, payload };
  return process.reallyExit(0);
}
