import { defineHost } from "../../core/host.ts";
import { capabilities, unknown } from "./capabilities.ts";
import { decode } from "./decode.ts";
import { encode, NEUTRAL, TEXT_LIMIT } from "./encode.ts";
import { marks } from "./marks.ts";
import { rewrite } from "./rewrite.ts";
import { eventByShape } from "./wire.ts";

export const cursor = defineHost({
  id: "cursor",
  name: "Cursor",
  options: { cursorAskFallback: ["deny", "ask"], cursorDeny: ["exit", "json"] },
  marks,
  capabilities,
  unknown,
  absent: ["PermissionRequest", "PostCompact", "Notification"],
  text_limit: TEXT_LIMIT,
  eventName: (payload, hint) =>
    typeof payload.hook_event_name === "string" ? payload.hook_event_name : (hint ?? eventByShape(payload) ?? ""),
  decode,
  rewrite,
  encode,
  neutral: NEUTRAL,
  roots: ({ workspace_roots, cwd }) =>
    Array.isArray(workspace_roots) ? workspace_roots.map(String) : typeof cwd === "string" ? [cwd] : [],
  setup: async () => (await import("./setup.ts")).setup,
});
