import { basename } from "node:path";
import type { Confirmation } from "../../policy/allow.ts";
import { CONFIRMATIONS } from "../../policy/vocabulary.ts";
import { isObject, isStringList } from "../../protocol/object.ts";
import { type ExceptionDirectory, listExceptionDirectories, readExceptionDirectory } from "./place.ts";

/** Version of the record format. Records of other versions are ignored. */
export const RECORD_VERSION = 1;

/** A file to which a call is bound: its name, its real path, and its content if that is read. */
export interface BoundFile {
  named: string;
  path: string;
  content?: string;
}

/** The hashes that identify a call. */
export interface CallBinding {
  /** Hash of what is about to run; the same on every event that reports the call. */
  act: string;
  /** Hash of the whole input and `act`. */
  exact: string;
  /** The same hashes for any directory of the project. */
  actInProject: string;
  exactInProject: string;
  /**
   * The files, for users to read; `act` covers all of them. Files whose names may be secrets are left out when the
   * binding is stored.
   */
  files: readonly BoundFile[];
}

/** What a hook decided about a call. */
export interface BoundVerdict {
  hook: string;
  rule?: string;
  /** Hash of the hook's verdict. */
  said: string;
}

/** The call that an exception covers. */
export interface BoundCall {
  host: string;
  native_event: string;
  /** `act` and `exact` of its binding. */
  act: string;
  exact: string;
  verdicts: readonly BoundVerdict[];
  files: readonly BoundFile[];
}

/** An exception that a user created: the fields of an exception in a config file, and its limits. */
export interface ExceptionRecord {
  v: typeof RECORD_VERSION;
  id: string;
  made: string;
  by: string;
  reason: string;
  until: string;
  /** Hash of the hooks for which it was created; absent if they ran from source. */
  policy?: string;
  /** The kind of terminal in which the user confirmed it. */
  confirmed: Confirmation;
  /** Set if it covers one tool call only. */
  once?: true;
  /** In the managed directory, the id of the account that may use it. Absent if every account may. */
  user?: number;
  /** The rule that it covers. Together with `call`, only for users to read. */
  rule?: string;
  /** The subject of the verdict, for users to read. */
  match?: string;
  project?: string;
  call?: BoundCall;
  /** Set if it covers all hooks except those that protect the policy itself. */
  pause?: true;
}

/** A record with its location. */
export interface LoadedException extends ExceptionRecord {
  scope: ExceptionDirectory["scope"];
  path: string;
}

/** The contents of the directories of exceptions. */
export interface LoadedExceptions {
  records: readonly LoadedException[];
  /** Rejected files, and why. */
  invalidRecords: readonly { path: string; flaw: string }[];
}

/** Reads all exceptions, including expired ones. */
export function loadExceptions(places: readonly ExceptionDirectory[] = listExceptionDirectories()): LoadedExceptions {
  const records: LoadedException[] = [];
  const invalidRecords: { path: string; flaw: string }[] = [];
  for (const place of places)
    for (const file of readExceptionDirectory(place)) {
      const record = "text" in file ? parseRecord(file.text) : undefined;
      if (record && `${record.id}.json` === basename(file.path))
        records.push({ ...record, scope: place.scope, path: file.path });
      else
        invalidRecords.push({
          path: file.path,
          flaw: "flaw" in file ? file.flaw : "it is not a record of this version",
        });
    }
  return { records, invalidRecords };
}

const isTime = (value: unknown) => typeof value === "string" && !Number.isNaN(Date.parse(value));
const isText = (value: unknown) => typeof value === "string";
const isAbsentOr = (test: (value: unknown) => boolean) => (value: unknown) => value === undefined || test(value);
const isTrue = (value: unknown) => value === true;

const FIELD_TESTS: Readonly<Record<keyof ExceptionRecord, (value: unknown) => boolean>> = {
  v: (value) => value === RECORD_VERSION,
  id: (value) => typeof value === "string" && /^[a-z0-9]{4,16}$/.test(value),
  made: isTime,
  by: isText,
  reason: isText,
  until: isTime,
  policy: isAbsentOr(isText),
  confirmed: (value) => CONFIRMATIONS.some((kind) => kind === value),
  once: isAbsentOr(isTrue),
  user: isAbsentOr(Number.isInteger),
  rule: isAbsentOr(isText),
  match: isAbsentOr(isText),
  project: isAbsentOr(isText),
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
    verdicts.every((one) => isObject(one) && isText(one.hook) && isText(one.said) && isAbsentOr(isText)(one.rule))
  );
}

/**
 * Parses a record; returns undefined for anything else. An unknown field is rejected, because it could be a condition
 * that would not be checked.
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
