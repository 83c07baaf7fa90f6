import type { CallIndex } from "../../protocol/concerns.ts";

/** Words and paths by which a call may concern each hook, by hook name. The build replaces this file. */
export const hookIndex: Readonly<Record<string, CallIndex>> = {};
