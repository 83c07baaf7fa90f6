import type { EvidenceTable } from "../../protocol/capability.ts";
import { defineHost } from "../../protocol/host/host.ts";
import { cursor as entry } from "../entries.ts";
import { capabilities, unknown } from "./capabilities.ts";
import { decode } from "./call/decode.ts";
import { encode, NEUTRAL, TEXT_LIMIT } from "./call/encode.ts";
import { replace } from "./call/replace.ts";
import { rewrite } from "./call/rewrite.ts";
import { eventByShape } from "./call/wire.ts";

export const cursor = defineHost({
  ...entry,
  capabilities,
  unknown,
  absent: ["PermissionRequest", "PostCompact", "Notification"],
  text_limit: TEXT_LIMIT,
  eventName: (payload, hint) =>
    typeof payload.hook_event_name === "string" ? payload.hook_event_name : (hint ?? eventByShape(payload) ?? ""),
  decode,
  rewrite,
  replace,
  encode,
  strange: { cursorDeny: "exit" },
  neutral: NEUTRAL,
  told_again: ["preToolUse"],
  roots: ({ workspace_roots, cwd }) =>
    Array.isArray(workspace_roots) ? workspace_roots.map(String) : typeof cwd === "string" ? [cwd] : [],
  findServer: async (payload, place) => (await import("./call/servers.ts")).findServer(payload, place),
  setup: async () => (await import("./install/setup.ts")).setup,
  check: async () => (await import("./doctor/check.ts")).check,
  pack: async () => (await import("./install/pack.ts")).pack,
  speech: async () => (await import("./scripts/speak.ts")).speech,
  evidence: async () => (await import("./evidence.json")).default as EvidenceTable,
});
