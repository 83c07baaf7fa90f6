import { defineHook } from "bridge-hooks";

/** A hook that prints a line and never decides anything, so calls on the quick path skip it. */
export default defineHook({
  event: "PreToolUse",
  tool: ["Bash", "Read", "Write"],
  concerns: { texts: ["trace-me"] },
  handler() {
    console.error("asked");
    return undefined;
  },
});
