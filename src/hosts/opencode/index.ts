import type { EvidenceTable } from "../../protocol/capability.ts";
import { defineHost } from "../../protocol/host/host.ts";
import { opencode as hostIdentity } from "../entries.ts";
import { capabilities, createUnknownEventRow } from "./capabilities.ts";
import { decodePayload } from "./call/decode.ts";
import { createEncoder } from "../codec/answer.ts";
import { answers } from "./answers.ts";
import { rewriteInput } from "./call/rewrite.ts";

export const opencode = defineHost({
  ...hostIdentity,
  capabilities,
  createUnknownEventRow,
  absentEvents: ["PermissionRequest", "SubagentStart", "SubagentStop"],
  getEventName: ({ event }, hint) => (typeof event === "string" ? event : (hint ?? "")),
  decodePayload,
  rewriteInput,
  encodeAnswer: createEncoder(answers),
  neutralOutput: "",
  listRoots: ({ cwd }) => (typeof cwd === "string" ? [cwd] : []),
  setup: async () => (await import("./install/setup.ts")).setup,
  loadDoctor: async () => (await import("./commands.ts")).hostDoctor,
  loadPackBuilder: async () => (await import("./commands.ts")).buildPack,
  loadScriptCodec: async () => (await import("./commands.ts")).scriptCodec,
  loadHistory: async () => (await import("./commands.ts")).history,
  loadEvidence: async () => (await import("./commands.ts")).evidence as EvidenceTable,
});
