import * as z from "zod";
import { PolicySchema } from "../../../operate/policy/identity.ts";

const CountsSchema = z.record(z.string(), z.number());

const HostHistorySchema = z.object({
  host: z.string(),
  source: z.enum(["records", "log"]).describe("The host's own records of its sessions, or the decision log"),
  files: z.number().describe("Files with records that were read"),
  older_files: z.number().describe("Files that were last changed before --since"),
  records: z.number(),
  calls: z.number().describe("Tool calls"),
  prompts: z.number(),
  sessions: z.number(),
  repeated: z.number().describe("Calls and prompts that were recorded before"),
  unread: z.number().describe("Lines that are not a record: cut, too long, or not JSON"),
  incomplete: z.number().optional().describe("Of the log: calls that it does not have whole, so nobody was asked"),
  unknown_records: CountsSchema.describe("Records of kinds that were never seen, by kind: calls may be missing"),
  releases: CountsSchema.describe("Calls and prompts by the host's release, where the records say it"),
  unseen_releases: z.array(z.string()).optional().describe("Those among them whose records were never seen"),
  problems: z.array(z.string()).describe("Files and folders that could not be read"),
});

const SubjectSchema = z.object({
  text: z.string().describe("The command, the file, or what a prompt is; secrets are replaced by their kind"),
  calls: z.number(),
  file: z.string().describe("Where the latest one is recorded"),
  line: z.number().optional().describe("Counted from 1; of a database, the row; absent for the log"),
  id: z.string().optional().describe("Of the line in the log"),
  at: z.string().describe("When, as the record says, else when the file was last changed"),
});

const RuleHistorySchema = z.object({
  hook: z.string(),
  rule: z.string().optional(),
  decision: z.enum(["deny", "ask", "warn"]),
  passes: z.string().optional().describe('What lets the calls pass all the same: "mode: observe"'),
  change: z.string().optional().describe('With --against: as "none → deny", from the other policy to this one'),
  calls: z.number(),
  sessions: z.number(),
  hosts: CountsSchema,
  subjects: z.array(SubjectSchema).describe("The most frequent first: ten, or with --show of this rule all"),
  more_subjects: z.number().describe("How many further ones there are"),
});

const HistoryTotalsSchema = z.object({
  calls: z.number(),
  prompts: z.number(),
  sessions: z.number(),
  denied: z.number().describe("Calls and prompts that the host would stop"),
  asked: z.number().describe("Calls and prompts that the host would ask a person about"),
  withheld: z.number().describe("Calls and prompts that a mode lets pass although the policy would do something"),
  warned: z.number().describe("Calls and prompts that a rule only warns about"),
  not_held: z.number().describe("Calls and prompts that a hook denies and the host lets pass all the same"),
  failed: z.number().describe("Calls and prompts at which a hook failed"),
  invalid: z.number().describe("Calls and prompts that are not as the host sends them: nobody was asked"),
  unknown: z.number().describe("Calls and prompts that pass, but that a hook that was not asked may stop"),
  changes: CountsSchema.optional().describe('With --against: how many decisions become which, as "none → deny"'),
  changed: z.number().optional().describe("With --against: calls and prompts that are decided otherwise"),
  not_compared: z.number().optional().describe("With --against: calls and prompts that the other policy can't read"),
});

/** The output of `replay --history --json`. */
export const HistoryReport = z.object({
  policy: PolicySchema,
  hooks: z.object({
    from: z.string(),
    asked: z.array(z.string()).describe("Hooks that are declared pure"),
    unasked: CountsSchema.describe("The others, with the number of calls and prompts that they would have seen"),
  }),
  against: z.string().optional(),
  since: z.string().nullable().describe("null: everything"),
  hosts: z.array(HostHistorySchema),
  not_read: z.array(z.string()).describe("Hosts whose records nobody has seen"),
  totals: HistoryTotalsSchema,
  rules: z.array(RuleHistorySchema).describe("The most frequent first; with --against, what changes"),
  failures: CountsSchema.describe("By hook and message"),
});

export type HostHistory = z.infer<typeof HostHistorySchema>;
export type RuleHistory = z.infer<typeof RuleHistorySchema>;
export type HistoryTotals = z.infer<typeof HistoryTotalsSchema>;
export type HistoryReport = z.infer<typeof HistoryReport>;
