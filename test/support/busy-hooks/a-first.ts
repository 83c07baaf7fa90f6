import { defineHook } from "bridge-hooks";

/** Answers at once, but remains a suspect if the engine is blocked later. */
export default defineHook({ event: "PreToolUse", tool: "Bash", handler: () => undefined });
