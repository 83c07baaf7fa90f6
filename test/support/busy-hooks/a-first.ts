import { defineHook } from "bridge-hooks";

/** Answers at once: what keeps the engine busy later may be this hook's work. */
export default defineHook({ event: "PreToolUse", tool: "Bash", handler: () => undefined });
