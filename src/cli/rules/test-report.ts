import * as z from "zod";
import { PolicySchema } from "../../operate/policy/identity.ts";
import { ConfigFindingSchema } from "../../policy/check/finding.ts";

const ExampleSchema = z.object({
  line: z.string(),
  expected: z.enum(["deny", "allow"]).describe("The rule's list that contains it"),
  ok: z.boolean(),
  outcome: z
    .enum(["caught", "passes", "other", "missed", "fails"])
    .describe(
      "caught: by this rule; other: something else stops it first; missed: something else stops it, and this rule wouldn't; fails: a hook fails",
    ),
  what: z.string().optional().describe("What else stops it, or how the hook fails"),
});

export const TestedRuleSchema = z.object({
  id: z.string(),
  ok: z.boolean().describe("It is not void, and all its examples are as they should be"),
  examples: z.array(ExampleSchema).describe("Empty if the rule is invalid"),
});

/** The output of `rules test --json`. */
export const RuleTestReport = z.object({
  policy: PolicySchema,
  file: z.string(),
  ok: z.boolean().describe("No finding is red, and every rule is ok"),
  findings: z.array(ConfigFindingSchema).describe("Errors and notes, in file order"),
  rules: z.array(TestedRuleSchema).describe("Rules added by the file"),
});

export type RuleTestReport = z.infer<typeof RuleTestReport>;
export type TestedRule = z.infer<typeof TestedRuleSchema>;
export type TestedExample = z.infer<typeof ExampleSchema>;
