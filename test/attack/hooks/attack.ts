import { defineHook, deny } from "bridge-hooks";

const MARKER = "attack: deny this";

/** Behaves like the in-process hook that the environment variable names. */
export default defineHook({
  event: [
    "SessionStart",
    "PreToolUse",
    "PostToolUse",
    "UserPromptSubmit",
    "Stop",
    "SessionEnd",
    "PostToolUseFailure",
    "PermissionRequest",
    "SubagentStart",
    "SubagentStop",
    "PreCompact",
    "PostCompact",
    "Notification",
    "Native",
  ],
  handler(event) {
    switch (process.env.ATTACK_HOOK) {
      case "deny":
        return deny("attack says no");
      case "marked": {
        const looked = ["input" in event ? event.input : undefined, "prompt" in event ? event.prompt : undefined];
        return JSON.stringify(looked).includes(MARKER) ? deny("attack says no") : undefined;
      }
      case "throw":
        throw new Error("attack broke");
      default:
        return undefined;
    }
  },
});
