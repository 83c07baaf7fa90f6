import type { SqlDialect } from "./dialects.ts";
import { losesData } from "./losses.ts";
import { DESTRUCTIVE_WORD } from "./destroying-words.ts";
import type { SqlContext } from "./rows.ts";
import { findDefinedKind, isSymbol, isWord, type SqlStatement, splitStatements } from "./split-statements.ts";
import { readGroup, readSqlTokens, replaceDelimiters, type SqlToken } from "./tokens.ts";

type Tokens = readonly SqlToken[];

/** A destructive statement found in SQL. */
export interface DestructiveStatement {
  /** The statement as written. */
  text: string;
  tokens: Tokens;
  /** Whether the statement is in a string that another statement executes. */
  isInner: boolean;
}

/** Maximum nesting depth of strings that contain SQL, as in `DO $$ … EXECUTE 'DROP …' $$`. */
const MAX_NESTING = 4;
/** Functions that execute a string. */
const RUNNING_FUNCTION = /\b(?:dblink|dblink_exec|query_to_xml|exec_sql|execute_sql|run_sql)\b/i;

/** A label of a block or loop, such as `<<rows>>`. */
const BLOCK_LABEL = /<< {0,4}\w{1,64} {0,4}>>/g;

/** The dialect in which a search parses SQL, and the statements that it ignores. */
interface LossSearch {
  dialect: SqlDialect;
  isIgnored: (statement: DestructiveStatement) => boolean;
  depth: number;
}

/** Parses SQL in each dialect and returns the first destructive statement. */
export function findDestructiveStatement(
  text: string,
  dialects: readonly SqlDialect[],
  isIgnored: LossSearch["isIgnored"] = () => false,
): DestructiveStatement | undefined {
  if (!DESTRUCTIVE_WORD.test(text)) return undefined;
  for (const dialect of dialects) {
    const loss = findLoss(text, { dialect, isIgnored, depth: 0 });
    if (loss) return loss;
  }
  return undefined;
}

function findLoss(sqlText: string, search: LossSearch): DestructiveStatement | undefined {
  if (search.depth > MAX_NESTING || !DESTRUCTIVE_WORD.test(sqlText)) return undefined;
  const { dialect } = search;
  const text = (dialect.isMySql ? replaceDelimiters(sqlText) : sqlText).replace(BLOCK_LABEL, " ");
  const statements = splitStatements(readSqlTokens(text, dialect), dialect);
  const context = { text, dialect };
  const keptStatements = omitRolledBackStatements(statements, dialect);
  const definitions = new Map<string, Tokens>();
  const temporary = new Set<string>();
  const runsTexts = statements.some(executesString);
  for (const statement of keptStatements) {
    const { tokens } = statement;
    const kindIndex = findDefinedKind(tokens);
    if (kindIndex >= 0) {
      addDefinition(tokens, kindIndex, definitions);
      continue;
    }
    const temporaryTable = readTemporaryTable(tokens);
    if (temporaryTable !== undefined) temporary.add(temporaryTable);
    const loss = { text: sliceStatement(text, tokens), tokens, isInner: search.depth > 0 };
    if (losesData(tokens, context) && !affectsOnly(tokens, temporary) && !search.isIgnored(loss)) return loss;
    const innerLoss = findInnerLoss(statement, { context, search, runsTexts, definitions });
    if (innerLoss) return innerLoss;
  }
  return undefined;
}

/** Returns the name of the temporary table that a statement creates. */
function readTemporaryTable(tokens: Tokens): string | undefined {
  const isTemporaryTable = isWord(tokens[0], "create") && /^(?:temp|temporary)$/.test(tokens[1]?.text ?? "");
  if (!isTemporaryTable || !isWord(tokens[2], "table")) return undefined;
  return tokens.slice(3).find(({ text }) => !/^(?:if|not|exists)$/.test(text))?.text;
}

/** Whether a statement affects only one of the given tables. */
function affectsOnly([first, ...tokens]: Tokens, tables: ReadonlySet<string>): boolean {
  if (tables.size === 0 || !/^(?:drop|truncate|delete|update|alter)$/.test(first?.text ?? "")) return false;
  const at = tokens.findIndex(({ text }) => !/^(?:table|from|only|if|exists)$/.test(text));
  return tables.has(tokens[at]?.text ?? "") && !isSymbol(tokens[at + 1], ",") && !isSymbol(tokens[at + 1], ".");
}

const sliceStatement = (text: string, tokens: Tokens): string => text.slice(tokens[0]?.at, tokens.at(-1)?.end);

/** Removes statements in transactions that are rolled back later, as in `BEGIN; DELETE …; ROLLBACK`. */
function omitRolledBackStatements(
  statements: readonly SqlStatement[],
  { canRollBack }: SqlDialect,
): readonly SqlStatement[] {
  if (!canRollBack) return statements;
  const remaining: SqlStatement[] = [];
  let openTransaction: SqlStatement[] | undefined;
  for (const statement of statements) {
    const role = readTransactionRole(statement.tokens);
    if (role === undefined) (openTransaction ?? remaining).push(statement);
    else {
      if (openTransaction && role !== "rollback")
        for (const openStatement of openTransaction) remaining.push(openStatement);
      openTransaction = role === "begin" ? [] : undefined;
    }
  }
  return remaining.concat(openTransaction ?? []);
}

