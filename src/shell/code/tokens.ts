/**
 * Matches whitespace and an optional comment, an escape, a string, a character code call, a name, or any other
 * character.
 */
const TOKEN =
  /[ \t\n]+(?:(?:#(?=[\s!#])|\/\/(?=\s))[^\n]*)?|\\[^]|([rbfuRBFU]{0,2})(["'`])((?:(?!\2)[^\\]|\\[^])*)\2|(?:chr|String\.fromCharCode)\s{0,9}\(([\s\d,xa-fA-F]{1,99})\)|(\d{1,5})\.chr\b|\$?[A-Za-z_]\w*|\$\d|\d+|[^]/y;
const ESCAPE_SEQUENCE = /\\(?:x([\da-fA-F]{1,2})|u\{?([\da-fA-F]{1,6})\}?|([0-7]{1,3})|([^]))/g;

/** Expressions that refer to the user's home directory. */
export const HOME_EXPRESSION =
  /(?:(?:[a-zA-Z_]\w{0,20}|(?:require|__import__)\(["'](?:node:)?os["']\))\.)?homedir\(\)|(?:process|Bun)\.env\.HOME\b|(?:process\.env|os\.environ|ENV|ENVIRON|\$_(?:SERVER|ENV))\[["']HOME["']\]|(?:\w{1,20}\.){0,2}(?:environ\.get|[gG]etenv|get_env|env\.get|ENV\.fetch|fetch)\(["']HOME["']\)|(?:\w{1,20}\.)?Path\.home\(\)|Dir\.home\b|\$ENV\{["']?HOME["']?\}/y;
/** Placeholder for the home directory in strings. Shell words use `$HOME` instead. */
export const HOME_PLACEHOLDER = "\ue000";

/** Quotes a string as a shell word. */
export const quoteWord = (text: string): string =>
  `'${text.replaceAll("'", "'\\''").replaceAll(HOME_PLACEHOLDER, `'"$HOME"'`)}'`;
/** Converts a string to a shell command line. */
export const toShellText = (text: string): string => text.replaceAll(HOME_PLACEHOLDER, "$HOME");

/** A token of code: a string, a name or an operator. */
export interface CodeToken {
  text?: string;
  /** Whether the source contains this text literally. */
  isPlain?: true;
  /** Whether the string may contain interpolated expressions. */
  isInterpolated?: true;
  quote?: string;
  symbol?: string;
  start: number;
  end: number;
  /** Whether the token is the first one on its line. */
  isFirst: boolean;
}

export function decodeEscapes(text: string): string {
  return text.replace(ESCAPE_SEQUENCE, (_, ...groups: (string | undefined)[]) => {
    const [hexDigits, codePoint, octal, escapedLetter = ""] = groups;
    if (escapedLetter !== "") return escapedLetter === "n" ? "\n" : escapedLetter === "t" ? "\t" : escapedLetter;
    const code = Number.parseInt(hexDigits ?? codePoint ?? octal ?? "0", octal === undefined ? 16 : 8);
    return code <= 0x10_ff_ff ? String.fromCodePoint(code) : "";
  });
}

/** Decodes character codes, such as `chr(46)`. */
const decodeCharacterCodes = (numbers: string) =>
  numbers.split(",").reduce((text, number) => text + String.fromCharCode(Number(number)), "");

/** Reads a string literal. Interpolated expressions stay in the string. */
function readString(
  prefix: string,
  quote: string,
  content: string,
): Pick<CodeToken, "text" | "isPlain" | "isInterpolated"> {
  if (/r/i.test(prefix)) return { text: content, isPlain: true };
  const isFilled =
    ((quote === "`" || /f/i.test(prefix)) && content.includes("{")) || (quote !== "'" && /[$@#][\w{]/.test(content));
  if (isFilled) return { text: content, isInterpolated: true };
  const text = decodeEscapes(content);
  return text === content ? { text, isPlain: true } : { text };
}

/** Splits code into tokens and discards whitespace and comments. */
export function tokenizeCode(code: string): CodeToken[] {
  const tokens: CodeToken[] = [];
  let isFirst = true;
  for (let start = 0; start < code.length;) {
    TOKEN.lastIndex = start;
    const [token = "", prefix = "", quote, content = "", numbers, number] = TOKEN.exec(code) ?? [];
    const end = start + token.length;
    const position = { start, end, isFirst };
    start = end;
    const characterCodes = numbers ?? number;
    if (/^\s/.test(token)) isFirst ||= token.includes("\n");
    else {
      if (quote !== undefined) tokens.push({ ...readString(prefix, quote, content), quote, ...position });
      else
        tokens.push({
          ...(characterCodes === undefined ? { symbol: token } : { text: decodeCharacterCodes(characterCodes) }),
          ...position,
        });
      isFirst = false;
    }
  }
  return tokens;
}
