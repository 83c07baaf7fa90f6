import type { SqlDialect } from "./dialects.ts";

// This lexer is custom because SQL parsers are slow to load and too strict. When first loaded, `pgsql-ast-parser` (255
// kB), `node-sql-parser` (323 kB for PostgreSQL alone) and `libpg-query` (1.7 MB) add 63, 19, and 69 ms to a call
// [versions of 2026-11-29, Bun 1.4.5]. They also reject client commands and most statements of other dialects, such as
// `ALTER TABLE t DELETE WHERE 1`, `DROP KEYSPACE k`, and `DROP LOGIN x`.

/** A token of SQL text; comments and whitespace are dropped. */
export interface SqlToken {
  /**
   * `name` is a quoted identifier, `group` a pair of parentheses with its contents (see `readGroup`), `command` a client command such as
   * `\gexec`, and `end` a custom delimiter that ends a statement.
   */
  kind: "word" | "name" | "string" | "number" | "sign" | "group" | "command" | "end";
  /** The token's text: a word, name, or command in lowercase, a string's value, or an operator. Empty for a group. */
  text: string;
  at: number;
  end: number;
  startsLine: boolean;
}

const WORD = /[:@?]*[\p{L}\p{N}_$@]+|\?/uy;
const NUMBER = /\d+(?:\.\d*)?(?:e[+-]?\d+)?(?![\p{L}_])/iuy;
const BRACKET_NAME = /\[[\w $.-]{1,128}\]/y;
const DOLLAR_QUOTE = /\$(?:[A-Za-z_\x80-\uffff][\w\x80-\uffff]{0,62})?\$/y;
const CLIENT_COMMAND = /\\(?:[a-zA-Z]+\+?|[!?;\\])/y;
/** Operators longer than one character. */
const MULTI_CHARACTER_OPERATOR = /<=>|<>|!=|<=|>=|==|:=|\|\||&&|::|!~/y;
const SINGLE_CHARACTER_SYMBOLS = "(),;.*+/%]{}";
/** psql and mysql commands that send the preceding statement. */
export const SENDING_COMMAND = /^\\(?:g|gx|gexec|gset|gdesc|watch|crosstabview|;|\\)$/i;
/** A mysql `DELIMITER` line. */
const DELIMITER_LINE = /^[ \t]*delimiter[ \t]+(\S+)[^\n]*$/im;
/** Placeholder for a custom delimiter. */
const DELIMITER_PLACEHOLDER = "\u0001";

const isSpace = (code: number) => code <= 32 && code !== 1;
const [NEWLINE, QUOTE, DOUBLE, HASH, OPEN, CLOSE, STAR, DASH, DOT, SLASH] = [10, 39, 34, 35, 40, 41, 42, 45, 46, 47];
const [SEMICOLON, BRACKET, BACKSLASH, BACKTICK, DOLLAR] = [59, 91, 92, 96, 36];

function matchAt(pattern: RegExp, text: string, at: number): string | undefined {
  pattern.lastIndex = at;
  return pattern.exec(text)?.[0];
}

/** Finds the end of a quoted section, in which a doubled quote stands for a single one. */
function findQuoteEnd(text: string, at: number, hasEscapes: boolean): number {
  const quote = text.charCodeAt(at);
  for (let i = at + 1; i < text.length; i++) {
    const code = text.charCodeAt(i);
    if (code === BACKSLASH && hasEscapes) i++;
    else if (code === quote) {
      if (text.charCodeAt(i + 1) !== quote) return i + 1;
      i++;
    }
  }
  return text.length;
}

const findLineEnd = (text: string, at: number): number => {
  const end = text.indexOf("\n", at);
  return end < 0 ? text.length : end;
};

function findCommentEnd(text: string, at: number, isNested: boolean): number {
  let depth = 1;
  for (let i = at + 2; i < text.length; i++)
    if (text.charCodeAt(i) === STAR && text.charCodeAt(i + 1) === SLASH) {
      i++;
      if (--depth === 0) return i + 1;
    } else if (isNested && text.charCodeAt(i) === SLASH && text.charCodeAt(i + 1) === STAR) {
      i++;
      depth++;
    }
  return text.length;
}

const mayStartComment = (code: number) => code === DASH || code === SLASH || code === HASH;

/**
 * Finds the end of a comment; undefined if no comment begins here, or if MySQL executes its contents, as in
 * `/*!50000 DROP`.
 */
function skipComment(text: string, at: number, { isMySql, isSqlite }: SqlDialect): number | undefined {
  const [code, next] = [text.charCodeAt(at), text.charCodeAt(at + 1)];
  if (code === HASH) return isMySql ? findLineEnd(text, at) : undefined;
  if (code === DASH && next === DASH) {
    const thirdCode = text.charCodeAt(at + 2);
    return isMySql && !Number.isNaN(thirdCode) && !isSpace(thirdCode) ? undefined : findLineEnd(text, at);
  }
  if (code !== SLASH || next !== STAR || /^M?!/.test(text.slice(at + 2, at + 4))) return undefined;
  return findCommentEnd(text, at, !isMySql && !isSqlite);
}

