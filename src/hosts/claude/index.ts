import type { EvidenceTable } from "../../core/capability.ts";
import { defineHost } from "../../core/host.ts";
import { claude as entry } from "../registry.ts";
import { capabilities, unknown } from "./capabilities.ts";
import { decode } from "./decode.ts";
import { encode } from "./encode.ts";
import { replace } from "./replace.ts";
import { rewrite } from "./rewrite.ts";

export const claude = defineHost({
  ...entry,
  capabilities,
  unknown,
  absent: [],
  // Longer texts are saved to a file and only a preview reaches the model [seen 2.1.330, 2026-11-21].
  text_limit: 10_000,
  eventName: ({ hook_event_name }, hint) => (typeof hook_event_name === "string" ? hook_event_name : (hint ?? "")),
  decode,
  rewrite,
  replace,
  encode,
  neutral: "",
  roots: ({ cwd }) => (typeof cwd === "string" ? [cwd] : []),
  setup: async () => (await import("./setup.ts")).setup,
  speech: async () => (await import("./speak.ts")).speech,
  evidence: async () => (await import("./evidence.json")).default as EvidenceTable,
});
