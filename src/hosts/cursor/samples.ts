import type { Payload } from "../../protocol/host/host.ts";
import afterAgentResponse from "./fixtures/cursor-sdk-1.0.32/afterAgentResponse.json" with { type: "json" };
import afterAgentThought from "./fixtures/cursor-sdk-1.0.32/afterAgentThought.json" with { type: "json" };
import afterFileEdit from "./fixtures/cursor-sdk-1.0.32/afterFileEdit.json" with { type: "json" };
import afterMCPExecution from "./fixtures/cursor-sdk-1.0.32/afterMCPExecution.json" with { type: "json" };
import afterShellExecution from "./fixtures/cursor-sdk-1.0.32/afterShellExecution.json" with { type: "json" };
import beforeMCPExecution from "./fixtures/cursor-sdk-1.0.32/beforeMCPExecution.json" with { type: "json" };
import beforeReadFile from "./fixtures/cursor-sdk-1.0.32/beforeReadFile.json" with { type: "json" };
import beforeShellExecution from "./fixtures/cursor-sdk-1.0.32/beforeShellExecution.json" with { type: "json" };
import beforeSubmitPrompt from "./fixtures/cursor-sdk-1.0.32/beforeSubmitPrompt.json" with { type: "json" };
import postToolUse from "./fixtures/cursor-sdk-1.0.32/postToolUse.Shell.json" with { type: "json" };
import postToolUseFailure from "./fixtures/cursor-sdk-1.0.32/postToolUseFailure.Shell.json" with { type: "json" };
import preCompact from "./fixtures/cursor-sdk-1.0.32/preCompact.json" with { type: "json" };
import preToolUse from "./fixtures/cursor-sdk-1.0.32/preToolUse.Shell.json" with { type: "json" };
import sessionEnd from "./fixtures/cursor-sdk-1.0.32/sessionEnd.json" with { type: "json" };
import sessionStart from "./fixtures/cursor-sdk-1.0.32/sessionStart.json" with { type: "json" };
import stop from "./fixtures/cursor-sdk-1.0.32/stop.json" with { type: "json" };
import subagentStart from "./fixtures/cursor-sdk-1.0.32/subagentStart.json" with { type: "json" };
import subagentStop from "./fixtures/cursor-sdk-1.0.32/subagentStop.json" with { type: "json" };

/** Other Tab events and workspaceOpen are the editor's alone: nobody has recorded them. */
export const RECORDED: Readonly<Record<string, Payload>> = {
  afterAgentResponse,
  afterAgentThought,
  afterFileEdit,
  afterMCPExecution,
  afterShellExecution,
  beforeMCPExecution,
  beforeReadFile,
  // Of the same form [docs https://cursor.com/docs/hooks.md].
  beforeTabFileRead: { ...beforeReadFile, hook_event_name: "beforeTabFileRead" },
  beforeShellExecution,
  beforeSubmitPrompt,
  postToolUse,
  postToolUseFailure,
  preCompact,
  preToolUse,
  sessionEnd,
  sessionStart,
  stop,
  subagentStart,
  subagentStop,
};
