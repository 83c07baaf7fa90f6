/** The subset of JSON Schema used by this project's schemas. */
interface Schema {
  readonly [keyword: string]: unknown;
}

const TYPES: Readonly<Record<string, (value: unknown) => boolean>> = {
  string: (value) => typeof value === "string",
  boolean: (value) => typeof value === "boolean",
  number: (value) => typeof value === "number",
  integer: Number.isInteger,
  array: Array.isArray,
  object: (value) => typeof value === "object" && value !== null && !Array.isArray(value),
};

/** Keywords that don't affect validation. */
const NOTES = ["$schema", "title", "description", "default", "definitions"];

/**
 * Whether a value is valid according to a JSON Schema (draft 7).
 *
 * @throws Error for an unsupported keyword, so that none is silently ignored.
 */
export function isValidBy(schema: unknown, value: unknown, root = schema): boolean {
  const isValid = (one: unknown, part: unknown) => isValidBy(one, part, root);
  const fields = TYPES.object?.(value) ? Object.entries(value as object) : [];
  const { properties = {}, items } = schema as { properties?: Schema; items?: Schema };
  const hasKeyword = ([keyword, given]: [string, unknown]): boolean => {
    const [list, count] = [given as Schema[], given as number];
    switch (keyword) {
      case "$ref":
        return isValid((root as { definitions: Schema }).definitions[String(given).split("/").at(-1) as string], value);
      case "type":
        return TYPES[given as string]?.(value) === true;
      case "enum":
        return (given as unknown[]).includes(value);
      case "const":
        return value === given;
      case "pattern":
        return typeof value !== "string" || new RegExp(given as string, "u").test(value);
      case "minLength":
        return typeof value !== "string" || value.length >= count;
      case "minimum":
        return typeof value !== "number" || value >= count;
      case "maximum":
        return typeof value !== "number" || value <= count;
      case "anyOf":
        return list.some((one) => isValid(one, value));
      case "allOf":
        return list.every((one) => isValid(one, value));
      case "minItems":
        return !Array.isArray(value) || value.length >= (given as number);
      case "items":
        return !Array.isArray(value) || value.every((one) => isValid(items, one));
      case "properties":
        return fields.every(([name, one]) => !Object.hasOwn(properties, name) || isValid(properties[name], one));
      case "additionalProperties":
        return fields.every(
          ([name, one]) =>
            Object.hasOwn(properties, name) || (given !== false && (given === true || isValid(given, one))),
        );
      case "propertyNames":
        return fields.every(([name]) => isValid(given, name));
      case "required":
        return !TYPES.object?.(value) || (given as string[]).every((name) => Object.hasOwn(value as object, name));
      case "minProperties":
        return !TYPES.object?.(value) || fields.length >= count;
      case "maxProperties":
        return !TYPES.object?.(value) || fields.length <= count;
      default:
        if (NOTES.includes(keyword)) return true;
        throw new Error(`unknown keyword "${keyword}"`);
    }
  };
  return Object.entries(schema as Schema).every(hasKeyword);
}
