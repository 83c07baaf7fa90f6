import type { Samples } from "../../../tools/samples.ts";

export const samples: Samples = {
  Interrupt: "codex-0.169.0/Interrupt.json",
  PermissionRequest: "codex-0.169.0/PermissionRequest-Bash-mode-default.json",
  PostCompact: "codex-0.169.0/PostCompact-manual.json",
  PostModelRequest: "codex-0.169.0/PostModelRequest.json",
  PostToolUse: "codex-0.169.0/PostToolUse-Bash.json",
  PreCompact: "codex-0.169.0/PreCompact-manual.json",
  PreModelRequest: "codex-0.169.0/PreModelRequest.json",
  PreToolUse: "codex-0.169.0/PreToolUse-Bash.json",
  SessionEnd: "codex-0.169.0/SessionEnd-other.json",
  SessionStart: "codex-0.169.0/SessionStart-startup.json",
  Stop: "codex-0.169.0/Stop.json",
  SubagentStart: "codex-0.169.0/SubagentStart-in-subagent.json",
  SubagentStop: "codex-0.169.0/SubagentStop-in-subagent.json",
  UserPromptSubmit: "codex-0.169.0/UserPromptSubmit.json",
};
