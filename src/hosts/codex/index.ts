import type { EvidenceTable } from "../../protocol/capability.ts";
import { defineHost } from "../../protocol/host/host.ts";
import { codex as entry } from "../entries.ts";
import { capabilities, unknown } from "./capabilities.ts";
import { decode } from "./call/decode.ts";
import { encode } from "./call/encode.ts";
import { rewrite } from "./call/rewrite.ts";

export const codex = defineHost({
  ...entry,
  capabilities,
  unknown,
  absent: ["PostToolUseFailure", "Notification"],
  eventName: ({ hook_event_name }, hint) => (typeof hook_event_name === "string" ? hook_event_name : (hint ?? "")),
  decode,
  rewrite,
  encode,
  neutral: "",
  roots: ({ cwd }) => (typeof cwd === "string" ? [cwd] : []),
  setup: async () => (await import("./install/setup.ts")).setup,
  check: async () => (await import("./doctor/check.ts")).check,
  pack: async () => (await import("./install/pack.ts")).pack,
  speech: async () => (await import("./scripts/speak.ts")).speech,
  evidence: async () => (await import("./evidence.json")).default as EvidenceTable,
});
