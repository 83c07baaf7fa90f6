import { defineHost } from "../../protocol/host/host.ts";
import { createEncoder } from "../codec/answer.ts";
import { gemini as hostIdentity } from "../entries.ts";
import { answers } from "./answers.ts";
import { decodePayload, rewriteInput } from "./call.ts";
import { capabilities, createUnknownEventRow } from "./capabilities.ts";

export const gemini = defineHost({
  ...hostIdentity,
  capabilities,
  createUnknownEventRow,
  decodePayload,
  rewriteInput,
  encodeAnswer: createEncoder(answers),
  unknownEventOptions: { geminiDeny: "exit" },
  // Gemini CLI would show any output to the user as a message [shipped 0.61.0].
  neutralOutput: "",
  setup: async () => (await import("./install.ts")).setup,
  loadCommands: () => import("./commands.ts"),
  loadHistory: async () => (await import("./commands.ts")).history,
});
