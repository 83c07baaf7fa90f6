import { defineHook, deny } from "bridge-hooks";

/** Denies after a while. Its name is also the name of a property that every object has. */
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
