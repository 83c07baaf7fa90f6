import type { CallIndex } from "../protocol/concerns.ts";
import type { Env, Payload } from "../protocol/host/host.ts";
import { openQuickSystem } from "../system/quick-system.ts";
import type { HookFilter, InspectedFile, LoadHookFilter, QuickSystem } from "../system/quick-types.ts";
import { index } from "./built/call-index.ts";
import { concernsNobody, type Judgement } from "./screen/concerns-nobody.ts";
import { readEntryFlags } from "./screen/read-quickly.ts";
import { readCall } from "./screen/shape-table.ts";
import type { ReadCall } from "./screen/shapes.ts";
import type * as Windows from "./screen/windows.ts";

/** What has to be mentioned to concern each hook, by their names. */
type HookIndexes = Readonly<Record<string, CallIndex>>;

/** A call as its entry and its payload describe it. */
interface ScreenInput {
  host: string;
  /** The event that the entry names. */
  event?: string | undefined;
  payload: Payload;
}

/** What a call is screened by. */
interface ScreenWorld {
  system: QuickSystem;
  env: Judgement["env"];
  /** What concerns each hook. Default: loaded when the next stages ask for it. */
  indexes?: HookIndexes;
}

/** What the screen found. */
export interface ScreenResult {
  /** What the host is told of a call that concerns no hook. */
  neutralOutput?: string;
  /** Loads what tells the hooks that the call concerns. */
  loadHookFilter?: LoadHookFilter;
}

/** Screens a call. If that fails, nothing was found: the stages after it answer failures by the call's policy. */
export function screenCall(
  { host, event, payload }: ScreenInput,
  { system, env: given, indexes }: ScreenWorld,
): ScreenResult {
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
  return system.toNativePath
    ? (require("./screen/windows.ts") as typeof Windows).translateCall(call, env)
    : { call, env };
}

/** The name of an executable in lower case, as lines may have it: on Windows without its ending. */
function findOwnName(path: string): string {
  const name = path.slice(Math.max(path.lastIndexOf("/"), path.lastIndexOf("\\")) + 1).toLowerCase();
  return name.endsWith(".exe") ? name.slice(0, -4) : name;
}

const createHookFilter = async (call: ReadCall, judgement: Judgement): Promise<HookFilter> =>
  filterHooks(call, judgement, (await import("./built/hook-index.ts")).hookIndex);

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

/** Screens the calls of a process that answers many of them. */
export type SharedScreen = (argv: readonly string[], payload: Payload) => ScreenResult;

/**
 * Opens the screen for a process that answers many calls.
 * @param known what was inspected since the calls came.
 * @param readFile reads a config file for the stages after the screen, too.
 * @returns undefined where the screen does not work.
 */
export async function openSharedScreen(
  env: Judgement["env"],
  known: Map<string, InspectedFile>,
  readFile: QuickSystem["readFile"],
): Promise<SharedScreen | undefined> {
  const opened = openQuickSystem();
  if (!opened) return undefined;
  const system = { ...opened, known, readFile };
  const { hookIndex: indexes } = await import("./built/hook-index.ts");
  return (argv, payload) => {
    const { host, event } = readEntryFlags(argv) ?? {};
    return host === undefined ? {} : screenCall({ host, event, payload }, { system, env, indexes });
  };
}
