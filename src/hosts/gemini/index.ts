import type { EvidenceTable } from "../../protocol/capability.ts";
import { defineHost } from "../../protocol/host/host.ts";
import { createEncoder } from "../codec/answer.ts";
import { gemini as hostIdentity } from "../entries.ts";
import { answers } from "./answers.ts";
import { capabilities, createUnknownEventRow } from "./capabilities.ts";
import { decodePayload } from "./call/decode.ts";
import { rewriteInput } from "./call/rewrite.ts";

export const gemini = defineHost({
  ...hostIdentity,
  capabilities,
  createUnknownEventRow,
  absentEvents: ["PostToolUseFailure", "PermissionRequest", "SubagentStart", "SubagentStop", "PostCompact"],
  getEventName: ({ hook_event_name }, hint) => (typeof hook_event_name === "string" ? hook_event_name : (hint ?? "")),
  decodePayload,
  rewriteInput,
  encodeAnswer: createEncoder(answers),
  unknownEventOptions: { geminiDeny: "exit" },
  // Any output would be a message to the user [shipped 0.61.0].
  neutralOutput: "",
  listRoots: ({ cwd }) => (typeof cwd === "string" ? [cwd] : []),
  setup: async () => (await import("./install/setup.ts")).setup,
  loadDoctor: async () => (await import("./commands.ts")).hostDoctor,
  loadPackBuilder: async () => (await import("./commands.ts")).buildPack,
  loadScriptCodec: async () => (await import("./commands.ts")).scriptCodec,
  loadHistory: async () => (await import("./commands.ts")).history,
  loadEvidence: async () => (await import("./commands.ts")).evidence as EvidenceTable,
});
