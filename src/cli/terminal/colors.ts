const { env } = process;

/** Whether the user turned colours off, whatever else is set. */
export const isColorDisabled = (): boolean => Boolean(env.NO_COLOR || env.NODE_DISABLE_COLORS);

/**
 * Makes that choice win. Must be called before clipanion is loaded, which queries the terminal's colours: Bun then
 * prints that NO_COLOR is ignored.
 */
export function dropForcedColors(): void {
  if (isColorDisabled()) delete env.FORCE_COLOR;
}
