import * as z from "zod";
import { EVENTS } from "../../protocol/event.ts";
import { TOOLS } from "../../protocol/tool.ts";
import { ModeOriginSchema, PolicySchema } from "../../operate/policy/identity.ts";
import { ConfigFindingSchema } from "../../policy/check/finding.ts";
import { CONFIG_SCOPES } from "../../policy/sources.ts";

const ScopeSchema = z.enum(CONFIG_SCOPES);

const OptionSchema = z.object({
  name: z.string(),
  type: z.string().optional().describe("The type in TypeScript syntax"),
  description: z.string().optional(),
  required: z.boolean().optional().describe("Whether a config file must set the option"),
  default: z.unknown().optional(),
  value: z.unknown().optional().describe("The value that the hook receives; absent if no value is set"),
  scope: ScopeSchema.optional().describe("The scope of the file that sets the value; absent for the default"),
  file: z.string().optional(),
  trusted: z.literal(true).optional().describe("Set if a project must be trusted before its file can set the option"),
});

const ListedHookSchema = z.object({
  name: z.string(),
  description: z.string().optional(),
  file: z.string().optional().describe("The hook's module; absent if compiled in"),
  origin: z.enum(["starter", "own"]).describe("Whether the hook is a starter hook or your own"),
  events: z.array(z.enum(EVENTS)),
  tools: z.array(z.enum(TOOLS)).optional().describe("The hook's tools; absent if it matches every tool"),
  matcher: z.string().optional(),
  order: z.number(),
  mode: ModeOriginSchema.optional().describe("The mode that withholds the hook's denials; absent if enforced"),
  onError: z.enum(["allow", "deny"]).optional().describe("The hook's own failure policy; absent to use the call's"),
  timeoutMs: z.number().optional(),
  maxContinuations: z.number().optional(),
  options: z.array(OptionSchema),
  vendor: z.string().optional().describe("The schema's vendor, if the schema can't list its options"),
  ignored: z
    .array(z.string())
    .describe("Options in the project's file that are ignored because the project isn't trusted"),
  unknown: z
    .array(z.object({ name: z.string(), file: z.string(), near: z.string().optional() }))
    .describe("Options in config files that are ignored because the hook doesn't have them"),
  lock: z
    .object({
      file: z.string().describe("The config file that locks the hook"),
      ignored: z
        .array(z.object({ file: z.string(), options: z.array(z.string()) }))
        .describe("Ignored settings in weaker files"),
    })
    .optional(),
  lockedOut: z
    .array(z.object({ name: z.string(), file: z.string(), by: z.string() }))
    .describe("Options in weaker files that are ignored because a stronger file locks them"),
  notes: z.array(z.string()).describe("Likely mistakes"),
  limits: z.array(z.string()).optional().describe("Hosts that can't grant the time that the hook requests"),
  problem: z
    .string()
    .optional()
    .describe(
      "Errors in the hook's module or settings, one per line. The hook then fails on every event; an invalid project file is ignored",
    ),
});

const ConfigFileSchema = z.object({
  scope: ScopeSchema,
  file: z.string(),
  found: z.boolean(),
  problem: z.string().optional().describe("Why the file can't be parsed"),
  findings: z.array(ConfigFindingSchema).describe("Errors and ignored values in the file, except hook settings"),
});

/** The output of `list --json`. */
export const ListReport = z.object({
  policy: PolicySchema,
  from: z.string().describe('The hooks directory, or "compiled in"'),
  hooks: z.array(ListedHookSchema).describe("The hooks in execution order"),
  config: z.array(ConfigFileSchema),
});

export type ListReport = z.infer<typeof ListReport>;
export type ConfigReport = z.infer<typeof ConfigFileSchema>;
export type ListedHook = z.infer<typeof ListedHookSchema>;
