import { defineHook } from "bridge-hooks";

/** Hangs. Together with the other hanging hooks, it makes several processes in a row time out. */
export default defineHook({
  event: "PreToolUse",
  tool: "Bash",
  timeoutMs: 150,
  handler({ input }) {
    if (input.command.startsWith("hang")) /^x*x*x*x*x*x*x*x*x*x*y$/.test("x".repeat(400));
  },
});
