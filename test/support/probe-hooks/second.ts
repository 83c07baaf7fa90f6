import { defineHook, deny } from "bridge-hooks";

/** Runs behind the probe, and takes its time: what the probe leaves behind must not be this hook's fault. */
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
