import * as z from "zod";
import { PolicySchema } from "../../operate/policy/identity.ts";
import { ConfigFindingSchema } from "../../policy/check/finding.ts";

const ExampleSchema = z.object({
  line: z.string(),
  expected: z.enum(["deny", "allow"]).describe("The rule's list that contains the example"),
  ok: z.boolean(),
  outcome: z
    .enum(["caught", "passes", "other", "missed", "fails"])
    .describe(
      "caught: this rule stops the example; other: something else stops it first; missed: only something else stops it; fails: a hook fails",
    ),
  what: z.string().optional().describe("What else stops the example, or how the hook fails"),
});

export const TestedRuleSchema = z.object({
  id: z.string(),
  ok: z.boolean().describe("Whether the rule is valid and all its examples have the expected outcome"),
  examples: z.array(ExampleSchema).describe("The rule's examples; empty if the rule is invalid"),
});

/** The output of `rules test --json`. */
export const RuleTestReport = z.object({
  policy: PolicySchema,
  file: z.string(),
  ok: z.boolean().describe("True if no finding is red and every rule is ok"),
  findings: z.array(ConfigFindingSchema).describe("Errors and notes, in file order"),
  rules: z.array(TestedRuleSchema).describe("Rules added by the file"),
});

export type RuleTestReport = z.infer<typeof RuleTestReport>;
export type TestedRule = z.infer<typeof TestedRuleSchema>;
export type TestedExample = z.infer<typeof ExampleSchema>;
