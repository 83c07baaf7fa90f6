import { toJsonSchema } from "@valibot/to-json-schema";
import type { Schema } from "../../protocol/schema.ts";

/** An option, as described by the hook's schema. */
export interface OptionDescription {
  name: string;
  /** The type in TypeScript notation. Absent if unknown. */
  type?: string;
  description?: string;
  /** Whether a config file must set the option. */
  required: boolean;
  default?: unknown;
}

/** The JSON Schema keywords that this module understands. */
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
 * Converts a schema to JSON Schema. zod schemas have a Standard JSON Schema method, but valibot schemas need a separate
 * package.
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
    // The schema can't be expressed in JSON Schema.
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
