import * as z from "zod";
import { INSTALL_SCOPES } from "../../protocol/host/install.ts";
import { PolicySchema } from "../../operate/policy/identity.ts";

const FindingSchema = z.object({
  check: z.string().describe("The finding's ID, stable across releases"),
  level: z
    .enum(["red", "note"])
    .describe("red: denials have no effect, or entries differ from what install wrote; note: for information only"),
  what: z.string().describe("The problem and its location"),
  impact: z.string().describe("The impact"),
  fix: z.string().describe("The command or step that fixes the problem"),
});

const EntryTrial = z.object({
  probe: z
    .enum(["deny", "allow", "garbage"])
    .describe("The payload: a call that must be denied, a harmless call, or an invalid payload"),
  way: z.string().optional().describe("How the host starts the command, if that depends on the host's release"),
  outcome: z
    .enum(["denied", "passed", "failed", "blocked"])
    .describe("How the host reacted; blocked: a failure blocked the call"),
  ok: z.boolean().describe("Whether the outcome is the expected one"),
  ms: z.number().describe("Run time of the command in milliseconds"),
  why: z.string().optional().describe("Why the outcome is unexpected, or why the host counts the call as failed"),
});

const EntrySchema = z.object({
  scope: z.enum([...INSTALL_SCOPES, "system"]),
  file: z.string(),
  plugin: z.string().optional().describe("The plugin that provides the file"),
  event: z.string().describe("The native event name"),
  matcher: z.string().optional(),
  command: z.string(),
  trials: z.array(EntryTrial),
});

/** The output of `doctor --json`. */
export const DoctorReport = z.object({
  version: z.string().describe("This executable's version"),
  policy: PolicySchema,
  healthy: z.boolean().describe("True if no finding is red"),
  hosts: z.array(
    z.object({
      host: z.string(),
      version: z.string().optional().describe("The host's version, if its program reports it"),
      entries: z.array(EntrySchema),
      findings: z.array(FindingSchema),
    }),
  ),
  findings: z.array(FindingSchema).describe("Findings about the machine rather than one host"),
});

export type DoctorReport = z.infer<typeof DoctorReport>;
export type DoctorHostReport = DoctorReport["hosts"][number];
export type EntryReport = z.infer<typeof EntrySchema>;
export type Trial = z.infer<typeof EntryTrial>;
