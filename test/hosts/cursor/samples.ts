import type { Samples } from "../../../tools/samples.ts";

/** workspaceOpen and the remaining Tab events exist only in the editor, so they were never recorded. */
export const samples: Samples = {
  afterAgentResponse: "cursor-sdk-1.0.32/afterAgentResponse.json",
  afterAgentThought: "cursor-sdk-1.0.32/afterAgentThought.json",
  afterFileEdit: "cursor-sdk-1.0.32/afterFileEdit.json",
  afterMCPExecution: "cursor-sdk-1.0.32/afterMCPExecution.json",
  afterShellExecution: "cursor-sdk-1.0.32/afterShellExecution.json",
  beforeMCPExecution: "cursor-sdk-1.0.32/beforeMCPExecution.json",
  beforeReadFile: "cursor-sdk-1.0.32/beforeReadFile.json",
  // This payload has the same format [docs https://cursor.com/docs/hooks.md].
  beforeTabFileRead: {
    recording: "cursor-sdk-1.0.32/beforeReadFile.json",
    change: { hook_event_name: "beforeTabFileRead" },
  },
  beforeShellExecution: "cursor-sdk-1.0.32/beforeShellExecution.json",
  beforeSubmitPrompt: "cursor-sdk-1.0.32/beforeSubmitPrompt.json",
  postToolUse: "cursor-sdk-1.0.32/postToolUse.Shell.json",
  postToolUseFailure: "cursor-sdk-1.0.32/postToolUseFailure.Shell.json",
  preCompact: "cursor-sdk-1.0.32/preCompact.json",
  preToolUse: "cursor-sdk-1.0.32/preToolUse.Shell.json",
  sessionEnd: "cursor-sdk-1.0.32/sessionEnd.json",
  sessionStart: "cursor-sdk-1.0.32/sessionStart.json",
  stop: "cursor-sdk-1.0.32/stop.json",
  subagentStart: "cursor-sdk-1.0.32/subagentStart.json",
  subagentStop: "cursor-sdk-1.0.32/subagentStop.json",
};
