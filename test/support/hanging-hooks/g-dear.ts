import { defineHook } from "bridge-hooks";

/** A hook whose matcher takes forever to match some names. */
export default defineHook({ event: "PreToolUse", matcher: "mcp__x+x+x+x+x+x+x+x+x+x+y", handler: () => undefined });
