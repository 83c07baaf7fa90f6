import type { CallIndex } from "../../protocol/concerns.ts";

/** What a call has to mention to concern each hook, by hook name. The build replaces this file. */
export const hookIndex: Readonly<Record<string, CallIndex>> = {};
