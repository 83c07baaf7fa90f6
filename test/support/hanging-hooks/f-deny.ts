import { defineHook, deny } from "bridge-hooks";

/** Denies after some time. The hook's name is a property of every object. */
export default defineHook({
  name: "constructor",
  event: "PreToolUse",
  tool: "Bash",
  timeoutMs: 500,
  async handler({ input }) {
    if (!input.command.endsWith("DENY")) return;
    await Bun.sleep(40);
    return deny("the last hook says no");
  },
});
