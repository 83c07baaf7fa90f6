import type { CallIndex } from "../../protocol/concerns.ts";

/** Words and paths that show whether a call may concern any hook of this executable. The build replaces this file. */
export const index: CallIndex = {};
