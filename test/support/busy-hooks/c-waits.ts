import { defineHook } from "bridge-hooks";

/** Waits longer than a hook without a time limit is allowed to compute. */
export default defineHook({
  event: "PreToolUse",
  tool: "Bash",
  timeoutMs: 30_000,
  async handler({ input }) {
    if (input.command.startsWith("wait")) await Bun.sleep(4_500);
  },
});
