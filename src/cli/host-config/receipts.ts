import { createHash } from "node:crypto";
import { Database } from "bun:sqlite";
import { mkdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import type { Env } from "../../protocol/host/host.ts";
import { stateDirectory } from "../../run/state-directory.ts";

/** What an installation did to one file, so that it can be taken back exactly. */
export interface Receipt {
  path: string;
  host: string;
  scope: string;
  /** The executable, as it is written there. */
  program: string;
  /** The events that were asked for by name; none: those that the hooks subscribe to. */
  events: string[];
  /** There was no such file. */
  created: boolean;
  /** Folders that were made for it, outermost first. */
  folders: string[];
  /** Containers and settings that were made, as JSON texts of their paths. */
  made: string[];
  /** Settings that had another value, by the JSON texts of their paths. */
  was: Record<string, unknown>;
  /** Nobody else had hooks there. */
  alone: boolean;
  /** SHA-256 of the file as it was left. */
  after: string;
  /** The copy of the file as it was before any entry of ours, and its SHA-256. */
  backup?: { path: string; digest: string };
  /** Nobody else wrote to the file since the copy was made: it restores the file. */
  exact: boolean;
}

export const computeDigest = (bytes: Uint8Array | string): string => createHash("sha256").update(bytes).digest("hex");

const locateReceipt = (env: Env, path: string) =>
  join(stateDirectory(env), "receipts", `${computeDigest(path).slice(0, 32)}.json`);

/** The receipt of a file; none where it is lost or can't be read. */
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

/** How long another installation is waited for, in milliseconds. */
const LOCK_TIMEOUT_MS = 15_000;

/**
 * Runs `work` while no other installation of this user runs. The lock is the system's own, through a database that nothing is
 * ever written to: it ends with its process, however that ends.
 * @throws Error when the other one does not end, or there is no place for a lock.
 */
export async function withInstallLock<T>(env: Env, work: () => T | Promise<T>): Promise<T> {
  const lock = acquireLock(join(stateDirectory(env), "install.lock"));
  try {
    return await work();
  } finally {
    lock.close();
  }
}

function acquireLock(file: string): Database {
  const folder = dirname(file);
  try {
    mkdirSync(folder, { recursive: true, mode: 0o700 });
    const lock = new Database(file, { create: true });
    lock.run(`PRAGMA busy_timeout = ${LOCK_TIMEOUT_MS}`);
    lock.run("BEGIN EXCLUSIVE");
    return lock;
  } catch (error) {
    const { message, code } = error as NodeJS.ErrnoException;
    if (code === "SQLITE_BUSY")
      throw new Error(
        `another installation has been running for ${LOCK_TIMEOUT_MS / 1000} s; wait for it or end it, then run this again`,
      );
    throw new Error(
      `${folder} can't be written to (${message}); receipts go there. Make it writable, or set XDG_STATE_HOME to another folder`,
    );
  }
}
