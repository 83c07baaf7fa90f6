import * as z from "zod";
import { PolicySchema } from "../../../operate/policy/identity.ts";

const CountsSchema = z.record(z.string(), z.number());

const HostHistorySchema = z.object({
  host: z.string(),
  source: z.enum(["records", "log"]).describe("The host's own records of its sessions, or the decision log"),
  files: z.number().describe("Record files that were read"),
  older_files: z.number().describe("Files last changed before --since"),
  records: z.number(),
  calls: z.number().describe("Tool calls"),
  prompts: z.number(),
  sessions: z.number(),
  repeated: z.number().describe("Calls and prompts that were already counted"),
  unread: z.number().describe("Lines that aren't records: truncated, too long, or not JSON"),
  incomplete: z.number().optional().describe("For the log: skipped calls, which the log doesn't contain completely"),
  unknown_records: CountsSchema.describe(
    "Counts of unknown record kinds; records of these kinds may contain calls that are missing here",
  ),
  releases: CountsSchema.describe("Number of calls and prompts per release of the host, if recorded"),
  unseen_releases: z.array(z.string()).optional().describe("Releases whose record format is unverified"),
  problems: z.array(z.string()).describe("Files and directories that could not be read"),
});

const SubjectSchema = z.object({
  text: z.string().describe("The command, file, or a description of the prompt; secrets are replaced by their kind"),
  calls: z.number(),
  file: z.string().describe("Where the latest call is recorded"),
  line: z.number().optional().describe("Line number, counted from 1, or the row in a database; absent for the log"),
  id: z.string().optional().describe("The log line's ID"),
  at: z.string().describe("The recorded time, or else the file's modification time"),
});

const RuleHistorySchema = z.object({
  hook: z.string(),
  rule: z.string().optional(),
  decision: z.enum(["deny", "ask", "warn"]),
  passes: z.string().optional().describe('Why the calls are allowed anyway, such as "mode: observe"'),
  change: z.string().optional().describe('With --against: the change from the other policy, such as "none → deny"'),
  calls: z.number(),
  sessions: z.number(),
  hosts: CountsSchema,
  subjects: z.array(SubjectSchema).describe("Subjects, most frequent first: ten, or all with --show"),
  more_subjects: z.number().describe("Number of further subjects"),
});

const HistoryTotalsSchema = z.object({
  calls: z.number(),
  prompts: z.number(),
  sessions: z.number(),
  denied: z.number().describe("Calls and prompts that the host would stop"),
  asked: z.number().describe("Calls and prompts about which the host would ask the user"),
  withheld: z.number().describe("Calls and prompts that a mode allows despite the policy"),
  warned: z.number().describe("Calls and prompts that a rule only warns about"),
  not_held: z.number().describe("Calls and prompts that a hook denies but the host can't block"),
  failed: z.number().describe("Calls and prompts on which a hook failed"),
  invalid: z.number().describe("Calls and prompts that don't match the host's format and were skipped"),
  unknown: z.number().describe("Allowed calls and prompts that might be stopped by a hook that wasn't run"),
  changes: CountsSchema.optional().describe('With --against: counts of changed decisions, such as "none → deny"'),
  changed: z.number().optional().describe("With --against: calls and prompts with a different decision"),
  not_compared: z.number().optional().describe("With --against: calls and prompts that the other policy can't parse"),
});

/** The output of `replay --history --json`. */
export const HistoryReport = z.object({
  policy: PolicySchema,
  hooks: z.object({
    from: z.string(),
    asked: z.array(z.string()).describe("Pure hooks, which were run"),
    unasked: CountsSchema.describe("Other hooks, with the number of calls and prompts that they would have received"),
  }),
  against: z.string().optional(),
  since: z.string().nullable().describe("Start of the period; null if there is no limit"),
  hosts: z.array(HostHistorySchema),
  not_read: z.array(z.string()).describe("Hosts whose record format is unknown"),
  totals: HistoryTotalsSchema,
  rules: z.array(RuleHistorySchema).describe("Rules, most frequent first; with --against, only changes"),
  failures: CountsSchema.describe("Failure counts by hook and message"),
});

export type HostHistory = z.infer<typeof HostHistorySchema>;
export type RuleHistory = z.infer<typeof RuleHistorySchema>;
export type HistoryTotals = z.infer<typeof HistoryTotalsSchema>;
export type HistoryReport = z.infer<typeof HistoryReport>;
