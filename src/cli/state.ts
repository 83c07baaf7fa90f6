import { createHash } from "node:crypto";
import { closeSync, mkdirSync, openSync, readFileSync, rmSync, statSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import type { Env } from "../core/host.ts";
import { stateDirectory } from "../run/continuations.ts";

/** What an installation did to one file, so that it can be taken back exactly. */
export interface Receipt {
  path: string;
  host: string;
  scope: string;
  /** The executable, as it is written there. */
  program: string;
  /** There was no such file. */
  created: boolean;
  /** Folders that were made for it, outermost first. */
  folders: string[];
  /** Containers and settings that were made, as JSON texts of their paths. */
  made: string[];
  /** SHA-256 of the file as it was left. */
  after: string;
  /** The copy of the file as it was before any entry of ours; absent: there is none that still counts. */
  backup?: string;
}

export const digest = (bytes: Uint8Array | string): string => createHash("sha256").update(bytes).digest("hex");

const receiptFile = (env: Env, path: string) => join(stateDirectory(env), "receipts", `${digest(path).slice(0, 32)}.json`);

/** The receipt of a file; none where it is lost or can't be read. */
export function readReceipt(env: Env, path: string): Receipt | undefined {
  try {
    const receipt = JSON.parse(readFileSync(receiptFile(env, path), "utf8")) as Receipt;
    return receipt.path === path ? receipt : undefined;
  } catch {
    return undefined;
  }
}

export function keepReceipt(env: Env, receipt: Receipt): void {
  const file = receiptFile(env, receipt.path);
  mkdirSync(join(file, ".."), { recursive: true, mode: 0o700 });
  writeFileSync(file, `${JSON.stringify(receipt, null, 2)}\n`, { mode: 0o600 });
}

export const dropReceipt = (env: Env, path: string): void => rmSync(receiptFile(env, path), { force: true });

/** How long another installation is waited for, in milliseconds. */
const PATIENCE_MS = 15_000;

/** Runs `work` while no other installation of this user runs. @throws Error when the other one does not end. */
export async function alone<T>(env: Env, work: () => T | Promise<T>): Promise<T> {
  const folder = stateDirectory(env);
  const lock = join(folder, "install.lock");
  mkdirSync(folder, { recursive: true, mode: 0o700 });
  for (const start = Date.now(); !taken(lock); await Bun.sleep(20)) {
    if (Date.now() - start > PATIENCE_MS)
      throw new Error(`another installation has held ${lock} for ${PATIENCE_MS / 1000} s; end it, or remove the file`);
  }
  try {
    return await work();
  } finally {
    rmSync(lock, { force: true });
  }
}

function taken(lock: string): boolean {
  try {
    const file = openSync(lock, "wx", 0o600);
    writeFileSync(file, String(process.pid));
    closeSync(file);
    return true;
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== "EEXIST") throw error;
    return isDead(lock) && (rmSync(lock, { force: true }), taken(lock));
  }
}

/** Whether the process that took the lock is gone. */
function isDead(lock: string): boolean {
  try {
    const pid = Number(readFileSync(lock, "utf8"));
    // Just made, and not written yet.
    if (!pid) return Date.now() - statSync(lock).mtimeMs > 2_000;
    process.kill(pid, 0);
    return false;
  } catch (error) {
    return (error as NodeJS.ErrnoException).code === "ESRCH";
  }
}
