import type { HostHint, Payload } from "../../protocol/host/host.ts";
import { isCamelCase } from "../codec/value-tests.ts";

/** Payloads in an unofficial format have no event name, so their fields identify the event (see call.ts). */
const hasNoEventName = ({ hook_event_name, hookEventName }: Payload) =>
  hook_event_name === undefined && hookEventName === undefined;

const isContextPayload = ({ workspaceFolder, files }: Payload) =>
  typeof workspaceFolder === "string" || Array.isArray(files);

/** Fields and values that suggest a payload comes from Cursor. */
export const hints: readonly HostHint[] = [
  { points: 2, all: ["hook_event_name"], test: ({ hook_event_name }) => isCamelCase(hook_event_name) },
  { points: 2, all: ["workspace_roots"] },
  {
    points: 2,
    all: ["workspace_roots"],
    test: ({ workspace_roots }, { CURSOR_PROJECT_DIR }) =>
      Array.isArray(workspace_roots) && workspace_roots.includes(CURSOR_PROJECT_DIR),
  },
  { points: 3, all: ["tool", "params"], test: hasNoEventName },
  { points: 3, all: ["tool", "result"], test: hasNoEventName },
  { points: 3, all: ["file", "changes"], test: hasNoEventName },
  { points: 3, all: ["total_turns"], test: hasNoEventName },
  { points: 3, all: ["response"], test: (payload) => hasNoEventName(payload) && typeof payload.response === "string" },
  {
    points: 3,
    all: ["prompt", "context"],
    test: (payload) => hasNoEventName(payload) && isContextPayload(payload.context as Payload),
  },
  { points: -5, all: ["prompt_id"] },
];
