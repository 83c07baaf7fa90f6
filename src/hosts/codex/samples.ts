import type { Payload } from "../../protocol/host/host.ts";
import Interrupt from "./fixtures/codex-0.169.0/Interrupt.json" with { type: "json" };
import PermissionRequest from "./fixtures/codex-0.169.0/PermissionRequest-Bash-mode-default.json" with { type: "json" };
import PostCompact from "./fixtures/codex-0.169.0/PostCompact-manual.json" with { type: "json" };
import PostModelRequest from "./fixtures/codex-0.169.0/PostModelRequest.json" with { type: "json" };
import PostToolUse from "./fixtures/codex-0.169.0/PostToolUse-Bash.json" with { type: "json" };
import PreCompact from "./fixtures/codex-0.169.0/PreCompact-manual.json" with { type: "json" };
import PreModelRequest from "./fixtures/codex-0.169.0/PreModelRequest.json" with { type: "json" };
import PreToolUse from "./fixtures/codex-0.169.0/PreToolUse-Bash.json" with { type: "json" };
import SessionEnd from "./fixtures/codex-0.169.0/SessionEnd-other.json" with { type: "json" };
import SessionStart from "./fixtures/codex-0.169.0/SessionStart-startup.json" with { type: "json" };
import Stop from "./fixtures/codex-0.169.0/Stop.json" with { type: "json" };
import SubagentStart from "./fixtures/codex-0.169.0/SubagentStart-in-subagent.json" with { type: "json" };
import SubagentStop from "./fixtures/codex-0.169.0/SubagentStop-in-subagent.json" with { type: "json" };
import UserPromptSubmit from "./fixtures/codex-0.169.0/UserPromptSubmit.json" with { type: "json" };

export const RECORDED: Readonly<Record<string, Payload>> = {
  Interrupt,
  PermissionRequest,
  PostCompact,
  PostModelRequest,
  PostToolUse,
  PreCompact,
  PreModelRequest,
  PreToolUse,
  SessionEnd,
  SessionStart,
  Stop,
  SubagentStart,
  SubagentStop,
  UserPromptSubmit,
};
