/** Formats anything that was thrown, even a value that can't be converted to a string, as one line. */
export function describeError(error: unknown): string {
  try {
    const text = String(error instanceof Error ? error.message || error.name : error);
    return text.replace(/(?<!\s)\s*\n\s*/g, " ").trim() || "unknown error";
  } catch {
    return "the thrown value can't be converted to a string";
  }
}

/** Error codes for a missing path, and for a path below a regular file. */
const ABSENT_CODES: readonly unknown[] = ["ENOENT", "ENOTDIR"];

/** Returns whether an error means that a path doesn't exist. */
export const isAbsentError = (error: unknown): boolean =>
  ABSENT_CODES.includes((error as NodeJS.ErrnoException | undefined)?.code);

/**
 * Runs a file system lookup. Returns undefined if the path doesn't exist. Needed because Bun throws for a path below a
 * regular file even with `throwIfNoEntry: false`.
 */
export function orAbsent<T>(lookUp: () => T): T | undefined {
  try {
    return lookUp();
  } catch (error) {
    if (isAbsentError(error)) return undefined;
    throw error;
  }
}
