import { defineHook } from "bridge-hooks";

/** Answers immediately, but remains a suspect when the engine is blocked later. */
export default defineHook({ event: "PreToolUse", tool: "Bash", handler: () => undefined });
