import * as z from "zod";
import { CONFIG_SCOPES } from "../../policy/sources.ts";
import { ModeOriginSchema, PolicySchema } from "../../operate/policy/identity.ts";

const ListedRuleSchema = z.object({
  hook: z.string().describe("The hook that enforces it"),
  source: z.string().describe('"built-in", or the config file that adds it'),
  id: z.string(),
  category: z.string().describe("The first part of its id"),
  action: z.enum(["deny", "ask", "warn"]),
  enabled: z.boolean().describe("false: settings turn it off"),
  program: z.string().optional(),
  patterns: z
    .array(z.string())
    .optional()
    .describe("In the hook's pattern language; absent where finds says in words what it catches"),
  finds: z.string().optional(),
  reason: z.string(),
  advice: z.string().optional(),
  deny: z.array(z.string()).describe("Examples that it catches"),
  allow: z.array(z.string()).describe("Near misses, which pass"),
  setBy: z
    .array(z.object({ scope: z.enum(CONFIG_SCOPES), file: z.string(), action: z.enum(["deny", "ask", "warn", "off"]) }))
    .describe("The config files that say what becomes of it, and count"),
  mode: ModeOriginSchema.optional().describe(
    "The mode under which what it catches passes; absent where it is enforced",
  ),
  lockedBy: z.string().optional().describe("The config file that keeps weaker ones from setting it"),
  gaps: z
    .array(z.object({ host: z.string(), calls: z.array(z.string()) }))
    .optional()
    .describe("Of a rule about files, tools or addresses: the hosts that don't ask hooks about some of these calls"),
  exceptions: z
    .array(
      z.object({
        match: z.string().optional().describe("Absent: everything that it catches"),
        project: z.string().optional(),
        reason: z.string(),
        until: z.string().optional(),
        file: z.string(),
      }),
    )
    .describe("Those in force here, now"),
});

/** The output of `rules --json`. */
export const RulesReport = z.object({
  policy: PolicySchema,
  from: z.string().describe('The folder of the hooks, or "compiled in"'),
  rules: z.array(ListedRuleSchema),
});

export type RulesReport = z.infer<typeof RulesReport>;
export type ListedRule = z.infer<typeof ListedRuleSchema>;
