import type { EvidenceTable } from "../../core/capability.ts";
import { defineHost } from "../../core/host.ts";
import { opencode as entry } from "../registry.ts";
import { capabilities, unknown } from "./capabilities.ts";
import { decode } from "./decode.ts";
import { encode } from "./encode.ts";
import { rewrite } from "./rewrite.ts";

export const opencode = defineHost({
  ...entry,
  capabilities,
  unknown,
  absent: ["PermissionRequest", "SubagentStart", "SubagentStop"],
  eventName: ({ event }, hint) => (typeof event === "string" ? event : (hint ?? "")),
  decode,
  rewrite,
  encode,
  neutral: "",
  roots: ({ cwd }) => (typeof cwd === "string" ? [cwd] : []),
  setup: async () => (await import("./setup.ts")).setup,
  speech: async () => (await import("./speak.ts")).speech,
  evidence: async () => (await import("./evidence.json")).default as EvidenceTable,
});
