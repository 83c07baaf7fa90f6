import type { Payload } from "../protocol/host/host.ts";
import { openQuickSystem } from "../system/quick-system.ts";
import type { QuickInput } from "../system/quick-types.ts";
import { screenCall } from "./screen.ts";
import { readEntryFlags, readQuickly } from "./screen/read-quickly.ts";

/**
 * Runs a call's first stages, read and screen. Most calls don't concern any hook. For those, this function writes the
 * answer and ends the process without loading a host, a hook or `node:fs`. The remaining stages are in `answer.ts`.
 * @returns the input from stdin and the screen's findings; undefined if nothing was read
 */
export async function beginCall(argv: readonly string[]): Promise<QuickInput | undefined> {
  const flags = readEntryFlags(argv);
  const system = flags && openQuickSystem();
  // Running the program with no arguments in a terminal shows the help.
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
