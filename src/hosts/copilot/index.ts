import type { EvidenceTable } from "../../protocol/capability.ts";
import { defineHost } from "../../protocol/host/host.ts";
import { createEncoder } from "../codec/answer.ts";
import { copilot as hostIdentity } from "../entries.ts";
import { answers } from "./answers.ts";
import { ALIASES, capabilities, createUnknownEventRow } from "./capabilities.ts";
import { decodePayload } from "./call/decode.ts";
import { rewriteInput } from "./call/rewrite.ts";
import { getEventName } from "./call/wire.ts";

export const copilot = defineHost({
  ...hostIdentity,
  capabilities,
  createUnknownEventRow,
  absentEvents: ["PostCompact"],
  getEventName: getEventName,
  decodePayload,
  rewriteInput,
  encodeAnswer: createEncoder(answers),
  neutralOutput: "",
  // Before a call, exit code 1 is a denial [seen 1.0.102, 2026-11-22].
  failureExitCode: 0,
  eventAliases: ALIASES,
  listRoots: ({ cwd }) => (typeof cwd === "string" ? [cwd] : []),
  setup: async () => (await import("./install/setup.ts")).setup,
  loadDoctor: async () => (await import("./commands.ts")).hostDoctor,
  loadPackBuilder: async () => (await import("./commands.ts")).buildPack,
  loadScriptCodec: async () => (await import("./commands.ts")).scriptCodec,
  loadHistory: async () => (await import("./commands.ts")).history,
  loadEvidence: async () => (await import("./commands.ts")).evidence as EvidenceTable,
});
