import type { Payload } from "../protocol/host/host.ts";
import { lookQuickly } from "./screen/neutral.ts";
import { parseQuickly, readEntryFlags } from "./screen/concerns-nobody.ts";
import { openQuickSystem, type QuickInput } from "../system/quick-system.ts";

/** How long a payload may take to arrive, as in any call. */
const READ_MS = 2_000;
const LARGE_BYTES = 1 << 16;

/**
 * Answers a call that concerns no hook, and ends the process. Most calls are such: neither a host, nor a hook, nor
 * `node:fs` is loaded for them.
 * @returns what was read of stdin, where the call has to be looked at; undefined if nothing was read.
 */
export async function answerQuickly(argv: readonly string[]): Promise<QuickInput | undefined> {
  const flags = readEntryFlags(argv);
  const system = flags && openQuickSystem();
  // A person who types nothing but the name gets help.
  if (!system || (argv.length === 0 && system.isTerminal())) return undefined;
  const input = system.readStdin(READ_MS);
  if (!input.isWhole) return input;
  const text = new TextDecoder().decode(input.bytes);
  // The memory of a large payload serves for what it is parsed to.
  if (input.bytes.length > LARGE_BYTES) (input.bytes.buffer as ArrayBuffer).transfer(0);
  const payload = parseQuickly(text);
  const { host = payload && (await findHost(payload)), event } = flags;
  const look = payload && host ? lookQuickly(host, event, payload, system, process.env) : {};
  const { neutralOutput: output, loadHookFilter } = look;
  if (output === undefined || (output !== "" && !system.writeStdout(`${output}\n`)))
    return { ...input, text, payload, loadHookFilter };
  return process.reallyExit(0);
}

const findHost = async (payload: Payload) => (await import("./screen/find-host.ts")).findHostId(payload, process.env);
