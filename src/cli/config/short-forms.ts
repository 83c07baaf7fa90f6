import { isObject } from "../../protocol/object.ts";
import { RULE_FIELDS } from "../../policy/vocabulary.ts";
import type { DocumentPath } from "../../operate/machine/edit/editor.ts";

/** Matches any path segment. */
const ANY_PATH_SEGMENT = "*";

/** Kinds of rule fields that accept a list or a single item. */
const LIST_FIELD_KINDS: readonly string[] = ["patterns", "globs", "accesses", "urls"];

/**
 * Paths at which a string is a short form. With `field`, it is short for an object with the string in that field;
 * without, for a list whose only item is the string.
 */
const SHORT_FORMS: readonly { path: readonly string[]; field?: string }[] = [
  { path: ["mode"], field: "mode" },
  { path: ["mode", "hooks", ANY_PATH_SEGMENT], field: "mode" },
  { path: ["mode", "rules", ANY_PATH_SEGMENT], field: "mode" },
  { path: ["allow", "from"] },
  ...Object.entries(RULE_FIELDS).flatMap(([name, kind]) =>
    LIST_FIELD_KINDS.includes(kind) ? [{ path: ["rules", ANY_PATH_SEGMENT, name] }] : [],
  ),
];

/** Returns a value's long form (an object or a list), or the value itself if no long form exists. */
export function toLongForm(path: DocumentPath, value: unknown): unknown {
  if (typeof value !== "string") return value;
  const shortForm = SHORT_FORMS.find(
    (candidate) =>
      candidate.path.length === path.length &&
      candidate.path.every((step, at) => step === ANY_PATH_SEGMENT || step === path[at]),
  );
  return shortForm === undefined ? value : shortForm.field === undefined ? [value] : { [shortForm.field]: value };
}

/** Expands all short forms in a config object. */
export const expandShortForms = (
  object: Readonly<Record<string, unknown>>,
  path: DocumentPath = [],
): Record<string, unknown> =>
  Object.fromEntries(
    Object.entries(object).map(([name, value]) => {
      const longForm = toLongForm([...path, name], value);
      return [name, isObject(longForm) ? expandShortForms(longForm, [...path, name]) : longForm];
    }),
  );

/** Returns the value at a path, as if short forms along the path were expanded. */
export function getLongValue(document: unknown, path: DocumentPath): unknown {
  let value = document;
  for (const [at, step] of path.entries()) {
    const container = toLongForm(path.slice(0, at), value);
    const hasStep = Array.isArray(container) ? typeof step === "number" : isObject(container);
    if (!hasStep || !Object.hasOwn(container as object, step)) return undefined;
    value = (container as Record<string | number, unknown>)[step];
  }
  return value;
}
