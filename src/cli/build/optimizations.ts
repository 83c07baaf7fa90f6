/**
 * Optional build steps that only make calls faster. An optimization that saves less than 5% on a common call is
 * removed. The figures for each one are in its file, and all figures are in docs/contributing/lab.md.
 */
export const OPTIMIZATIONS = ["align-segments", "engine-options", "first-chunk", "jit-policy"] as const;
export type Optimization = (typeof OPTIMIZATIONS)[number];

/**
 * Environment variable with a comma-separated list of optimizations to disable in a build from source, for
 * measurements.
 */
export const DISABLED_VARIABLE = "BRIDGE_HOOKS_BUILD_WITHOUT";

const listDisabled = (): string[] => (process.env[DISABLED_VARIABLE] ?? "").split(",").filter(Boolean);

/** @throws Error if the variable contains an unknown optimization. */
export function hasOptimization(name: Optimization): boolean {
  const unknown = listDisabled().find((requested) => !OPTIMIZATIONS.some((optimization) => optimization === requested));
  if (unknown !== undefined)
    throw new Error(`${DISABLED_VARIABLE}: unknown optimization "${unknown}"; known: ${OPTIMIZATIONS.join(", ")}`);
  return !listDisabled().includes(name);
}
