import { existsSync, statSync } from "node:fs";
import { dirname, join } from "node:path";
import type { Hook } from "../protocol/hook.ts";
import { homedir } from "./home.ts";
import { limited } from "./limit.ts";

/** Whose config file it is, the strongest first. */
export const CONFIG_SCOPES = ["managed", "project", "user"] as const;
export type ConfigScope = (typeof CONFIG_SCOPES)[number];

/** A file with settings of hooks. */
export interface ConfigSource {
  scope: ConfigScope;
  path: string;
}

/** A project's config file, in its root or in the folder that the session runs in. */
export const PROJECT_CONFIG = ".bridge-hooks.json";

const MANAGED: Partial<Record<NodeJS.Platform, string>> = {
  darwin: "/Library/Application Support/bridge-hooks/config.json",
  // Not below ProgramData, where every user may put something.
  win32: "C:\\Program Files\\bridge-hooks\\config.json",
};

/**
 * The config files for a folder, the strongest first; they need not be there. No variable but the home folder's moves them:
 * a project's settings may set variables for hooks.
 */
export function configSources(cwd: string): ConfigSource[] {
  const home = homedir();
  const user = process.platform === "win32" ? join(home, "AppData", "Roaming") : join(home, ".config");
  const project = projectConfig(cwd, home);
  return [
    { scope: "managed", path: MANAGED[process.platform] ?? "/etc/bridge-hooks/config.json" },
    ...(project ? [{ scope: "project", path: project } as const] : []),
    { scope: "user", path: join(user, "bridge-hooks", "config.json") },
  ];
}

/** The nearest one from a folder up to the root of its repository; a folder in no repository has its own alone. */
function projectConfig(cwd: string, home: string): string | undefined {
  if (!cwd) return undefined;
  let nearest: string | undefined;
  for (let at = cwd; at !== home && dirname(at) !== at; at = dirname(at)) {
    const file = join(at, PROJECT_CONFIG);
    if (!nearest && existsSync(file)) nearest = file;
    if (existsSync(join(at, ".git"))) return nearest ?? file;
  }
  return join(cwd, PROJECT_CONFIG);
}

/** Whether there is a config file for a folder, or something by its name that may not even be looked at. */
export function isConfigured(cwd: string): boolean {
  for (const { path } of configSources(cwd)) {
    try {
      if (statSync(path, { throwIfNoEntry: false })) return true;
    } catch {
      return true;
    }
  }
  return false;
}

/** The options of a hook, and what is wrong with the project's file where that was left out for it. */
export interface Options {
  options: unknown;
  problem?: string;
}

const defaults = new WeakMap<Hook, Options>();

/**
 * What a hook's schema gives where nobody has said anything. Nothing where it finds fault with that.
 * @param ms for the schema, at most.
 */
export async function defaultsOf(hook: Hook, ms: number): Promise<Options | undefined> {
  const known = defaults.get(hook);
  if (known) return known;
  const result = await limited(async () => hook.options?.["~standard"].validate({}), ms);
  if (!result || result.issues) return undefined;
  const found = { options: frozen(result.value) };
  defaults.set(hook, found);
  return found;
}

/** Plain data made constant: in a resident process all calls share it. */
export function frozen<T>(value: T): T {
  if (typeof value !== "object" || value === null || Object.isFrozen(value)) return value;
  const prototype = Object.getPrototypeOf(value);
  if (!Array.isArray(value) && prototype !== Object.prototype && prototype !== null) return value;
  for (const part of Object.values(value)) frozen(part);
  return Object.freeze(value);
}
