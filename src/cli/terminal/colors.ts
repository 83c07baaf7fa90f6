const { env } = process;

/** ANSI color codes: red, green, magenta and bold. Yellow and dim text is unreadable on a light background. */
type ColorCode = 31 | 32 | 35 | 1;
export type PaintText = (color: ColorCode, text: string) => string;

/** Whether the user disabled colors, which overrides all other color settings. */
export const isColorDisabled = (): boolean => Boolean(env.NO_COLOR || env.NODE_DISABLE_COLORS);

/**
 * Makes NO_COLOR take precedence over FORCE_COLOR. Must run before clipanion is loaded: clipanion queries color
 * support, and if both are set, Bun warns that NO_COLOR is ignored.
 */
export function dropForcedColors(): void {
  if (isColorDisabled()) delete env.FORCE_COLOR;
}

/** The values of --color. */
export const COLOR_CHOICES = ["auto", "always", "never"] as const;
export type ColorChoice = (typeof COLOR_CHOICES)[number];
let colorChoice: ColorChoice = "auto";

/** Applies the --color option. */
export const setColorChoice = (newChoice: ColorChoice): void => void (colorChoice = newChoice);

const isDisabledValue = (value: string | undefined) => value === "0" || value === "false";

/** Whether output is colored. --color decides first, then environment variables, then whether stdout is a terminal. */
export function isColored(isTerminal = process.stdout.isTTY === true): boolean {
  if (colorChoice !== "auto") return colorChoice === "always";
  if (isColorDisabled()) return false;
  for (const setting of [env.FORCE_COLOR, env.CLICOLOR_FORCE]) if (setting) return !isDisabledValue(setting);
  return isTerminal && env.TERM !== "dumb" && !isDisabledValue(env.CLICOLOR);
}

/** Red and magenta are too dark for the black background of a Windows console. In bold, their shades are brighter. */
const isTooDark = (color: ColorCode): boolean => color === 31 || color === 35;

export const paintColored: PaintText = (color, text) =>
  `\u001b[${isTooDark(color) ? `1;${color}` : color}m${text}\u001b[0m`;
export const paintPlain: PaintText = (_, text) => text;
export const choosePaint = (): PaintText => (isColored() ? paintColored : paintPlain);
