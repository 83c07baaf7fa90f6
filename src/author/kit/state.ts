import { existsSync, mkdirSync, readdirSync, readFileSync, rmSync, statSync } from "node:fs";
import { join } from "node:path";
import type { AnyEvent } from "../../protocol/event.ts";
import { stateDirectory } from "../../run/state-directory.ts";
import { replaceFile } from "../../run/replace-file.ts";

/** What JSON has a word for. */
export type Json = null | boolean | number | string | readonly Json[] | { readonly [key: string]: Json | undefined };

/** What hooks keep from one event of a session to the next. All hooks share it: begin keys with the hook's name. */
export interface State {
  /** What was set last, by whichever process. @throws Error when it can't be read. */
  get(key: string): Json | undefined;
  /** @throws Error when the key or the value is too large, there are too many, or nothing can be written. */
  set(key: string, value: Json): void;
  /** @throws Error when it can't be deleted. */
  delete(key: string): void;
}

const MAX_KEY_LENGTH = 200;
const MAX_VALUE_BYTES = 64 * 1024;
const MAX_KEYS = 1_000;
const RETENTION_MS = 7 * 24 * 60 * 60 * 1000;

const hashText = (text: string) => new Bun.CryptoHasher("sha256").update(text).digest("hex").slice(0, 32);

/**
 * The store of an event's session, on this machine: keys of at most 200 characters, values of at most 64 kB as JSON, 1,000 of
 * them. Subagents have their session's, where the host gives them its id; events without one share that of their folder. A session
 * in which nothing was set for seven days is forgotten.
 *
 * A file per key, so that hooks in several processes at once lose nothing of each other's; of two that set the same key, one wins.
 */
export function state(event: Pick<AnyEvent, "host" | "session_id" | "cwd">): State {
  const sessions = join(stateDirectory(process.env), "sessions");
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
        if (["ENOENT", "ENOTDIR"].includes((error as NodeJS.ErrnoException).code ?? "")) return undefined;
        throw new Error(`state: "${key}" can't be read (${(error as Error).message}); delete ${file}`);
      }
    },
    set(key, value) {
      const file = fileOf(key);
      const text = JSON.stringify({ key, value: checkValue(key, value) });
      try {
        writeValue(file, text, sessions, folder);
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

/** @throws Error when the value is no JSON, or too large. */
function checkValue(key: string, value: Json): Json {
  let text: string | undefined;
  let why = `a ${typeof value}`;
  try {
    text = JSON.stringify(value);
  } catch (error) {
    why = (error as Error).message;
  }
  if (text === undefined)
    throw new Error(`state: the value of "${key}" is no JSON (${why}); delete(key) forgets a key`);
  const bytes = new TextEncoder().encode(text).length;
  if (bytes > MAX_VALUE_BYTES)
    throw new Error(`state: the value of "${key}" has ${bytes} bytes as JSON, and ${MAX_VALUE_BYTES} is the most`);
  return value;
}

/** Writes a file in one go: whoever reads sees the value before or this one. */
function writeValue(file: string, text: string, sessions: string, folder: string, again = true): void {
  // When a session's folder is made, it is time to look for those that nobody needs any more.
  if (mkdirSync(folder, { recursive: true, mode: 0o700 })) removeOldSessions(sessions);
  try {
    if (!existsSync(file) && readdirSync(folder).filter((name) => name.endsWith(".json")).length >= MAX_KEYS)
      throw new Error(`there are ${MAX_KEYS} keys already; delete what is not needed any more`);
    replaceFile(file, text, { mode: 0o600 });
  } catch (error) {
    // Another process has forgotten the session meanwhile.
    if (!again || (error as NodeJS.ErrnoException).code !== "ENOENT") throw error;
    writeValue(file, text, sessions, folder, false);
  }
}

function removeOldSessions(sessions: string): void {
  const now = Date.now();
  for (const name of readdirSync(sessions)) {
    const path = join(sessions, name);
    try {
      if (now - (statSync(path, { throwIfNoEntry: false })?.mtimeMs ?? now) > RETENTION_MS)
        rmSync(path, { recursive: true, force: true });
    } catch {
      // Another process is at it, or it is somebody else's: no reason not to keep what is to be kept now.
    }
  }
}
