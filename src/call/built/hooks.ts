import type { HookDescriptor } from "../../protocol/hook.ts";

/** The hooks of this executable. The build replaces this file with the manifest. */
export const entries: readonly HookDescriptor[] = [];
