// Re-exports all modules that a call needs if the screen doesn't answer the call, so that one import loads them.
export { runCall } from "./call.ts";
export { entries } from "./built/hooks.ts";
