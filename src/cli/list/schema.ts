import type { Schema } from "../../protocol/schema.ts";

/** An option as its schema describes it. */
export interface Described {
  name: string;
  /** As TypeScript writes types, where that is known. */
  type?: string;
  description?: string;
  /** Config files have to give it. */
  required: boolean;
  default?: unknown;
}

/** What is read of a JSON Schema. */
interface JsonSchema {
  type?: string | string[];
  enum?: unknown[];
  const?: unknown;
  items?: JsonSchema;
  anyOf?: JsonSchema[];
  properties?: Record<string, JsonSchema>;
  required?: string[];
  description?: string;
  default?: unknown;
}

/** What is read of a valibot schema. */
interface Valibot {
  type: string;
  entries?: Record<string, Valibot>;
  wrapped?: Valibot;
  item?: Valibot;
  options?: unknown[];
  literal?: unknown;
  default?: unknown;
  pipe?: { type: string; description?: string }[];
}

/** The options that a schema has; nothing where it does not tell. */
export function optionsIn(schema: Schema): Described[] | undefined {
  return fromJsonSchema(schema) ?? fromEntries(schema);
}

/** By the Standard JSON Schema of the schema itself, which zod has. */
function fromJsonSchema(schema: Schema): Described[] | undefined {
  const { jsonSchema } = schema["~standard"] as {
    jsonSchema?: { input?: (options: { target: string }) => JsonSchema };
  };
  try {
    const { properties, required = [] } = jsonSchema?.input?.({ target: "draft-2020-12" }) ?? {};
    if (!properties) return undefined;
    return Object.entries(properties).map(([name, property]) => ({
      name,
      type: typeOf(property),
      ...(property.description !== undefined && { description: property.description }),
      required: required.includes(name),
      ...("default" in property && { default: property.default }),
    }));
  } catch {
    // Some schemas have no such form.
    return undefined;
  }
}

function typeOf({ type, enum: values, const: only, items, anyOf }: JsonSchema): string {
  if (values) return values.map((value) => JSON.stringify(value)).join(" | ");
  if (only !== undefined) return JSON.stringify(only);
  if (anyOf) return anyOf.map(typeOf).join(" | ");
  if (type === "array") return listOf(items ? typeOf(items) : "unknown");
  if (Array.isArray(type)) return type.join(" | ");
  return type === "integer" ? "number" : (type ?? "unknown");
}

const listOf = (type: string) => (type.includes(" | ") ? `(${type})[]` : `${type}[]`);

/** By its entries, which valibot's objects have. */
function fromEntries(schema: Schema): Described[] | undefined {
  const { entries } = schema as unknown as Partial<Valibot>;
  if (schema["~standard"].vendor !== "valibot" || !entries) return undefined;
  return Object.entries(entries).map(([name, entry]) => {
    const description = [entry, entry.wrapped]
      .flatMap((one) => one?.pipe ?? [])
      .find(({ type }) => type === "description")?.description;
    const value = typeof entry.default === "function" ? (entry.default as () => unknown)() : entry.default;
    return {
      name,
      type: valibotType(entry),
      ...(description !== undefined && { description }),
      required: !OPTIONAL.includes(entry.type),
      ...(value !== undefined && { default: value }),
    };
  });
}

const OPTIONAL = ["optional", "exact_optional", "nullish", "undefinedable"];

function valibotType({ type, wrapped, item, options, literal }: Valibot): string {
  if (wrapped) return `${valibotType(wrapped)}${type.startsWith("null") ? " | null" : ""}`;
  if (type === "picklist") return (options ?? []).map((value) => JSON.stringify(value)).join(" | ");
  if (type === "literal") return JSON.stringify(literal);
  if (type === "array") return listOf(item ? valibotType(item) : "unknown");
  if (type === "union" || type === "variant") return ((options ?? []) as Valibot[]).map(valibotType).join(" | ");
  return type.endsWith("_object") || type === "record" ? "object" : type;
}
