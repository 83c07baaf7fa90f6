import type { CallIndex } from "../../protocol/concerns.ts";

/** What a call has to mention to concern any hook in this executable. The build replaces this file. */
export const index: CallIndex = {};
