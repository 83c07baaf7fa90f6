/** A piece of code. Blanks and comments between pieces are left out. */
export interface Token {
  /** `text` is a string without anything to fill in; an `end` is the end of a statement, as far as a token tells. */
  kind: "word" | "text" | "open" | "close" | "sign" | "end";
  /** As it is written; of a string, what is between its quotes. A string that is filled in opens with its quote. */
  text: string;
  /** Whether a blank stands before it. */
  isApart: boolean;
}

/** How languages differ, as far as it matters here. */
interface Syntax {
  comment: RegExp;
  quote: RegExp;
  /** What begins an expression in a string, by the string's quote; one with `f` before it has `f` in its name here. */
  fills: Readonly<Record<string, RegExp>>;
  /** Quotes of strings that may go over several rows. */
  longQuotes: string;
  /** Whether a new row is a blank like others. */
  joinsRows?: true;
}

const QUOTE = /["'`]/y;
const HASH_COMMENT = /(?<![^\s;{}()])#[^\n]*/y;
const SLASH_COMMENT = /\/\/[^\n]*|\/\*/y;
const AWK: Syntax = { comment: HASH_COMMENT, quote: QUOTE, fills: {}, longQuotes: "" };
const SCRIPT: Syntax = { comment: SLASH_COMMENT, quote: QUOTE, fills: { "`": /\$\{/y }, longQuotes: "`" };
const RUBY: Syntax = { ...AWK, fills: { '"': /#\{/y, "`": /#\{/y } };
/** Variables stand in a string as they are: `"$k"`, `"$ENV{X}"`; and `"{$k}"`, `"${k}"`, `"@{[f()]}"`. */
const PERL: Syntax = { ...AWK, fills: { '"': /[@$]\{|\{(?=\$)|(?=\$\w)/y } };
const PHP: Syntax = { ...PERL, comment: new RegExp(`${SLASH_COMMENT.source}|${HASH_COMMENT.source}`, "y") };
const JQ: Syntax = { ...AWK, fills: { '"': /\\\(/y }, longQuotes: '"', joinsRows: true };
const PYTHON_FILL = /\{(?!\{)/y;
const PYTHON: Syntax = {
  comment: HASH_COMMENT,
  quote: /"""|'''|["'`]/y,
  fills: { 'f"': PYTHON_FILL, "f'": PYTHON_FILL, 'f"""': PYTHON_FILL, "f'''": PYTHON_FILL },
  longQuotes: `"""'''`,
};

function getSyntax(program: string): Syntax {
  if (/^(?:python|pypy)/.test(program)) return PYTHON;
  if (program.startsWith("perl")) return PERL;
  if (program.startsWith("php")) return PHP;
  if (/^(?:j?ruby|irb)/.test(program)) return RUBY;
  if (/awk$|^lua/.test(program)) return AWK;
  return program === "jq" ? JQ : SCRIPT;
}

const BLANK = /[^\S\n]+|\\\n/y;
const WORD = /\$?[\w$\u0080-\uffff]+/y;
/** Signs of more than one letter, and those that are written for another. */
const SIGN = /\.{2,3}|[=!]==?|=>|=~|[<>]=|\?\?=?|\?[.:]|&\.|&&=?|\|\|=?|->|::|[-+.:|]=|[^]/y;
const SIGN_MEANINGS: Readonly<Record<string, string>> = {
  ...Object.fromEntries("?. &. -> ::".split(" ").map((sign) => [sign, "."])),
  ...Object.fromEntries("+= .= |= ||= &&= ??= :=".split(" ").map((sign) => [sign, "="])),
};
const CLOSERS: Readonly<Record<string, string>> = { "(": ")", "[": "]", "{": "}" };

/** Where the scan is: in code, or in a string of it. */
interface Scope {
  /** Of a string its quote, of code in a string the bracket that ends it, of all code nothing. */
  closer: string;
  /** Of code: brackets in it that are open. */
  depth: number;
  string?: OpenString;
}

interface OpenString {
  /** Where its inside begins, and how many tokens there are before it. */
  from: number;
  tokenCount: number;
  fill: RegExp | undefined;
  isFilled: boolean;
}

interface Scan {
  code: string;
  at: number;
  syntax: Syntax;
  tokens: Token[];
  scopes: Scope[];
  /** Where a quote begins no string, as nothing closes one there. Each part is read again a few times at most. */
  unclosed: Map<string, { from: number; to: number }>;
  isApart: boolean;
}

/** Moves on behind what stands next, if that is it. */
function take(scan: Scan, wanted: RegExp): string | undefined {
  wanted.lastIndex = scan.at;
  const found = wanted.exec(scan.code)?.[0];
  scan.at += found?.length ?? 0;
  return found;
}

function addToken(scan: Scan, kind: Token["kind"], text: string): void {
  scan.tokens.push({ kind, text, isApart: scan.isApart });
  scan.isApart = false;
}

/** The pieces of code in the language of a program; linear in the code's length. */
export function splitTokens(code: string, program: string): Token[] {
  const scopes: Scope[] = [{ closer: "", depth: 0 }];
  const scan = { code, at: 0, syntax: getSyntax(program), tokens: [], scopes, unclosed: new Map(), isApart: false };
  while (
    scan.at < code.length ||
    reopen(
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

/** Goes back to where a string began that nothing closes: there, its quote is a sign. */
function reopen(scan: Scan, scope: Scope | undefined): boolean {
  if (!scope?.string) return false;
  const { from, tokenCount } = scope.string;
  scan.unclosed.set(scope.closer, { from: from - scope.closer.length, to: scan.at });
  scan.scopes.length = scan.scopes.indexOf(scope);
  scan.tokens.length = tokenCount;
  scan.at = from;
  addToken(scan, "sign", scope.closer);
  return true;
}

const BRACKETS = "()[]{}";

function readCode(scan: Scan, scope: Scope): void {
  const { code, at, syntax } = scan;
  const letter = code[at] as string;
  if (BRACKETS.includes(letter)) return readBracket(scan, scope, letter);
  const isEnd = letter === ";" || (letter === "\n" && !syntax.joinsRows);
  if (isEnd || letter === "\n") {
    scan.at++;
    if (isEnd) addToken(scan, "end", letter);
    scan.isApart = true;
  } else if (take(scan, BLANK) !== undefined || takeComment(scan, letter)) scan.isApart = true;
  else {
    const word = take(scan, WORD);
    const quote = word === undefined ? take(scan, syntax.quote) : undefined;
    if (word !== undefined) addToken(scan, "word", word);
    else if (quote !== undefined) openString(scan, quote);
    else {
      const sign = take(scan, SIGN) as string;
      addToken(scan, "sign", SIGN_MEANINGS[sign] ?? sign);
    }
  }
}

function takeComment(scan: Scan, letter: string): boolean {
  const comment = letter === "/" || letter === "#" ? take(scan, scan.syntax.comment) : undefined;
  if (comment === "/*") {
    const end = scan.code.indexOf("*/", scan.at);
    scan.at = end < 0 ? scan.code.length : end + 2;
  }
  return comment !== undefined;
}

function readBracket(scan: Scan, scope: Scope, letter: string): void {
  scan.at++;
  if (letter in CLOSERS) {
    scope.depth++;
    return addToken(scan, "open", letter);
  }
  if (letter === scope.closer && scope.depth === 0) scan.scopes.pop();
  else scope.depth = Math.max(0, scope.depth - 1);
  addToken(scan, "close", letter);
}

function openString(scan: Scan, quote: string): void {
  const { unclosed, syntax, tokens, scopes } = scan;
  const from = scan.at;
  const { from: first, to } = unclosed.get(quote) ?? { from: 0, to: 0 };
  if (from - quote.length >= first && from <= to) return addToken(scan, "sign", quote);
  const before = scan.isApart ? undefined : tokens.at(-1);
  const isFormatted = before?.kind === "word" && /^r?fr?$/i.test(before.text);
  const fill = syntax.fills[isFormatted ? `f${quote}` : quote];
  scopes.push({ closer: quote, depth: 0, string: { from, tokenCount: tokens.length, fill, isFilled: false } });
}

const PLAIN_TEXT = /[^\\\n"'`#${@]+/y;

/** Reads on to the next letter of a string that may mean something. */
function readString(scan: Scan, scope: Scope, string: OpenString): void {
  const { code, scopes } = scan;
  if (take(scan, PLAIN_TEXT) !== undefined) return;
  if (code.startsWith(scope.closer, scan.at)) {
    scopes.pop();
    if (string.isFilled) addToken(scan, "close", scope.closer);
    else addToken(scan, "text", code.slice(string.from, scan.at));
    scan.at += scope.closer.length;
  } else if (code[scan.at] === "\n" && !scan.syntax.longQuotes.includes(scope.closer)) {
    reopen(scan, scope);
  } else {
    const begin = string.fill && take(scan, string.fill);
    if (begin !== undefined) fillString(scan, string, scope.closer, begin);
    else scan.at += code[scan.at] === "\\" ? 2 : 1;
  }
}

/** Goes on with the code in a string: what is between brackets, or a variable and what of it is asked for. */
function fillString(scan: Scan, string: OpenString, quote: string, begin: string): void {
  if (!string.isFilled) addToken(scan, "open", quote);
  string.isFilled = true;
  if (begin === "") addToken(scan, "word", take(scan, WORD) as string);
  const opener = begin === "" ? take(scan, /(?:->)?[[{]/y)?.at(-1) : begin.at(-1);
  if (opener === undefined) return;
  addToken(scan, "open", opener);
  scan.scopes.push({ closer: CLOSERS[opener] as string, depth: 0 });
}
