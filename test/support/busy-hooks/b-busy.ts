import { defineHook } from "bridge-hooks";

/** Has no time limit of its own. */
export default defineHook({
  event: "PreToolUse",
  tool: "Bash",
  handler({ input }) {
    if (input.command.startsWith("spin")) for (;;);
  },
});
