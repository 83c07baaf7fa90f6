import { defineHost } from "../../protocol/host/host.ts";
import { createEncoder } from "../codec/answer.ts";
import { cline as hostIdentity } from "../entries.ts";
import { answers } from "./answers.ts";
import { decodePayload, getEventName, rewriteInput } from "./call.ts";
import { capabilities, createUnknownEventRow } from "./capabilities.ts";
import { HARMLESS_INPUTS_BY_SHAPE } from "./denials.ts";
import { hasOtherScripts } from "./scripts.ts";

const encode = createEncoder(answers);

export const cline = defineHost({
  ...hostIdentity,
  capabilities,
  createUnknownEventRow,
  // Maximum length of the context [shipped 3.0.65], minus the length of the prefix before the reason.
  textLimit: 24_000,
  getEventName,
  decodePayload,
  rewriteInput,
  encodeAnswer(response, shape, native_event, settings) {
    const isOverridden =
      response.decision === "deny" && Object.hasOwn(HARMLESS_INPUTS_BY_SHAPE, shape) && hasOtherScripts(native_event);
    return encode(response, isOverridden ? "cancel" : shape, native_event, settings);
  },
  setup: async () => (await import("./install.ts")).setup,
  loadCommands: () => import("./commands.ts"),
});
