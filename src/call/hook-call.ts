// All modules that a call needs if the screen doesn't answer it, in one import.
export { runCall } from "./call.ts";
export { entries } from "./built/hooks.ts";