/** Finds the end of a string or quoted name, including `E'…'` and `$$…$$`. */
function findQuotedEnd(text: string, at: number, dialect: SqlDialect): number | undefined {
  const code = text.charCodeAt(at);
  if (code === QUOTE || code === DOUBLE || code === BACKTICK)
    return findQuoteEnd(text, at, code !== BACKTICK && (dialect.hasEscapes === true || isEscapeString(text, at)));
  if (code !== DOLLAR || dialect.isMySql) return undefined;
  const tag = matchAt(DOLLAR_QUOTE, text, at);
  if (tag === undefined || findLastTag(text, tag) < at + tag.length) return undefined;
  return text.indexOf(tag, at + tag.length) + tag.length;
}

/** The last position of each dollar-quote tag, stored because searching the text for every tag would be too slow. */
let lastTagPositions: { text: string; positions: Map<string, number> } | undefined;
function findLastTag(text: string, tag: string): number {
  if (lastTagPositions?.text !== text) {
    const positions = new Map<string, number>();
    for (let at = text.indexOf("$"); at >= 0; at = text.indexOf("$", at + 1)) {
      const nextTag = matchAt(DOLLAR_QUOTE, text, at);
      if (nextTag !== undefined) positions.set(nextTag, at);
    }
    lastTagPositions = { text, positions };
  }
  return lastTagPositions.positions.get(tag) ?? -1;
}

/** Whether a string has PostgreSQL's prefix for backslash escapes. */
const isEscapeString = (text: string, at: number) => /(?:^|[^\w$])[eE]$/.test(text.slice(Math.max(0, at - 2), at));

/**
 * Finds the end of a parenthesized group. If the group isn't closed, returns the negated position of the `;` or of the
 * end of the text.
 */
function findGroupEnd(text: string, at: number, to: number, dialect: SqlDialect): number {
  let depth = 0;
  for (let i = at; i < to; i++) {
    const code = text.charCodeAt(i);
    if (code === OPEN) depth++;
    else if (code === CLOSE) {
      if (--depth === 0) return i + 1;
    } else if (code === SEMICOLON || code === 1) return -i;
    else if (code === QUOTE || code === DOUBLE || code === BACKTICK || code === DOLLAR)
      i = (findQuotedEnd(text, i, dialect) ?? i + 1) - 1;
    else if (mayStartComment(code)) i = (skipComment(text, i, dialect) ?? i + 1) - 1;
  }
  return -to;
}

/** Replaces custom delimiters set by a line such as `DELIMITER //`. */
export function replaceDelimiters(text: string): string {
  if (!DELIMITER_LINE.test(text)) return text;
  const parts = text.split(DELIMITER_LINE);
  return parts
    .filter((_, at) => at % 2 === 0)
    .map((part, at) => {
      const statementEnd = at === 0 ? ";" : (parts[2 * at - 1] as string);
      return statementEnd === ";" ? part : part.replaceAll(statementEnd, `\n${DELIMITER_PLACEHOLDER}\n`);
    })
    .join("\n");
}

/** Returns the value of a string or quoted name. */
const unquoteSql = (text: string, quoteMark: string, hasEscapes: boolean): string => {
  const unquotedText = text.slice(
    quoteMark.length,
    text.length > quoteMark.length && text.endsWith(quoteMark) ? -quoteMark.length : undefined,
  );
  const unescapedText = quoteMark.length > 1 ? unquotedText : unquotedText.replaceAll(quoteMark + quoteMark, quoteMark);
  return hasEscapes ? unescapedText.replace(/\\(.)/gs, "$1") : unescapedText;
};

/** Maximum number of tokens, far more than real statements have. Splitting 1 MB of operators would be too slow. */
const MAX_TOKENS = 200_000;

/**
 * Splits SQL, or a range of it, into tokens.
 * @throws Error if the text contains too many tokens
 */
