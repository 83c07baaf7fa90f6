import { lstatSync, mkdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { orAbsent } from "../../system/errors.ts";
import type { AnyEvent } from "../../protocol/event.ts";
import { isToolCallEvent } from "../../protocol/event.ts";
import type { Env, Payload } from "../../protocol/host/host.ts";
import { deleteOldMarks } from "./delete-old-markers.ts";
import { getStateDirectory } from "./state-directory.ts";

// Markers are for calls that a host reports with two events. The first event leaves a marker if the event changed the
// call or hooks logged messages. On the second event, repeated log messages and another patch of the same fields are
// suppressed. Nothing else is suppressed, because a marker can be forged.

const DAY_MS = 24 * 60 * 60 * 1000;
/** Maximum size of a marker in bytes. A marker lists the names of a tool's fields. */
const MAX_MARK_BYTES = 4096;

/** Marker left by an earlier event. */
export interface CallMark {
  path: string;
  /** The call's fields that the earlier event changed. */
  changedFields: readonly string[];
}

const getMarkFolder = (env: Env) => join(getStateDirectory(env), "judged");

/**
 * Returns the path of the call's marker. The path contains a hash of the command or operation, in unified names that
 * both events share. Returns undefined for tools without markers.
 */
function getMarkPath(event: AnyEvent, patch: Payload, env: Env): string | undefined {
  if (!isToolCallEvent(event)) return undefined;
  const { command, file_path, tool, arguments: given }: Payload = { ...event.input, ...patch };
  const subject = { Bash: command, Read: file_path, MCP: [tool, given] }[event.tool as string];
  if (subject === undefined) return undefined;
  const text = JSON.stringify([event.host, event.session_id || event.cwd, event.tool, subject]);
  return join(getMarkFolder(env), new Bun.CryptoHasher("sha256").update(text).digest("hex").slice(0, 32));
}

/** Finds an earlier event's marker for exactly this call and its current input. */
export function findMark(event: AnyEvent, env: Env): CallMark | undefined {
  const path = getMarkPath(event, {}, env);
  try {
    const stats = path && orAbsent(() => lstatSync(path));
    if (!stats || !stats.isFile() || stats.size > MAX_MARK_BYTES || Date.now() - stats.mtimeMs >= DAY_MS)
      return undefined;
    return { path, changedFields: readFileSync(path, "utf8").split("\n") };
  } catch {
    return undefined;
  }
}

/** Deletes a marker, because each marker is used only once. */
export function deleteMark(path: string): void {
  try {
    rmSync(path, { force: true });
  } catch {
    // The marker expires after a day.
  }
}

/** Returns whether a patch changes only fields that the earlier event changed. */
export const changesSameFields = ({ changedFields }: CallMark, patch: Payload): boolean =>
  Object.keys(patch).every((key) => changedFields.includes(key));

/** Leaves a marker for a call that may run with the patch. If writing fails, the second event is judged in full. */
export function writeMark(event: AnyEvent, patch: Payload | undefined, env: Env): void {
  const path = getMarkPath(event, patch ?? {}, env);
  if (!path) return;
  const folder = getMarkFolder(env);
  try {
    mkdirSync(folder, { recursive: true, mode: 0o700 });
    deleteOldMarks(folder);
    deleteMark(path);
    writeFileSync(path, Object.keys(patch ?? {}).join("\n"), { flag: "wx", mode: 0o600 });
  } catch {
    // Best effort: without the marker, the second event is stricter.
  }
}
