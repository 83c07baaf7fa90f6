import { COLOR_CHOICES, setColorChoice } from "./colors.ts";
import { disablePager } from "./pager.ts";

/** The options that every command accepts, besides --help. */
export const GLOBAL_OPTIONS: readonly (readonly [option: string, meaning: string])[] = [
  ["--no-pager", "Don't use a pager for long output"],
  [`--color ${COLOR_CHOICES.join("|")}`, "Use colors: auto (default: if the terminal supports them), always or never"],
];

/**
 * Removes the global options from a command line and applies them. Words after `--` belong to another program.
 * @throws Error for an invalid --color value.
 */
export function takeGlobalOptions(argv: readonly string[]): string[] {
  const remaining: string[] = [];
  for (let at = 0; at < argv.length; at++) {
    const word = argv[at] as string;
    if (word === "--") return [...remaining, ...argv.slice(at)];
    if (word === "--no-pager") disablePager();
    else if (word === "--color" || word.startsWith("--color=")) {
      const value = word === "--color" ? argv[++at] : word.slice("--color=".length);
      const choice = COLOR_CHOICES.find((candidate) => candidate === value);
      if (choice === undefined) throw new Error(`--color must be ${COLOR_CHOICES.join(", ")}, not "${value ?? ""}"`);
      setColorChoice(choice);
    } else remaining.push(word);
  }
  return remaining;
}
