import type { EvidenceTable } from "../../protocol/capability.ts";
import { defineHost } from "../../protocol/host/host.ts";
import { openclaw as hostIdentity } from "../entries.ts";
import { capabilities, createUnknownEventRow } from "./capabilities.ts";
import { decodePayload } from "./call/decode.ts";
import { encodeAnswer } from "./call/encode.ts";
import { rewriteInput } from "./call/rewrite.ts";

export const openclaw = defineHost({
  ...hostIdentity,
  capabilities,
  createUnknownEventRow,
  absentEvents: ["PermissionRequest", "Notification"],
  getEventName: ({ event }, hint) => (typeof event === "string" ? event : (hint ?? "")),
  decodePayload,
  rewriteInput,
  encodeAnswer,
  neutralOutput: "",
  listRoots: ({ cwd }) => (typeof cwd === "string" ? [cwd] : []),
  setup: async () => (await import("./install/setup.ts")).setup,
  loadDoctor: async () => (await import("./doctor/check.ts")).hostDoctor,
  loadPackBuilder: async () => (await import("./install/pack.ts")).buildPack,
  loadScriptCodec: async () => (await import("./scripts/native-payloads.ts")).scriptCodec,
  loadHistory: async () => (await import("./history/sessions.ts")).history,
  loadEvidence: async () => (await import("./evidence.json")).default as EvidenceTable,
});
