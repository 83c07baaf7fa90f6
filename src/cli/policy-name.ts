import * as z from "zod";
import pkg from "../../package.json" with { type: "json" };

export const PolicySchema = z
  .object({ name: z.string(), version: z.string().describe("As --version prints it") })
  .describe("The executable whose hooks and rules these are");

/** The executable, as the JSON of commands names it. */
export const POLICY: z.infer<typeof PolicySchema> = { name: pkg.name, version: pkg.version };
