import * as z from "zod";
import { CONFIG_SCOPES } from "../../policy/sources.ts";
import { PolicySchema } from "../../operate/policy/identity.ts";
import { ConfigFindingSchema } from "../../policy/check/finding.ts";

const PlaceSchema = z.object({
  scope: z.enum(CONFIG_SCOPES),
  file: z.string(),
  line: z.number().describe("Counted from 1, as the column"),
  column: z.number(),
});
export type StatementPlace = z.infer<typeof PlaceSchema>;

const StatementSchema = PlaceSchema.extend({
  value: z.unknown().describe("As the file has it"),
  effect: z
    .enum(["counts", "adds", "overridden", "ignored"])
    .describe("adds: it counts together with those of other files; overridden: a stronger file says otherwise"),
  reason: z.string().optional().describe("Why it has no effect"),
});

const SettingSchema = z.object({
  name: z.string(),
  value: z.unknown().optional().describe("As the hook gets it; absent: nothing sets it"),
  unknown: z.literal(true).optional().describe("The hook has no such setting"),
  statements: z.array(StatementSchema).describe("What config files say of it, the strongest first; none: the default"),
});

const RuleSchema = z.object({
  id: z.string(),
  hook: z.string().optional().describe("The hook that enforces it; absent where no rule has this id"),
  action: z.enum(["deny", "ask", "warn", "off"]).optional().describe("What becomes of a call that it catches"),
  default: z
    .enum(["deny", "ask", "warn", "off"])
    .optional()
    .describe("The same without config files; absent for one that they add"),
  statements: z.array(StatementSchema),
});

const ExceptionSchema = PlaceSchema.extend({
  rule: z.string(),
  match: z.string().optional(),
  project: z.string().optional(),
  reason: z.string().optional(),
  until: z.string().optional(),
  effect: z.enum(["counts", "ignored", "elsewhere"]).describe("elsewhere: it is for another folder"),
  why: z.string().optional().describe("Why it has no effect, or not for all of its rules"),
});

const LockSchema = PlaceSchema.extend({ name: z.string().describe("As the file has it; * for every hook") });

/** The output of `config show --json`. */
export const ConfigShowReport = z.object({
  policy: PolicySchema,
  from: z.string().describe('The folder of the hooks, or "compiled in"'),
  files: z
    .array(
      z.object({
        scope: z.enum(CONFIG_SCOPES),
        file: z.string(),
        found: z.boolean(),
        trusted: z.boolean().optional().describe("Of a project's file: whether the project is trusted"),
        problem: z.string().optional().describe("Why it can't be read as what it is"),
        findings: z.array(ConfigFindingSchema).describe("What is wrong in it, or has no effect"),
      }),
    )
    .describe("The strongest first"),
  hooks: z.array(
    z.object({
      hook: z.string(),
      problem: z.string().optional().describe("Why it fails at each of its events"),
      lockedBy: z.string().optional().describe("The file that keeps weaker ones from setting anything"),
      settings: z.array(SettingSchema),
    }),
  ),
  rules: z.array(RuleSchema).describe("Those that config files set or add; the others are as their hooks have them"),
  exceptions: z.array(ExceptionSchema),
  locks: z.array(LockSchema),
  trusted: z.array(PlaceSchema.extend({ folder: z.string() })).describe("The projects that may say everything"),
});

export type ConfigShowReport = z.infer<typeof ConfigShowReport>;
export type ShownStatement = z.infer<typeof StatementSchema>;
export type ShownRule = z.infer<typeof RuleSchema>;
export type ShownException = z.infer<typeof ExceptionSchema>;
