import { defineHost } from "../../protocol/host/host.ts";
import { createEncoder } from "../codec/answer.ts";
import { kimi as hostIdentity } from "../entries.ts";
import { answers } from "./answers.ts";
import { decodePayload, rewriteInput } from "./call.ts";
import { capabilities, createUnknownEventRow } from "./capabilities.ts";

export const kimi = defineHost({
  ...hostIdentity,
  capabilities,
  createUnknownEventRow,
  // Kimi Code continues only once per turn, without calling the hook again [seen 2.1.0, 2026-11-27].
  maxContinuations: 1,
  decodePayload,
  rewriteInput,
  encodeAnswer: createEncoder(answers),
  setup: async () => (await import("./install.ts")).setup,
  loadCommands: () => import("./commands.ts"),
});
