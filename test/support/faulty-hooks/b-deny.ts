import { defineHook, deny } from "bridge-hooks";

/** A hook that denies every call. */
export default defineHook({
  event: ["PreToolUse", "PermissionRequest"],
  tool: "Bash",
  handler: ({ input }) => (input.command.endsWith("DENY") ? deny("the other hook says no") : undefined),
});
