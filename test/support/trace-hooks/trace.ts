import { defineHook } from "bridge-hooks";

/** Says that it was asked, although none of these calls concerns it: those that end on the quick path don't ask it. */
export default defineHook({
  event: "PreToolUse",
  tool: ["Bash", "Read", "Write"],
  concerns: { texts: ["trace-me"] },
  handler() {
    console.error("asked");
    return undefined;
  },
});
