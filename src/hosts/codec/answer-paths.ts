import type { Payload } from "../../protocol/host/payload.ts";
import { toObject } from "../../protocol/object.ts";
import type { Decision } from "../../protocol/response.ts";
import { toNonEmptyString } from "./answer-values.ts";
import type { AnswerShape, AnswerTable, AnswerTemplate, AnswerValue } from "./answer.ts";

// Extracts values from an answer document by applying an answer table in reverse: each value is read from the path that
// the encoder would write it to.

/** A path in an answer document, with the value that the table writes there. */
type AnswerPath = readonly [path: readonly string[], value: Exclude<AnswerValue, { fields: unknown }>];

const listTemplatePaths = (template: AnswerTemplate | undefined, path: readonly string[] = []): AnswerPath[] =>
  Object.entries(template ?? {}).flatMap(([name, value]): AnswerPath[] =>
    typeof value === "object" && "fields" in value
      ? listTemplatePaths(value.fields, [...path, name])
      : [[[...path, name], value]],
  );

const getValueAt = (document: Payload, path: readonly string[]): unknown =>
  path.reduce<unknown>((value, name) => toObject(value)[name], document);

const getAnswerField = (value: AnswerPath[1]) =>
  typeof value === "string" ? (value === "denial" ? "reason" : value) : "field" in value ? value.field : undefined;

/** Returns all values of a field, in table order. */
export const findValues = (document: Payload, paths: readonly AnswerPath[], field: string): unknown[] =>
  paths
    .filter(([, value]) => getAnswerField(value) === field)
    .map(([path]) => getValueAt(document, path))
    .filter((value) => value !== undefined && value !== null);

export const findText = (document: Payload, paths: readonly AnswerPath[], field: string) =>
  findValues(document, paths, field).map(toNonEmptyString).find(Boolean);

/** Returns the first of the given decisions that is present at any of the given paths. */
export function findDecision(
  document: Payload,
  paths: readonly AnswerPath[],
  decisions: readonly Decision[],
): Decision | undefined {
  for (const [path, value] of paths) {
    if (typeof value === "string" || !("decision" in value)) continue;
    const documentValue = getValueAt(document, path);
    const matchingDecision = decisions.find((candidate) =>
      [value.decision[candidate]]
        .flat()
        .some((decisionValue) => decisionValue !== undefined && decisionValue === documentValue),
    );
    if (matchingDecision) return matchingDecision;
  }
  return undefined;
}

/** Lists the paths that the host reads in an answer of this shape. */
export function listShapePaths<Shape extends string>(
  table: AnswerTable<Shape>,
  shape: Shape,
  outcome: "denied" | "passed",
): AnswerPath[] {
  const { fields, acceptedFields, deniedFields = fields, askedFields }: AnswerShape = table.shapes[shape];
  const templates = outcome === "denied" ? [deniedFields, acceptedFields] : [fields, askedFields, acceptedFields];
  return [...templates, table.acceptedFields].flatMap((template) => listTemplatePaths(template));
}

/** Whether a document is a denial. In shapes without a decision field, a reason alone makes it a denial. */
export function isDenial<Shape extends string>(document: Payload, table: AnswerTable<Shape>, shape: Shape): boolean {
  const { fields, deniedFields = fields, needsReason }: AnswerShape = table.shapes[shape];
  const paths = listShapePaths(table, shape, "denied");
  const hasDecision = paths.some(
    ([, value]) => typeof value === "object" && "decision" in value && "deny" in value.decision,
  );
  if (hasDecision && findDecision(document, paths, ["deny"]) === undefined) return false;
  return (hasDecision && !needsReason) || findText(document, listTemplatePaths(deniedFields), "reason") !== undefined;
}
