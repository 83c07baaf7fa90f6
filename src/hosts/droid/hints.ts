import type { HostHint } from "../../protocol/host/host.ts";
import { isPascalCase } from "../codec/value-tests.ts";

/** Tool names that only Droid uses. */
const OWN_TOOL_NAMES: readonly unknown[] = ["Execute", "Create", "ApplyPatch", "FetchUrl", "TaskOutput", "ToolSearch"];

/** Droid's autonomy modes [off and auto-low seen 0.215.0, 2026-11-27; the others shipped]. */
const AUTONOMY_MODES: readonly unknown[] = ["off", "spec", "auto-low", "auto-medium", "auto-high"];

/** Fields and values that suggest a payload comes from Droid [seen 0.215.0, 2026-11-27]. */
export const hints: readonly HostHint[] = [
  {
    points: 1,
    isShared: true,
    all: ["session_id", "transcript_path", "cwd"],
    test: ({ hook_event_name }) => isPascalCase(hook_event_name),
  },
  { points: 2, all: ["permission_mode"], test: ({ permission_mode }) => AUTONOMY_MODES.includes(permission_mode) },
  { points: 3, all: ["tool_name", "tool_input"], test: ({ tool_name }) => OWN_TOOL_NAMES.includes(tool_name) },
  { points: -5, any: ["prompt_id", "turn_id", "timestamp", "tool_use_id", "cursor_version", "conversation_id"] },
];
