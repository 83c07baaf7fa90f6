/** What a schema made of a value: the value, or what is wrong with it and where. */
export type SchemaResult<Output> =
  | { readonly value: Output; readonly issues?: undefined }
  | {
      readonly issues: readonly {
        readonly message: string;
        readonly path?: readonly (PropertyKey | { readonly key: PropertyKey })[];
      }[];
    };

/** Any schema of the Standard Schema specification, version 1 (https://standardschema.dev): those of zod and valibot are. */
export interface Schema<Output = unknown> {
  readonly "~standard": {
    readonly version: 1;
    readonly vendor: string;
    readonly validate: (value: unknown) => SchemaResult<Output> | Promise<SchemaResult<Output>>;
    readonly types?: { readonly input: unknown; readonly output: Output } | undefined;
  };
}

/** The type of what a schema lets through. */
export type OutputOf<S extends Schema> = NonNullable<S["~standard"]["types"]>["output"];

/** What is read of zod's objects and of valibot's. */
interface SchemaInternals {
  shape?: object;
  _zod?: { def: { type: string; catchall?: { _zod: { def: { type: string } } } } };
  type?: unknown;
  entries?: object;
}

/** The keys of the objects that a schema takes, where it tells them and wants no others, be it that it drops these. */
export function listSchemaKeys(schema: Schema): string[] | undefined {
  const { shape, _zod, type, entries } = schema as SchemaInternals;
  const { vendor } = schema["~standard"];
  if (vendor === "valibot")
    return entries && (type === "object" || type === "strict_object") ? Object.keys(entries) : undefined;
  if (vendor !== "zod" || !shape || _zod?.def.type !== "object") return undefined;
  return (_zod.def.catchall?._zod.def.type ?? "never") === "never" ? Object.keys(shape) : undefined;
}
