import * as z from "zod";
import { CONFIG_SCOPES } from "../../policy/sources.ts";
import { PolicySchema } from "../../operate/policy/identity.ts";
import { ConfigFindingSchema } from "../../policy/check/finding.ts";

const LocationSchema = z.object({
  scope: z.enum(CONFIG_SCOPES),
  file: z.string(),
  line: z.number().describe("Line number; lines and columns start at 1"),
  column: z.number(),
});
export type StatementLocation = z.infer<typeof LocationSchema>;

const StatementSchema = LocationSchema.extend({
  value: z.unknown().describe("The value that this file sets"),
  effect: z
    .enum(["counts", "adds", "overridden", "ignored"])
    .describe("adds: combined with values in other files; overridden: a stronger file sets another value"),
  reason: z.string().optional().describe("Why the value has no effect"),
});

const SettingSchema = z.object({
  name: z.string(),
  value: z.unknown().optional().describe("The value that the hook receives; absent if no value is set"),
  unknown: z.literal(true).optional().describe("The hook has no such setting"),
  statements: z
    .array(StatementSchema)
    .describe("Values from config files, strongest file first; empty if the default applies"),
});

const RuleSchema = z.object({
  id: z.string(),
  hook: z.string().optional().describe("The hook that enforces the rule; absent if no rule has this ID"),
  action: z.enum(["deny", "ask", "warn", "off"]).optional().describe("The action for calls that the rule matches"),
  default: z
    .enum(["deny", "ask", "warn", "off"])
    .optional()
    .describe("The rule's default action; absent for rules that config files add"),
  statements: z.array(StatementSchema),
});

const ExceptionSchema = LocationSchema.extend({
  rule: z.string(),
  match: z.string().optional(),
  project: z.string().optional(),
  reason: z.string().optional(),
  until: z.string().optional(),
  effect: z.enum(["counts", "ignored", "elsewhere"]).describe("elsewhere: the exception applies to another directory"),
  why: z.string().optional().describe("Why the exception has no effect, or takes effect for only some of its rules"),
});

const LockSchema = LocationSchema.extend({ name: z.string().describe("The locked name; * for every hook") });

/** The output of `config show --json`. */
export const ConfigShowReport = z.object({
  policy: PolicySchema,
  from: z.string().describe('The hooks directory, or "compiled in"'),
  files: z
    .array(
      z.object({
        scope: z.enum(CONFIG_SCOPES),
        file: z.string(),
        found: z.boolean(),
        trusted: z.boolean().optional().describe("For a project's file: whether the project is trusted"),
        problem: z.string().optional().describe("Why the file can't be parsed"),
        findings: z.array(ConfigFindingSchema).describe("Errors in the file, and values that have no effect"),
      }),
    )
    .describe("Strongest first"),
  hooks: z.array(
    z.object({
      hook: z.string(),
      problem: z.string().optional().describe("Why the hook fails on every event"),
      lockedBy: z.string().optional().describe("The file that prevents weaker files from setting anything"),
      settings: z.array(SettingSchema),
    }),
  ),
  rules: z.array(RuleSchema).describe("Rules that config files set or add; all other rules have the hooks' defaults"),
  exceptions: z.array(ExceptionSchema),
  locks: z.array(LockSchema),
  trusted: z.array(LocationSchema.extend({ folder: z.string() })).describe("Trusted projects"),
});

export type ConfigShowReport = z.infer<typeof ConfigShowReport>;
export type ShownStatement = z.infer<typeof StatementSchema>;
export type ShownRule = z.infer<typeof RuleSchema>;
export type ShownException = z.infer<typeof ExceptionSchema>;
