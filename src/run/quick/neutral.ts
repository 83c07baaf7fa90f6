import { index } from "./manifest.ts";
import type { Payload } from "../../protocol/host/host.ts";
import { concernsNobody, type QuickQuestion, readEntryFlags } from "./quick.ts";
import { type CallShape, type EventShapes, type HostTraits, type ReadCall, readPayload } from "./shapes.ts";
import shapesText from "../../hosts/shapes.txt" with { type: "text" };
import { openQuickSystem, type QuickSystem } from "./system.ts";

/** The parts of the text that were parsed, by their keys. */
const parsedLines = new Map<string, unknown>();

/** The JSON in the line of two keys; undefined where there is none. */
function readLine<T>(first: string, second: string): T | undefined {
  const start = `\n${first}\t${second}\t`;
  if (parsedLines.has(start)) return parsedLines.get(start) as T;
  const at = shapesText.indexOf(start);
  if (at < 0) return undefined;
  const from = at + start.length;
  const parsed = JSON.parse(shapesText.slice(from, shapesText.indexOf("\n", from))) as T;
  parsedLines.set(start, parsed);
  return parsed;
}

/** A list of field names that several forms share. */
export const getFreeFields = (list: number): string => readLine("", `${list}`) ?? "";

/** The forms of a host's payloads at a native event; undefined where none are known. */
export const loadShapes = (host: string, native_event: string): EventShapes | undefined => readLine(host, native_event);

/** All forms, or those of one host. */
export function listShapes(host?: string): readonly (CallShape & { event: string })[] {
  const lines = shapesText.split("\n").filter((line) => line.startsWith(host === undefined ? "" : `${host}\t`));
  const events = lines.filter((line) => /^[^\t#]+\t/.test(line)).map((line) => line.slice(line.lastIndexOf("\t")));
  return events.flatMap((json) => {
    const { event, shapes } = JSON.parse(json) as EventShapes;
    return shapes.map((shape) => ({ event, ...shape }));
  });
}

/** The forms of a payload's event: it has its name, or the entry does. */
function findShapes(payload: Payload, host: string, event: string | undefined): EventShapes | undefined {
  for (const name of [payload.hook_event_name, payload.event, event]) {
    const shapes = typeof name === "string" ? loadShapes(host, name) : undefined;
    if (shapes) return shapes;
  }
  return undefined;
}

/**
 * Reads the payload of a host's call; undefined where it has no known form, or may be another host's.
 * @param event the event that the entry names.
 */
export function readCall(
  host: string,
  event: string | undefined,
  payload: Payload,
  env: QuickQuestion["env"],
): { call: ReadCall; neutralOutput: string } | undefined {
  const shapes = findShapes(payload, host, event);
  const traits = shapes && readLine<HostTraits>("", host);
  if (!traits) return undefined;
  for (const name of traits.variables) if (env[name] !== undefined) return undefined;
  const call = readPayload(shapes, payload, getFreeFields, event);
  return call && { call, neutralOutput: traits.neutralOutput };
}

/** What the host is told of a call that concerns no hook; undefined if it may concern one. */
export function findNeutralOutput(
  host: string,
  event: string | undefined,
  payload: Payload,
  system: QuickSystem,
  env: QuickQuestion["env"],
): string | undefined {
  const read = readCall(host, event, payload, env);
  if (!read) return undefined;
  const { execPath } = process;
  const ownName = execPath.slice(execPath.lastIndexOf("/") + 1).toLowerCase();
  return concernsNobody({ call: read.call, index, system, env, ownName }) ? read.neutralOutput : undefined;
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
    const { host, event } = readEntryFlags(argv) ?? {};
    return host === undefined ? undefined : findNeutralOutput(host, event, payload, system, env);
  };
}
