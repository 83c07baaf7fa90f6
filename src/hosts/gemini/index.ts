import type { EvidenceTable } from "../../protocol/capability.ts";
import { defineHost } from "../../protocol/host/host.ts";
import { gemini as entry } from "../entries.ts";
import { capabilities, unknown } from "./capabilities.ts";
import { decode } from "./call/decode.ts";
import { encode } from "./call/encode.ts";
import { rewrite } from "./call/rewrite.ts";

export const gemini = defineHost({
  ...entry,
  capabilities,
  unknown,
  absent: ["PostToolUseFailure", "PermissionRequest", "SubagentStart", "SubagentStop", "PostCompact"],
  eventName: ({ hook_event_name }, hint) => (typeof hook_event_name === "string" ? hook_event_name : (hint ?? "")),
  decode,
  rewrite,
  encode,
  strange: { geminiDeny: "exit" },
  // Anything at all would be a message to the user [shipped 0.61.0].
  neutral: "",
  roots: ({ cwd }) => (typeof cwd === "string" ? [cwd] : []),
  setup: async () => (await import("./install/setup.ts")).setup,
  check: async () => (await import("./doctor/check.ts")).check,
  pack: async () => (await import("./install/pack.ts")).pack,
  speech: async () => (await import("./scripts/speak.ts")).speech,
  evidence: async () => (await import("./evidence.json")).default as EvidenceTable,
});