export function readSqlTokens(text: string, dialect: SqlDialect, from = 0, to = text.length): SqlToken[] {
  const sqlTokens: SqlToken[] = [];
  let startsLine = true;
  /** Parentheses before this position are unbalanced and treated as operators. */
  let unbalancedEnd = from;
  const add = (kind: SqlToken["kind"], value: string, at: number, end: number): number => {
    sqlTokens.push({ kind, text: value, at, end, startsLine });
    startsLine = false;
    if (sqlTokens.length > MAX_TOKENS)
      throw new Error(`the SQL is too long to parse (more than ${MAX_TOKENS} tokens); run fewer statements at a time`);
    return end;
  };
  for (let at = from; at < to;) {
    const code = text.charCodeAt(at);
    if (isSpace(code)) {
      startsLine ||= code === NEWLINE;
      at++;
      continue;
    }
    const commentEnd = mayStartComment(code) ? skipComment(text, at, dialect) : undefined;
    if (commentEnd !== undefined) at = commentEnd;
    else if (code === SLASH && text.charCodeAt(at + 1) === STAR) at = skipExecutableMarker(text, at);
    else if (code === STAR && text.charCodeAt(at + 1) === SLASH) at += 2;
    else if (code === 1) at = add("end", "", at, at + 1);
    else if (code === DOT && startsLine && isClientCommandLine(text, at, sqlTokens.at(-1))) at = findLineEnd(text, at);
    else if (code === OPEN && at >= unbalancedEnd) {
      const end = findGroupEnd(text, at, to, dialect);
      if (end > 0) at = add("group", "", at, end);
      else unbalancedEnd = -end + 1;
    } else at = readPlainToken(text, at, dialect, add);
  }
  return sqlTokens;
}

/** Whether a line is a sqlite3 command such as `.mode csv`. */
const isClientCommandLine = (text: string, at: number, precedingToken: SqlToken | undefined) =>
  /[a-z]/i.test(text.charAt(at + 1)) && (precedingToken === undefined || precedingToken.text === ";");

/** Returns the position after a marker such as `/*!50000`. */
const skipExecutableMarker = (text: string, at: number): number => {
  let end = text.indexOf("!", at) + 1;
  while (end < text.length && text.charCodeAt(end) >= 48 && text.charCodeAt(end) <= 57) end++;
  return end;
};

/** Adds the token at a position where no group starts, and returns the token's end. */
function readPlainToken(
  text: string,
  at: number,
  dialect: SqlDialect,
  add: (kind: SqlToken["kind"], value: string, at: number, end: number) => number,
): number {
  const code = text.charCodeAt(at);
  if (SINGLE_CHARACTER_SYMBOLS.includes(text.charAt(at))) return add("sign", text.charAt(at), at, at + 1);
  const end = findQuotedEnd(text, at, dialect);
  if (end !== undefined) {
    const quoteMark = code === DOLLAR ? (matchAt(DOLLAR_QUOTE, text, at) as string) : text.charAt(at);
    const hasEscapes = code !== DOLLAR && (dialect.hasEscapes === true || isEscapeString(text, at));
    const value = unquoteSql(text.slice(at, end), quoteMark, hasEscapes);
    return code === QUOTE || code === DOLLAR
      ? add("string", value, at, end)
      : add("name", value.toLowerCase(), at, end);
  }
  if (code === BACKSLASH) return readClientCommand(text, at, dialect, add);
  const name = code === BRACKET ? matchAt(BRACKET_NAME, text, at) : undefined;
  if (name !== undefined) return add("name", name.slice(1, -1).toLowerCase(), at, at + name.length);
  const number = code >= 48 && code <= 57 ? matchAt(NUMBER, text, at) : undefined;
  if (number !== undefined) return add("number", number, at, at + number.length);
  const sign = matchAt(MULTI_CHARACTER_OPERATOR, text, at);
  if (sign !== undefined) return add("sign", sign, at, at + sign.length);
  const word = matchAt(WORD, text, at);
  if (word === undefined) return add("sign", text.charAt(at), at, at + 1);
  const wordEnd = at + word.length;
  // The prefixes in `E'…'` and `N'…'` don't count as words.
  const isPrefix = /^(?:e|n|b|x|r)$/i.test(word) && text.charCodeAt(wordEnd) === QUOTE;
  return isPrefix ? wordEnd : add("word", word.toLowerCase(), at, wordEnd);
}

/** Adds a client command and skips its arguments to the end of the line. */
function readClientCommand(
  text: string,
  at: number,
  { isMySql }: SqlDialect,
  add: (kind: SqlToken["kind"], value: string, at: number, end: number) => number,
): number {
  const command = matchAt(CLIENT_COMMAND, text, at);
  if (command === undefined) return add("sign", "\\", at, at + 1);
  const end = add("command", command, at, at + command.length);
  if (isMySql || /^\\[;\\]$/.test(command)) return end;
  const nextEnd = text.indexOf("\\\\", end);
  const lineEnd = findLineEnd(text, end);
  return nextEnd >= 0 && nextEnd < lineEnd ? nextEnd : lineEnd;
}

/** Returns the tokens inside a group. */
export const readGroup = (text: string, { at, end }: SqlToken, dialect: SqlDialect): SqlToken[] =>
  readSqlTokens(text, dialect, at + 1, end - 1);
