/** Formats a thrown value as one line. Any value can be thrown, and some can't be converted to a string. */
export function describeError(error: unknown): string {
  try {
    const text = String(error instanceof Error ? error.message || error.name : error);
    return text.replace(/(?<!\s)\s*\n\s*/g, " ").trim() || "unknown error";
  } catch {
    return "it threw a value that can't be printed";
  }
}

/** Error codes for a missing path, including a path below a file. */
const ABSENT_CODES: readonly unknown[] = ["ENOENT", "ENOTDIR"];

/** Returns whether an error means that a path doesn't exist. */
export const isAbsentError = (error: unknown): boolean =>
  ABSENT_CODES.includes((error as NodeJS.ErrnoException | undefined)?.code);

/**
 * Calls `look` and returns undefined if it fails because a path doesn't exist. Bun's `throwIfNoEntry: false` still
 * throws for a path below a file.
 */
export function orAbsent<T>(look: () => T): T | undefined {
  try {
    return look();
  } catch (error) {
    if (isAbsentError(error)) return undefined;
    throw error;
  }
}
