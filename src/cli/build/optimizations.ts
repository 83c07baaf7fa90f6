/**
 * What a build does only so that calls take less time. Each one is worth 5 % of a call that people make every day, or is
 * removed; its file has the figures, and docs/contributing/lab.md those of all.
 */
export const OPTIMIZATIONS = ["align-segments", "engine-options", "first-chunk", "jit-policy"] as const;
export type Optimization = (typeof OPTIMIZATIONS)[number];

/** Names the optimizations that a build from source leaves out, separated by commas; for measurements. */
export const LEFT_OUT_VARIABLE = "BRIDGE_HOOKS_BUILD_WITHOUT";

const listLeftOut = (): string[] => (process.env[LEFT_OUT_VARIABLE] ?? "").split(",").filter(Boolean);

/** @throws Error if the variable names an optimization that does not exist. */
export function hasOptimization(name: Optimization): boolean {
  const unknown = listLeftOut().find((one) => !OPTIMIZATIONS.some((known) => known === one));
  if (unknown !== undefined)
    throw new Error(`${LEFT_OUT_VARIABLE}: unknown optimization "${unknown}"; known: ${OPTIMIZATIONS.join(", ")}`);
  return !listLeftOut().includes(name);
}
