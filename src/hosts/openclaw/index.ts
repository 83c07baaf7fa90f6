import type { EvidenceTable } from "../../protocol/capability.ts";
import { defineHost } from "../../protocol/host/host.ts";
import { openclaw as entry } from "../entries.ts";
import { capabilities, unknown } from "./capabilities.ts";
import { decode } from "./call/decode.ts";
import { encode } from "./call/encode.ts";
import { rewrite } from "./call/rewrite.ts";

export const openclaw = defineHost({
  ...entry,
  capabilities,
  unknown,
  absent: ["PermissionRequest", "Notification"],
  eventName: ({ event }, hint) => (typeof event === "string" ? event : (hint ?? "")),
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
