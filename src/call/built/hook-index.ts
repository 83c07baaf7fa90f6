import type { CallIndex } from "../../protocol/concerns.ts";

/**
 * Maps each hook name to words and paths that show whether a call may concern the hook. The build replaces this file.
 */
export const hookIndex: Readonly<Record<string, CallIndex>> = {};
