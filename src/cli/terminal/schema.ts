import * as z from "zod";

/** Formats the JSON Schema printed by --schema. */
export const formatSchema = (schema: z.ZodType): string => JSON.stringify(z.toJSONSchema(schema), null, 2);
