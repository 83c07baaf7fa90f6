import { type ConditionContext, isAlwaysTrue } from "./conditions.ts";
import type { SqlDialect } from "./dialects.ts";
import { isSymbol, isWord } from "./split-statements.ts";
import { readGroup, type SqlToken } from "./tokens.ts";

type Tokens = readonly SqlToken[];

/** A statement's text and dialect. */
export interface SqlContext {
  text: string;
  dialect: SqlDialect;
  /** Number of enclosing parentheses. */
  depth?: number;
}

/** Clauses that end a condition. */
const AFTER_CONDITION = /^(?:returning|order|limit|group|having|option|settings|union|window|output|if|offset|fetch)$/;
/** A `LIMIT` of up to this many rows is assumed to leave most rows untouched. */
const MAX_HARMLESS_LIMIT = 1_000;
export const findWord = (tokens: Tokens, word: string, from = 0): number =>
  tokens.findIndex((token, at) => at >= from && isWord(token, word));

/** Whether a table is temporary. */
export const isTemporary = (tokens: Tokens): boolean =>
  isWord(tokens[1], "temporary") ||
  isWord(tokens[1], "temp") ||
  tokens.some((token, at) => isSymbol(token, "#") && tokens[at + 1]?.at === token.end) ||
  tokens.some(({ text }) => text.startsWith("#") || text === "pg_temp");

/** Whether a statement affects all rows because no condition or limit restricts it. */
export function selectsAllRows(tokens: Tokens, context: ConditionContext): boolean {
  const whereIndex = findWord(tokens, "where");
  if (isLimited(tokens, context)) return false;
  if (whereIndex < 0) return true;
  const conditionTokens = tokens.slice(whereIndex + 1);
  const end = conditionTokens.findIndex(({ kind, text }) => kind === "word" && AFTER_CONDITION.test(text));
  return isAlwaysTrue(end < 0 ? conditionTokens : conditionTokens.slice(0, end), context);
}

/** Whether a clause such as `LIMIT 10` or `TOP (10)` leaves most rows untouched. */
function isLimited(tokens: Tokens, { text, dialect }: ConditionContext): boolean {
  const at = tokens.findIndex((token) => isWord(token, "limit") || isWord(token, "top"));
  const nextToken = tokens[at + 1];
  const count = nextToken?.kind === "group" ? readGroup(text, nextToken, dialect)[0] : nextToken;
  if (at < 0 || isWord(tokens[at + 2], "percent")) return false;
  return count?.kind === "number" && Number(count.text) <= MAX_HARMLESS_LIMIT;
}
