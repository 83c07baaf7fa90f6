/** Formats an error as one line. Anything can be thrown, and not every value can be printed. */
export function describeError(error: unknown): string {
  try {
    const text = String(error instanceof Error ? error.message || error.name : error);
    return text.replace(/(?<!\s)\s*\n\s*/g, " ").trim() || "unknown error";
  } catch {
    return "it threw something that can't be printed";
  }
}

/** Codes of errors that say that nothing is at a path: there is nothing below a file, either. */
const ABSENT_CODES: readonly unknown[] = ["ENOENT", "ENOTDIR"];

/** Whether an error says that nothing is at a path. */
export const isAbsentError = (error: unknown): boolean =>
  ABSENT_CODES.includes((error as NodeJS.ErrnoException | undefined)?.code);

/** What a look at a path finds; undefined if nothing is there. Bun's `throwIfNoEntry` throws below a file. */
export function orAbsent<T>(look: () => T): T | undefined {
  try {
    return look();
  } catch (error) {
    if (isAbsentError(error)) return undefined;
    throw error;
  }
}
