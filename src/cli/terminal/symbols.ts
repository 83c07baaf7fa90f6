const { env, platform } = process;

/** The symbols of output, and what stands for them where the terminal's encoding lacks them. */
const FALLBACKS: Readonly<Record<string, string>> = {
  "…": "...",
  "→": "->",
  "⏎": "\\n",
  "–": "-",
  "—": "-",
  "‑": "-",
  "≥": ">=",
  "≤": "<=",
  "×": "x",
  "·": "*",
  "●": "*",
  "○": "o",
  "✓": "+",
  "’": "'",
  "‘": "'",
  "“": '"',
  "”": '"',
};
const SYMBOLS = new RegExp(`[${Object.keys(FALLBACKS).join("")}]`, "g");

/** Whether the terminal shows UTF-8: by the locale, or on Windows by the terminal, whatever its code page is. */
export function isUnicode(): boolean {
  if (platform === "win32" && (env.WT_SESSION || env.TERM_PROGRAM || env.ConEmuANSI)) return true;
  const locale = env.LC_ALL || env.LC_CTYPE || env.LANG;
  // Without a locale, the terminals of macOS show UTF-8, and a console of Windows is in its code page.
  return locale === undefined || locale === "" ? platform === "darwin" : /utf-?8/i.test(locale);
}

/** Replaces the symbols of a text that is shown at a terminal without UTF-8. */
export const replaceSymbols = (text: string): string => text.replace(SYMBOLS, (symbol) => FALLBACKS[symbol] ?? symbol);

/** Replaces the symbols if stdout is a terminal that lacks them. Called before a text is laid out, since widths change. */
export const adaptSymbols = (text: string): string =>
  process.stdout.isTTY === true && !isUnicode() ? replaceSymbols(text) : text;
