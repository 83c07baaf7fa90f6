import * as z from "zod";
import { CONFIG_SCOPES } from "../../policy/sources.ts";
import { PolicySchema } from "../../operate/policy/identity.ts";
import { TestedRuleSchema } from "../rules/test-report.ts";
import { ConfigFindingSchema } from "../../policy/check/finding.ts";

const CheckedFileSchema = z.object({
  file: z.string(),
  scope: z.enum(CONFIG_SCOPES).describe("The scope under which the file was checked"),
  ok: z.boolean().describe("True if no finding is red and every rule is ok"),
  findings: z.array(ConfigFindingSchema).describe("Errors and notes, in file order"),
  rules: z.array(TestedRuleSchema).describe("Rules added by the file, with their examples"),
});

/** The output of `config check --json`. */
export const ConfigCheckReport = z.object({
  policy: PolicySchema,
  from: z.string().describe('The hooks directory, or "compiled in"'),
  ok: z.boolean().describe("Whether every file is ok"),
  files: z.array(CheckedFileSchema),
});

export type ConfigCheckReport = z.infer<typeof ConfigCheckReport>;
export type CheckedFile = z.infer<typeof CheckedFileSchema>;
