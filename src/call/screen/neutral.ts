import { index } from "./manifest.ts";
import type { CallIndex } from "../../protocol/concerns.ts";
import type { Env, Payload } from "../../protocol/host/host.ts";
import { omitNulls } from "../../protocol/object.ts";
import { concernsNobody, type Judgement, readEntryFlags } from "./concerns-nobody.ts";
import { type CallShape, type EventShapes, type HostTraits, type ReadCall, readPayload } from "./shapes.ts";
import type * as Windows from "./windows.ts";
import shapesText from "../../hosts/shapes.txt" with { type: "text" };
import {
  type HookFilter,
  type InspectedFile,
  type LoadHookFilter,
  openQuickSystem,
  type QuickSystem,
} from "../../system/quick-system.ts";

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
  const [neutralOutput, ...variables] = findLine(`\t${host}`)?.split("\t") ?? [];
  return neutralOutput === undefined ? undefined : { neutralOutput, variables };
}

/** The forms of a payload's event and tool: it has the event's name, or the entry does. */
function findShapes(payload: Payload, host: string, named: string | undefined): EventShapes | undefined {
  const tool = payload.tool_name ?? payload.toolName;
  for (const name of [payload.hook_event_name, payload.event, named]) {
    if (!isKey(name)) continue;
    const shapes =
      (isKey(tool) ? parseLine<EventShapes>(`${host}\t${name}\t${tool}`) : undefined) ??
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
  return call && { call, neutralOutput: traits.neutralOutput };
}

/** All forms of all hosts. */
export function listShapes(): readonly (CallShape & { host: string; event: string })[] {
  const lines = shapesText.split("\n").filter((line) => /^[^\t#]/.test(line));
  return lines.flatMap((line) => {
    const { event, shapes } = JSON.parse(line.slice(line.lastIndexOf("\t"))) as EventShapes;
    return shapes.map((shape) => ({ host: line.slice(0, line.indexOf("\t")), event, ...shape }));
  });
}

/** What has to be mentioned to concern each hook, by their names. */
type HookIndexes = Readonly<Record<string, CallIndex>>;

/** What a quick look found. */
export interface QuickLook {
  /** What the host is told of a call that concerns no hook. */
  neutralOutput?: string;
  /** Loads what tells the hooks that the call concerns. */
  loadHookFilter?: LoadHookFilter;
}

/** Looks at a call. Where the look fails, it found nothing: the long way answers failures by the call's policy. */
export function lookQuickly(
  host: string,
  event: string | undefined,
  payload: Payload,
  system: QuickSystem,
  given: Judgement["env"],
  indexes?: HookIndexes,
): QuickLook {
  try {
    const read = readCall(host, event, payload, given);
    const plain = read && readPlainCall(read.call, given, system);
    if (!plain) return {};
    const { call, env } = plain;
    const { neutralOutput } = read;
    const judgement = { index, system: { known: new Map(), ...system }, env, ownName: findOwnName(process.execPath) };
    if (concernsNobody(call, judgement)) return { neutralOutput };
    if (!indexes) return { loadHookFilter: () => createHookFilter(call, judgement) };
    // Before another call can change files.
    const isConcerned = filterHooks(call, judgement, indexes);
    const unconcerned = Object.keys(indexes).filter((hook) => !isConcerned(hook));
    return { loadHookFilter: async () => (hook) => !unconcerned.includes(hook) };
  } catch {
    return {};
  }
}

/**
 * A call and variables as on other systems than Windows; undefined for a call that may mean something else there.
 */
export function readPlainCall(call: ReadCall, env: Env, system: QuickSystem): { call: ReadCall; env: Env } | undefined {
  return system.toNativePath ? (require("./windows.ts") as typeof Windows).translateCall(call, env) : { call, env };
}

/** The name of an executable in lower case, as lines may have it: on Windows without its ending. */
function findOwnName(path: string): string {
  const name = path.slice(Math.max(path.lastIndexOf("/"), path.lastIndexOf("\\")) + 1).toLowerCase();
  return name.endsWith(".exe") ? name.slice(0, -4) : name;
}

const createHookFilter = async (call: ReadCall, judgement: Judgement): Promise<HookFilter> =>
  filterHooks(call, judgement, (await import("./hook-manifest.ts")).hookIndex);

/**
 * Tells the hooks that a call concerns, each by what concerns it alone. A hook about which nothing is known is one.
 */
export function filterHooks(call: ReadCall, judgement: Judgement, indexes: HookIndexes): HookFilter {
  const shared = { ...judgement, configs: new Map() };
  return (hook) => {
    const index = indexes[hook];
    try {
      return index?.[call.event] === undefined || !concernsNobody(call, { ...shared, index });
    } catch {
      return true;
    }
  };
}

/**
 * The same for a process that answers many calls.
 * @param known what was inspected since the calls came.
 * @param readFile reads a config file for what comes behind the look, too.
 * @returns a function of the entry's flags and the payload; undefined where the quick path does not work.
 */
export async function createQuickLooks(
  env: Judgement["env"],
  known: Map<string, InspectedFile>,
  readFile: QuickSystem["readFile"],
): Promise<((argv: readonly string[], payload: Payload) => QuickLook) | undefined> {
  const opened = openQuickSystem();
  if (!opened) return undefined;
  const system = { ...opened, known, readFile };
  const { hookIndex } = await import("./hook-manifest.ts");
  return (argv, payload) => {
    const { host, event } = readEntryFlags(argv) ?? {};
    return host === undefined ? {} : lookQuickly(host, event, payload, system, env, hookIndex);
  };
}
