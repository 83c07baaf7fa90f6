import { defineHook, deny } from "bridge-hooks";

/** Runs after the probe and takes a while. Errors the probe leaves behind must not be blamed on this hook. */
export default defineHook({
  event: "PreToolUse",
  tool: "Bash",
  order: 1,
  async handler(event) {
    if (!event.input.command.includes("probe:stray")) return undefined;
    await Bun.sleep(20);
    return deny("second says no");
  },
});
