import * as z from "zod";
import { CONFIG_SCOPES } from "../../policy/sources.ts";
import { ModeOriginSchema, PolicySchema } from "../../operate/policy/identity.ts";

const ListedRuleSchema = z.object({
  hook: z.string().describe("The hook that enforces it"),
  source: z.string().describe('"built-in", or the config file that adds it'),
  id: z.string(),
  category: z.string().describe("The first part of its ID"),
  action: z.enum(["deny", "ask", "warn"]),
  enabled: z.boolean().describe("false if disabled by settings"),
  program: z.string().optional(),
  patterns: z
    .array(z.string())
    .optional()
    .describe(`In the hook's pattern language; absent if "finds" describes what it matches`),
  finds: z.string().optional(),
  reason: z.string(),
  advice: z.string().optional(),
  deny: z.array(z.string()).describe("Examples that it matches"),
  allow: z.array(z.string()).describe("Similar calls that it allows"),
  setBy: z
    .array(z.object({ scope: z.enum(CONFIG_SCOPES), file: z.string(), action: z.enum(["deny", "ask", "warn", "off"]) }))
    .describe("The config files that set its action"),
  mode: ModeOriginSchema.optional().describe("The mode that lets its matches through; absent if enforced"),
  lockedBy: z.string().optional().describe("The config file that stops weaker files from setting it"),
  gaps: z
    .array(z.object({ host: z.string(), calls: z.array(z.string()) }))
    .optional()
    .describe("For rules on files, tools or URLs: hosts that don't call hooks for some of these calls"),
  exceptions: z
    .array(
      z.object({
        match: z.string().optional().describe("Absent to cover everything that it matches"),
        project: z.string().optional(),
        reason: z.string(),
        until: z.string().optional(),
        file: z.string(),
        scope: z.enum(CONFIG_SCOPES),
        key: z.string().describe("Its key in the file, such as exceptions.0"),
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
