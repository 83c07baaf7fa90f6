// Re-exports everything needed for a call that the screen doesn't answer, so that a single import loads it.
export { runCall } from "./call.ts";
export { entries } from "./built/hooks.ts";
