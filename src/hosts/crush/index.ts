import { defineHost } from "../../protocol/host/host.ts";
import { createEncoder } from "../codec/answer.ts";
import { crush as hostIdentity } from "../entries.ts";
import { answers } from "./answers.ts";
import { decodePayload, normalizeEventName, rewriteInput } from "./call.ts";
import { capabilities, createUnknownEventRow } from "./capabilities.ts";

export const crush = defineHost({
  ...hostIdentity,
  capabilities,
  createUnknownEventRow,
  getEventName: ({ event }, hint) => normalizeEventName(typeof event === "string" ? event : (hint ?? "")),
  decodePayload,
  rewriteInput,
  encodeAnswer: createEncoder(answers),
  setup: async () => (await import("./install.ts")).setup,
  loadCommands: () => import("./commands.ts"),
});
