import { realpathSync } from "node:fs";
import { hashContent } from "../../author/bind-call.ts";
import { type AllowPolicy, findInvalidReason } from "../../policy/allow.ts";
import { policy as built } from "../../call/built/policy.ts";
import { loadAllowPolicy } from "../../policy/load-allow.ts";
import { findClaimTime } from "../../call/exceptions/claim.ts";
import { type BoundFile, type LoadedException, loadExceptions } from "../../call/exceptions/record.ts";

/**
 * State of an exception. `used`: it allowed a single call, which has been made. `void`: the managed file doesn't allow
 * it, or files that it depends on have changed.
 */
export type ExceptionState = "in force" | "used" | "ended" | "void";

export interface ListedException {
  exception: LoadedException;
  state: ExceptionState;
  /** Expiry time in milliseconds since the epoch. */
  end: number;
  /** Why the exception is void. */
  why?: string;
}

/** All exceptions of this account, and invalid files in the exception directories. */
export interface ExceptionsReport {
  exceptions: readonly ListedException[];
  voids: readonly { path: string; flaw: string }[];
  /** Why the managed file couldn't be read. If this is set, no exception applies. */
  problem?: string;
}

export async function collectExceptions(now = Date.now()): Promise<ExceptionsReport> {
  const { records: all, invalidRecords } = loadExceptions();
  const uid = process.geteuid?.();
  const records = all.filter(({ user }) => user === undefined || user === uid || uid === 0);
  if (records.length === 0) return { exceptions: [], voids: invalidRecords };
  try {
    const policy = await loadAllowPolicy();
    return { exceptions: records.map((record) => describeState(record, policy, now)), voids: invalidRecords };
  } catch (error) {
    const problem = (error as Error).message;
    const exceptions = records.map((exception) => {
      return { exception, state: "void" as const, end: Date.parse(exception.until), why: problem };
    });
    return { exceptions, voids: invalidRecords, problem };
  }
}

function describeState(exception: LoadedException, policy: AllowPolicy, now: number): ListedException {
  const end = Date.parse(exception.until);
  const toListed = (state: ExceptionState, why?: string) => ({ exception, state, end, ...(why && { why }) });
  if (end <= now) return toListed("ended");
  const reason = findInvalidReason(exception, policy, { now, hooks: built?.hooks });
  if (reason !== undefined) return toListed("void", reason);
  if (exception.once && findClaimTime(exception.id) !== undefined) return toListed("used");
  const fileChange = exception.call?.files.map(describeChange).find((change) => change !== undefined);
  return fileChange === undefined ? toListed("in force") : toListed("void", fileChange);
}

/** Describes how a file has changed since the call was denied, or returns undefined if it hasn't. */
function describeChange({ named, path, content }: BoundFile): string | undefined {
  if (content !== undefined && hashContent(path)?.hash !== content) return `${named} has changed`;
  try {
    return realpathSync.native(named) === realpathSync.native(path)
      ? undefined
      : `${named} now points to a different file`;
  } catch {
    return undefined;
  }
}
