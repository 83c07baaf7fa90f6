import type { Payload } from "../../protocol/host/host.ts";
import ConfigChange from "./fixtures/claude-code-2.1.330/ConfigChange-local_settings.json" with { type: "json" };
import CwdChanged from "./fixtures/claude-code-2.1.330/CwdChanged.json" with { type: "json" };
import Elicitation from "./fixtures/claude-code-2.1.330/Elicitation.json" with { type: "json" };
import ElicitationResult from "./fixtures/claude-code-2.1.330/ElicitationResult.json" with { type: "json" };
import FileChanged from "./fixtures/claude-code-2.1.330/FileChanged.json" with { type: "json" };
import InstructionsLoaded from "./fixtures/claude-code-2.1.330/InstructionsLoaded.json" with { type: "json" };
import MessageDisplay from "./fixtures/claude-code-2.1.330/MessageDisplay.json" with { type: "json" };
import Notification from "./fixtures/claude-code-2.1.330/Notification-permission_prompt.json" with { type: "json" };
import PermissionDenied from "./fixtures/claude-code-2.1.330/PermissionDenied-Bash.json" with { type: "json" };
import PermissionRequest from "./fixtures/claude-code-2.1.330/PermissionRequest-Bash-mode-default.json" with { type: "json" };
import PostCompact from "./fixtures/claude-code-2.1.330/PostCompact-manual.json" with { type: "json" };
import PostModelSwitch from "./fixtures/claude-code-2.1.330/PostModelSwitch.json" with { type: "json" };
import PostToolBatch from "./fixtures/claude-code-2.1.330/PostToolBatch-Bash.json" with { type: "json" };
import PostToolUse from "./fixtures/claude-code-2.1.330/PostToolUse-Bash.json" with { type: "json" };
import PostToolUseFailure from "./fixtures/claude-code-2.1.330/PostToolUseFailure-Bash-Exit_code_3_bad.json" with { type: "json" };
import PreCompact from "./fixtures/claude-code-2.1.330/PreCompact-manual.json" with { type: "json" };
import PreModelSwitch from "./fixtures/claude-code-2.1.330/PreModelSwitch.json" with { type: "json" };
import PreToolUse from "./fixtures/claude-code-2.1.330/PreToolUse-Bash.json" with { type: "json" };
import SessionEnd from "./fixtures/claude-code-2.1.330/SessionEnd-other.json" with { type: "json" };
import SessionStart from "./fixtures/claude-code-2.1.330/SessionStart-startup.json" with { type: "json" };
import Setup from "./fixtures/claude-code-2.1.330/Setup-init.json" with { type: "json" };
import Stop from "./fixtures/claude-code-2.1.330/Stop.json" with { type: "json" };
import StopFailure from "./fixtures/claude-code-2.1.330/StopFailure-unknown.json" with { type: "json" };
import SubagentStart from "./fixtures/claude-code-2.1.330/SubagentStart-in-subagent.json" with { type: "json" };
import SubagentStop from "./fixtures/claude-code-2.1.330/SubagentStop-in-subagent.json" with { type: "json" };
import UserPromptExpansion from "./fixtures/claude-code-2.1.330/UserPromptExpansion.json" with { type: "json" };
import UserPromptSubmit from "./fixtures/claude-code-2.1.330/UserPromptSubmit.json" with { type: "json" };
import WorktreeCreate from "./fixtures/claude-code-2.1.330/WorktreeCreate.json" with { type: "json" };
import TaskCompleted from "./fixtures/claude-code-2.1.197/TaskCompleted.json" with { type: "json" };
import TaskCreated from "./fixtures/claude-code-2.1.197/TaskCreated.json" with { type: "json" };

/** Task events are not there by default in 2.1.330. */
export const RECORDED: Readonly<Record<string, Payload>> = {
  ConfigChange,
  CwdChanged,
  Elicitation,
  ElicitationResult,
  FileChanged,
  InstructionsLoaded,
  MessageDisplay,
  Notification,
  PermissionDenied,
  PermissionRequest,
  PostCompact,
  PostModelSwitch,
  PostToolBatch,
  PostToolUse,
  PostToolUseFailure,
  PreCompact,
  PreModelSwitch,
  PreToolUse,
  SessionEnd,
  SessionStart,
  Setup,
  Stop,
  StopFailure,
  SubagentStart,
  SubagentStop,
  UserPromptExpansion,
  UserPromptSubmit,
  WorktreeCreate,
  TaskCompleted,
  TaskCreated,
};
