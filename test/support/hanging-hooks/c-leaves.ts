import { defineHook } from "bridge-hooks";

/** Answers, but leaves work behind that keeps the engine busy. */
export default defineHook({
  event: "PreToolUse",
  tool: "Bash",
  handler({ input }) {
    if (!input.command.startsWith("leave")) return;
    setTimeout(() => {
      for (;;);
    }, 20);
  },
});
