import { closeSync, mkdirSync, openSync, statSync, utimesSync } from "node:fs";
import { dirname, join } from "node:path";
import { orAbsent } from "../../system/errors.ts";
import { homedir } from "../../system/home.ts";
import type { Env } from "../../protocol/host/host.ts";
import { getStateDirectory } from "../state/state-directory.ts";
import { FILE_MODE, FOLDER_MODE } from "./log-files.ts";

/**
 * Returns the path of a file that exists while a notifier is running. That notifier also sends denials logged while it
 * runs.
 */
export const getNotifierMarkerPath = (env: Env): string => join(getStateDirectory(env), "notify.running");

/** Age at which a marker file is considered abandoned, in milliseconds. No notifier runs that long. */
const STALE_MARKER_MS = 120_000;

/** Arguments for the process that sends notifications about denials in the log. */
const NOTIFY_ARGV = ["export", "--notify"] as const;

/**
 * Environment variables that the notifier needs to find the log, the config and the desktop. All others are removed,
 * since variables set by a runtime or project could point to other certificates, another proxy or other programs.
 */
const NOTIFIER_VARIABLES = [
  ...["HOME", "USERPROFILE", "APPDATA", "LOCALAPPDATA", "XDG_STATE_HOME", "XDG_RUNTIME_DIR", "DISPLAY"],
  ...["WAYLAND_DISPLAY", "LANG", "LC_ALL", "USER"],
];

/** Matches socket addresses, as used by desktop sessions. Other D-Bus addresses can name a program to start. */
const BUS_ADDRESS = /^unix:(?:path|abstract)=[^,;\s]+(?:,guid=[0-9a-f]+)?$/;

function pickVariables(env: Env): Record<string, string> {
  const { DBUS_SESSION_BUS_ADDRESS: bus = "" } = env;
  const variables = NOTIFIER_VARIABLES.flatMap((name): [string, string][] => (env[name] ? [[name, env[name]]] : []));
  if (BUS_ADDRESS.test(bus)) variables.push(["DBUS_SESSION_BUS_ADDRESS", bus]);
  return Object.fromEntries(variables);
}

/**
 * Starts the notifier unless one is already running. It gets its own session and inherits no descriptors, so the host
 * doesn't wait for it.
 */
export function startNotifier(env: Env): void {
  if (!claimMarker(getNotifierMarkerPath(env))) return;
  const options = { cwd: homedir(), env: pickVariables(env), detached: true, windowsHide: true };
  Bun.spawn([process.execPath, ...NOTIFY_ARGV], { ...options, stdio: ["ignore", "ignore", "ignore"] }).unref();
}

function claimMarker(mark: string): boolean {
  try {
    mkdirSync(dirname(mark), { recursive: true, mode: FOLDER_MODE });
    closeSync(openSync(mark, "wx", FILE_MODE));
    return true;
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== "EEXIST") throw error;
    const ageMs = Date.now() - (orAbsent(() => statSync(mark))?.mtimeMs ?? 0);
    // If the clock was set back, the timestamp may be in the future.
    if (Math.abs(ageMs) < STALE_MARKER_MS) return false;
    const now = new Date();
    utimesSync(mark, now, now);
    return true;
  }
}
