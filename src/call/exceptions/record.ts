import { basename } from "node:path";
import type { Confirmation } from "../../policy/allow.ts";
import { CONFIRMATIONS } from "../../policy/vocabulary.ts";
import { isObject, isStringList } from "../../protocol/object.ts";
import { type ExceptionDirectory, listExceptionDirectories, readExceptionDirectory } from "./exception-directories.ts";

/** Version of the record format. Records with a different version are ignored. */
export const RECORD_VERSION = 1;

/** A file that a call is bound to: its name, its real path and, if the call reads it, its contents. */
export interface BoundFile {
  named: string;
  path: string;
  content?: string;
}

/** Hashes that identify a call. */
export interface CallBinding {
  /** Hash of the command or operation; the same on every event for the call. */
  act: string;
  /** Hash of the whole input and `act` combined. */
  exact: string;
  /** The same hashes, bound to the project instead of the working directory. */
  actInProject: string;
  exactInProject: string;
  /**
   * The bound files, for display only, without those whose names may be secrets. The `act` hash covers all bound files.
   */
  files: readonly BoundFile[];
}

/** A hook's decision about a call. */
export interface BoundVerdict {
  hook: string;
  rule?: string;
  /** Hash of the hook's verdict. */
  said: string;
}

/** A call that an exception covers. */
export interface BoundCall {
  host: string;
  native_event: string;
  /** The `act` and `exact` hashes of the call's binding. */
  act: string;
  exact: string;
  verdicts: readonly BoundVerdict[];
  files: readonly BoundFile[];
}

/** An exception that a user created. It has the fields of an exception in a config file, plus extra limits. */
export interface ExceptionRecord {
  v: typeof RECORD_VERSION;
  id: string;
  made: string;
  by: string;
  reason: string;
  until: string;
  /** Hash of the hooks when the exception was created; absent if they ran from source. */
  policy?: string;
  /** Kind of terminal in which the user confirmed the exception. */
  confirmed: Confirmation;
  /** Set if the exception covers only one tool call. */
  once?: true;
  /** For an exception in the managed directory, the ID of the account that may use it. Absent if every account may. */
  user?: number;
  /** The rule that the exception covers; for display only if `call` is set. */
  rule?: string;
  /** The command or file that was judged, for display only. */
  match?: string;
  project?: string;
  call?: BoundCall;
  /** Set if the exception covers all hooks except those that protect the policy itself. */
  pause?: true;
}

/** An exception and where it is stored. */
export interface LoadedException extends ExceptionRecord {
  scope: ExceptionDirectory["scope"];
  path: string;
}

/** Contents of the exceptions directories. */
export interface LoadedExceptions {
  records: readonly LoadedException[];
  /** Rejected files and the reason for each. */
  invalidRecords: readonly { path: string; flaw: string }[];
}

/** Reads all exceptions, including expired ones. */
export function loadExceptions(
  directories: readonly ExceptionDirectory[] = listExceptionDirectories(),
): LoadedExceptions {
  const records: LoadedException[] = [];
  const invalidRecords: { path: string; flaw: string }[] = [];
  for (const directory of directories)
    for (const file of readExceptionDirectory(directory)) {
      const record = "text" in file ? parseRecord(file.text) : undefined;
      if (record && `${record.id}.json` === basename(file.path))
        records.push({ ...record, scope: directory.scope, path: file.path });
      else
        invalidRecords.push({
          path: file.path,
          flaw: "flaw" in file ? file.flaw : "it is not in the format of this version",
        });
    }
  return { records, invalidRecords };
}

const isDateString = (value: unknown) => typeof value === "string" && !Number.isNaN(Date.parse(value));
const isString = (value: unknown) => typeof value === "string";
const isAbsentOr = (test: (value: unknown) => boolean) => (value: unknown) => value === undefined || test(value);
const isTrue = (value: unknown) => value === true;

const FIELD_TESTS: Readonly<Record<keyof ExceptionRecord, (value: unknown) => boolean>> = {
  v: (value) => value === RECORD_VERSION,
  id: (value) => typeof value === "string" && /^[a-z0-9]{4,16}$/.test(value),
  made: isDateString,
  by: isString,
  reason: isString,
  until: isDateString,
  policy: isAbsentOr(isString),
  confirmed: (value) => CONFIRMATIONS.some((kind) => kind === value),
  once: isAbsentOr(isTrue),
  user: isAbsentOr(Number.isInteger),
  rule: isAbsentOr(isString),
  match: isAbsentOr(isString),
  project: isAbsentOr(isString),
  call: isAbsentOr(isBoundCall),
  pause: isAbsentOr(isTrue),
};

function isBoundCall(value: unknown): boolean {
  if (!isObject(value)) return false;
  const { host, native_event, act, exact, verdicts, files } = value;
  return (
    isStringList([host, native_event, act, exact]) &&
    Array.isArray(files) &&
    Array.isArray(verdicts) &&
    verdicts.every(
      (verdict) =>
        isObject(verdict) && isString(verdict.hook) && isString(verdict.said) && isAbsentOr(isString)(verdict.rule),
    )
  );
}

/**
 * Parses a record. Returns undefined if it is invalid or has an unknown field, which could be a condition that this
 * version wouldn't check.
 */
export function parseRecord(text: string): ExceptionRecord | undefined {
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch {
    return undefined;
  }
  if (!isObject(value) || Object.keys(value).some((key) => !Object.hasOwn(FIELD_TESTS, key))) return undefined;
  for (const [key, test] of Object.entries(FIELD_TESTS)) if (!test(value[key])) return undefined;
  const record = value as unknown as ExceptionRecord;
  return record.pause || record.call || record.rule !== undefined ? record : undefined;
}
