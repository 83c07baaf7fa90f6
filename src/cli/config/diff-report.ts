import * as z from "zod";
import { CONFIG_SCOPES } from "../../policy/sources.ts";
import { PolicySchema } from "../../operate/policy/identity.ts";
import { HistoryReport } from "../replay/history/report.ts";

const SideSchema = z.object({
  file: z.string().describe('The path, "stdin" or "current"'),
  policy: PolicySchema,
});

/** The output of `config diff --json`. */
export const ConfigDiffReport = z.object({
  scope: z.enum(CONFIG_SCOPES).describe("Whose file both stand for"),
  a: SideSchema,
  b: SideSchema,
  differences: z
    .array(
      z.object({
        key: z.string().describe("The path in the file; an item of a list has the key of the list"),
        a: z.unknown().optional().describe("Absent where A does not set it"),
        b: z.unknown().optional().describe("Absent where B does not set it"),
      }),
    )
    .describe("What the files set otherwise"),
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
      "Calls of the past that were judged by both; in rules, what B decides otherwise. Absent with --no-history",
    ),
});

export type ConfigDiffReport = z.infer<typeof ConfigDiffReport>;
