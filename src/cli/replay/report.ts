import * as z from "zod";
import { EVENTS } from "../../protocol/event.ts";
import { Append, Heard, Response } from "../try/report.ts";

const Answer = z.object({
  decision: Heard.describe("What the host makes of it"),
  response: Response.describe("The same as an answer of a hook"),
  stdout: z.string(),
  stderr: z.string(),
  exit_code: z.number().nullable().describe("null: it was killed"),
  append: Append.optional(),
  problem: z.string().optional().describe("Why the host would count it as failed, or why there is no answer"),
});

/** A payload, and what came of it. */
export const Row = z.object({
  file: z.string(),
  line: z.number().optional().describe("Counted from 1; absent where the file is one payload"),
  error: z.string().optional().describe("Why this is no payload of a host; everything else is absent then"),
  host: z.string().optional(),
  native_event: z.string().optional(),
  event: z.enum(EVENTS).optional(),
  tool: z.string().optional(),
  subject: z.string().optional().describe("What the event is about"),
  answer: Answer.optional().describe("Of the hooks"),
  failures: z
    .array(
      z.object({ hook: z.string(), failure: z.string(), at: z.string().optional().describe("As file:line:column") }),
    )
    .optional(),
  ms: z.number().optional(),
  before: Answer.optional().describe("With --against: of the other executable"),
  changed: z
    .array(z.enum(["decision", "stdout", "stderr", "append", "exit_code"]))
    .optional()
    .describe("With --against: in what they differ"),
});

export const Totals = z.object({
  payloads: z.number(),
  unread: z.number().describe("Lines and files that are no payload of a host"),
  failed: z.number().describe("Payloads at which a hook failed"),
  decisions: z.record(Heard, z.number()).describe("How many payloads came to each"),
  changed: z.number().optional().describe("With --against: payloads that are answered otherwise"),
  changes: z
    .record(z.string(), z.number())
    .optional()
    .describe(
      'With --against: how many decisions become which, as "deny → none", and how many stay with "other words"',
    ),
  ms: z.object({ mean: z.number(), most: z.number() }),
});

/** What `replay --json` prints. With --against `rows` are those that change. */
export const Report = z.object({
  hooks: z.object({ from: z.string(), names: z.array(z.string()) }),
  against: z.string().optional(),
  rows: z.array(Row),
  totals: Totals,
});

export type Row = z.infer<typeof Row>;
export type Totals = z.infer<typeof Totals>;
export type AnswerReport = z.infer<typeof Answer>;

export const schemaText = (): string => JSON.stringify(z.toJSONSchema(Report), null, 2);
