import { defineHook, deny } from "bridge-hooks";

/**
 * Runs after the probe and takes some time. Errors that the probe leaves behind must not count as this hook's errors.
 */
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
