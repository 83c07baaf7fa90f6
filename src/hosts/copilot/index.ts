import type { EvidenceTable } from "../../protocol/capability.ts";
import { defineHost } from "../../protocol/host/host.ts";
import { copilot as entry } from "../entries.ts";
import { ALIASES, capabilities, unknown } from "./capabilities.ts";
import { decode } from "./call/decode.ts";
import { encode } from "./call/encode.ts";
import { rewrite } from "./call/rewrite.ts";
import { eventOf } from "./call/wire.ts";

export const copilot = defineHost({
  ...entry,
  capabilities,
  unknown,
  absent: ["PostCompact"],
  eventName: eventOf,
  decode,
  rewrite,
  encode,
  neutral: "",
  // Before a call 1 is a denial [seen 1.0.102, 2026-11-22].
  failure_code: 0,
  aliases: ALIASES,
  roots: ({ cwd }) => (typeof cwd === "string" ? [cwd] : []),
  setup: async () => (await import("./install/setup.ts")).setup,
  check: async () => (await import("./doctor/check.ts")).check,
  pack: async () => (await import("./install/pack.ts")).pack,
  speech: async () => (await import("./scripts/speak.ts")).speech,
  evidence: async () => (await import("./evidence.json")).default as EvidenceTable,
});
