/**
 * File system lookups cached for this turn of the event loop; undefined in a process with only one call. Calls that a
 * resident process has read at the same time share the cache. It is cleared after each read of stdin and at the end of
 * each turn, so a call never sees a lookup from before it arrived.
 */
let cachedLookups: Map<string, unknown> | undefined;
const { setImmediate } = globalThis;
/** Limit of cached lookups, because a call may name any number of files. */
const MAX_LOOKUPS = 2_000;
/** Number of running hooks that may change the files they look up. */
let writers = 0;

/** Makes calls in the same turn of the event loop share their file system lookups. */
export const shareLookups = (): void => void (cachedLookups ??= new Map());

/** Clears the cached lookups. */
export const clearLookups = (): void => cachedLookups?.clear();

/** Runs a hook that may change files and look them up again. Until it finishes, every lookup goes to the disk. */
export async function withoutSharedLookups<T>(run: () => Promise<T>): Promise<T> {
  writers++;
  try {
    return await run();
  } finally {
    writers--;
    clearLookups();
  }
}

/**
 * Runs a lookup, or returns its cached result from this turn.
 * @param question cache key, unique to what `look` finds.
 */
export function cacheLookup<T>(question: string, look: () => T): T {
  if (!cachedLookups || writers > 0) return look();
  if (cachedLookups.has(question)) return cachedLookups.get(question) as T;
  if (cachedLookups.size === 0) setImmediate(clearLookups);
  else if (cachedLookups.size >= MAX_LOOKUPS) cachedLookups.clear();
  const found = look();
  cachedLookups.set(question, found);
  return found;
}
