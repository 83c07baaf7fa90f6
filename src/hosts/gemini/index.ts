import type { EvidenceTable } from "../../core/capability.ts";
import { defineHost } from "../../core/host.ts";
import { gemini as entry } from "../registry.ts";
import { capabilities, unknown } from "./capabilities.ts";
import { decode } from "./decode.ts";
import { encode } from "./encode.ts";
import { rewrite } from "./rewrite.ts";

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
  setup: async () => (await import("./setup.ts")).setup,
  speech: async () => (await import("./speak.ts")).speech,
  evidence: async () => (await import("./evidence.json")).default as EvidenceTable,
});
