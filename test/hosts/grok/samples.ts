import type { Samples } from "../../../tools/samples.ts";

// Grok Build was never run here: these payloads are written from the guide in its package (1.0.41), as the directory's
// name says.

export const samples: Samples = {
  Notification: "written-from-guide-1.0.41/Notification.json",
  PermissionDenied: "written-from-guide-1.0.41/PermissionDenied.json",
  PostCompact: "written-from-guide-1.0.41/PostCompact.json",
  PostToolUse: "written-from-guide-1.0.41/PostToolUse-run_terminal_command.json",
  PostToolUseFailure: "written-from-guide-1.0.41/PostToolUseFailure-tiny__echo.json",
  PreCompact: "written-from-guide-1.0.41/PreCompact.json",
  PreToolUse: "written-from-guide-1.0.41/PreToolUse-run_terminal_command.json",
  SessionEnd: "written-from-guide-1.0.41/SessionEnd.json",
  SessionStart: "written-from-guide-1.0.41/SessionStart.json",
  Stop: "written-from-guide-1.0.41/Stop.json",
  StopCancelled: "written-from-guide-1.0.41/StopCancelled.json",
  StopFailure: "written-from-guide-1.0.41/StopFailure.json",
  SubagentStart: "written-from-guide-1.0.41/SubagentStart.json",
  SubagentStop: "written-from-guide-1.0.41/SubagentStop.json",
  UserPromptSubmit: "written-from-guide-1.0.41/UserPromptSubmit.json",
};
