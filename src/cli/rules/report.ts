import * as z from "zod";
import { CONFIG_SCOPES } from "../../policy/sources.ts";
import { ModeOriginSchema, PolicySchema } from "../../operate/policy/identity.ts";

const ListedRuleSchema = z.object({
  hook: z.string().describe("The hook that enforces the rule"),
  source: z.string().describe('"built-in", or the config file that adds it'),
  id: z.string(),
  category: z.string().describe("The first part of the rule's ID"),
  action: z.enum(["deny", "ask", "warn"]),
  enabled: z.boolean().describe("Whether the rule is enabled; settings can disable it"),
  program: z.string().optional(),
  patterns: z
    .array(z.string())
    .optional()
    .describe(`Patterns in the hook's pattern language; absent if "finds" describes the rule's matches`),
  finds: z.string().optional(),
  reason: z.string(),
  advice: z.string().optional(),
  deny: z.array(z.string()).describe("Examples that the rule matches"),
  allow: z.array(z.string()).describe("Similar calls that the rule allows"),
  setBy: z
    .array(z.object({ scope: z.enum(CONFIG_SCOPES), file: z.string(), action: z.enum(["deny", "ask", "warn", "off"]) }))
    .describe("The config files that set the rule's action"),
  mode: ModeOriginSchema.optional().describe("The mode that allows the rule's matches; absent if enforced"),
  lockedBy: z.string().optional().describe("The config file that prevents weaker files from setting the rule"),
  gaps: z
    .array(z.object({ host: z.string(), calls: z.array(z.string()) }))
    .optional()
    .describe("For rules on files, tools or URLs: hosts that don't call hooks for some matching calls"),
  exceptions: z
    .array(
      z.object({
        match: z
          .string()
          .optional()
          .describe("The exception's pattern; absent to cover everything that the rule matches"),
        project: z.string().optional(),
        reason: z.string(),
        until: z.string().optional(),
        file: z.string(),
        scope: z.enum(CONFIG_SCOPES),
        key: z.string().describe("The exception's key in the file, such as exceptions.0"),
      }),
    )
    .describe("Exceptions currently in force here"),
});

/** The output of `rules --json`. */
export const RulesReport = z.object({
  policy: PolicySchema,
  from: z.string().describe('The hooks directory, or "compiled in"'),
  rules: z.array(ListedRuleSchema),
});

export type RulesReport = z.infer<typeof RulesReport>;
export type ListedRule = z.infer<typeof ListedRuleSchema>;
