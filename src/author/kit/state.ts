import { existsSync, mkdirSync, readdirSync, readFileSync, rmSync, statSync } from "../../system/files.ts";
import { join } from "../../system/paths.ts";
import type { AnyEvent } from "../../protocol/event.ts";
import { getStateDirectory } from "../../call/state/state-directory.ts";
import { isAbsentError } from "../../system/errors.ts";
import { replaceFile } from "../../system/replace-file.ts";

/** A value that JSON can represent. */
export type Json = null | boolean | number | string | readonly Json[] | { readonly [key: string]: Json | undefined };

/**
 * Values that hooks keep from one event of a session to the next. All hooks share them: start keys with the hook's
 * name.
 */
export interface State {
  /** The value that was set last, by any process. @throws Error if it can't be read. */
  get(key: string): Json | undefined;
  /** @throws Error if the key or value is too large, there are too many, or writing fails. */
  set(key: string, value: Json): void;
  /** @throws Error if it can't be deleted. */
  delete(key: string): void;
}

const MAX_KEY_LENGTH = 200;
const MAX_VALUE_BYTES = 64 * 1024;
const MAX_KEYS = 1_000;
const RETENTION_MS = 7 * 24 * 60 * 60 * 1000;

const hashText = (text: string) => new Bun.CryptoHasher("sha256").update(text).digest("hex").slice(0, 32);

/**
 * The store of an event's session, on this machine: keys of at most 200 characters, values of at most 64 kB as JSON,
 * 1,000 of them. Subagents share their session's store if the host sends its id; events without a session id share that
 * of their directory. A session is forgotten seven days after its last change.
 *
 * Each key is a file, so hooks in several processes do not overwrite each other's keys; if two set the same key, one
 * wins.
 */
export function state(event: Pick<AnyEvent, "host" | "session_id" | "cwd">): State {
  const sessions = join(getStateDirectory(process.env), "sessions");
  const session = event.session_id ? { session_id: event.session_id } : { cwd: event.cwd };
  const folder = join(sessions, hashText(JSON.stringify({ host: event.host, ...session })));
  const fileOf = (key: string) => {
    if (typeof key !== "string" || key === "" || key.length > MAX_KEY_LENGTH)
      throw new Error(`state: a key has 1 to ${MAX_KEY_LENGTH} characters, not ${String(key).length}; shorten it`);
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
        throw new Error(`state: "${key}" can't be kept in ${folder}: ${(error as Error).message}`);
      }
    },
    delete(key) {
      const file = fileOf(key);
      if (existsSync(file)) rmSync(file, { force: true });
    },
  };
}

/** @throws Error if the value is not JSON, or too large. */
function checkValue(key: string, value: Json): Json {
  let text: string | undefined;
  let why = `a ${typeof value}`;
  try {
    text = JSON.stringify(value);
  } catch (error) {
    why = (error as Error).message;
  }
  if (text === undefined)
    throw new Error(`state: the value of "${key}" is not valid JSON (${why}); delete(key) forgets a key`);
  const bytes = new TextEncoder().encode(text).length;
  if (bytes > MAX_VALUE_BYTES)
    throw new Error(`state: the value of "${key}" has ${bytes} bytes as JSON; at most ${MAX_VALUE_BYTES} are allowed`);
  return value;
}

/** The directory of a session's values, and the one of all sessions. */
interface StateFolders {
  folder: string;
  sessions: string;
}

function writeValue(file: string, text: string, folders: StateFolders): void {
  try {
    writeValueOnce(file, text, folders);
  } catch (error) {
    // Another process has removed the session meanwhile.
    if ((error as NodeJS.ErrnoException).code !== "ENOENT") throw error;
    writeValueOnce(file, text, folders);
  }
}

/** Writes a file atomically: readers see the old or the new value. */
function writeValueOnce(file: string, text: string, { folder, sessions }: StateFolders): void {
  // A new session is a good time to clean up old ones.
  if (mkdirSync(folder, { recursive: true, mode: 0o700 })) removeOldSessions(sessions);
  if (!existsSync(file) && readdirSync(folder).filter((name) => name.endsWith(".json")).length >= MAX_KEYS)
    throw new Error(`there are ${MAX_KEYS} keys already; delete what is not needed any more`);
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
      // Another process is cleaning up, or the files belong to another user: the new value can be stored all the same.
    }
  }
}
