import type { Samples } from "../../../tools/samples.ts";

export const samples: Samples = {
  Notification: "written-from-package-0.36.0/Notification.json",
  PostToolUse: "written-from-package-0.36.0/PostToolUse-launch-process.json",
  PreToolUse: "written-from-package-0.36.0/PreToolUse-launch-process.json",
  PromptSubmit: "written-from-package-0.36.0/PromptSubmit.json",
  SessionEnd: "written-from-package-0.36.0/SessionEnd.json",
  SessionStart: "written-from-package-0.36.0/SessionStart.json",
  Stop: "written-from-package-0.36.0/Stop.json",
};
