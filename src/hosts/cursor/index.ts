import { defineHost } from "../../protocol/host/host.ts";
import { createEncoder } from "../codec/answer.ts";
import { cursor as hostIdentity } from "../entries.ts";
import { answers, NEUTRAL_OUTPUT, TEXT_LIMIT } from "./answers.ts";
import { decodePayload, findEventByFields, replaceOutput, rewriteInput } from "./call.ts";
import { capabilities, createUnknownEventRow } from "./capabilities.ts";

export const cursor = defineHost({
  ...hostIdentity,
  capabilities,
  createUnknownEventRow,
  textLimit: TEXT_LIMIT,
  getEventName: (payload, hint) =>
    typeof payload.hook_event_name === "string" ? payload.hook_event_name : (hint ?? findEventByFields(payload) ?? ""),
  // Cursor stops after 5 continuations unless the entry sets loop_limit [docs https://cursor.com/docs/hooks.md].
  maxContinuations: 5,
  decodePayload,
  rewriteInput,
  replaceOutput,
  encodeAnswer: createEncoder(answers),
  // Answer in both ways, since it is unknown whether Cursor reads the JSON or the exit code on an unknown event.
  unknownEventOptions: { cursorDeny: "both" },
  neutralOutput: NEUTRAL_OUTPUT,
  repeatedEvents: ["preToolUse"],
  findServer: async (payload, machine) => (await import("./servers.ts")).findServer(payload, machine),
  setup: async () => (await import("./install.ts")).setup,
  loadCommands: () => import("./commands.ts"),
});
