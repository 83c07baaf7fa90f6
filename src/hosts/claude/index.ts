import type { EvidenceTable } from "../../protocol/capability.ts";
import { defineHost } from "../../protocol/host/host.ts";
import { claude as entry } from "../entries.ts";
import { capabilities, unknown } from "./capabilities.ts";
import { decode } from "./call/decode.ts";
import { encode } from "./call/encode.ts";
import { replace } from "./call/replace.ts";
import { rewrite } from "./call/rewrite.ts";

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
  setup: async () => (await import("./install/setup.ts")).setup,
  check: async () => (await import("./doctor/check.ts")).check,
  pack: async () => (await import("./install/pack.ts")).pack,
  speech: async () => (await import("./scripts/speak.ts")).speech,
  evidence: async () => (await import("./evidence.json")).default as EvidenceTable,
});
