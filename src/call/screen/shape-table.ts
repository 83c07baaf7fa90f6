import { index } from "../built/call-index.ts";
import type { Payload } from "../../protocol/host/host.ts";
import { omitNulls } from "../../protocol/object.ts";
import type { Judgement } from "./concerns-no-hook.ts";
import { type CallShape, type EventShapes, type HostTraits, type ReadCall, readPayload } from "./shapes.ts";
import shapesText from "../../hosts/shapes.txt" with { type: "text" };
import { isMcpName, MCP_PREFIX } from "../../protocol/concerns.ts";
import { listNamedRoots } from "../../protocol/project.ts";

/** Lines found so far, keyed by what they start with. At most one entry per line of the text. */
const foundLines = new Map<string, string>();

/** Returns the text of the line with these keys, or undefined if there is none. */
function findLine(keys: string): string | undefined {
  const cached = foundLines.get(keys);
  if (cached !== undefined) return cached;
  const start = `\n${keys}\t`;
  const at = shapesText.indexOf(start);
  if (at < 0) return undefined;
  const textStart = at + start.length;
  const line = shapesText.slice(textStart, shapesText.indexOf("\n", textStart));
  foundLines.set(keys, line);
  return line;
}

/** Maps the keys at the start of a line to the parsed line. */
const parsedLines = new Map<string, unknown>();

function parseLine<T>(keys: string): T | undefined {
  let cached = parsedLines.get(keys) as T | undefined;
  if (cached !== undefined) return cached;
  const text = findLine(keys);
  if (text === undefined) return undefined;
  cached = JSON.parse(text) as T;
  parsedLines.set(keys, cached);
  return cached;
}

/** Returns a list of field names shared by multiple shapes, such as `|session_id|model|`. */
const getFreeFields = (list: number): string => findLine(`\t${list}`) ?? "";

/** Loads the data that all of a host's shapes share. */
function loadTraits(host: string): HostTraits | undefined {
  const [neutralOutput, fields = "", names = "", ...variables] = findLine(`\t${host}`)?.split("\t") ?? [];
  const split = (list: string) => (list === "" ? [] : list.split(","));
  return neutralOutput === undefined ? undefined : { neutralOutput, roots: [split(fields), split(names)], variables };
}

/** Finds the shapes for a payload's event and tool. The event is named by either the payload or the entry. */
function findShapes(payload: Payload, host: string, entryEvent: string | undefined): EventShapes | undefined {
  const tool = payload.tool_name ?? payload.toolName;
  for (const name of [payload.hook_event_name, payload.event, entryEvent]) {
    if (!isKey(name)) continue;
    const shapes =
      (isKey(tool) ? parseLine<EventShapes>(`${host}\t${name}\t${tool}`) : undefined) ??
      (isKey(tool) && isMcpName(tool) ? parseLine<EventShapes>(`${host}\t${name}\t${MCP_PREFIX}`) : undefined) ??
      parseLine<EventShapes>(`${host}\t${name}\t`);
    if (shapes || shapesText.includes(`\n${host}\t${name}\t`)) return shapes;
  }
  return undefined;
}

/** A name that contains a tab would act as more than one key. */
const isKey = (name: unknown): name is string => typeof name === "string" && !name.includes("\t");

/** Returns whether calls with these shapes always need hooks, so that checking the payload here is pointless. */
function alwaysNeedHooks({ event, shapes }: EventShapes): boolean {
  const row = index[event];
  if (row === undefined) return false;
  for (const { tool = "" } of shapes) if (row[tool] !== false) return false;
  return true;
}

/**
 * Reads the payload of a host's call. Returns undefined if the payload's shape is unknown or another host may have sent
 * it.
 * @param entryEvent the event named by the entry
 */
export function readCall(
  host: string,
  entryEvent: string | undefined,
  payload: Payload,
  env: Judgement["env"],
): { call: ReadCall; neutralOutput: string } | undefined {
  const shapes = findShapes(payload, host, entryEvent);
  if (shapes && alwaysNeedHooks(shapes)) return undefined;
  const traits = shapes && loadTraits(host);
  if (!traits) return undefined;
  for (const name of traits.variables) if (env[name] !== undefined) return undefined;
  const call = readPayload(shapes, omitNulls(payload), getFreeFields, entryEvent);
  if (!call) return undefined;
  const [rootFields, rootVariables] = traits.roots;
  call.roots = listNamedRoots({ rootFields, rootVariables }, payload, env);
  return { call, neutralOutput: traits.neutralOutput };
}

/** Lists all shapes for all hosts. */
export function listShapes(): readonly (CallShape & { host: string; event: string })[] {
  const lines = shapesText.split("\n").filter((line) => /^[^\t#]/.test(line));
  return lines.flatMap((line) => {
    const { event, shapes } = JSON.parse(line.slice(line.lastIndexOf("\t"))) as EventShapes;
    return shapes.map((shape) => ({ host: line.slice(0, line.indexOf("\t")), event, ...shape }));
  });
}
