/**
 * File system lookups, cached for one turn of the event loop. Undefined in a process that handles a single call. In a
 * resident process, calls that arrived at the same time share the cache. The cache is cleared after each read of stdin
 * and at the end of each turn, so no call gets a result from before the call arrived.
 */
let cachedLookups: Map<string, unknown> | undefined;
const { setImmediate } = globalThis;
/** Maximum number of cached lookups. A single call may name any number of files. */
const MAX_LOOKUPS = 2_000;
/** Number of running hooks that might change files and look them up again. */
let writers = 0;

/** Lets calls in the same turn of the event loop share their file system lookups. */
export const shareLookups = (): void => void (cachedLookups ??= new Map());

/** Clears the cached lookups. */
export const clearLookups = (): void => cachedLookups?.clear();

/** Runs a hook that might change files and look them up again. Until the hook finishes, the cache isn't used. */
export async function runWithoutSharedLookups<T>(run: () => Promise<T>): Promise<T> {
  writers++;
  try {
    return await run();
  } finally {
    writers--;
    clearLookups();
  }
}

/**
 * Runs a lookup, or returns its cached result from the current turn.
 * @param question cache key, unique to the lookup.
 */
export function cacheLookup<T>(question: string, lookUp: () => T): T {
  if (!cachedLookups || writers > 0) return lookUp();
  if (cachedLookups.has(question)) return cachedLookups.get(question) as T;
  if (cachedLookups.size === 0) setImmediate(clearLookups);
  else if (cachedLookups.size >= MAX_LOOKUPS) cachedLookups.clear();
  const result = lookUp();
  cachedLookups.set(question, result);
  return result;
}
