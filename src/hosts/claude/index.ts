import type { EvidenceTable } from "../../protocol/capability.ts";
import { defineHost } from "../../protocol/host/host.ts";
import { createEncoder } from "../codec/answer.ts";
import { claude as hostIdentity } from "../entries.ts";
import { answers } from "./answers.ts";
import { capabilities, createUnknownEventRow } from "./capabilities.ts";
import { decodePayload } from "./call/decode.ts";
import { replaceOutput } from "./call/replace.ts";
import { rewriteInput } from "./call/rewrite.ts";

export const claude = defineHost({
  ...hostIdentity,
  capabilities,
  createUnknownEventRow,
  absentEvents: [],
  // Longer texts are saved to a file and only a preview reaches the model [seen 2.1.330, 2026-11-21].
  textLimit: 10_000,
  getEventName: ({ hook_event_name }, hint) => (typeof hook_event_name === "string" ? hook_event_name : (hint ?? "")),
  decodePayload,
  rewriteInput,
  replaceOutput,
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
