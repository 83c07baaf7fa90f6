import * as z from "zod";
import { CONFIG_SCOPES } from "../../policy/sources.ts";
import { PolicySchema } from "../../operate/policy/identity.ts";
import { ConfigFindingSchema } from "../../policy/check/finding.ts";

const PlaceSchema = z.object({
  scope: z.enum(CONFIG_SCOPES),
  file: z.string(),
  line: z.number().describe("Line number; lines and columns are counted from 1"),
  column: z.number(),
});
export type StatementPlace = z.infer<typeof PlaceSchema>;

const StatementSchema = PlaceSchema.extend({
  value: z.unknown().describe("The value that this file sets"),
  effect: z
    .enum(["counts", "adds", "overridden", "ignored"])
    .describe("adds: combined with other files; overridden: a stronger file sets another value"),
  reason: z.string().optional().describe("Why the value has no effect"),
});

const SettingSchema = z.object({
  name: z.string(),
  value: z.unknown().optional().describe("The value that the hook receives; absent if no value is set"),
  unknown: z.literal(true).optional().describe("The hook has no such setting"),
  statements: z.array(StatementSchema).describe("Values from config files, strongest first; empty for the default"),
});

const RuleSchema = z.object({
  id: z.string(),
  hook: z.string().optional().describe("The hook that enforces the rule; absent if no rule has this ID"),
  action: z.enum(["deny", "ask", "warn", "off"]).optional().describe("The action for calls that the rule matches"),
  default: z
    .enum(["deny", "ask", "warn", "off"])
    .optional()
    .describe("The action without config files; absent for rules that config files add"),
  statements: z.array(StatementSchema),
});

const ExceptionSchema = PlaceSchema.extend({
  rule: z.string(),
  match: z.string().optional(),
  project: z.string().optional(),
  reason: z.string().optional(),
  until: z.string().optional(),
  effect: z.enum(["counts", "ignored", "elsewhere"]).describe("elsewhere: the exception applies to another directory"),
  why: z.string().optional().describe("Why the exception has no effect, or takes effect for only some of its rules"),
});

const LockSchema = PlaceSchema.extend({ name: z.string().describe("The locked name; * for every hook") });

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
  trusted: z.array(PlaceSchema.extend({ folder: z.string() })).describe("Trusted projects"),
});

export type ConfigShowReport = z.infer<typeof ConfigShowReport>;
export type ShownStatement = z.infer<typeof StatementSchema>;
export type ShownRule = z.infer<typeof RuleSchema>;
export type ShownException = z.infer<typeof ExceptionSchema>;
