import { defineHost } from "../../protocol/host/host.ts";
import { createEncoder } from "../codec/answer.ts";
import { auggie as hostIdentity } from "../entries.ts";
import { answers } from "./answers.ts";
import { decodePayload, rewriteInput } from "./call.ts";
import { capabilities, createUnknownEventRow } from "./capabilities.ts";

export const auggie = defineHost({
  ...hostIdentity,
  capabilities,
  createUnknownEventRow,
  decodePayload,
  rewriteInput,
  encodeAnswer: createEncoder(answers),
  setup: async () => (await import("./install.ts")).setup,
  loadCommands: () => import("./commands.ts"),
});
