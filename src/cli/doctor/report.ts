import * as z from "zod";
import { INSTALL_SCOPES } from "../../protocol/host/install.ts";
import { PolicySchema } from "../../operate/policy/identity.ts";

const FindingSchema = z.object({
  check: z.string().describe("The kind of finding, stable"),
  level: z.enum(["red", "note"]).describe("red: a denial would not hold, or not as installed; note: good to know"),
  what: z.string().describe("What was found, and where"),
  impact: z.string().describe("What that means"),
  fix: z.string().describe("The command or the step that fixes it"),
});

const EntryTrial = z.object({
  probe: z
    .enum(["deny", "allow", "garbage"])
    .describe("What was sent: a call that must be denied, a harmless one, or no payload at all"),
  way: z.string().optional().describe("How the host starts the command, where its releases differ"),
  outcome: z
    .enum(["denied", "passed", "failed", "blocked"])
    .describe("What the host makes of the answer; blocked: a failure that blocks the call"),
  ok: z.boolean().describe("Whether it is what this probe is to end in"),
  ms: z.number().describe("Milliseconds from the start of the command to its end"),
  why: z.string().optional().describe("Why it is not, or what the host counts as a failure"),
});

const EntrySchema = z.object({
  scope: z.enum([...INSTALL_SCOPES, "system"]),
  file: z.string(),
  plugin: z.string().optional().describe("The plugin that brings the file"),
  event: z.string().describe("The host's own event name"),
  matcher: z.string().optional(),
  command: z.string(),
  trials: z.array(EntryTrial),
});

/** The output of `doctor --json`. */
export const DoctorReport = z.object({
  version: z.string().describe("This executable's version"),
  policy: PolicySchema,
  healthy: z.boolean().describe("No finding is red"),
  hosts: z.array(
    z.object({
      host: z.string(),
      version: z.string().optional().describe("The host's release, where its program tells it"),
      entries: z.array(EntrySchema),
      findings: z.array(FindingSchema),
    }),
  ),
  findings: z.array(FindingSchema).describe("About the machine, not one host"),
});

export type DoctorReport = z.infer<typeof DoctorReport>;
export type DoctorHostReport = DoctorReport["hosts"][number];
export type EntryReport = z.infer<typeof EntrySchema>;
export type Trial = z.infer<typeof EntryTrial>;
