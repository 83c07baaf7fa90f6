import { defineHost } from "../../protocol/host/host.ts";
import { createEncoder } from "../codec/answer.ts";
import { grok as hostIdentity } from "../entries.ts";
import { answers } from "./answers.ts";
import { decodePayload, getEventName, rewriteInput } from "./call.ts";
import { capabilities, createUnknownEventRow } from "./capabilities.ts";
import { replaceOutput } from "./results.ts";

export const grok = defineHost({
  ...hostIdentity,
  capabilities,
  createUnknownEventRow,
  // Maximum length of context and of the text sent on Stop [shipped 1.0.41].
  textLimit: 10_000,
  // The number of continuations that Grok Build allows [seen 1.0.41, 2026-11-27].
  maxContinuations: 8,
  getEventName,
  decodePayload,
  rewriteInput,
  replaceOutput,
  encodeAnswer: createEncoder(answers),
  setup: async () => (await import("./install.ts")).setup,
  loadCommands: () => import("./commands.ts"),
});
