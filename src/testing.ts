/** Placeholder until the real one is merged. */
export type { Hook } from "./core/hook.ts";
