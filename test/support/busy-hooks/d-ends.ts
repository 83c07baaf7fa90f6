import { defineHook } from "bridge-hooks";

/** Waits until its time limit expires. */
export default defineHook({
  event: "PreToolUse",
  tool: "Bash",
  timeoutMs: 200,
  async handler({ input }) {
    if (input.command.startsWith("never")) await new Promise(() => {});
  },
});
