import type { Samples } from "../../../tools/samples.ts";

export const samples: Samples = {
  Notification: "written-from-program-0.215.0/Notification.json",
  PostToolUse: "droid-0.215.0/PostToolUse-Execute.json",
  PreCompact: "written-from-program-0.215.0/PreCompact.json",
  PreToolUse: "droid-0.215.0/PreToolUse-Execute.json",
  SessionEnd: "droid-0.215.0/SessionEnd.json",
  SessionStart: "droid-0.215.0/SessionStart.json",
  Stop: "droid-0.215.0/Stop.json",
  SubagentStop: "droid-0.215.0/SubagentStop.json",
  UserPromptSubmit: "droid-0.215.0/UserPromptSubmit.json",
};
