const { env } = process;

/** Whether somebody wants no colours, whatever else is said. */
export const isColorDisabled = (): boolean => Boolean(env.NO_COLOR || env.NODE_DISABLE_COLORS);

/** Has that wish win. Before clipanion is loaded: it asks for the terminal's colours then, and Bun prints that NO_COLOR is ignored. */
export function dropForcedColors(): void {
  if (isColorDisabled()) delete env.FORCE_COLOR;
}
