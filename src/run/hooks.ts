import type { HookDescriptor } from "../protocol/hook.ts";

/** The hooks in this executable. The build puts its manifest in this file's place. */
export const entries: readonly HookDescriptor[] = [];
