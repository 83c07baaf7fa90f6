import { index } from "./manifest.ts";
import type { Payload } from "../../protocol/host/host.ts";
import { concernsNobody, type EntryFlags, parseQuickly, type QuickQuestion, readEntryFlags } from "./quick.ts";
import type { HostShapes } from "./shapes.ts";
import shapesText from "../../hosts/shapes.txt" with { type: "text" };
import { openQuickSystem, type QuickInput, type QuickSystem } from "./system.ts";

/** How long a payload may take to arrive, as in any call. */
const READ_MS = 2_000;

const loadedShapes = new Map<string, HostShapes>();

/** The forms of a host's payloads at a native event; undefined where none are known. */
export function loadShapes(host: string, native_event: string): HostShapes | undefined {
  const start = `\n${host}\t${native_event}\t`;
  const loaded = loadedShapes.get(start);
  if (loaded) return loaded;
  const at = shapesText.indexOf(start);
  if (at < 0) return undefined;
  const from = at + start.length;
  const shapes = JSON.parse(shapesText.slice(from, shapesText.indexOf("\n", from))) as HostShapes;
  loadedShapes.set(start, shapes);
  return shapes;
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
  const text = new TextDecoder().decode(input.bytes);
  const payload = parseQuickly(text);
  const output = payload && findNeutralOutput(flags, payload, system, process.env);
  if (output === undefined || (output !== "" && !system.writeStdout(`${output}\n`))) return { ...input, text, payload };
  return process.reallyExit(0);
}

/** What the host is told of a call that concerns no hook; undefined if it may concern one. */
function findNeutralOutput(
  flags: EntryFlags,
  payload: Payload,
  system: QuickSystem,
  env: QuickQuestion["env"],
): string | undefined {
  const shapes = findShapes(payload, flags);
  if (!shapes) return undefined;
  const { execPath } = process;
  const ownName = execPath.slice(execPath.lastIndexOf("/") + 1).toLowerCase();
  const isNeutral = concernsNobody({ shapes, named: flags.event, payload, index, system, env, ownName });
  return isNeutral ? shapes.neutralOutput : undefined;
}

/**
 * The same for a process that answers many calls.
 * @returns a function of the entry's flags and the payload; undefined where there is no quick path.
 */
export function createQuickAnswers(
  env: QuickQuestion["env"],
): ((argv: readonly string[], payload: Payload) => string | undefined) | undefined {
  const system = openQuickSystem();
  if (!system) return undefined;
  return (argv, payload) => {
    const flags = readEntryFlags(argv);
    return flags && findNeutralOutput(flags, payload, system, env);
  };
}
