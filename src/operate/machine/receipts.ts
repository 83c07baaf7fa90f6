import { createHash } from "node:crypto";
import { Database } from "bun:sqlite";
import { existsSync, mkdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import type { Env } from "../../protocol/host/host.ts";
import { getStateDirectory } from "../../call/state/state-directory.ts";
import { readConfigFile } from "./files.ts";

/** An installation's changes to one file, recorded so that exactly these changes can be undone. */
export interface Receipt {
  path: string;
  host: string;
  scope: string;
  /** Executable that the file's entries call. */
  program: string;
  /** Explicitly requested events. Empty for all events that the hooks subscribe to. */
  events: string[];
  /** Whether the installation created the file. */
  created: boolean;
  /** Directories created for the file, outermost first. */
  folders: string[];
  /** Containers and settings that were created, as paths serialized as JSON. */
  made: string[];
  /** Previous values of changed settings. The keys are paths serialized as JSON. */
  was: Record<string, unknown>;
  /** Whether the file contained no other hooks before the installation. */
  alone: boolean;
  /** SHA-256 hash of the file after the installation. */
  after: string;
  /** A copy of the file, made before the first bridge-hooks entry was added, and the copy's SHA-256 hash. */
  backup?: { path: string; digest: string };
  /** Whether the copy can be restored as is, because only bridge-hooks has changed the file since the copy was made. */
  exact: boolean;
}

export const computeDigest = (bytes: Uint8Array | string): string => createHash("sha256").update(bytes).digest("hex");

const locateReceipt = (env: Env, path: string) =>
  join(getStateDirectory(env), "receipts", `${computeDigest(path).slice(0, 32)}.json`);

/** Reads a file's receipt. Returns undefined if the receipt is missing or unreadable. */
export function readReceipt(env: Env, path: string): Receipt | undefined {
  try {
    const receipt = JSON.parse(readFileSync(locateReceipt(env, path), "utf8")) as Receipt;
    return receipt.path === path ? receipt : undefined;
  } catch {
    return undefined;
  }
}

export function writeReceipt(env: Env, receipt: Receipt): void {
  const file = locateReceipt(env, receipt.path);
  mkdirSync(dirname(file), { recursive: true, mode: 0o700 });
  writeFileSync(file, `${JSON.stringify(receipt, null, 2)}\n`, { mode: 0o600 });
}

export const deleteReceipt = (env: Env, path: string): void => rmSync(locateReceipt(env, path), { force: true });

/**
 * Returns a file's contents from before the installation, if no other program has changed the file since. Returns an
 * empty object if the file didn't exist.
 */
export function findOriginal({ exact, after, created, backup }: Receipt, text: string): { text?: string } | undefined {
  if (!exact || after !== computeDigest(text)) return undefined;
  if (created) return {};
  const originalText = backup && isBackupUnchanged(backup) ? readConfigFile(backup.path).text : undefined;
  return originalText === undefined ? undefined : { text: originalText };
}

/** Returns whether a backup is unchanged. Other programs can write to its directory. */
export const isBackupUnchanged = ({ path, digest: originalDigest }: NonNullable<Receipt["backup"]>) =>
  existsSync(path) && computeDigest(readConfigFile(path).text ?? "") === originalDigest;

/** Maximum time to wait for another installation, in milliseconds. */
const LOCK_TIMEOUT_MS = 15_000;

/**
 * Runs `work` while no other installation by this user is running. Takes a system lock on an empty database, which the
 * system releases when the process ends, even after a crash.
 * @throws Error if another installation doesn't finish in time, or if the lock can't be created.
 */
export async function withInstallLock<T>(env: Env, work: () => T | Promise<T>): Promise<T> {
  const lock = acquireLock(join(getStateDirectory(env), "install.lock"));
  try {
    return await work();
  } finally {
    lock.close();
  }
}

/**
 * Acquires a system lock on a file. The lock is released when this process ends, even after a crash.
 * @throws the database's error, whose code is SQLITE_BUSY if another process holds the lock.
 */
export function lockFile(file: string, timeoutMs: number): Database {
  mkdirSync(dirname(file), { recursive: true, mode: 0o700 });
  const lock = new Database(file, { create: true });
  lock.run(`PRAGMA busy_timeout = ${timeoutMs}`);
  lock.run("BEGIN EXCLUSIVE");
  return lock;
}

function acquireLock(file: string): Database {
  try {
    return lockFile(file, LOCK_TIMEOUT_MS);
  } catch (error) {
    const { message, code } = error as NodeJS.ErrnoException;
    if (code === "SQLITE_BUSY")
      throw new Error(
        `another installation is still running after ${LOCK_TIMEOUT_MS / 1000} s; wait for it or stop it, then try again`,
      );
    throw new Error(
      `receipts can't be written to ${dirname(file)} (${message}); make the directory writable or set XDG_STATE_HOME`,
    );
  }
}
