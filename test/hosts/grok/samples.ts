import type { Samples } from "../../../tools/samples.ts";

export const samples: Samples = {
  Notification: "grok-1.0.41/Notification-task_complete.json",
  PermissionDenied: "grok-1.0.41/PermissionDenied-run_terminal_command.json",
  PostCompact: "grok-1.0.41/PostCompact.json",
  PostToolUse: "grok-1.0.41/PostToolUse-run_terminal_command.json",
  PostToolUseFailure: "grok-1.0.41/PostToolUseFailure-tiny__fail.json",
  PreCompact: "grok-1.0.41/PreCompact.json",
  PreToolUse: "grok-1.0.41/PreToolUse-run_terminal_command.json",
  SessionEnd: "grok-1.0.41/SessionEnd.json",
  SessionStart: "grok-1.0.41/SessionStart.json",
  Stop: "grok-1.0.41/Stop.json",
  StopCancelled: "grok-1.0.41/StopCancelled-max_turns.json",
  StopFailure: "grok-1.0.41/StopFailure.json",
  SubagentStart: "grok-1.0.41/SubagentStart.json",
  SubagentStop: "grok-1.0.41/SubagentStop.json",
  UserPromptSubmit: "grok-1.0.41/UserPromptSubmit.json",
};
