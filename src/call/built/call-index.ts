import type { CallIndex } from "../../protocol/concerns.ts";

/** Words and paths that indicate whether a call may concern a hook of this executable. The build replaces this file. */
export const index: CallIndex = {};
