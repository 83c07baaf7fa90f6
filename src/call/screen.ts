import type { CallIndex } from "../protocol/concerns.ts";
import type { Env, Payload } from "../protocol/host/host.ts";
import { openQuickSystem } from "../system/quick-system.ts";
import type { HookFilter, InspectedFile, LoadHookFilter, QuickSystem } from "../system/quick-types.ts";
import { index } from "./built/call-index.ts";
import { concernsNoHook, type Judgement } from "./screen/concerns-no-hook.ts";
import { readEntryFlags } from "./screen/read-quickly.ts";
import { readCall } from "./screen/shape-table.ts";
import type { ReadCall } from "./screen/shapes.ts";
import type * as Windows from "./screen/windows.ts";

/** Words and paths that indicate whether a call may concern a hook, keyed by hook name. */
type HookIndexes = Readonly<Record<string, CallIndex>>;

/** A call as described by its entry and its payload. */
interface ScreenInput {
  host: string;
  /** The event that the entry names. */
  event?: string | undefined;
  payload: Payload;
}

/** System, environment and indexes for screening a call. */
interface ScreenRuntime {
  system: QuickSystem;
  env: Judgement["env"];
  /** Words and paths that concern each hook. Loaded on demand by default. */
  indexes?: HookIndexes;
}

/** Findings of the screen. */
export interface ScreenResult {
  /** The host's neutral output; set if the call concerns no hook. */
  neutralOutput?: string;
  /** Loads the filter that selects the hooks the call concerns. */
  loadHookFilter?: LoadHookFilter;
}

/**
 * Screens a call. If the screen fails, this function returns no findings, and later stages handle the failure according
 * to the call's policy.
 */
export function screenCall(
  { host, event, payload }: ScreenInput,
  { system, env: given, indexes }: ScreenRuntime,
): ScreenResult {
  try {
    const read = readCall(host, event, payload, given);
    const plainCall = read && readPlainCall(read.call, given, system);
    if (!plainCall) return {};
    const { call, env } = plainCall;
    const { neutralOutput } = read;
    const judgement = {
      index,
      system: { inspections: new Map(), ...system },
      env,
      ownName: findOwnName(process.execPath),
    };
    if (concernsNoHook(call, judgement)) return { neutralOutput };
    if (!indexes) return { loadHookFilter: () => createHookFilter(call, judgement) };
    // Compute the result now, before another call can change files.
    const isConcerned = filterHooks(call, judgement, indexes);
    const unconcernedHooks = Object.keys(indexes).filter((hook) => !isConcerned(hook));
    return { loadHookFilter: async () => (hook) => !unconcernedHooks.includes(hook) };
  } catch {
    return {};
  }
}

/**
 * Converts a call and its environment from Windows notation. Returns undefined if the call may mean something else on
 * Windows.
 */
export function readPlainCall(call: ReadCall, env: Env, system: QuickSystem): { call: ReadCall; env: Env } | undefined {
  return system.toNativePath
    ? (require("./screen/windows.ts") as typeof Windows).translateCall(call, env)
    : { call, env };
}

/** Returns the lowercase name by which shell commands run an executable, without the extension `.exe`. */
function findOwnName(path: string): string {
  const name = path.slice(Math.max(path.lastIndexOf("/"), path.lastIndexOf("\\")) + 1).toLowerCase();
  return name.endsWith(".exe") ? name.slice(0, -4) : name;
}

const createHookFilter = async (call: ReadCall, judgement: Judgement): Promise<HookFilter> =>
  filterHooks(call, judgement, (await import("./built/hook-index.ts")).hookIndex);

/** Creates a filter that selects the hooks a call concerns. Hooks without an index are always selected. */
export function filterHooks(call: ReadCall, judgement: Judgement, indexes: HookIndexes): HookFilter {
  const sharedJudgement = { ...judgement, configs: new Map() };
  return (hook) => {
    const index = indexes[hook];
    try {
      return index?.[call.event] === undefined || !concernsNoHook(call, { ...sharedJudgement, index });
    } catch {
      return true;
    }
  };
}

/** Screens calls in a process that answers many calls. */
export type SharedScreen = (argv: readonly string[], payload: Payload) => ScreenResult;

/**
 * Opens the screen for a process that answers many calls.
 * @param inspectedFiles results of file inspections made since the current calls arrived.
 * @param readFile reads a config file; later stages share the result.
 * @returns undefined if the screen isn't available on this system.
 */
export async function openSharedScreen(
  env: Judgement["env"],
  inspectedFiles: Map<string, InspectedFile>,
  readFile: QuickSystem["readFile"],
): Promise<SharedScreen | undefined> {
  const quickSystem = openQuickSystem();
  if (!quickSystem) return undefined;
  const system: QuickSystem = { ...quickSystem, inspections: inspectedFiles, readFile };
  const { hookIndex: indexes } = await import("./built/hook-index.ts");
  return (argv, payload) => {
    const { host, event } = readEntryFlags(argv) ?? {};
    return host === undefined ? {} : screenCall({ host, event, payload }, { system, env, indexes });
  };
}
