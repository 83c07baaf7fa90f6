import type { Payload } from "../protocol/host/host.ts";
import { openQuickSystem } from "../system/quick-system.ts";
import type { QuickInput } from "../system/quick-types.ts";
import { screenCall } from "./screen.ts";
import { readEntryFlags, readQuickly } from "./screen/read-quickly.ts";

/**
 * Takes a call through its first stages, read and screen, and writes the answer if it concerns no hook, which ends the
 * process. Most calls are such: neither a host, nor a hook, nor `node:fs` is loaded for them. The other stages are in
 * `answer.ts`.
 * @returns what was read of stdin, and found, for the other stages; undefined if nothing was read.
 */
export async function beginCall(argv: readonly string[]): Promise<QuickInput | undefined> {
  const flags = readEntryFlags(argv);
  const system = flags && openQuickSystem();
  // A person who types nothing but the name gets help.
  if (!system || (argv.length === 0 && system.isTerminal())) return undefined;
  const read = readQuickly(system, flags.timeoutMs);
  const { payload } = read;
  const host = flags.host ?? (payload && (await findHost(payload)));
  if (!payload || !host) return read;
  const { event } = flags;
  const { neutralOutput, loadHookFilter } = screenCall({ host, event, payload }, { system, env: process.env });
  if (neutralOutput === undefined || (neutralOutput !== "" && !system.writeStdout(`${neutralOutput}\n`)))
    return { ...read, loadHookFilter };
  return process.reallyExit(0);
}

const findHost = async (payload: Payload) => (await import("./screen/find-host.ts")).findHostId(payload, process.env);
