import { defineHook } from "bridge-hooks";

/** Hangs, so that several consecutive processes must be abandoned. */
export default defineHook({
  event: "PreToolUse",
  tool: "Bash",
  timeoutMs: 150,
  handler({ input }) {
    if (input.command.startsWith("hang")) /^x*x*x*x*x*x*x*x*x*x*y$/.test("x".repeat(400));
  },
});
