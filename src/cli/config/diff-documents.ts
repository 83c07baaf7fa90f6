import { isObject } from "../../protocol/object.ts";
import { expandShortForms } from "./short-forms.ts";
import type { ConfigDocument } from "../../policy/check/finding.ts";

/** A setting that differs between two config files. */
export interface ConfigDifference {
  /** The path in the file, such as `rules.git/push-force.action`. */
  key: string;
  /** The first file's value; absent if not set. */
  a?: unknown;
  /** The second file's value; absent if not set. */
  b?: unknown;
}

/** Keys that don't affect the policy. */
const NEUTRAL_KEYS = ["$schema", "version"];

/** Returns the differences between two config documents, by key. List order is ignored. */
export function diffDocuments(a: ConfigDocument, b: ConfigDocument): ConfigDifference[] {
  return diffObjects(expandShortForms(a), expandShortForms(b), []).filter(({ key }) => !NEUTRAL_KEYS.includes(key));
}

function diffObjects(a: ConfigDocument, b: ConfigDocument, path: readonly string[]): ConfigDifference[] {
  return [...new Set([...Object.keys(a), ...Object.keys(b)])].flatMap((name) =>
    diffValues(a[name], b[name], [...path, name]),
  );
}

function diffValues(a: unknown, b: unknown, path: readonly string[]): ConfigDifference[] {
  const isEmpty = (value: unknown) => value === undefined || (isObject(value) && Object.keys(value).length === 0);
  if (Bun.deepEquals(a, b) || (isEmpty(a) && isEmpty(b))) return [];
  // A rule that exists in only one file counts as a single difference.
  const isWholeRule = path[0] === "rules" && path.length === 2 && (a === undefined || b === undefined);
  if (!isWholeRule && [a, b].every((value) => isObject(value) || value === undefined))
    return diffObjects((a ?? {}) as ConfigDocument, (b ?? {}) as ConfigDocument, path);
  const key = path.join(".");
  if ([a, b].every((value) => Array.isArray(value) || value === undefined))
    return diffLists((a ?? []) as unknown[], (b ?? []) as unknown[], key);
  return [{ key, ...(a !== undefined && { a }), ...(b !== undefined && { b }) }];
}

function diffLists(a: readonly unknown[], b: readonly unknown[], key: string): ConfigDifference[] {
  const isMissingFrom = (list: readonly unknown[], item: unknown) =>
    !list.some((listItem) => Bun.deepEquals(listItem, item));
  return [
    ...a.filter((item) => isMissingFrom(b, item)).map((item) => ({ key, a: item })),
    ...b.filter((item) => isMissingFrom(a, item)).map((item) => ({ key, b: item })),
  ];
}
