import { defineHost } from "../../protocol/host/host.ts";
import { createEncoder } from "../codec/answer.ts";
import { copilot as hostIdentity } from "../entries.ts";
import { answers } from "./answers.ts";
import { decodePayload, getEventName, rewriteInput } from "./call.ts";
import { EVENT_ALIASES, capabilities, createUnknownEventRow } from "./capabilities.ts";

export const copilot = defineHost({
  ...hostIdentity,
  capabilities,
  createUnknownEventRow,
  // How many continuations Copilot allows [seen 1.0.102, 2026-11-22].
  maxContinuations: 8,
  getEventName,
  decodePayload,
  rewriteInput,
  encodeAnswer: createEncoder(answers),
  // Before a call, Copilot treats exit code 1 as a denial [seen 1.0.102, 2026-11-22].
  failureExitCode: 0,
  eventAliases: EVENT_ALIASES,
  setup: async () => (await import("./install.ts")).setup,
  loadCommands: () => import("./commands.ts"),
  loadHistory: async () => (await import("./commands.ts")).history,
});
