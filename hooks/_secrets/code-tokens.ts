/** A token in source code. Whitespace and comments don't become tokens. */
export interface Token {
  /** `text` is a string without interpolation. `end` is a token that always ends a statement, such as a semicolon. */
  kind: "word" | "text" | "open" | "close" | "sign" | "end";
  /**
   * The source text or, for a string, its contents. For the `open` token of an interpolated string, the string's quote.
   */
  text: string;
  /** Whether there is whitespace before the token. */
  followsWhitespace: boolean;
}

/** Syntax differences between languages that matter for telling whether code prints a secret. */
interface Syntax {
  comment: RegExp;
  quote: RegExp;
  /**
   * How an interpolation starts, keyed by the string's quote. The key for a Python f-string is `f` followed by the
   * quote.
   */
  interpolationStarts: Readonly<Record<string, RegExp>>;
  /** Quotes of strings that may span lines. */
  longQuotes: string;
  /** Whether newlines are ordinary whitespace that doesn't end a statement. */
  joinsRows?: true;
}

const QUOTE = /["'`]/y;
const HASH_COMMENT = /(?<![^\s;{}()])#[^\n]*/y;
const SLASH_COMMENT = /\/\/[^\n]*|\/\*/y;
const AWK_SYNTAX: Syntax = { comment: HASH_COMMENT, quote: QUOTE, interpolationStarts: {}, longQuotes: "" };
const SCRIPT_SYNTAX: Syntax = {
  comment: SLASH_COMMENT,
  quote: QUOTE,
  interpolationStarts: { "`": /\$\{/y },
  longQuotes: "`",
};
const RUBY_SYNTAX: Syntax = { ...AWK_SYNTAX, interpolationStarts: { '"': /#\{/y, "`": /#\{/y } };
/**
 * In strings, variables can appear on their own, as in `"$k"` and `"$ENV{X}"`, or in brackets, as in `"{$k}"`,
 * `"${k}"`, and `"@{[f()]}"`.
 */
const PERL_SYNTAX: Syntax = { ...AWK_SYNTAX, interpolationStarts: { '"': /[@$]\{|\{(?=\$)|(?=\$\w)/y } };
const PHP_SYNTAX: Syntax = {
  ...PERL_SYNTAX,
  comment: new RegExp(`${SLASH_COMMENT.source}|${HASH_COMMENT.source}`, "y"),
};
const JQ: Syntax = { ...AWK_SYNTAX, interpolationStarts: { '"': /\\\(/y }, longQuotes: '"', joinsRows: true };
const PYTHON_INTERPOLATION_START = /\{(?!\{)/y;
const PYTHON_SYNTAX: Syntax = {
  comment: HASH_COMMENT,
  quote: /"""|'''|["'`]/y,
  interpolationStarts: {
    'f"': PYTHON_INTERPOLATION_START,
    "f'": PYTHON_INTERPOLATION_START,
    'f"""': PYTHON_INTERPOLATION_START,
    "f'''": PYTHON_INTERPOLATION_START,
  },
  longQuotes: `"""'''`,
};

function getSyntax(program: string): Syntax {
  if (/^(?:python|pypy)/.test(program)) return PYTHON_SYNTAX;
  if (program.startsWith("perl")) return PERL_SYNTAX;
  if (program.startsWith("php")) return PHP_SYNTAX;
  if (/^(?:j?ruby|irb)/.test(program)) return RUBY_SYNTAX;
  if (/awk$|^lua/.test(program)) return AWK_SYNTAX;
  return program === "jq" ? JQ : SCRIPT_SYNTAX;
}

const WHITESPACE = /[^\S\n]+|\\\n/y;
const WORD = /\$?[\w$\u0080-\uffff]+/y;
/** Operators. `OPERATOR_EQUIVALENTS` maps some of them to a simpler operator. */
const OPERATOR_TOKEN = /\.{2,3}|[=!]==?|=>|=~|[<>]=|\?\?=?|\?[.:]|&\.|&&=?|\|\|=?|->|::|[-+.:|]=|[^]/y;
const OPERATOR_EQUIVALENTS: Readonly<Record<string, string>> = {
  ...Object.fromEntries("?. &. -> ::".split(" ").map((sign) => [sign, "."])),
  ...Object.fromEntries("+= .= |= ||= &&= ??= :=".split(" ").map((sign) => [sign, "="])),
};
const CLOSING_BRACKETS: Readonly<Record<string, string>> = { "(": ")", "[": "]", "{": "}" };

/** What the lexer is currently in: code or a string. */
interface Scope {
  /** What closes the scope: a string's quote or an interpolation's closing bracket. Empty for the program itself. */
  closer: string;
  /** The number of open brackets in the code. */
  depth: number;
  string?: OpenString;
}

interface OpenString {
  /** Where the string's contents begin, and how many tokens come before it. */
  from: number;
  tokenCount: number;
  interpolationStart: RegExp | undefined;
  hasInterpolation: boolean;
}

interface TokenScan {
  code: string;
  at: number;
  syntax: Syntax;
  tokens: Token[];
  scopes: Scope[];
  /**
   * For each quote, a range in which it doesn't open a string because the string would never be closed. Remembering the
   * range keeps the lexer from scanning it again.
   */
  unclosedQuotes: Map<string, { from: number; to: number }>;
  followsWhitespace: boolean;
}

/** Matches a pattern at the current offset and advances past the match. */
function takeToken(scan: TokenScan, pattern: RegExp): string | undefined {
  pattern.lastIndex = scan.at;
  const match = pattern.exec(scan.code)?.[0];
  scan.at += match?.length ?? 0;
  return match;
}

function addToken(scan: TokenScan, kind: Token["kind"], text: string): void {
  scan.tokens.push({ kind, text, followsWhitespace: scan.followsWhitespace });
  scan.followsWhitespace = false;
}

/** Splits code in a program's language into tokens, in linear time. */
export function splitTokens(code: string, program: string): Token[] {
  const scopes: Scope[] = [{ closer: "", depth: 0 }];
  const scan = {
    code,
    at: 0,
    syntax: getSyntax(program),
    tokens: [],
    scopes,
    unclosedQuotes: new Map(),
    followsWhitespace: false,
  };
  while (
    scan.at < code.length ||
    retryQuoteAsOperator(
      scan,
      scopes.find(({ string }) => string),
    )
  ) {
    const scope = scopes.at(-1) as Scope;
    if (scope.string) readString(scan, scope, scope.string);
    else readCode(scan, scope);
  }
  return scan.tokens;
}

/** Goes back to the start of an unclosed string and treats its quote as an operator instead. */
function retryQuoteAsOperator(scan: TokenScan, scope: Scope | undefined): boolean {
  if (!scope?.string) return false;
  const { from, tokenCount } = scope.string;
  scan.unclosedQuotes.set(scope.closer, { from: from - scope.closer.length, to: scan.at });
  scan.scopes.length = scan.scopes.indexOf(scope);
  scan.tokens.length = tokenCount;
  scan.at = from;
  addToken(scan, "sign", scope.closer);
  return true;
}

const BRACKETS = "()[]{}";

function readCode(scan: TokenScan, scope: Scope): void {
  const { code, at, syntax } = scan;
  const character = code[at] as string;
  if (BRACKETS.includes(character)) return readBracket(scan, scope, character);
  const isEnd = character === ";" || (character === "\n" && !syntax.joinsRows);
  if (isEnd || character === "\n") {
    scan.at++;
    if (isEnd) addToken(scan, "end", character);
    scan.followsWhitespace = true;
  } else if (takeToken(scan, WHITESPACE) !== undefined || takeComment(scan, character)) scan.followsWhitespace = true;
  else {
    const word = takeToken(scan, WORD);
    const quote = word === undefined ? takeToken(scan, syntax.quote) : undefined;
    if (word !== undefined) addToken(scan, "word", word);
    else if (quote !== undefined) openString(scan, quote);
    else {
      const sign = takeToken(scan, OPERATOR_TOKEN) as string;
      addToken(scan, "sign", OPERATOR_EQUIVALENTS[sign] ?? sign);
    }
  }
}

function takeComment(scan: TokenScan, character: string): boolean {
  const comment = character === "/" || character === "#" ? takeToken(scan, scan.syntax.comment) : undefined;
  if (comment === "/*") {
    const end = scan.code.indexOf("*/", scan.at);
    scan.at = end < 0 ? scan.code.length : end + 2;
  }
  return comment !== undefined;
}

function readBracket(scan: TokenScan, scope: Scope, character: string): void {
  scan.at++;
  if (character in CLOSING_BRACKETS) {
    scope.depth++;
    return addToken(scan, "open", character);
  }
  if (character === scope.closer && scope.depth === 0) scan.scopes.pop();
  else scope.depth = Math.max(0, scope.depth - 1);
  addToken(scan, "close", character);
}

function openString(scan: TokenScan, quote: string): void {
  const { unclosedQuotes, syntax, tokens, scopes } = scan;
  const from = scan.at;
  const { from: first, to } = unclosedQuotes.get(quote) ?? { from: 0, to: 0 };
  if (from - quote.length >= first && from <= to) return addToken(scan, "sign", quote);
  const precedingToken = scan.followsWhitespace ? undefined : tokens.at(-1);
  const isFormatted = precedingToken?.kind === "word" && /^r?fr?$/i.test(precedingToken.text);
  const interpolationStart = syntax.interpolationStarts[isFormatted ? `f${quote}` : quote];
  scopes.push({
    closer: quote,
    depth: 0,
    string: { from, tokenCount: tokens.length, interpolationStart, hasInterpolation: false },
  });
}

const PLAIN_TEXT = /[^\\\n"'`#${@]+/y;

/** Advances to the next significant character in a string, such as its closing quote or an interpolation. */
function readString(scan: TokenScan, scope: Scope, string: OpenString): void {
  const { code, scopes } = scan;
  if (takeToken(scan, PLAIN_TEXT) !== undefined) return;
  if (code.startsWith(scope.closer, scan.at)) {
    scopes.pop();
    if (string.hasInterpolation) addToken(scan, "close", scope.closer);
    else addToken(scan, "text", code.slice(string.from, scan.at));
    scan.at += scope.closer.length;
  } else if (code[scan.at] === "\n" && !scan.syntax.longQuotes.includes(scope.closer)) {
    retryQuoteAsOperator(scan, scope);
  } else {
    const opening = string.interpolationStart && takeToken(scan, string.interpolationStart);
    if (opening !== undefined) readInterpolation(scan, string, scope.closer, opening);
    else scan.at += code[scan.at] === "\\" ? 2 : 1;
  }
}

/** Reads an interpolation, which is either code in brackets or a variable with an optional index. */
function readInterpolation(scan: TokenScan, string: OpenString, quote: string, opening: string): void {
  if (!string.hasInterpolation) addToken(scan, "open", quote);
  string.hasInterpolation = true;
  if (opening === "") addToken(scan, "word", takeToken(scan, WORD) as string);
  const opener = opening === "" ? takeToken(scan, /(?:->)?[[{]/y)?.at(-1) : opening.at(-1);
  if (opener === undefined) return;
  addToken(scan, "open", opener);
  scan.scopes.push({ closer: CLOSING_BRACKETS[opener] as string, depth: 0 });
}
