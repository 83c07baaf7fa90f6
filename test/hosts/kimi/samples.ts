import type { Samples } from "../../../tools/samples.ts";

export const samples: Samples = {
  Interrupt: "kimi-2.1.0/Interrupt.json",
  Notification: "kimi-2.1.0/Notification.json",
  PermissionRequest: "kimi-2.1.0/PermissionRequest-Bash.json",
  PermissionResult: "kimi-2.1.0/PermissionResult-Bash.json",
  PostCompact: "kimi-2.1.0/PostCompact.json",
  PostToolUse: "kimi-2.1.0/PostToolUse-Read.json",
  PostToolUseFailure: "kimi-2.1.0/PostToolUseFailure-Bash.json",
  PreCompact: "kimi-2.1.0/PreCompact.json",
  PreToolUse: "kimi-2.1.0/PreToolUse-Bash.json",
  SessionEnd: "kimi-2.1.0/SessionEnd.json",
  SessionStart: "kimi-2.1.0/SessionStart.json",
  Stop: "kimi-2.1.0/Stop.json",
  StopFailure: "kimi-2.1.0/StopFailure.json",
  SubagentStart: "kimi-2.1.0/SubagentStart.json",
  SubagentStop: "kimi-2.1.0/SubagentStop.json",
  TaskStarted: "kimi-2.1.0/TaskStarted.json",
  TurnStarted: "kimi-2.1.0/TurnStarted.json",
  UserPromptSubmit: "kimi-2.1.0/UserPromptSubmit.json",
};
