import * as z from "zod";
import { EVENTS } from "../../protocol/event.ts";
import { ModeOriginSchema, PolicySchema } from "../../operate/policy/identity.ts";

export const ResponseSchema = z.object({
  decision: z.enum(["allow", "deny", "ask"]).optional(),
  reason: z.string().optional(),
  user_message: z.string().optional(),
  modified_input: z.record(z.string(), z.unknown()).optional(),
  additional_context: z.string().optional(),
  modified_output: z.union([z.string(), z.record(z.string(), z.unknown())]).optional(),
  session_env: z.record(z.string(), z.string()).optional(),
  rule: z.string().optional().describe("The ID of the rule that denied or asked"),
  subject: z.string().optional().describe("The judged command or file"),
});

export const HostDecision = z.enum(["deny", "ask", "allow", "none", "failed"]);

/** Text of an answer that goes to a file instead of stdout or stderr. */
export const AppendSchema = z
  .object({ variable: z.string(), text: z.string() })
  .describe("Text to append to the file named by this variable");

const WithheldSchema = ModeOriginSchema.partial({ file: true, key: true })
  .extend({
    action: z.literal("warn").optional().describe("Whether the answer is only a warning, regardless of the mode"),
    response: ResponseSchema,
    failure: z.string().optional(),
  })
  .describe("The answer that a mode or the rule's action withheld");

const AskedHookSchema = z.object({
  name: z.string(),
  matched: z.boolean().describe("Whether the hook matches this event"),
  why: z.string().optional().describe("Why the hook doesn't match"),
  response: ResponseSchema.describe("The hook's response; empty for no opinion"),
  withheld: WithheldSchema.optional(),
  allowed: z
    .object({ by: z.array(z.string()), response: ResponseSchema })
    .optional()
    .describe("The answer that exceptions in config files overrode, and where those exceptions are"),
  failure: z.string().optional().describe("Why the hook failed"),
  at: z.string().optional().describe("Where the hook failed, as file:line:column"),
  log: z.array(z.string()).describe("The hook's log messages"),
  ms: z.number(),
});

const CallSchema = z.object({
  native_event: z.string().describe("The native event name"),
  payload: z.record(z.string(), z.unknown()).describe("The host's payload"),
  decision: HostDecision.describe(
    "The host's reaction; failed: the host counts the call as failed and applies its own default",
  ),
  response: ResponseSchema.describe("The answer as a hook response"),
  continues: z.literal(true).optional().describe("Whether a denial makes the agent continue"),
  problem: z.string().optional().describe("Why the host would count the call as failed"),
  stdout: z.string().describe("What the host receives, byte for byte"),
  stderr: z.string(),
  exit_code: z.number(),
  append: AppendSchema.optional(),
  advice: z
    .string()
    .optional()
    .describe("Advice for hook authors, shown only by try and in the log, because the model reads stderr"),
  warnings: z.array(z.string()).describe("Warnings from bridge-hooks: dropped fields and failures"),
  ms: z.number().describe("Milliseconds in this process, excluding process startup"),
  hooks: z.array(AskedHookSchema).describe("The hooks in execution order"),
});

const SettingSchema = z.object({
  name: z.string(),
  value: z
    .unknown()
    .optional()
    .describe("The value that the hook receives; absent if there is neither a value nor a default"),
  scope: z
    .enum(["managed", "project", "user"])
    .optional()
    .describe("The scope of the file that sets the value; absent for the default"),
  file: z.string().optional(),
});

/** The output of `try --json`. */
export const TryReport = z.object({
  policy: PolicySchema,
  hooks: z.object({
    from: z.string().describe('The hooks directory, or "compiled in"'),
    names: z.array(z.string()),
    options: z.record(z.string(), z.array(SettingSchema)).describe("Settings by hook"),
    notes: z
      .record(z.string(), z.array(z.string()))
      .describe("Likely matcher mistakes, keyed by the name of each hook that didn't match"),
  }),
  event: z
    .looseObject({ event: z.enum(EVENTS), tool: z.string().optional(), input: z.unknown().optional() })
    .describe("The event that was tried, in unified form"),
  hosts: z.array(
    z.object({
      host: z.string(),
      name: z.string(),
      silence: z.string().optional().describe("Why this host doesn't report the event to hooks"),
      calls: z.array(CallSchema).describe("Usually one call; on some hosts, editing several files takes several calls"),
    }),
  ),
});

export type TryReport = z.infer<typeof TryReport>;
export type TryHostReport = TryReport["hosts"][number];
export type CallReport = z.infer<typeof CallSchema>;
export type AskedHookReport = z.infer<typeof AskedHookSchema>;
export type SettingReport = z.infer<typeof SettingSchema>;
export type WithheldReport = z.infer<typeof WithheldSchema>;
export type HostDecision = z.infer<typeof HostDecision>;
