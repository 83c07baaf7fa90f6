/**
 * File system lookups, cached for one turn of the event loop. In a resident process, calls that arrive at the same time
 * share the cache. Clearing it after each read of stdin and at the end of each turn ensures that no call sees a result
 * from before it arrived. Undefined in a process that handles a single call.
 */
let cachedLookups: Map<string, unknown> | undefined;
const { setImmediate } = globalThis;
/** Maximum number of cached lookups, since a single call can name any number of files. */
const MAX_LOOKUPS = 2_000;
/** Number of running hooks that might change files and then look them up again. */
let activeWriterCount = 0;

/** Lets calls in the same turn of the event loop share their file system lookups. */
export const shareLookups = (): void => void (cachedLookups ??= new Map());

/** Clears the cached lookups. */
export const clearLookups = (): void => cachedLookups?.clear();

/** Runs a hook that might change files and then look them up again. The cache isn't used until the hook finishes. */
export async function runWithoutSharedLookups<T>(run: () => Promise<T>): Promise<T> {
  activeWriterCount++;
  try {
    return await run();
  } finally {
    activeWriterCount--;
    clearLookups();
  }
}

/**
 * Returns a lookup's result, from the cache if the lookup has already run in the current turn.
 * @param question the cache key, unique to the lookup
 */
export function cacheLookup<T>(question: string, lookUp: () => T): T {
  if (!cachedLookups || activeWriterCount > 0) return lookUp();
  if (cachedLookups.has(question)) return cachedLookups.get(question) as T;
  if (cachedLookups.size === 0) setImmediate(clearLookups);
  else if (cachedLookups.size >= MAX_LOOKUPS) cachedLookups.clear();
  const result = lookUp();
  cachedLookups.set(question, result);
  return result;
}
