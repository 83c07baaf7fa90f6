import type { Payload } from "../../protocol/host/host.ts";
import agentStop from "./fixtures/copilot-1.0.102/agentStop.json" with { type: "json" };
import errorOccurred from "./fixtures/copilot-1.0.102/errorOccurred.json" with { type: "json" };
import notification from "./fixtures/copilot-1.0.102/notification.json" with { type: "json" };
import permissionRequest from "./fixtures/copilot-1.0.102/permissionRequest.json" with { type: "json" };
import postToolUse from "./fixtures/copilot-1.0.102/postToolUse.json" with { type: "json" };
import postToolUseFailure from "./fixtures/copilot-1.0.102/postToolUseFailure.json" with { type: "json" };
import preCompact from "./fixtures/copilot-1.0.102/preCompact.json" with { type: "json" };
import preMcpToolCall from "./fixtures/copilot-1.0.102/preMcpToolCall.json" with { type: "json" };
import preToolUse from "./fixtures/copilot-1.0.102/preToolUse.json" with { type: "json" };
import sessionEnd from "./fixtures/copilot-1.0.102/sessionEnd.json" with { type: "json" };
import sessionStart from "./fixtures/copilot-1.0.102/sessionStart.json" with { type: "json" };
import subagentStart from "./fixtures/copilot-1.0.102/subagentStart.json" with { type: "json" };
import subagentStop from "./fixtures/copilot-1.0.102/subagentStop.json" with { type: "json" };
import userPromptSubmitted from "./fixtures/copilot-1.0.102/userPromptSubmitted.json" with { type: "json" };
import userPromptTransformed from "./fixtures/copilot-1.0.102/userPromptTransformed.json" with { type: "json" };
import ErrorOccurred from "./fixtures/copilot-1.0.102/PascalCase-ErrorOccurred.json" with { type: "json" };
import PermissionRequest from "./fixtures/copilot-1.0.102/PascalCase-PermissionRequest.json" with { type: "json" };
import PostToolUse from "./fixtures/copilot-1.0.102/PascalCase-PostToolUse.json" with { type: "json" };
import PostToolUseFailure from "./fixtures/copilot-1.0.102/PascalCase-PostToolUseFailure.json" with { type: "json" };
import PreMcpToolCall from "./fixtures/copilot-1.0.102/PascalCase-PreMcpToolCall.json" with { type: "json" };
import PreToolUse from "./fixtures/copilot-1.0.102/PascalCase-PreToolUse.json" with { type: "json" };
import SessionEnd from "./fixtures/copilot-1.0.102/PascalCase-SessionEnd.json" with { type: "json" };
import SessionStart from "./fixtures/copilot-1.0.102/PascalCase-SessionStart.json" with { type: "json" };
import Stop from "./fixtures/copilot-1.0.102/PascalCase-Stop.json" with { type: "json" };
import SubagentStart from "./fixtures/copilot-1.0.102/PascalCase-SubagentStart.json" with { type: "json" };
import SubagentStop from "./fixtures/copilot-1.0.102/PascalCase-SubagentStop.json" with { type: "json" };
import UserPromptSubmit from "./fixtures/copilot-1.0.102/PascalCase-UserPromptSubmit.json" with { type: "json" };

export const RECORDED: Readonly<Record<string, Payload>> = {
  agentStop,
  errorOccurred,
  notification,
  // It says the other name itself [seen 1.0.102, 2026-11-21].
  Notification: notification,
  permissionRequest,
  postToolUse,
  postToolUseFailure,
  preCompact,
  preMcpToolCall,
  preToolUse,
  sessionEnd,
  sessionStart,
  subagentStart,
  subagentStop,
  userPromptSubmitted,
  userPromptTransformed,
  ErrorOccurred,
  PermissionRequest,
  PostToolUse,
  PostToolUseFailure,
  PreMcpToolCall,
  PreToolUse,
  SessionEnd,
  SessionStart,
  Stop,
  SubagentStart,
  SubagentStop,
  UserPromptSubmit,
};
