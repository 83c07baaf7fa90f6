import { chmodSync, existsSync, lstatSync, mkdirSync, rmSync } from "node:fs";
import { join } from "node:path";
import { orAbsent } from "../../system/errors.ts";
import { getManagedConfig } from "../../policy/config-paths.ts";
import { createId } from "../../call/state/create-id.ts";
import { type AllowPolicy, getMaxDuration, readDuration } from "../../policy/allow.ts";
import { loadAllowPolicy } from "../../policy/load-allow.ts";
import { listClaims } from "../../call/exceptions/claim.ts";
import type { StoredDeniedCall } from "../../call/exceptions/denied-calls.ts";
import {
  type ExceptionDirectory,
  findDirectoryProblem,
  listExceptionDirectories,
} from "../../call/exceptions/exception-directories.ts";
import { type BoundCall, type ExceptionRecord, loadExceptions, RECORD_VERSION } from "../../call/exceptions/record.ts";
import { findUser } from "../../call/log/log-line.ts";
import { policy as built } from "../../call/built/policy.ts";
import { replaceFile } from "../../system/replace-file.ts";
import { formatOwnCommand } from "../../system/own-command.ts";
import { readEnd } from "../../policy/describe.ts";

/** The default lifetime of an exception, in milliseconds. */
export const DEFAULT_MS = 24 * 3_600_000;

/** The requested lifetime of an exception. */
export interface Duration {
  once: boolean;
  for?: string | undefined;
  until?: string | undefined;
}

/**
 * Computes when an exception ends, in milliseconds since the epoch.
 * @throws Error if the time is invalid or in the past.
 */
export function readExceptionEnd(command: string, { for: time, until }: Duration, now = Date.now()): number {
  if (time !== undefined && until !== undefined)
    throw new Error(`${command}: --for and --until can't be combined; pass one of them`);
  const end = until === undefined ? now + (time === undefined ? DEFAULT_MS : readDuration(time)) : readEnd(until);
  if (Number.isNaN(end))
    throw new Error(
      time === undefined
        ? `${command}: --until must be a date such as 2026-12-31, or a time such as 2026-12-31T12:00:00Z`
        : `${command}: "${time}" is not a duration; pass 10m, 1h or 7d`,
    );
  if (end <= now) throw new Error(`${command}: that time is in the past`);
  return end;
}

/** The directory for new exceptions, and the policy that limits them. */
export interface ExceptionTarget {
  location: ExceptionDirectory;
  policy: AllowPolicy;
}

/**
 * Finds the directory for new exceptions, and the policy that limits them.
 * @throws Error if the policy forbids exceptions.
 */
export async function findTarget(command: string, scope: ExceptionDirectory["scope"]): Promise<ExceptionTarget> {
  const location = listExceptionDirectories().find((directory) => directory.scope === scope);
  if (!location)
    throw new Error(
      `${command}: this system has no user database, so the owner of an exception can't be verified; add the exception to the config file`,
    );
  const policy = await loadAllowPolicy();
  if (policy.by === "nobody") throw new Error(`${command}: ${getManagedConfig()} forbids exceptions`);
  if (policy.by === "administrators" && scope === "user")
    throw new Error(
      `${command}: ${getManagedConfig()} allows only administrators to create exceptions; run: ${formatOwnCommand([...process.argv.slice(2), "--managed"], "sudo")}`,
    );
  const flaw = findDirectoryProblem(location);
  if (flaw !== undefined) throw new Error(`${command}: exceptions in ${location.folder} would be ignored: ${flaw}`);
  return { location, policy };
}

/** @throws Error if the managed file locks the rule. */
export function refuseLocked(command: string, hook: string, rule: string | undefined, policy: AllowPolicy): void {
  if (policy.isLocked(hook, rule))
    throw new Error(`${command}: ${getManagedConfig()} locks ${rule ?? hook}; only that file can contain an exception`);
}

/** The fields of an exception record that the caller provides. The others come from the policy or the clock. */
type ExceptionSubject = Pick<
  ExceptionRecord,
  "rule" | "match" | "project" | "call" | "pause" | "user" | "once" | "confirmed"
>;

/** Creates an exception record without writing it. */
export function createException(
  subject: ExceptionSubject,
  { reason, end, id }: { reason: string; end: number; id?: string },
  { location, policy }: ExceptionTarget,
): ExceptionRecord {
  const now = Date.now();
  const latestEnd = Math.min(end, now + getMaxDuration(policy, subject.pause));
  if (latestEnd <= now) throw new Error(`${getManagedConfig()} does not allow this exception`);
  const [made, until] = [new Date(now).toISOString(), new Date(latestEnd).toISOString()];
  const isUnusedId = id !== undefined && !existsSync(join(location.folder, `${id}.json`)) && !isClaimed(id);
  return {
    v: RECORD_VERSION,
    id: isUnusedId ? id : createId(),
    ...{ made, by: findUser(process.env) ?? "", reason, until },
    ...(built && { policy: built.hooks }),
    ...subject,
  };
}

const isClaimed = (id: string) => listClaims().some((claim) => claim.id === id);

/**
 * Converts a denied call's binding to the form stored in an exception.
 * @param reach whether the exception is bound to the call's directory or to the project
 */
export const toBoundCall = (
  { host, native_event, binding, verdicts }: StoredDeniedCall,
  reach: "call" | "project",
): BoundCall => ({
  host,
  native_event,
  act: reach === "project" ? binding.actInProject : binding.act,
  exact: reach === "project" ? binding.exactInProject : binding.exact,
  verdicts: verdicts.map(({ hook, rule, said: answer }) => ({
    hook,
    ...(rule !== undefined && { rule }),
    said: answer,
  })),
  files: binding.files,
});

export function writeException(record: ExceptionRecord, { scope, folder, owner }: ExceptionDirectory): void {
  const isManaged = scope === "managed";
  mkdirSync(folder, { recursive: true, mode: isManaged ? 0o755 : 0o700 });
  const flaw = findDirectoryProblem({ scope, folder, owner });
  if (flaw !== undefined) throw new Error(`exceptions in ${folder} would be ignored: ${flaw}`);
  const file = join(folder, `${record.id}.json`);
  replaceFile(file, `${JSON.stringify(record, null, 2)}\n`, { mode: 0o600, durable: true });
  // Every account must be able to read the directory, regardless of the umask.
  if (isManaged) for (const [path, mode] of [[folder, 0o755] as const, [file, 0o644] as const]) chmodSync(path, mode);
}

/** Deletes exceptions and their usage marks. Returns the IDs of the deleted exceptions. */
export function removeExceptions(isSelected: (record: ExceptionRecord) => boolean): string[] {
  const removedRecords = loadExceptions().records.filter(isSelected);
  for (const { path, id } of removedRecords) {
    rmSync(path, { force: true });
    removeClaims(id);
  }
  return removedRecords.map(({ id }) => id);
}

const removeClaims = (id: string) => {
  for (const claim of listClaims()) if (claim.id === id) rmSync(claim.path, { force: true });
};

/**
 * The age, in milliseconds, at which a usage mark without an exception is deleted. If the mark is newer, another
 * process might still be writing the exception.
 */
const ORPHANED_CLAIM_MS = 24 * 3_600_000;

/** Deletes usage marks whose exception no longer exists. */
export function removeOrphanedClaims(ids: ReadonlySet<string>): void {
  for (const { id, path } of listClaims()) {
    const stats = orAbsent(() => lstatSync(path));
    if (!ids.has(id) && stats && Date.now() - stats.mtimeMs > ORPHANED_CLAIM_MS) rmSync(path, { force: true });
  }
}
