import type { Samples } from "../../../tools/samples.ts";

export const samples: Samples = {
  PostToolUse: "cline-3.0.65/PostToolUse-run_commands.json",
  PreToolUse: "cline-3.0.65/PreToolUse-run_commands.json",
  SessionShutdown: "cline-3.0.65/SessionShutdown.json",
  TaskCancel: "written-from-code-3.0.65/TaskCancel.json",
  TaskComplete: "cline-3.0.65/TaskComplete.json",
  TaskError: "written-from-code-3.0.65/TaskError.json",
  TaskResume: "written-from-code-3.0.65/TaskResume.json",
  TaskStart: "cline-3.0.65/TaskStart.json",
  UserPromptSubmit: "written-from-code-3.0.65/UserPromptSubmit.json",
};
