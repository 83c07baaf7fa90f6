import { defineHook, deny } from "bridge-hooks";

export default defineHook({
  description: "x",
  event: "PreToolUse",
  tool: "Bash",
  handler: (event) => (event.input.command.includes("rm -rf /") ? deny("no") : undefined),
});
