import * as z from "zod";
import { EVENTS } from "../../protocol/event.ts";
import { PolicySchema } from "../../operate/policy/identity.ts";
import { AppendSchema, HostDecision, ResponseSchema } from "../try/report.ts";

const AnswerSchema = z.object({
  decision: HostDecision.describe("What the host makes of it"),
  response: ResponseSchema.describe("The same as an answer of a hook"),
  stdout: z.string(),
  stderr: z.string(),
  exit_code: z.number().nullable().describe("null: it was killed"),
  append: AppendSchema.optional(),
  problem: z.string().optional().describe("Why the host would count it as failed, or why there is no answer"),
});

export const CauseSchema = z.object({
  hook: z.string(),
  rule: z.string().optional(),
  decision: z.enum(["deny", "ask", "warn"]),
  passes: z.string().optional().describe('What lets the call pass all the same: "mode: observe"'),
  subject: z.string().optional().describe("The command or the file that was judged"),
});

/** A payload and the result of its replay. */
export const ReplayRow = z.object({
  file: z.string(),
  line: z.number().optional().describe("Counted from 1; absent where the file is one payload"),
  error: z.string().optional().describe("Why this is not a host's payload; everything else is absent then"),
  host: z.string().optional(),
  native_event: z.string().optional(),
  event: z.enum(EVENTS).optional(),
  tool: z.string().optional(),
  subject: z.string().optional().describe("What the event is about"),
  answer: AnswerSchema.optional().describe("Of the hooks"),
  failures: z
    .array(
      z.object({ hook: z.string(), failure: z.string(), at: z.string().optional().describe("As file:line:column") }),
    )
    .optional(),
  withheld: z
    .string()
    .optional()
    .describe('What the hooks decide, where a mode lets the call pass: "would deny (mode: observe)"'),
  warned: z.literal(true).optional().describe("A rule only warns about the call"),
  causes: z.array(CauseSchema).optional().describe("With --pure: the hooks that deny, ask or warn, and their rules"),
  unknown: z.array(z.string()).optional().describe("With --pure: the hooks that were not asked, and may have a say"),
  ms: z.number().optional(),
  before: AnswerSchema.optional().describe("With --against: of the other executable"),
  changed: z
    .array(z.enum(["decision", "stdout", "stderr", "append", "exit_code"]))
    .optional()
    .describe("With --against: in what they differ"),
});

export const ReplayTotals = z.object({
  payloads: z.number(),
  unread: z.number().describe("Lines and files that are not a host's payload"),
  failed: z.number().describe("Payloads at which a hook failed"),
  withheld: z.number().describe("Payloads that a mode lets pass although the policy would do something"),
  warned: z.number().describe("Payloads that a rule only warns about"),
  decisions: z.record(HostDecision, z.number()).describe("How many payloads came to each"),
  changed: z.number().optional().describe("With --against: payloads that are answered otherwise"),
  changes: z
    .record(z.string(), z.number())
    .optional()
    .describe(
      'With --against: how many decisions become which, as "deny → none", and how many stay with "other words"',
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
