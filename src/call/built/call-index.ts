import type { CallIndex } from "../../protocol/concerns.ts";

/** Words and paths by which a call may concern any hook of this executable. The build replaces this file. */
export const index: CallIndex = {};
