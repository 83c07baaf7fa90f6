import { lstatSync, mkdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { orAbsent } from "../../system/errors.ts";
import type { AnyEvent } from "../../protocol/event.ts";
import { isToolCallEvent } from "../../protocol/event.ts";
import type { Env, Payload } from "../../protocol/host/host.ts";
import { deleteOldMarkers } from "./delete-old-markers.ts";
import { getStateDirectory } from "./state-directory.ts";

// Markers are for calls that a host reports with two events. If the first event changes the call or hooks log messages,
// it leaves a marker. On the second event, the marker suppresses repeated log messages and another patch of the same
// fields. It doesn't suppress anything else, since a marker can be forged.

const DAY_MS = 24 * 60 * 60 * 1000;
/** Maximum size of a marker in bytes. It lists the names of a tool's fields. */
const MAX_MARKER_BYTES = 4096;

/** A marker left by an earlier event. */
export interface CallMarker {
  path: string;
  /** The fields of the call that the earlier event changed. */
  changedFields: readonly string[];
}

const getMarkerFolder = (env: Env) => join(getStateDirectory(env), "judged");

/**
 * Returns the path of the call's marker, which includes a hash of the command or operation. The hash uses unified names
 * so that both events get the same path. Returns undefined for tools that don't have markers.
 */
function getMarkerPath(event: AnyEvent, patch: Payload, env: Env): string | undefined {
  if (!isToolCallEvent(event)) return undefined;
  const { command, file_path, tool, arguments: given }: Payload = { ...event.input, ...patch };
  const subject = { Bash: command, Read: file_path, MCP: [tool, given] }[event.tool as string];
  if (subject === undefined) return undefined;
  const text = JSON.stringify([event.host, event.session_id || event.cwd, event.tool, subject]);
  return join(getMarkerFolder(env), new Bun.CryptoHasher("sha256").update(text).digest("hex").slice(0, 32));
}

/** Finds the marker that an earlier event left for exactly this call and its current input. */
export function findMarker(event: AnyEvent, env: Env): CallMarker | undefined {
  const path = getMarkerPath(event, {}, env);
  try {
    const stats = path && orAbsent(() => lstatSync(path));
    if (!stats || !stats.isFile() || stats.size > MAX_MARKER_BYTES || Date.now() - stats.mtimeMs >= DAY_MS)
      return undefined;
    return { path, changedFields: readFileSync(path, "utf8").split("\n") };
  } catch {
    return undefined;
  }
}

/** Deletes a marker, since it can only be used once. */
export function deleteMarker(path: string): void {
  try {
    rmSync(path, { force: true });
  } catch {
    // The marker expires after a day.
  }
}

/** Returns whether a patch changes only fields that the earlier event changed. */
export const changesSameFields = ({ changedFields }: CallMarker, patch: Payload): boolean =>
  Object.keys(patch).every((key) => changedFields.includes(key));

/** Leaves a marker for a call that may run with the patch. If that fails, the second event is judged in full. */
export function writeMarker(event: AnyEvent, patch: Payload | undefined, env: Env): void {
  const path = getMarkerPath(event, patch ?? {}, env);
  if (!path) return;
  const folder = getMarkerFolder(env);
  try {
    mkdirSync(folder, { recursive: true, mode: 0o700 });
    deleteOldMarkers(folder);
    deleteMarker(path);
    writeFileSync(path, Object.keys(patch ?? {}).join("\n"), { flag: "wx", mode: 0o600 });
  } catch {
    // Without the marker, the second event is just treated more strictly.
  }
}
