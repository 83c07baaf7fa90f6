import * as z from "zod";
import { EVENTS } from "../../protocol/event.ts";
import { TOOLS } from "../../protocol/tool.ts";
import { ModeOriginSchema, PolicySchema } from "../../operate/policy/identity.ts";
import { ConfigFindingSchema } from "../../policy/check/finding.ts";
import { CONFIG_SCOPES } from "../../policy/sources.ts";

const ScopeSchema = z.enum(CONFIG_SCOPES);

const OptionSchema = z.object({
  name: z.string(),
  type: z.string().optional().describe("As TypeScript writes types"),
  description: z.string().optional(),
  required: z.boolean().optional().describe("A config file has to set it"),
  default: z.unknown().optional(),
  value: z.unknown().optional().describe("As the hook gets it; absent: nothing sets it"),
  scope: ScopeSchema.optional().describe("Whose config file sets it; absent: the default"),
  file: z.string().optional(),
  trusted: z.literal(true).optional().describe("A project's file has a say in it only where the project is trusted"),
});

const ListedHookSchema = z.object({
  name: z.string(),
  description: z.string().optional(),
  file: z.string().optional().describe("Its module; absent where it is compiled in"),
  origin: z.enum(["starter", "own"]).describe("Whether it comes with bridge-hooks, or is somebody's own"),
  events: z.array(z.enum(EVENTS)),
  tools: z.array(z.enum(TOOLS)).optional().describe("Absent: all"),
  matcher: z.string().optional(),
  order: z.number(),
  mode: ModeOriginSchema.optional().describe("The mode under which its denials pass; absent where it is enforced"),
  onError: z.enum(["allow", "deny"]).optional().describe("Absent: as the call says"),
  timeoutMs: z.number().optional(),
  maxContinuations: z.number().optional(),
  options: z.array(OptionSchema),
  vendor: z.string().optional().describe("Whose schema the options have, where it does not tell them"),
  ignored: z
    .array(z.string())
    .describe("Options that the project's file sets and that are ignored, since the project is not trusted"),
  unknown: z
    .array(z.object({ name: z.string(), file: z.string(), near: z.string().optional() }))
    .describe("Options that config files set, and the hook does not have: they are ignored"),
  lock: z
    .object({
      file: z.string().describe("The config file that locks the hook"),
      ignored: z
        .array(z.object({ file: z.string(), options: z.array(z.string()) }))
        .describe("What weaker files set, which is ignored"),
    })
    .optional(),
  lockedOut: z
    .array(z.object({ name: z.string(), file: z.string(), by: z.string() }))
    .describe("Options that weaker files set and that are ignored, since a stronger file locks them"),
  notes: z.array(z.string()).describe("What is most likely not meant so"),
  limits: z.array(z.string()).optional().describe("Hosts that can't grant it the time that it asks for"),
  problem: z
    .string()
    .optional()
    .describe(
      "What is wrong with its module or its settings, a line for each: it fails at each of its events, but for a project's file, which has no effect then",
    ),
});

const ConfigFileSchema = z.object({
  scope: ScopeSchema,
  file: z.string(),
  found: z.boolean(),
  problem: z.string().optional().describe("Why it can't be read as what it is"),
  findings: z
    .array(ConfigFindingSchema)
    .describe("What is void, wrong or ignored in it, but for the settings of hooks"),
});

/** The output of `list --json`. */
export const ListReport = z.object({
  policy: PolicySchema,
  from: z.string().describe('The folder of the hooks, or "compiled in"'),
  hooks: z.array(ListedHookSchema).describe("In the order in which they run"),
  config: z.array(ConfigFileSchema),
});

export type ListReport = z.infer<typeof ListReport>;
export type ConfigReport = z.infer<typeof ConfigFileSchema>;
export type ListedHook = z.infer<typeof ListedHookSchema>;
