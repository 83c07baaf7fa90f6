import type { Hint, Payload } from "../../core/host.ts";
import { isCamel } from "../marks.ts";

/** The payloads of an older reference have no event name; they are told by their fields. */
const nameless = ({ hook_event_name, hookEventName }: Payload) => hook_event_name === undefined && hookEventName === undefined;

/** What payloads of Cursor look like. */
export const hints: readonly Hint[] = [
  { points: 2, all: ["hook_event_name"], test: ({ hook_event_name }) => isCamel(hook_event_name) },
  { points: 2, all: ["workspace_roots"] },
  {
    points: 2,
    all: ["workspace_roots"],
    test: ({ workspace_roots }, { CURSOR_PROJECT_DIR }) => Array.isArray(workspace_roots) && workspace_roots.includes(CURSOR_PROJECT_DIR),
  },
  { points: 3, all: ["tool", "params"], test: nameless },
  { points: 3, all: ["tool", "result"], test: nameless },
  { points: 3, all: ["file", "changes"], test: nameless },
  { points: 3, all: ["reason", "total_turns"], test: nameless },
  { points: 3, all: ["response", "tokens"], test: nameless },
  {
    points: 3,
    all: ["prompt", "context"],
    test: (payload) => nameless(payload) && typeof (payload.context as Payload).workspaceFolder === "string",
  },
  { points: -5, all: ["prompt_id"] },
];
