import { existsSync, mkdirSync, readdirSync, readFileSync, rmSync, statSync } from "../../system/files.ts";
import { join } from "../../system/paths.ts";
import type { AnyEvent } from "../../protocol/event.ts";
import { getStateDirectory } from "../../call/state/state-directory.ts";
import { isAbsentError } from "../../system/errors.ts";
import { replaceFile } from "../../system/replace-file.ts";

/** A JSON-serializable value. */
export type Json = null | boolean | number | string | readonly Json[] | { readonly [key: string]: Json | undefined };

/** Values that persist across a session's events. All hooks share these values, so prefix keys with the hook's name. */
export interface State {
  /** Returns the value last set by any process. @throws Error if the value can't be read. */
  get(key: string): Json | undefined;
  /**
   * Stores a value. @throws Error if the key or value is too large, if there are too many keys, or if writing fails.
   */
  set(key: string, value: Json): void;
  /** Deletes a value. @throws Error if the value can't be deleted. */
  delete(key: string): void;
}

const MAX_KEY_LENGTH = 200;
const MAX_VALUE_BYTES = 64 * 1024;
const MAX_KEYS = 1_000;
const RETENTION_MS = 7 * 24 * 60 * 60 * 1000;

const hashText = (text: string) => new Bun.CryptoHasher("sha256").update(text).digest("hex").slice(0, 32);

/**
 * Returns the store of an event's session on this machine. Limits: keys of 200 characters, values of 64 KiB as JSON,
 * 1,000 keys. Subagents share their session's store if the host sends the session id. Events without a session id share
 * the store of their directory. A session is deleted seven days after its last change.
 *
 * Each key is a separate file, so hooks in several processes don't overwrite each other's keys. If two hooks set the
 * same key, the last write wins.
 */
export function state(event: Pick<AnyEvent, "host" | "session_id" | "cwd">): State {
  const sessions = join(getStateDirectory(process.env), "sessions");
  const session = event.session_id ? { session_id: event.session_id } : { cwd: event.cwd };
  const folder = join(sessions, hashText(JSON.stringify({ host: event.host, ...session })));
  const fileOf = (key: string) => {
    if (typeof key !== "string" || key === "" || key.length > MAX_KEY_LENGTH)
      throw new Error(`state: the key has ${String(key).length} characters; use 1 to ${MAX_KEY_LENGTH}`);
    return join(folder, `${hashText(key)}.json`);
  };
  return {
    get(key) {
      const file = fileOf(key);
      try {
        return (JSON.parse(readFileSync(file, "utf8")) as { value: Json }).value;
      } catch (error) {
        if (isAbsentError(error)) return undefined;
        throw new Error(`state: "${key}" can't be read (${(error as Error).message}); delete ${file}`);
      }
    },
    set(key, value) {
      const file = fileOf(key);
      const text = JSON.stringify({ key, value: checkValue(key, value) });
      try {
        writeValue(file, text, { sessions, folder });
      } catch (error) {
        throw new Error(`state: "${key}" can't be stored in ${folder}: ${(error as Error).message}`);
      }
    },
    delete(key) {
      const file = fileOf(key);
      if (existsSync(file)) rmSync(file, { force: true });
    },
  };
}

/** @throws Error if the value isn't JSON or is too large. */
function checkValue(key: string, value: Json): Json {
  let text: string | undefined;
  let cause: string = typeof value;
  try {
    text = JSON.stringify(value);
  } catch (error) {
    cause = (error as Error).message;
  }
  if (text === undefined)
    throw new Error(
      `state: the value of "${key}" can't be stored as JSON (${cause}); to remove a key, call delete(key)`,
    );
  const bytes = new TextEncoder().encode(text).length;
  if (bytes > MAX_VALUE_BYTES)
    throw new Error(`state: the value of "${key}" has ${bytes} bytes as JSON; at most ${MAX_VALUE_BYTES} are allowed`);
  return value;
}

/** The directory that contains a session's values, and the directory that contains all sessions. */
interface StateFolders {
  folder: string;
  sessions: string;
}

function writeValue(file: string, text: string, folders: StateFolders): void {
  try {
    writeValueOnce(file, text, folders);
  } catch (error) {
    // Another process has removed the session in the meantime.
    if ((error as NodeJS.ErrnoException).code !== "ENOENT") throw error;
    writeValueOnce(file, text, folders);
  }
}

/** Writes a file atomically, so that readers see either the old or the new value. */
function writeValueOnce(file: string, text: string, { folder, sessions }: StateFolders): void {
  // Clean up old sessions whenever a new one starts.
  if (mkdirSync(folder, { recursive: true, mode: 0o700 })) removeOldSessions(sessions);
  if (!existsSync(file) && readdirSync(folder).filter((name) => name.endsWith(".json")).length >= MAX_KEYS)
    throw new Error(`the limit of ${MAX_KEYS} keys is reached; delete unused keys`);
  replaceFile(file, text, { mode: 0o600 });
}

function removeOldSessions(sessions: string): void {
  const now = Date.now();
  for (const name of readdirSync(sessions)) {
    const path = join(sessions, name);
    try {
      if (now - (statSync(path, { throwIfNoEntry: false })?.mtimeMs ?? now) > RETENTION_MS)
        rmSync(path, { recursive: true, force: true });
    } catch {
      // Another process is cleaning up, or another user owns the files. Neither keeps the new value from being stored.
    }
  }
}
