import * as z from "zod";
import { EVENTS } from "../../protocol/event.ts";
import { PolicySchema } from "../../operate/policy/identity.ts";
import { AppendSchema, HostDecision, ResponseSchema } from "../try/report.ts";

const AnswerSchema = z.object({
  decision: HostDecision.describe("The host's reaction"),
  response: ResponseSchema.describe("The answer as a hook response"),
  stdout: z.string(),
  stderr: z.string(),
  exit_code: z.number().nullable().describe("The exit code; null if the process was killed"),
  append: AppendSchema.optional(),
  problem: z.string().optional().describe("Why the host would count the call as failed, or why no answer exists"),
});

export const CauseSchema = z.object({
  hook: z.string(),
  rule: z.string().optional(),
  decision: z.enum(["deny", "ask", "warn"]),
  passes: z.string().optional().describe('Why the call is allowed anyway, such as "mode: observe"'),
  subject: z.string().optional().describe("The judged command or file"),
});

/** A payload, and the result of replaying it. */
export const ReplayRow = z.object({
  file: z.string(),
  line: z.number().optional().describe("Line number, counted from 1; absent if the file is a single payload"),
  error: z.string().optional().describe("Why this isn't a host's payload; all other fields are then absent"),
  host: z.string().optional(),
  native_event: z.string().optional(),
  event: z.enum(EVENTS).optional(),
  tool: z.string().optional(),
  subject: z.string().optional().describe("The event's subject"),
  answer: AnswerSchema.optional().describe("The hooks' answer"),
  failures: z
    .array(
      z.object({
        hook: z.string(),
        failure: z.string(),
        at: z.string().optional().describe("Position as file:line:column"),
      }),
    )
    .optional(),
  withheld: z
    .string()
    .optional()
    .describe(`The hooks' decision if a mode withholds it, such as "would deny (mode: observe)"`),
  warned: z.literal(true).optional().describe("Whether a rule only warns about the call"),
  causes: z.array(CauseSchema).optional().describe("With --pure: hooks that deny, ask or warn, and their rules"),
  unknown: z.array(z.string()).optional().describe("With --pure: hooks that weren't run but might have decided"),
  ms: z.number().optional(),
  before: AnswerSchema.optional().describe("With --against: the other executable's answer"),
  changed: z
    .array(z.enum(["decision", "stdout", "stderr", "append", "exit_code"]))
    .optional()
    .describe("With --against: the fields that differ"),
});

export const ReplayTotals = z.object({
  payloads: z.number(),
  unread: z.number().describe("Lines and files that aren't a host's payload"),
  failed: z.number().describe("Payloads on which a hook failed"),
  withheld: z.number().describe("Payloads that a mode allows despite the policy"),
  warned: z.number().describe("Payloads that a rule only warns about"),
  decisions: z.record(HostDecision, z.number()).describe("Number of payloads by decision"),
  changed: z.number().optional().describe("With --against: payloads with a different answer"),
  changes: z
    .record(z.string(), z.number())
    .optional()
    .describe(
      'With --against: counts of changed decisions, such as "deny → none"; "other words" if only the text differs',
    ),
  ms: z.object({ mean: z.number(), most: z.number() }),
});

/** The output of `replay --json`. With --against, `rows` contains only changed rows. */
export const ReplayReport = z.object({
  policy: PolicySchema,
  hooks: z.object({ from: z.string(), names: z.array(z.string()) }),
  against: z.string().optional(),
  rows: z.array(ReplayRow),
  totals: ReplayTotals,
});

export type ReplayRow = z.infer<typeof ReplayRow>;
export type ReplayTotals = z.infer<typeof ReplayTotals>;
export type AnswerReport = z.infer<typeof AnswerSchema>;
