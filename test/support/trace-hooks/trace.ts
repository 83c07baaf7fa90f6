import { defineHook } from "bridge-hooks";

/** Prints a line when it runs. It has no opinion about any call, so calls on the quick path don't run it. */
export default defineHook({
  event: "PreToolUse",
  tool: ["Bash", "Read", "Write"],
  concerns: { texts: ["trace-me"] },
  handler() {
    console.error("asked");
    return undefined;
  },
});
