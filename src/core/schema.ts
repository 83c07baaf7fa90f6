/** What a schema made of a value: the value, or what is wrong with it and where. */
export type SchemaResult<Output> =
  | { readonly value: Output; readonly issues?: undefined }
  | { readonly issues: readonly { readonly message: string; readonly path?: readonly (PropertyKey | { readonly key: PropertyKey })[] }[] };

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
