/** Result of validation: the value, or the issues with their paths. */
export type SchemaResult<Output> =
  | { readonly value: Output; readonly issues?: undefined }
  | {
      readonly issues: readonly {
        readonly message: string;
        readonly path?: readonly (PropertyKey | { readonly key: PropertyKey })[];
      }[];
    };

/**
 * Any schema that implements version 1 of the Standard Schema specification (https://standardschema.dev), such as those
 * of zod and valibot.
 */
export interface Schema<Output = unknown> {
  readonly "~standard": {
    readonly version: 1;
    readonly vendor: string;
    readonly validate: (value: unknown) => SchemaResult<Output> | Promise<SchemaResult<Output>>;
    readonly types?: { readonly input: unknown; readonly output: Output } | undefined;
  };
}

/** A schema's output type. */
export type OutputOf<S extends Schema> = NonNullable<S["~standard"]["types"]>["output"];

/** The internals that `listSchemaKeys` reads from object schemas of zod and valibot. */
interface SchemaInternals {
  shape?: object;
  _zod?: { def: { type: string; catchall?: { _zod: { def: { type: string } } } } };
  type?: unknown;
  entries?: object;
}

/**
 * Returns the keys of an object schema. Returns undefined if the keys can't be read, or if the schema accepts other
 * keys.
 */
export function listSchemaKeys(schema: Schema): string[] | undefined {
  const { shape, _zod, type, entries } = schema as SchemaInternals;
  const { vendor } = schema["~standard"];
  if (vendor === "valibot")
    return entries && (type === "object" || type === "strict_object") ? Object.keys(entries) : undefined;
  if (vendor !== "zod" || !shape || _zod?.def.type !== "object") return undefined;
  return (_zod.def.catchall?._zod.def.type ?? "never") === "never" ? Object.keys(shape) : undefined;
}
