// What a call needs that is looked at, in one import.
export { runCall } from "./call.ts";
export { entries } from "./built/hooks.ts";
