import * as v from "valibot";
import { suggestName } from "../protocol/name-suggestions.ts";
import { isObject } from "../protocol/object.ts";

/** What is wrong in a part of a config file. */
export interface ConfigProblem {
  /** Where, from the top of what was read: `["pattern", 1]`. */
  path: readonly (string | number)[];
  /** A sentence without a full stop: what is wrong, and what to do. */
  message: string;
  /** The field is unknown; a newer executable may know it. */
  isUnknown?: true;
}

/** A part of a config file as calls obey it, and what is wrong in it. */
export interface Reading<T> {
  value: T;
  problems: readonly ConfigProblem[];
}

/** Builds a schema when it is first read: a call reads few of them, and to build all takes as long as most of its steps. */
export function buildOnce<S>(build: () => S): () => S {
  let built: S | undefined;
  return () => (built ??= build());
}

/** The last reading by each schema: a call takes a part for what it says, and for what is wrong in it. */
const lastReadings = new WeakMap<() => v.GenericSchema, Reading<unknown> & { given: unknown }>();

/** Reads a part of a config file, for calls and reports alike: a wrong value counts as its strictest meaning. */
export function readPart<S extends v.GenericSchema>(getSchema: () => S, given: unknown): Reading<v.InferOutput<S>> {
  const last = lastReadings.get(getSchema);
  if (last && last.given === given) return last;
  const { output, issues = [] } = v.safeParse(getSchema(), given);
  const problems = issues.flatMap((issue) => listProblems(issue));
  const reading = { given, value: output as v.InferOutput<S>, problems };
  lastReadings.set(getSchema, reading);
  return reading;
}

function listProblems({ type, path: keys, message, issues, expected }: v.BaseIssue<unknown>): ConfigProblem[] {
  const path = keys?.map(({ key }) => key as string | number) ?? [];
  // A field that is missing is a problem of its object.
  if (type === "loose_object") path.pop();
  // Of the forms that a value may have, the one that it has says what is wrong inside.
  const inner = issues?.flatMap((issue) => (issue.path ? listProblems(issue) : [])) ?? [];
  if (inner.length > 0) return inner.map((one) => ({ ...one, path: [...path, ...one.path] }));
  return [{ path, message, ...(expected === "never" && { isUnknown: true }) }];
}

/** Makes a wrong value count as another one; its problems are kept. */
export const orElse = <S extends v.GenericSchema>(schema: S, fallback: v.InferOutput<S>): S =>
  replaceIf(schema, fallback, ({ issues }) => issues !== undefined);

/** The same of an object only if it is something else: its wrong fields count as they say. */
export const orElseEmpty = <S extends v.GenericSchema<unknown, object>>(schema: S): S =>
  replaceIf(schema, {}, ({ typed }) => !typed);

function replaceIf<S extends v.GenericSchema>(
  schema: S,
  value: v.InferOutput<S>,
  isReplaced: (found: ReturnType<v.GenericSchema["~run"]>) => boolean,
): S {
  return {
    ...schema,
    "~run"(dataset: v.UnknownDataset, config: v.Config<v.BaseIssue<unknown>>) {
      const found = schema["~run"](dataset, config);
      return isReplaced(found) ? { typed: true, value, issues: found.issues } : found;
    },
  };
}

interface ObjectTexts {
  /** What is said about a field that is missing. */
  missing?: (field: string) => string;
  /** What its fields are called. */
  noun?: string;
}

/** Describes an object whose fields are all known; `valibot` would take a list for one. */
export function describeObject<const E extends v.ObjectEntries>(
  entries: E,
  { missing = (field) => `${field} is missing`, noun = "field" }: ObjectTexts = {},
) {
  const fields = Object.keys(entries);
  return v.pipe(
    v.custom<Record<string, unknown>>(isObject, "must be an object"),
    v.looseObject(entries, ({ path }) => missing(String((path as unknown as [v.ObjectPathItem])[0].key))),
    v.rawCheck(({ dataset, addIssue }) => {
      const given = dataset.value as Record<string, unknown>;
      for (const field of Object.keys(given)) {
        if (fields.includes(field)) continue;
        const hint = suggestName(field, fields) || `; known: ${fields.join(", ")}`;
        addIssue({ message: `unknown ${noun} "${field}"${hint}`, expected: "never", path: createPath(given, field) });
      }
    }),
    v.metadata({ additionalProperties: false }),
  );
}

/** Describes an object whose fields have names of the user's choice. */
export const describeRecord = <const S extends v.GenericSchema>(value: S, message: string) =>
  v.pipe(v.custom<Record<string, unknown>>(isObject, message), v.record(v.string(), value));

export const createPath = (input: Record<string, unknown>, key: string): [v.ObjectPathItem] => [
  { type: "object", origin: "value", input, key, value: input[key] },
];

export const describe = <const S extends v.GenericSchema>(description: string, schema: S, more: object = {}) =>
  v.pipe(schema, v.metadata({ description, ...more }));