function readTransactionRole(tokens: Tokens): "begin" | "commit" | "rollback" | undefined {
  const [first, second] = tokens;
  switch (first?.kind === "word" ? first.text : "") {
    case "begin":
      return "begin";
    case "start":
      return isWord(second, "transaction") ? "begin" : undefined;
    case "commit":
    case "end":
      return "commit";
    case "prepare":
      return isWord(second, "transaction") ? "commit" : undefined;
    case "rollback":
    case "abort":
      return isRollback(tokens) ? "rollback" : undefined;
    default:
      return undefined;
  }
}

/** Whether the whole transaction is rolled back; a savepoint or a chained transaction doesn't count. */
const isRollback = (tokens: Tokens): boolean =>
  tokens.slice(1).every(({ kind, text }) => kind === "word" && /^(?:transaction|tran|work)$/.test(text));

/**
 * Whether a statement executes a string that another statement might have built, as in `EXECUTE q`,
 * `PREPARE s FROM @q`, or `\gexec`.
 */
const executesString = ({ tokens, executesResult }: SqlStatement): boolean => {
  const [first] = tokens;
  if (executesResult || isWord(first, "execute") || isWord(first, "exec")) return true;
  return isWord(first, "prepare") && tokens.some((token) => isWord(token, "from"));
};

/** Records a routine's body by name. A routine has no effect until a statement calls it. */
function addDefinition(tokens: Tokens, kindIndex: number, definitions: Map<string, Tokens>): void {
  if (!/^(?:function|procedure|proc)$/.test(tokens[kindIndex]?.text ?? "")) return;
  let at = kindIndex + 1;
  while (/^(?:if|not|exists)$/.test(tokens[at]?.text ?? "")) at++;
  while (isSymbol(tokens[at + 1], ".")) at += 2;
  const name = tokens[at]?.text;
  if (name !== undefined) definitions.set(name, tokens.slice(at + 1));
}

interface InnerSearch {
  context: SqlContext;
  search: LossSearch;
  /** Whether any of the statements executes a string. */
  runsTexts: boolean;
  /** Routines that have been defined but not called yet. */
  definitions: Map<string, Tokens>;
}

/** Finds a destructive statement in the strings and routines that a statement executes. */
function findInnerLoss(statement: SqlStatement, innerSearch: InnerSearch): DestructiveStatement | undefined {
  const { context, search, runsTexts, definitions } = innerSearch;
  const { tokens } = statement;
  const [first] = tokens;
  const nestedSearch = { ...search, depth: search.depth + 1 };
  if (isWord(first, "do")) return findBodyLoss(tokens, context, nestedSearch);
  const calls = RUNNING_FUNCTION.test(sliceStatement(context.text, tokens));
  if (calls || executesString(statement) || (runsTexts && assignsString(tokens))) {
    const strings = listStrings(tokens, context);
    // Strings are joined, with a placeholder for the expressions between them, as in `'DROP TABLE ' || name`.
    for (const text of [strings.join("_"), ...(calls ? strings : [])]) {
      const loss = findLoss(text, nestedSearch);
      if (loss) return loss;
    }
  }
  for (const name of definitions.size > 0 ? listCalls(tokens, context, 0) : []) {
    const body = definitions.get(name);
    definitions.delete(name);
    const loss = body && findBodyLoss(body, context, nestedSearch);
    if (loss) return loss;
  }
  return undefined;
}

const assignsString = (tokens: Tokens): boolean =>
  isWord(tokens[0], "set") ||
  isWord(tokens[0], "declare") ||
  tokens.some((token) => isSymbol(token, ":=") || token.text.startsWith("@"));

/** Finds a destructive statement in a routine's body, which is a string or a list of statements. */
function findBodyLoss(tokens: Tokens, { text }: SqlContext, search: LossSearch): DestructiveStatement | undefined {
  for (const { kind, text: value } of tokens) {
    const loss = kind === "string" ? findLoss(value, search) : undefined;
    if (loss) return loss;
  }
  const at = tokens.findIndex((token) => isWord(token, "begin"));
  const as = tokens.findIndex((token) => isWord(token, "as"));
  const start = at < 0 && as >= 0 ? as + 1 : at;
  return start < 0 ? undefined : findLoss(sliceStatement(text, tokens.slice(start)), search);
}

/** Lists the routines that a statement could call, as in `SELECT wipe()`, `CALL wipe`, or `EXEC wipe`. */
function listCalls(tokens: Tokens, { text, dialect }: SqlContext, depth: number): string[] {
  if (depth === 0 && !/^(?:call|exec|execute|perform|select|with)$/.test(tokens[0]?.text ?? "")) return [];
  return tokens.flatMap((token) => {
    if (token.kind !== "group") return [token.text];
    return depth < MAX_NESTING ? listCalls(readGroup(text, token, dialect), { text, dialect }, depth + 1) : [];
  });
}

/** Lists the strings in a statement, including those in parentheses. */
function listStrings(tokens: Tokens, context: SqlContext): string[] {
  const strings: string[] = [];
  collectStrings(tokens, context, 0, strings);
  return strings;
}

function collectStrings(tokens: Tokens, { text, dialect }: SqlContext, depth: number, collected: string[]): void {
  for (const token of tokens)
    if (token.kind === "string" || (token.kind === "name" && token.text.includes(" "))) collected.push(token.text);
    else if (token.kind === "group" && depth < MAX_NESTING)
      collectStrings(readGroup(text, token, dialect), { text, dialect }, depth + 1, collected);
}
