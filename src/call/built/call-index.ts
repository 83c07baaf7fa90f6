import type { CallIndex } from "../../protocol/concerns.ts";

/** Words and paths that show that a call may concern a hook of this executable. The build replaces this file. */
export const index: CallIndex = {};
