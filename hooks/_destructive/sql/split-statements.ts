import type { SqlDialect } from "./dialects.ts";
import { SENDING_COMMAND, type SqlToken } from "./tokens.ts";

/** A single SQL statement. */
export interface SqlStatement {
  tokens: readonly SqlToken[];
  /** Whether psql executes the statement's result with `\gexec`. */
  executesResult: boolean;
}

const toWordSet = (words: string): ReadonlySet<string> => new Set(words.split(" "));

/** Words that can come directly before a statement in procedural code. */
const LEADING_WORDS = toWordSet("begin else loop then repeat try");
/** Words after `BEGIN` that make it start a transaction. */
const TRANSACTION_WORDS = toWordSet(
  "tran transaction work immediate deferred exclusive concurrent isolation read not distributed",
);
/** First words of procedural constructs in which a statement follows one of `INNER_STATEMENT_OPENERS`. */
const CONTROL_FLOW_WORDS = toWordSet("if elsif elseif for foreach while case when exception");
const INNER_STATEMENT_OPENERS = toWordSet("then else loop do begin");
/** Words after an `END` that doesn't close a `BEGIN`. */
const CONTROL_END_WORDS = toWordSet("if loop while repeat for foreach");
const DEFINABLE_KINDS = toWordSet("function procedure proc trigger event package rule");
/** Maximum number of tokens before the object kind, such as `FUNCTION`, in a definition. */
const MAX_DEFINITION_HEAD = 12;

/**
 * First words of statements that can follow another statement without `;`, and words after which no new statement can
 * start.
 */
const UNSEPARATED_STATEMENT_WORDS = toWordSet(
  "insert update delete drop truncate create exec execute merge commit rollback declare print",
);
const JOINING_WORDS = toWordSet(
  "on for after before of then or and vs instead grant revoke deny all to as is not no by with when alter explain analyze prepare only end into",
);
const DROPPABLE_KINDS = toWordSet("table database schema user login role view index procedure function sequence type");

export const isSymbol = (token: SqlToken | undefined, text: string): boolean =>
  token?.kind === "sign" && token.text === text;
export const isWord = (token: SqlToken | undefined, text: string): boolean =>
  token?.kind === "word" && token.text === text;

/**
 * Returns the index of the object kind in a statement that defines code, such as `FUNCTION` in
 * `CREATE OR REPLACE FUNCTION`; -1 for other statements.
 */
export function findDefinedKind(tokens: readonly SqlToken[]): number {
  if (!isWord(tokens[0], "create") && !isWord(tokens[0], "alter")) return -1;
  const at = tokens.findIndex(({ kind, text }) => kind === "word" && DEFINABLE_KINDS.has(text));
  return at < MAX_DEFINITION_HEAD ? at : -1;
}

/**
 * First words of statements that can contain another statement's first word, as in `ALTER TABLE t DELETE WHERE …` or
 * `MATCH (n) DELETE n`.
 */
const ENCLOSING_STATEMENT_WORDS = toWordSet("alter match");

/** Whether a token starts a SQL Server statement without a `;` before it. */
function startsUnseparatedStatement(tokens: readonly SqlToken[], at: number, headWord: string): boolean {
  const [precedingToken, { kind, text }, next] = [tokens[at - 1], tokens[at] as SqlToken, tokens[at + 1]];
  if (kind !== "word" || !UNSEPARATED_STATEMENT_WORDS.has(text) || !next) return false;
  if (isSymbol(precedingToken, ",") || isSymbol(precedingToken, ".") || isSymbol(precedingToken, "=")) return false;
  if (precedingToken?.kind === "word" && JOINING_WORDS.has(precedingToken.text)) return false;
  if (text === "drop") return next.kind === "word" && DROPPABLE_KINDS.has(next.text);
  if (text === "truncate") return isWord(next, "table");
  if (text === "delete" && !isWord(next, "from") && !isWord(next, "top")) return false;
  return !ENCLOSING_STATEMENT_WORDS.has(headWord);
}

