import { index } from "../built/call-index.ts";
import type { Payload } from "../../protocol/host/host.ts";
import { omitNulls } from "../../protocol/object.ts";
import type { Judgement } from "./concerns-nobody.ts";
import { type CallShape, type EventShapes, type HostTraits, type ReadCall, readPayload } from "./shapes.ts";
import shapesText from "../../hosts/shapes.txt" with { type: "text" };
import { isMcpName, MCP_PREFIX } from "../../protocol/concerns.ts";
import { listNamedRoots } from "../../protocol/project.ts";

/** The lines that were found, by their keys: there are as many as the text has. */
const foundLines = new Map<string, string>();

/** The text in the line of these keys; undefined where there is none. */
function findLine(keys: string): string | undefined {
  const known = foundLines.get(keys);
  if (known !== undefined) return known;
  const start = `\n${keys}\t`;
  const at = shapesText.indexOf(start);
  if (at < 0) return undefined;
  const from = at + start.length;
  const line = shapesText.slice(from, shapesText.indexOf("\n", from));
  foundLines.set(keys, line);
  return line;
}

/** The JSON that was in lines, by their keys. */
const parsedLines = new Map<string, unknown>();

function parseLine<T>(keys: string): T | undefined {
  let parsed = parsedLines.get(keys) as T | undefined;
  if (parsed !== undefined) return parsed;
  const text = findLine(keys);
  if (text === undefined) return undefined;
  parsed = JSON.parse(text) as T;
  parsedLines.set(keys, parsed);
  return parsed;
}

/** A list of field names that several forms share: `|session_id|model|`. */
const getFreeFields = (list: number): string => findLine(`\t${list}`) ?? "";

/** What all forms of a host have in common. */
function loadTraits(host: string): HostTraits | undefined {
  const [neutralOutput, fields = "", names = "", ...variables] = findLine(`\t${host}`)?.split("\t") ?? [];
  const split = (list: string) => (list === "" ? [] : list.split(","));
  return neutralOutput === undefined ? undefined : { neutralOutput, roots: [split(fields), split(names)], variables };
}

/** The forms of a payload's event and tool: it has the event's name, or the entry does. */
function findShapes(payload: Payload, host: string, named: string | undefined): EventShapes | undefined {
  const tool = payload.tool_name ?? payload.toolName;
  for (const name of [payload.hook_event_name, payload.event, named]) {
    if (!isKey(name)) continue;
    const shapes =
      (isKey(tool) ? parseLine<EventShapes>(`${host}\t${name}\t${tool}`) : undefined) ??
      (isKey(tool) && isMcpName(tool) ? parseLine<EventShapes>(`${host}\t${name}\t${MCP_PREFIX}`) : undefined) ??
      parseLine<EventShapes>(`${host}\t${name}\t`);
    if (shapes || shapesText.includes(`\n${host}\t${name}\t`)) return shapes;
  }
  return undefined;
}

/** A name with a tab would be several keys. */
const isKey = (name: unknown): name is string => typeof name === "string" && !name.includes("\t");

/** Whether a call of one of these forms is looked at whatever it says: then nothing of it needs to be read here. */
function areLookedAt({ event, shapes }: EventShapes): boolean {
  const row = index[event];
  if (row === undefined) return false;
  for (const { tool = "" } of shapes) if (row[tool] !== false) return false;
  return true;
}

/**
 * Reads the payload of a host's call; undefined where it has no known form, or may be another host's.
 * @param named the event that the entry names.
 */
export function readCall(
  host: string,
  named: string | undefined,
  payload: Payload,
  env: Judgement["env"],
): { call: ReadCall; neutralOutput: string } | undefined {
  const shapes = findShapes(payload, host, named);
  if (shapes && areLookedAt(shapes)) return undefined;
  const traits = shapes && loadTraits(host);
  if (!traits) return undefined;
  for (const name of traits.variables) if (env[name] !== undefined) return undefined;
  const call = readPayload(shapes, omitNulls(payload), getFreeFields, named);
  if (!call) return undefined;
  const [rootFields, rootVariables] = traits.roots;
  call.roots = listNamedRoots({ rootFields, rootVariables }, payload, env);
  return { call, neutralOutput: traits.neutralOutput };
}

/** All forms of all hosts. */
export function listShapes(): readonly (CallShape & { host: string; event: string })[] {
  const lines = shapesText.split("\n").filter((line) => /^[^\t#]/.test(line));
  return lines.flatMap((line) => {
    const { event, shapes } = JSON.parse(line.slice(line.lastIndexOf("\t"))) as EventShapes;
    return shapes.map((shape) => ({ host: line.slice(0, line.indexOf("\t")), event, ...shape }));
  });
}
