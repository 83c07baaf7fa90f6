import type { Payload } from "../../protocol/host/payload.ts";
import { toObject } from "../../protocol/object.ts";
import type { Decision } from "../../protocol/response.ts";
import { toNonEmptyText } from "./answer-values.ts";
import type { AnswerShape, AnswerTable, AnswerTemplate, AnswerValue } from "./answer.ts";

// Reads an answer table in reverse, extracting values from a document at the paths where the encoder would write them.

/** One path in an answer document and the value that the table puts there. */
type TablePlace = readonly [path: readonly string[], value: Exclude<AnswerValue, { fields: unknown }>];

const listPlaces = (template: AnswerTemplate | undefined, path: readonly string[] = []): TablePlace[] =>
  Object.entries(template ?? {}).flatMap(([name, value]): TablePlace[] =>
    typeof value === "object" && "fields" in value
      ? listPlaces(value.fields, [...path, name])
      : [[[...path, name], value]],
  );

const getAt = (document: Payload, path: readonly string[]): unknown =>
  path.reduce<unknown>((value, name) => toObject(value)[name], document);

const getFieldOf = (value: TablePlace[1]) =>
  typeof value === "string" ? (value === "denial" ? "reason" : value) : "field" in value ? value.field : undefined;

/** Returns all values of a field, in table order. */
export const findValues = (document: Payload, places: readonly TablePlace[], field: string): unknown[] =>
  places
    .filter(([, value]) => getFieldOf(value) === field)
    .map(([path]) => getAt(document, path))
    .filter((value) => value !== undefined && value !== null);

export const findText = (document: Payload, places: readonly TablePlace[], field: string) =>
  findValues(document, places, field).map(toNonEmptyText).find(Boolean);

/** Returns the first of the given decisions that the document contains at one of these paths. */
export function findDecision(
  document: Payload,
  places: readonly TablePlace[],
  decisions: readonly Decision[],
): Decision | undefined {
  for (const [path, value] of places) {
    if (typeof value === "string" || !("decision" in value)) continue;
    const given = getAt(document, path);
    const found = decisions.find((one) =>
      [value.decision[one]].flat().some((said) => said !== undefined && said === given),
    );
    if (found) return found;
  }
  return undefined;
}

/** Lists the paths that the host reads in an answer of this shape. */
export function listShapePlaces<Shape extends string>(
  table: AnswerTable<Shape>,
  shape: Shape,
  outcome: "denied" | "passed",
): TablePlace[] {
  const { fields, also, denied = fields, asked }: AnswerShape = table.shapes[shape];
  const own = outcome === "denied" ? [denied, also] : [fields, asked, also];
  return [...own, table.also].flatMap((one) => listPlaces(one));
}

/** Whether a document is a denial. For shapes without a decision field, a reason is what makes it one. */
export function isDenial<Shape extends string>(document: Payload, table: AnswerTable<Shape>, shape: Shape): boolean {
  const { fields, denied = fields, needsReason }: AnswerShape = table.shapes[shape];
  const places = listShapePlaces(table, shape, "denied");
  const decides = places.some(
    ([, value]) => typeof value === "object" && "decision" in value && "deny" in value.decision,
  );
  if (decides && findDecision(document, places, ["deny"]) === undefined) return false;
  return (decides && !needsReason) || findText(document, listPlaces(denied), "reason") !== undefined;
}
