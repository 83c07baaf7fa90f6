import { defineHost } from "../../protocol/host/host.ts";
import { createEncoder } from "../codec/answer.ts";
import { claude as hostIdentity } from "../entries.ts";
import { answers } from "./answers.ts";
import { decodePayload, replaceOutput, rewriteInput } from "./call.ts";
import { capabilities, createUnknownEventRow } from "./capabilities.ts";
import { payloadProfile } from "./payload-profile.ts";

export const claude = defineHost({
  ...hostIdentity,
  capabilities,
  createUnknownEventRow,
  // Claude Code saves longer context to a file and gives the model only a preview [seen 2.1.330, 2026-11-21].
  textLimit: 10_000,
  // Default limit on continuations; CLAUDE_CODE_STOP_HOOK_BLOCK_CAP overrides it [seen 2.1.330, 2026-11-21].
  maxContinuations: 8,
  payloadProfile,
  decodePayload,
  rewriteInput,
  replaceOutput,
  encodeAnswer: createEncoder(answers),
  setup: async () => (await import("./install.ts")).setup,
  loadCommands: () => import("./commands.ts"),
  loadHistory: async () => (await import("./commands.ts")).history,
});
