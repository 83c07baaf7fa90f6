import * as z from "zod";

/** Formats the JSON Schema that a command prints with --schema. */
export const formatSchema = (schema: z.ZodType): string => JSON.stringify(z.toJSONSchema(schema), null, 2);
