import { index } from "./manifest.ts";
import type { Payload } from "../../protocol/host/host.ts";
import { concernsNobody, type EntryFlags, parseQuickly, readEntryFlags } from "./quick.ts";
import type { HostShapes } from "./shapes.ts";
import shapesText from "./shapes.txt" with { type: "text" };
import { openQuickSystem, type QuickInput } from "./system.ts";

/** How long a payload may take to arrive, as in any call. */
const READ_MS = 2_000;

/** The forms of a host's payloads at a native event; undefined where none are known. */
export function loadShapes(host: string, native_event: string): HostShapes | undefined {
  const start = `\n${host}\t${native_event}\t`;
  const at = shapesText.indexOf(start);
  if (at < 0) return undefined;
  const from = at + start.length;
  return JSON.parse(shapesText.slice(from, shapesText.indexOf("\n", from))) as HostShapes;
}

/** The forms of a payload's event: it has its name, or the entry does. */
export function findShapes(payload: Payload, { host, event }: EntryFlags): HostShapes | undefined {
  for (const name of [payload.hook_event_name, payload.event, event]) {
    const shapes = typeof name === "string" ? loadShapes(host, name) : undefined;
    if (shapes) return shapes;
  }
  return undefined;
}

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
  const payload = parseQuickly(new TextDecoder().decode(input.bytes));
  const shapes = payload && findShapes(payload, flags);
  if (!shapes) return input;
  const { env, execPath } = process;
  const ownName = execPath.slice(execPath.lastIndexOf("/") + 1).toLowerCase();
  if (!concernsNobody({ shapes, named: flags.event, payload, index, system, env, ownName })) return input;
  const text = shapes.neutralOutput && `${shapes.neutralOutput}\n`;
  if (text !== "" && !system.writeStdout(text)) return input;
  return process.reallyExit(0);
}
