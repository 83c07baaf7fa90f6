import type { CallIndex } from "../../protocol/concerns.ts";

/**
 * Words and paths that indicate whether a call may concern a hook, keyed by hook name. The build replaces this file.
 */
export const hookIndex: Readonly<Record<string, CallIndex>> = {};
