import { createRequire } from "node:module";

/**
 * Preloaded into dts-bundle-generator: it asks of each pair of symbols whether one is used by the other, and walks the
 * graph anew for each. The symbols that can be reached from one are kept here instead, which takes a tenth of the time
 * [dts-bundle-generator 9.5.1, 2026-11-27].
 */
interface Evaluator {
  nodesParentsMap: Map<unknown, Set<unknown>>;
  getActualSymbol: (symbol: unknown) => unknown;
  isSymbolUsedBySymbol: (symbol: unknown, by: unknown) => boolean;
}

const reachableOf = new WeakMap<Evaluator, Map<unknown, Set<unknown>>>();

function findReachable(evaluator: Evaluator, from: unknown): Set<unknown> {
  const known = reachableOf.getOrInsertComputed(evaluator, () => new Map());
  return known.getOrInsertComputed(from, () => {
    const found = new Set([from]);
    for (const symbol of found) for (const parent of evaluator.nodesParentsMap.get(symbol) ?? []) found.add(parent);
    return found;
  });
}

// It has no declarations.
const { TypesUsageEvaluator } = createRequire(import.meta.url)(
  "dts-bundle-generator/dist/types-usage-evaluator.js",
) as { TypesUsageEvaluator: { prototype: Evaluator } };
const { prototype } = TypesUsageEvaluator;
if (typeof prototype.isSymbolUsedBySymbol !== "function" || typeof prototype.getActualSymbol !== "function")
  throw new Error("dts-bundle-generator has changed; see whether this is still needed");
prototype.isSymbolUsedBySymbol = function (symbol, by) {
  return findReachable(this, this.getActualSymbol(symbol)).has(this.getActualSymbol(by));
};
