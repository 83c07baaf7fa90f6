export interface Quartiles {
  q1: number;
  median: number;
  q3: number;
}

/** Returns a quantile of the sorted values, interpolated between neighbors. */
function computeQuantile(sorted: readonly number[], share: number): number {
  const at = (sorted.length - 1) * share;
  const [low, high] = [sorted[Math.floor(at)], sorted[Math.ceil(at)]];
  if (low === undefined || high === undefined) return Number.NaN;
  return low + (high - low) * (at - Math.floor(at));
}

export function computeQuartiles(values: readonly number[]): Quartiles {
  const sorted = values.toSorted((a, b) => a - b);
  const [q1, median, q3] = [0.25, 0.5, 0.75].map((share) => computeQuantile(sorted, share)) as [number, number, number];
  return { q1, median, q3 };
}

export const computeMedian = (values: readonly number[]): number => computeQuartiles(values).median;

/**
 * Computes ratios between samples from the same round, so that a temporary slowdown of the machine affects both
 * samples.
 */
export const computePairRatios = (samples: readonly number[], floor: readonly number[]): Quartiles =>
  computeQuartiles(samples.map((sample, at) => sample / (floor[at] as number)));

/** Computes differences between samples from the same round. */
export const computePairDifferences = (samples: readonly number[], floor: readonly number[]): Quartiles =>
  computeQuartiles(samples.map((sample, at) => sample - (floor[at] as number)));
