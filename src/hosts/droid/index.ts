import { defineHost } from "../../protocol/host/host.ts";
import { createEncoder } from "../codec/answer.ts";
import { droid as hostIdentity } from "../entries.ts";
import { answers } from "./answers.ts";
import { decodePayload, rewriteInput } from "./call.ts";
import { capabilities, createUnknownEventRow } from "./capabilities.ts";

export const droid = defineHost({
  ...hostIdentity,
  capabilities,
  createUnknownEventRow,
  decodePayload,
  rewriteInput,
  encodeAnswer: createEncoder(answers),
  // With exit code 1, the model would read stderr before the call's result [seen 0.215.0, 2026-11-29].
  failureExitCode: 0,
  setup: async () => (await import("./install.ts")).setup,
  loadCommands: () => import("./commands.ts"),
});
