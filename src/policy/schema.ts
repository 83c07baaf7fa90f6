import * as v from "valibot";
import { findNearestName, formatHint } from "../protocol/name-suggestions.ts";
import { isObject } from "../protocol/object.ts";

/** A problem in a part of a config file. */
export interface ConfigProblem {
  /** Path from the root of the parsed value, such as `["pattern", 1]`. */
  path: readonly (string | number)[];
  /** The problem and how to fix it, as one sentence without a full stop. */
  message: string;
  /** Set if the field is unknown. A newer executable may support it. */
  isUnknown?: true;
  /** The known field whose name was probably misspelled. */
  suggestion?: string;
  /** Missing fields. Adding any one of them fixes the problem. */
  missingFields?: readonly string[];
}

/** A parsed part of a config file: the value that calls apply, and the problems found. */
export interface ParsedPart<T> {
  value: T;
  problems: readonly ConfigProblem[];
}

/**
 * Builds a schema on first use. A call needs only a few of them, and building them all would be a noticeable part of
 * its time.
 */
export function memoize<S>(build: () => S): () => S {
  let built: S | undefined;
  return () => (built ??= build());
}

/**
 * Values of `expected` that mark issues about unknown fields and about missing fields. For missing fields, `received`
 * lists them.
 */
const UNKNOWN_KEY_ISSUE = "never";
const MISSING_ISSUE = "missing";

/**
 * Creates an issue about missing fields. It is dropped later if one of them turns out to be misspelled rather than
 * missing.
 */
export const createMissingIssue = (message: string, fields: readonly string[]) => ({
  message,
  expected: MISSING_ISSUE,
  received: fields.join(" "),
});

/**
 * The most recently parsed value for each schema. A call reads a part twice, first for its value and then for its
 * problems.
 */
const lastParsedParts = new WeakMap<() => v.GenericSchema, ParsedPart<unknown> & { given: unknown }>();

/**
 * Parses a part of a config file, both for calls and for reports. Invalid values are interpreted in the strictest way.
 */
export function readPart<S extends v.GenericSchema>(getSchema: () => S, input: unknown): ParsedPart<v.InferOutput<S>> {
  const last = lastParsedParts.get(getSchema);
  if (last && last.given === input) return last;
  const { output, issues = [] } = v.safeParse(getSchema(), input);
  const problems = omitMisspelledFields(issues.flatMap((issue) => listProblems(issue)));
  const reading = { given: input, value: output as v.InferOutput<S>, problems };
  lastParsedParts.set(getSchema, reading);
  return reading;
}

/** If a missing field was only misspelled, drops the problem about it so that each mistake is reported once. */
const omitMisspelledFields = (problems: readonly ConfigProblem[]): ConfigProblem[] =>
  problems.filter(
    ({ path, missingFields }) =>
      !missingFields ||
      !problems.some(
        (one) =>
          one.suggestion !== undefined &&
          missingFields.includes(one.suggestion) &&
          one.path.length === path.length + 1 &&
          path.every((key, at) => one.path[at] === key),
      ),
  );

function listProblems({
  type,
  path: keys,
  message,
  issues,
  expected,
  received,
}: v.BaseIssue<unknown>): ConfigProblem[] {
  const path = keys?.map(({ key }) => key as string | number) ?? [];
  // Report a missing field as a problem of the object that lacks the field.
  const missingKey = type === "loose_object" ? path.pop() : undefined;
  // If a schema accepts several forms, report the problems of the form that the value has.
  const inner = issues?.flatMap((issue) => (issue.path ? listProblems(issue) : [])) ?? [];
  if (inner.length > 0) return inner.map((one) => ({ ...one, path: [...path, ...one.path] }));
  if (missingKey !== undefined) return [{ path, message, missingFields: [String(missingKey)] }];
  if (expected === MISSING_ISSUE) return [{ path, message, missingFields: received.split(" ") }];
  if (expected !== UNKNOWN_KEY_ISSUE) return [{ path, message }];
  return [{ path, message, isUnknown: true, ...(received !== "" && { suggestion: received }) }];
}

/** Replaces an invalid value with a fallback while still reporting what is wrong with it. */
export const orElse = <S extends v.GenericSchema>(schema: S, fallback: v.InferOutput<S>): S =>
  replaceIf(schema, fallback, ({ issues }) => issues !== undefined);

/**
 * Replaces a value that isn't an object with an empty object. If it is one, the field schemas take care of invalid
 * fields.
 */
export const orElseEmpty = <S extends v.GenericSchema<unknown, object>>(schema: S): S =>
  replaceIf(schema, {}, ({ typed }) => !typed);

function replaceIf<S extends v.GenericSchema>(
  schema: S,
  value: v.InferOutput<S>,
  isReplaced: (outcome: ReturnType<v.GenericSchema["~run"]>) => boolean,
): S {
  return {
    ...schema,
    "~run"(dataset: v.UnknownDataset, config: v.Config<v.BaseIssue<unknown>>) {
      const result = schema["~run"](dataset, config);
      return isReplaced(result) ? { typed: true, value, issues: result.issues } : result;
    },
  };
}

interface ObjectMessages {
  /** Formats the message about a missing field. */
  missing?: (field: string) => string;
  /** What messages call a field, such as `setting`. */
  noun?: string;
}

/** Builds the schema for an object that can't have unknown fields. valibot's own would accept an array. */
export function describeObject<const E extends v.ObjectEntries>(
  entries: E,
  { missing = (field) => `${field} is missing`, noun = "field" }: ObjectMessages = {},
) {
  const fields = Object.keys(entries);
  return v.pipe(
    v.custom<Record<string, unknown>>(isObject, "must be an object"),
    v.looseObject(entries, ({ path }) => missing(String((path as unknown as [v.ObjectPathItem])[0].key))),
    v.rawCheck(({ dataset, addIssue }) => {
      const fieldValues = dataset.value as Record<string, unknown>;
      for (const field of Object.keys(fieldValues)) {
        if (fields.includes(field)) continue;
        const suggestion = findNearestName(field, fields);
        const message = `unknown ${noun} "${field}"${formatHint(suggestion) || `; known: ${fields.join(", ")}`}`;
        addIssue({
          message,
          expected: UNKNOWN_KEY_ISSUE,
          received: suggestion ?? "",
          path: createPath(fieldValues, field),
        });
      }
    }),
    v.metadata({ additionalProperties: false }),
  );
}

/** Builds the schema for an object whose fields can have any name. */
export const describeRecord = <const S extends v.GenericSchema>(value: S, message: string) =>
  v.pipe(v.custom<Record<string, unknown>>(isObject, message), v.record(v.string(), value));

export const createPath = (input: Record<string, unknown>, key: string): [v.ObjectPathItem] => [
  { type: "object", origin: "value", input, key, value: input[key] },
];

export const addDescription = <const S extends v.GenericSchema>(
  description: string,
  schema: S,
  metadata: object = {},
) => v.pipe(schema, v.metadata({ description, ...metadata }));
