import { defineHook } from "bridge-hooks";

/** A hook that doesn't set its own time limit. */
export default defineHook({
  event: "PreToolUse",
  tool: "Bash",
  handler({ input }) {
    if (input.command.startsWith("spin")) for (;;);
  },
});
