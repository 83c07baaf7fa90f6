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

/** Maps each hook name to words and paths that show whether a call may concern the hook. */
type HookIndexes = Readonly<Record<string, CallIndex>>;

/** A call, as described by its entry and payload. */
interface ScreenInput {
  host: string;
  /** The event named by the entry. */
  event?: string | undefined;
  payload: Payload;
}

/** What is needed to screen a call: system, environment and indexes. */
interface ScreenRuntime {
  system: QuickSystem;
  env: Judgement["env"];
  /** Words and paths that concern each hook. By default, loaded on demand. */
  indexes?: HookIndexes;
}

/** What the screen found. */
export interface ScreenResult {
  /** The host's neutral output, set if no hook needs to see the call. */
  neutralOutput?: string;
  /** Loads the filter that selects the hooks for this call. */
  loadHookFilter?: LoadHookFilter;
}

/**
 * Screens a call. If that fails, returns no findings; later stages then handle the failure as the call's policy
 * requires.
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
 * Converts a call and its environment from Windows notation. Returns undefined if Windows might interpret the call
 * differently.
 */
export function readPlainCall(call: ReadCall, env: Env, system: QuickSystem): { call: ReadCall; env: Env } | undefined {
  return system.toNativePath
    ? (require("./screen/windows.ts") as typeof Windows).translateCall(call, env)
    : { call, env };
}

/** Returns the name by which shell commands run an executable, in lowercase and without `.exe`. */
function findOwnName(path: string): string {
  const name = path.slice(Math.max(path.lastIndexOf("/"), path.lastIndexOf("\\")) + 1).toLowerCase();
  return name.endsWith(".exe") ? name.slice(0, -4) : name;
}

const createHookFilter = async (call: ReadCall, judgement: Judgement): Promise<HookFilter> =>
  filterHooks(call, judgement, (await import("./built/hook-index.ts")).hookIndex);

/** Creates a filter that selects the hooks for a call. Hooks without an index are always selected. */
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

/** Screens calls in a process that handles many of them. */
export type SharedScreen = (argv: readonly string[], payload: Payload) => ScreenResult;

/**
 * Opens the screen for a process that handles many calls.
 * @param inspectedFiles file inspections made since the current calls arrived
 * @param readFile reads a config file; later stages share the result
 * @returns undefined if the screen isn't available on this system
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
