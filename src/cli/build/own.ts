import type { BuiltPolicy } from "../policy-identity.ts";

// The build replaces this file.

/** The path of the executable's own packed sources inside the executable. */
export const sources: string | undefined = undefined;

/** What the executable's policy is; undefined in a run from source. */
export const policy: BuiltPolicy | undefined = undefined;
