import { toJsonSchema } from "@valibot/to-json-schema";
import type { Schema } from "../../protocol/schema.ts";

/** An option as the hook's schema describes it. */
export interface OptionDescription {
  name: string;
  /** Type in TypeScript notation. Absent if unknown. */
  type?: string;
  description?: string;
  /** Whether a config file must set the option. */
  required: boolean;
  default?: unknown;
}

/** The JSON Schema keywords that this module reads. */
export interface JsonSchema {
  type?: string | string[];
  enum?: unknown[];
  const?: unknown;
  items?: JsonSchema;
  anyOf?: JsonSchema[];
  oneOf?: JsonSchema[];
  properties?: Record<string, JsonSchema>;
  required?: string[];
  description?: string;
  default?: unknown;
}

/** Describes the options that a schema defines. Returns undefined if the schema doesn't list its options. */
export function describeOptions(schema: Schema): OptionDescription[] | undefined {
  const { properties, required = [] } = getJsonSchema(schema) ?? {};
  if (!properties) return undefined;
  return Object.entries(properties).map(([name, property]) => ({
    name,
    type: formatJsonType(property),
    ...(property.description !== undefined && { description: property.description }),
    required: required.includes(name),
    ...("default" in property && { default: property.default }),
  }));
}

/**
 * Converts a schema to JSON Schema. A zod schema provides a Standard JSON Schema method, and a valibot schema needs a
 * separate package.
 */
export function getJsonSchema(schema: Schema, target = "draft-2020-12"): JsonSchema | undefined {
  const { vendor, jsonSchema } = schema["~standard"] as Schema["~standard"] & {
    jsonSchema?: { input?: (options: { target: string }) => JsonSchema };
  };
  try {
    return vendor === "valibot"
      ? (toJsonSchema(schema as never, { typeMode: "input", errorMode: "ignore" }) as JsonSchema)
      : jsonSchema?.input?.({ target });
  } catch {
    // JSON Schema can't express this schema.
    return undefined;
  }
}

function formatJsonType({ type, enum: values, const: constant, items, anyOf, oneOf = anyOf }: JsonSchema): string {
  if (values) return values.map((value) => JSON.stringify(value)).join(" | ");
  if (constant !== undefined) return JSON.stringify(constant);
  if (oneOf) return oneOf.map(formatJsonType).join(" | ");
  if (type === "array") return formatArrayType(items ? formatJsonType(items) : "unknown");
  if (Array.isArray(type)) return type.join(" | ");
  return type === "integer" ? "number" : (type ?? "unknown");
}

const formatArrayType = (type: string) => (type.includes(" | ") ? `(${type})[]` : `${type}[]`);