/** Whether a token alone on its line ends a batch, such as SQL Server's `GO` or Oracle's `/`. */
function endsBatch(tokens: readonly SqlToken[], at: number, { isTransact, isOracle }: SqlDialect): boolean {
  const token = tokens[at] as SqlToken;
  if (!token.startsLine || !((isTransact && isWord(token, "go")) || (isOracle && isSymbol(token, "/")))) return false;
  const nextToken = tokens[at + 1];
  return nextToken === undefined || nextToken.startsLine || nextToken.kind === "number";
}

/** The statement currently being read. */
interface OpenStatement {
  tokens: SqlToken[];
  isDefinition: boolean;
  /** Number of open `BEGIN` and `CASE` blocks. */
  blocks: number;
  cases: number;
}

const openStatement = (): OpenStatement => ({ tokens: [], isDefinition: false, blocks: 0, cases: 0 });

/** Splits tokens into statements, including those in procedural code. */
export function splitStatements(tokens: readonly SqlToken[], dialect: SqlDialect): SqlStatement[] {
  const statements: SqlStatement[] = [];
  const hasCustomDelimiter = tokens.some(({ kind }) => kind === "end");
  let statement = openStatement();
  const finish = (executesResult = false) => {
    if (statement.tokens.length > 0) statements.push({ tokens: statement.tokens, executesResult });
    statement = openStatement();
  };
  for (let at = 0; at < tokens.length; at++) {
    const token = tokens[at] as SqlToken;
    if (token.kind === "end" || endsBatch(tokens, at, dialect)) finish();
    else if (token.kind === "command") {
      if (SENDING_COMMAND.test(token.text)) finish(token.text === "\\gexec");
    } else if (isSymbol(token, ";")) {
      const goesOn = statement.isDefinition && (statement.blocks > 0 || hasCustomDelimiter || dialect.definesInBatches);
      if (!goesOn) finish();
    } else if (token.kind !== "word" || !isBetweenStatements(tokens, at, statement)) {
      if (dialect.isTransact && isUnseparatedStart(tokens, at, statement)) finish();
      addToken(tokens, at, statement);
    } else finish();
  }
  finish();
  return statements;
}

/**
 * Whether a word ends one statement of procedural code and begins another, such as `BEGIN` or the `THEN` of
 * `IF a THEN`.
 */
function isBetweenStatements(
  tokens: readonly SqlToken[],
  at: number,
  { tokens: statementTokens, isDefinition, cases }: OpenStatement,
) {
  const { text } = tokens[at] as SqlToken;
  const [head] = statementTokens;
  if (!head) return LEADING_WORDS.has(text) && !startsTransaction(tokens, at);
  return !isDefinition && cases === 0 && CONTROL_FLOW_WORDS.has(head.text) && INNER_STATEMENT_OPENERS.has(text);
}

const isUnseparatedStart = (
  tokens: readonly SqlToken[],
  at: number,
  { tokens: statementTokens, isDefinition }: OpenStatement,
): boolean =>
  statementTokens.length > 0 && !isDefinition && startsUnseparatedStatement(tokens, at, statementTokens[0]?.text ?? "");

function addToken(tokens: readonly SqlToken[], at: number, statement: OpenStatement): void {
  const token = tokens[at] as SqlToken;
  if (isWord(token, "case") && statement.tokens.length > 0) statement.cases++;
  else if (isWord(token, "end") && statement.cases > 0) statement.cases--;
  else if (statement.isDefinition && isWord(token, "begin")) statement.blocks++;
  else if (statement.isDefinition && isWord(token, "end") && !CONTROL_END_WORDS.has(tokens[at + 1]?.text ?? ""))
    statement.blocks--;
  statement.tokens.push(token);
  if (statement.tokens.length <= MAX_DEFINITION_HEAD) statement.isDefinition ||= findDefinedKind(statement.tokens) >= 0;
}

/** Whether `BEGIN` starts a transaction rather than a block. */
function startsTransaction(tokens: readonly SqlToken[], at: number): boolean {
  const nextToken = tokens[at + 1];
  if (!isWord(tokens[at], "begin")) return false;
  return (
    nextToken === undefined ||
    isSymbol(nextToken, ";") ||
    nextToken.kind !== "word" ||
    TRANSACTION_WORDS.has(nextToken.text)
  );
}
