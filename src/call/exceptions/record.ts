import { basename } from "node:path";
import type { Confirmation } from "../../policy/allow.ts";
import { CONFIRMATIONS } from "../../policy/vocabulary.ts";
import { isObject, isStringList } from "../../protocol/object.ts";
import { type ExceptionPlace, listPlaces, readPlace } from "./place.ts";

/** The form of records. One of another form does not count. */
export const RECORD_VERSION = 1;

/** A file that a call is bound to: its name, where links lead from there, and what is in it, if that is read. */
export interface BoundFile {
  named: string;
  path: string;
  content?: string;
}

/** What a call is recognized by, as hashes. */
export interface CallBinding {
  /** What is about to run: the same at every event that a host reports it with. */
  act: string;
  /** The whole input, and `act`. */
  exact: string;
  /** The same for any folder of the project. */
  actInProject: string;
  exactInProject: string;
  /** For people: `act` has the hash of all files. Those whose names may be secrets are left out where it is kept. */
  files: readonly BoundFile[];
}

/** What a hook decided about a call. */
export interface BoundVerdict {
  hook: string;
  rule?: string;
  /** The hash of what it said. */
  said: string;
}

/** The call that an exception is about. */
export interface BoundCall {
  host: string;
  native_event: string;
  /** `act` and `exact` of its binding. */
  act: string;
  exact: string;
  verdicts: readonly BoundVerdict[];
  files: readonly BoundFile[];
}

/** An exception that a person made on purpose: the fields of one in a config file, and what bounds it. */
export interface ExceptionRecord {
  v: typeof RECORD_VERSION;
  id: string;
  made: string;
  by: string;
  reason: string;
  until: string;
  /** The hash of the hooks that it was made for; absent in a run from source. */
  policy?: string;
  /** The kind of terminal in which a person confirmed it. */
  confirmed: Confirmation;
  /** For one call of a tool. */
  once?: true;
  /** In the managed place: the account that it is for. Absent: every one. */
  user?: number;
  /** The rule that it is about; with `call`, for people to read. */
  rule?: string;
  /** What was judged, for people to read. */
  match?: string;
  project?: string;
  call?: BoundCall;
  /** All hooks but those that guard the policy itself. */
  pause?: true;
}

/** A record with its place. */
export interface LoadedException extends ExceptionRecord {
  scope: ExceptionPlace["scope"];
  path: string;
}

/** What is in the places. */
export interface LoadedExceptions {
  records: readonly LoadedException[];
  /** What does not count, and why. */
  voids: readonly { path: string; flaw: string }[];
}

/** Reads all exceptions, those that have ended included. */
export function loadExceptions(places: readonly ExceptionPlace[] = listPlaces()): LoadedExceptions {
  const records: LoadedException[] = [];
  const voids: { path: string; flaw: string }[] = [];
  for (const place of places)
    for (const file of readPlace(place)) {
      const record = "text" in file ? parseRecord(file.text) : undefined;
      if (record && `${record.id}.json` === basename(file.path))
        records.push({ ...record, scope: place.scope, path: file.path });
      else voids.push({ path: file.path, flaw: "flaw" in file ? file.flaw : "it is not a record of this version" });
    }
  return { records, voids };
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

/** Reads a record; undefined for what is not one. A field that is not known would be a condition that is not kept. */
export function parseRecord(text: string): ExceptionRecord | undefined {
  let said: unknown;
  try {
    said = JSON.parse(text);
  } catch {
    return undefined;
  }
  if (!isObject(said) || Object.keys(said).some((key) => !Object.hasOwn(FIELD_TESTS, key))) return undefined;
  for (const [key, test] of Object.entries(FIELD_TESTS)) if (!test(said[key])) return undefined;
  const record = said as unknown as ExceptionRecord;
  return record.pause || record.call || record.rule !== undefined ? record : undefined;
}
