import { defineHost } from "../../protocol/host/host.ts";
import { createEncoder } from "../codec/answer.ts";
import { qwen as hostIdentity } from "../entries.ts";
import { answers } from "./answers.ts";
import { decodePayload, rewriteInput } from "./call.ts";
import { capabilities, createUnknownEventRow } from "./capabilities.ts";

export const qwen = defineHost({
  ...hostIdentity,
  capabilities,
  createUnknownEventRow,
  // The eighth denial ends the turn, unless QWEN_CODE_STOP_HOOK_BLOCK_CAP or a setting overrides the limit [seen
  // 0.24.4, 2026-11-29].
  maxContinuations: 7,
  decodePayload,
  rewriteInput,
  encodeAnswer: createEncoder(answers),
  setup: async () => (await import("./install.ts")).setup,
  loadCommands: () => import("./commands.ts"),
});
