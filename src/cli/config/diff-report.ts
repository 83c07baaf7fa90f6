import * as z from "zod";
import { CONFIG_SCOPES } from "../../policy/sources.ts";
import { PolicySchema } from "../../operate/policy/identity.ts";
import { HistoryReport } from "../replay/history/report.ts";

const ComparedSideSchema = z.object({
  file: z.string().describe('The path, "stdin" or "current"'),
  policy: PolicySchema,
});

/** The output of `config diff --json`. */
export const ConfigDiffReport = z.object({
  scope: z.enum(CONFIG_SCOPES).describe("The scope under which the two files were compared"),
  a: ComparedSideSchema,
  b: ComparedSideSchema,
  differences: z
    .array(
      z.object({
        key: z.string().describe("The path in the file; for an item of a list, the path of that list"),
        a: z.unknown().optional().describe("The value in A; absent if A doesn't set the key"),
        b: z.unknown().optional().describe("The value in B; absent if B doesn't set the key"),
      }),
    )
    .describe("Settings that differ"),
  calls: HistoryReport.pick({
    hosts: true,
    not_read: true,
    since: true,
    totals: true,
    rules: true,
    failures: true,
  })
    .optional()
    .describe(
      `Past calls replayed with A and B; "rules" lists the decisions of B that differ. Absent with --no-history`,
    ),
});

export type ConfigDiffReport = z.infer<typeof ConfigDiffReport>;
