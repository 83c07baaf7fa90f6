/** Formats an error as one line. Anything can be thrown, and not every value can be printed. */
export function describeError(error: unknown): string {
  try {
    const text = String(error instanceof Error ? error.message || error.name : error);
    return text.replace(/(?<!\s)\s*\n\s*/g, " ").trim() || "unknown error";
  } catch {
    return "it threw something that can't be printed";
  }
}
