import { defineHook, deny } from "bridge-hooks";

export default defineHook({
  event: "PreToolUse",
  tool: "Bash",
  handler: ({ input }) => (input.command.endsWith("DENY") ? deny("the last hook says no") : undefined),
});
