import type { Samples } from "../../../tools/samples.ts";

export const samples: Samples = {
  InstructionsLoaded: "qwen-0.24.4/InstructionsLoaded.json",
  MessageDisplay: "qwen-0.24.4/MessageDisplay.json",
  Notification: "qwen-0.24.4/Notification-auth_success.json",
  PermissionRequest: "qwen-0.24.4/PermissionRequest-run_shell_command.json",
  PostCompact: "written-from-guide-0.24.4/PostCompact.json",
  PostToolBatch: "qwen-0.24.4/PostToolBatch-read_file.json",
  PostToolUse: "qwen-0.24.4/PostToolUse-run_shell_command.json",
  PostToolUseFailure: "qwen-0.24.4/PostToolUseFailure-run_shell_command.json",
  PreCompact: "qwen-0.24.4/PreCompact.json",
  PreToolUse: "qwen-0.24.4/PreToolUse-run_shell_command.json",
  SessionEnd: "qwen-0.24.4/SessionEnd.json",
  SessionStart: "qwen-0.24.4/SessionStart.json",
  Stop: "qwen-0.24.4/Stop.json",
  StopFailure: "qwen-0.24.4/StopFailure.json",
  SubagentStart: "qwen-0.24.4/SubagentStart.json",
  SubagentStop: "qwen-0.24.4/SubagentStop.json",
  TodoCompleted: "qwen-0.24.4/TodoCompleted-validation.json",
  TodoCreated: "qwen-0.24.4/TodoCreated-validation.json",
  UserPromptExpansion: "qwen-0.24.4/UserPromptExpansion.json",
  UserPromptSubmit: "qwen-0.24.4/UserPromptSubmit.json",
};
