import type { EvidenceTable } from "../../core/capability.ts";
import { defineHost } from "../../core/host.ts";
import { cursor as entry } from "../registry.ts";
import { capabilities, unknown } from "./capabilities.ts";
import { decode } from "./decode.ts";
import { encode, NEUTRAL, TEXT_LIMIT } from "./encode.ts";
import { replace } from "./replace.ts";
import { rewrite } from "./rewrite.ts";
import { eventByShape } from "./wire.ts";

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
  findServer: async (payload, place) => (await import("./servers.ts")).findServer(payload, place),
  setup: async () => (await import("./setup.ts")).setup,
  speech: async () => (await import("./speak.ts")).speech,
  evidence: async () => (await import("./evidence.json")).default as EvidenceTable,
});
