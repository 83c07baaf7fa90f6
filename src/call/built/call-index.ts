import type { CallIndex } from "../../protocol/concerns.ts";

/** What a call has to mention to concern one of the hooks in this executable. The build replaces this file. */
export const index: CallIndex = {};
