const { env, platform } = process;

/** Symbols used in the output, with ASCII replacements. */
const ASCII_FALLBACKS: Readonly<Record<string, string>> = {
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
const SYMBOL_PATTERN = new RegExp(`[${Object.keys(ASCII_FALLBACKS).join("")}]`, "g");

/**
 * Whether the terminal shows UTF-8, according to the locale. Known terminal programs on Windows always show UTF-8,
 * regardless of the locale and code page.
 */
export function isUnicode(): boolean {
  if (platform === "win32" && (env.WT_SESSION || env.TERM_PROGRAM || env.ConEmuANSI)) return true;
  const locale = env.LC_ALL || env.LC_CTYPE || env.LANG;
  // Without a locale, macOS terminals show UTF-8, and a Windows console uses its code page.
  return locale === undefined || locale === "" ? platform === "darwin" : /utf-?8/i.test(locale);
}

/** Replaces symbols that a terminal without UTF-8 can't show. */
export const replaceSymbols = (text: string): string =>
  text.replace(SYMBOL_PATTERN, (symbol) => ASCII_FALLBACKS[symbol] ?? symbol);

/** Replaces symbols if stdout is a terminal that can't show them. Call this before layout, because widths change. */
export const adaptSymbols = (text: string): string =>
  process.stdout.isTTY === true && !isUnicode() ? replaceSymbols(text) : text;
