import { createHash } from "node:crypto";
import { Database } from "bun:sqlite";
import { existsSync, mkdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import type { Env } from "../../protocol/host/host.ts";
import { getStateDirectory } from "../../call/state/state-directory.ts";
import { readConfigFile } from "./files.ts";

/** What an installation did to one file, so that it can be undone exactly. */
export interface Receipt {
  path: string;
  host: string;
  scope: string;
  /** The executable, as the file names it. */
  program: string;
  /** The events that were asked for by name; empty: those that the hooks subscribe to. */
  events: string[];
  /** Whether the installation created the file. */
  created: boolean;
  /** Folders that were created for it, outermost first. */
  folders: string[];
  /** Containers and settings that were created, as JSON texts of their paths. */
  made: string[];
  /** Previous values of the settings that were changed, by the JSON texts of their paths. */
  was: Record<string, unknown>;
  /** Whether nobody else had hooks there. */
  alone: boolean;
  /** SHA-256 of the file as the installation left it. */
  after: string;
  /** The copy of the file from before any entry of ours, and its SHA-256. */
  backup?: { path: string; digest: string };
  /** Whether nobody else has written to the file since the copy was made, so that the copy restores it. */
  exact: boolean;
}

export const computeDigest = (bytes: Uint8Array | string): string => createHash("sha256").update(bytes).digest("hex");

const locateReceipt = (env: Env, path: string) =>
  join(getStateDirectory(env), "receipts", `${computeDigest(path).slice(0, 32)}.json`);

/** Reads the receipt of a file; undefined if it is missing or can't be read. */
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
 * Returns the text of a file before any entry of ours, if nobody else has written to it since; without a text, the file
 * did not exist.
 */
export function findOriginal({ exact, after, created, backup }: Receipt, text: string): { text?: string } | undefined {
  if (!exact || after !== computeDigest(text)) return undefined;
  if (created) return {};
  const before = backup && isIntactBackup(backup) ? readConfigFile(backup.path).text : undefined;
  return before === undefined ? undefined : { text: before };
}

/** Whether a copy is unchanged: it may lie where others write, too. */
export const isIntactBackup = ({ path, digest: before }: NonNullable<Receipt["backup"]>) =>
  existsSync(path) && computeDigest(readConfigFile(path).text ?? "") === before;

/** How long to wait for another installation, in milliseconds. */
const LOCK_TIMEOUT_MS = 15_000;

/**
 * Runs `work` while no other installation of this user runs. The lock is the system's own, held through a database that
 * nothing is ever written to: it ends with its process, however that ends.
 * @throws Error if the other installation does not finish, or a lock can't be created.
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
 * Takes a lock of the system, which ends with its process, however that ends.
 * @throws the database's error: SQLITE_BUSY while another process has it.
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
        `another installation has been running for ${LOCK_TIMEOUT_MS / 1000} s; wait for it or end it, then run this again`,
      );
    throw new Error(
      `${dirname(file)} can't be written to (${message}); receipts go there. Make it writable, or set XDG_STATE_HOME to another folder`,
    );
  }
}
