import type { CallIndex } from "../protocol/concerns.ts";
import type { HookDescriptor } from "../protocol/hook.ts";

/** The hooks in this executable. The build replaces this file with the manifest. */
export const entries: readonly HookDescriptor[] = [];

/** What a call has to mention to concern one of them. */
export const index: CallIndex = {};
