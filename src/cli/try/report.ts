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
  rule: z.string().optional().describe("The id of the rule behind a denial or a question"),
  subject: z.string().optional().describe("The command or the file that was judged"),
});

export const HostDecision = z.enum(["deny", "ask", "allow", "none", "failed"]);

/** Text of an answer that goes to a file instead of stdout or stderr. */
export const AppendSchema = z
  .object({ variable: z.string(), text: z.string() })
  .describe("Text for the end of the file that this variable names");

const WithheldSchema = ModeOriginSchema.partial({ file: true, key: true })
  .extend({
    action: z.literal("warn").optional().describe("The answer is only a warning, under every mode"),
    response: ResponseSchema,
    failure: z.string().optional(),
  })
  .describe("What it answered, where a mode, or the action of the rule, lets the call pass");

const AskedHookSchema = z.object({
  name: z.string(),
  matched: z.boolean().describe("Whether it wanted this event"),
  why: z.string().optional().describe("Why it did not"),
  response: ResponseSchema.describe("What it answered; empty: no opinion"),
  withheld: WithheldSchema.optional(),
  failure: z.string().optional().describe("How it failed"),
  at: z.string().optional().describe("Where it failed, as file:line:column"),
  log: z.array(z.string()).describe("What it logged"),
  ms: z.number(),
});

const CallSchema = z.object({
  native_event: z.string().describe("The host's own name of the event"),
  payload: z.record(z.string(), z.unknown()).describe("What the host sends"),
  decision: HostDecision.describe(
    "What the host makes of the answer; failed: it counts the call as failed, and goes on or blocks as it does then",
  ),
  response: ResponseSchema.describe("The same as an answer of a hook"),
  continues: z.literal(true).optional().describe("A denial makes the agent go on here"),
  problem: z.string().optional().describe("Why the host would count it as failed"),
  stdout: z.string().describe("What the host gets, byte for byte"),
  stderr: z.string(),
  exit_code: z.number(),
  append: AppendSchema.optional(),
  advice: z
    .string()
    .optional()
    .describe(
      "What stderr would say to the author of hooks, if the model did not read it there; only try and the log say it",
    ),
  warnings: z
    .array(z.string())
    .describe("The bridge's own lines of stderr and advice: what was lost on the way, and failures"),
  ms: z.number().describe("Milliseconds in this process: a call of its own has to start as well"),
  hooks: z.array(AskedHookSchema).describe("In the order in which they ran"),
});

const SettingSchema = z.object({
  name: z.string(),
  value: z.unknown().optional().describe("As the hook gets it; absent: nothing is set, and there is no default"),
  scope: z.enum(["managed", "project", "user"]).optional().describe("Whose config file says so; absent: the default"),
  file: z.string().optional(),
});

/** The output of `try --json`. */
export const TryReport = z.object({
  policy: PolicySchema,
  hooks: z.object({
    from: z.string().describe('The folder of the hooks, or "compiled in"'),
    names: z.array(z.string()),
    options: z.record(z.string(), z.array(SettingSchema)).describe("By hook, as its config files say here"),
    notes: z
      .record(z.string(), z.array(z.string()))
      .describe("By hook that its matcher kept from being asked: what is most likely not meant so"),
  }),
  event: z
    .looseObject({ event: z.enum(EVENTS), tool: z.string().optional(), input: z.unknown().optional() })
    .describe("What is tried, in unified terms"),
  hosts: z.array(
    z.object({
      host: z.string(),
      name: z.string(),
      silence: z.string().optional().describe("Why this host tells its hooks nothing of it"),
      calls: z.array(CallSchema).describe("One, mostly; an edit of several files is several calls on some hosts"),
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
