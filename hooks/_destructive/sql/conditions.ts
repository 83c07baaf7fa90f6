import type { SqlDialect } from "./dialects.ts";
import { isSymbol, isWord } from "./split-statements.ts";
import { readGroup, type SqlToken } from "./tokens.ts";

/** A condition's text, dialect, and table. */
export interface ConditionContext {
  text: string;
  dialect: SqlDialect;
  /** The table whose rows the condition selects; absent if unknown. */
  table?: string | undefined;
}

/**
 * Whether a condition is true for every row (`true`) or for no row (`false`); undefined if it depends on the row or is
 * unknown.
 */
type TruthValue = boolean | undefined;
type Tokens = readonly SqlToken[];

const MAX_DEPTH = 24;
/** Maximum number of tokens in a condition. Longer conditions aren't evaluated. */
const MAX_TOKENS = 1_000;
const MAX_OPTIONS = 16;
const CONSTANT_WORD =
  /^(?:true|false|null|unknown|and|or|not|is|in|like|between|any|all|exists|select|current_\w+|interval|date|timestamp|\d.*)$/;
/** Functions that return a different value for each row. */
const RANDOM_FUNCTION = /^(?:rand|random|newid|uuid|gen_random_uuid|rownum|row_number|changes|total_changes)$/;
/** Columns that are never null, zero, or empty. */
const KEY_COLUMN = /^(?:_?id|uuid|guid|oid|ctid|rowid|_rowid_|pk)$/;
/** Patterns for zero and empty values, for the smallest possible key, and for values below it. */
const [ZERO, FIRST, BEFORE_FIRST] = [/^[0-]*$/, /^(?:0*[01]|)$/, /^(?:0+|)$/];
const ANYTHING_PATTERN = /^(?:%+|\*|\.\*|\^?\.\*\$?)$/;
const COMPARISON_OPERATOR = /^(?:=|==|<=>|<>|!=|<=|>=|<|>)$/;
const REVERSED_OPERATORS: Readonly<Record<string, string>> = { "<": ">", ">": "<", "<=": ">=", ">=": "<=" };

/** Whether a condition is true for every row. */
export const isAlwaysTrue = (tokens: Tokens, context: ConditionContext): boolean =>
  tokens.length > 0 && tokens.length <= MAX_TOKENS && readCondition(removeCasts(tokens), context, 0) === true;

/** Removes casts from a condition, such as `::boolean` in `1::boolean`. */
const removeCasts = (tokens: Tokens): Tokens =>
  tokens.filter((token, at) => !isSymbol(token, "::") && !isSymbol(tokens[at - 1], "::"));

function readCondition(tokens: Tokens, context: ConditionContext, depth: number): TruthValue {
  if (depth > MAX_DEPTH || tokens.length === 0) return undefined;
  const options = splitAt(tokens, ["or", "||"]);
  if (options.length > 1) {
    const truths = options.map((option) => readCondition(option, context, depth + 1));
    if (truths.includes(true) || hasOppositeConditions(options)) return true;
    return truths.includes(undefined) ? undefined : false;
  }
  const parts = splitAt(tokens, ["and", "&&"]);
  if (parts.length > 1) {
    const truths = parts.map((part) => readCondition(part, context, depth + 1));
    if (truths.includes(false)) return false;
    return truths.includes(undefined) ? undefined : true;
  }
  if (isWord(tokens[0], "not") || isSymbol(tokens[0], "!")) {
    const innerTruth = readCondition(tokens.slice(1), context, depth + 1);
    return innerTruth === undefined ? undefined : !innerTruth;
  }
  const [only] = tokens;
  if (tokens.length === 1 && only?.kind === "group")
    return readCondition(readGroup(context.text, only, context.dialect), context, depth + 1);
  return readComparison(tokens, context, depth);
}

/** Splits tokens at the given words, except inside `CASE … END` and at the `AND` of `BETWEEN`. */
function splitAt(tokens: Tokens, words: readonly string[]): SqlToken[][] {
  const parts: SqlToken[][] = [[]];
  let cases = 0;
  let isBetween = false;
  for (const token of tokens) {
    const { kind, text } = token;
    if (isWord(token, "case")) cases++;
    else if (isWord(token, "end")) cases--;
    else if (isWord(token, "between")) isBetween = true;
    if (cases === 0 && (kind === "word" || kind === "sign") && words.includes(text)) {
      if (!(text === "and" && isBetween)) {
        parts.push([]);
        continue;
      }
      isBetween = false;
    }
    (parts.at(-1) as SqlToken[]).push(token);
  }
  return parts;
}

const formatTokens = (tokens: Tokens): string =>
  tokens.map(({ kind, text, at }) => `${kind === "group" ? at : text}`).join(" ");

/** Whether any two conditions are opposites, as in `a IS NULL OR a IS NOT NULL` or `a = 1 OR a <> 1`. */
function hasOppositeConditions(options: readonly Tokens[]): boolean {
  if (options.length > MAX_OPTIONS) return false;
  const texts = options.map(formatTokens);
  return texts.some((text) =>
    [
      text.replace(/ is null$/, " is not null"),
      text.replace(/ = /, " <> "),
      text.replace(/ = /, " != "),
      `not ${text}`,
    ].some((negation) => negation !== text && texts.includes(negation)),
  );
}

/** Whether part of a condition contains no columns or parameters. */
function isConstant(tokens: Tokens, { text, dialect }: ConditionContext, depth: number): boolean {
  return tokens.every(({ kind, text: word }, at) => {
    if (kind === "name") return false;
    const nextToken = tokens[at + 1];
    if (kind === "group") {
      const groupTokens = readGroup(text, tokens[at] as SqlToken, dialect);
      return depth < MAX_DEPTH && isConstant(groupTokens, { text, dialect }, depth + 1);
    }
    if (kind !== "word") return true;
    return nextToken?.kind === "group" ? !RANDOM_FUNCTION.test(word) : CONSTANT_WORD.test(word);
  });
}

/** Returns a column name without its table. */
function readColumn(tokens: Tokens): string | undefined {
  const lastToken = tokens.at(-1);
  const isName = tokens.every(({ kind, text }, at) =>
    at % 2 === 0 ? kind === "word" || kind === "name" : text === ".",
  );
  return isName && tokens.length % 2 === 1 ? lastToken?.text : undefined;
}

/** Returns a number or string literal, including its sign. */
function readLiteral(tokens: Tokens): string | undefined {
  const [first, second] = tokens;
  if (tokens.length === 2 && isSymbol(first, "-") && second?.kind === "number") return `-${second.text}`;
  return tokens.length === 1 && (first?.kind === "number" || first?.kind === "string") ? first.text : undefined;
}

function readComparison(tokens: Tokens, context: ConditionContext, depth: number): TruthValue {
  const at = tokens.findIndex(({ kind, text }) => kind === "sign" && COMPARISON_OPERATOR.test(text));
  if (at > 0) {
    const truth = compareOperands(tokens.slice(0, at), (tokens[at] as SqlToken).text, tokens.slice(at + 1));
    if (truth !== undefined) return truth;
  }
  const truth = readPredicate(tokens, context, depth);
  if (truth !== undefined) return truth;
  if (!isConstant(tokens, context, depth)) return undefined;
  // A constant condition has the same result for every row, so only one that is known to be false is harmless.
  const [first] = tokens;
  const value = tokens.length === 1 ? readLiteral(tokens) : undefined;
  if (value !== undefined) return !/^(?:0*(?:\.0*)?|f|false|n|no|off)$/i.test(value);
  return !(tokens.length === 1 && /^(?:false|null|unknown)$/.test(first?.text ?? ""));
}

/** Compares two literals, two identical operands, or a key column with a value that no key has. */
function compareOperands(left: Tokens, operator: string, right: Tokens): TruthValue {
  const [one, other] = [readLiteral(left), readLiteral(right)];
  if (one !== undefined && other !== undefined) return compareValues(one, operator, other);
  if (formatTokens(left) === formatTokens(right)) return ["=", "==", "<=>", "<=", ">="].includes(operator);
  const isReversed = one !== undefined;
  const column = readColumn(isReversed ? right : left);
  const value = one ?? other;
  if (column === undefined || value === undefined || !KEY_COLUMN.test(column)) return undefined;
  return isTrueForEveryKey(value, isReversed ? (REVERSED_OPERATORS[operator] ?? operator) : operator) || undefined;
}

/** Whether a comparison such as `id > 0`, `id <> ''`, or `id != '00000000-…'` is true for every key. */
const isTrueForEveryKey = (value: string, operator: string): boolean => {
  if (value.startsWith("-") && /^-\d/.test(value)) return [">", ">=", "<>", "!="].includes(operator);
  if (operator === ">=") return FIRST.test(value);
  return operator === ">" ? BEFORE_FIRST.test(value) : ["<>", "!="].includes(operator) && ZERO.test(value);
};

function compareValues(firstValue: string, operator: string, secondValue: string): boolean {
  const [a, b] = [Number(firstValue), Number(secondValue)];
  const order =
    Number.isNaN(a) || Number.isNaN(b) ? (firstValue < secondValue ? -1 : firstValue > secondValue ? 1 : 0) : a - b;
  switch (operator) {
    case "<":
      return order < 0;
    case ">":
      return order > 0;
    case "<=":
      return order <= 0;
    case ">=":
      return order >= 0;
    default:
      return (order === 0) === ["=", "==", "<=>"].includes(operator);
  }
}

/**
 * Evaluates predicates that can be true for every row, such as `x LIKE '%'`, `id IS NOT NULL`,
 * `id IN (SELECT id FROM the same table)`, and `EXISTS (SELECT 1)`.
 */
function readPredicate(tokens: Tokens, context: ConditionContext, depth: number): TruthValue {
  const words = tokens.map(({ kind, text }) => (kind === "word" || kind === "sign" ? text : kind)).join(" ");
  const lastToken = tokens.at(-1);
  if (/ (?:is not null|notnull|not null)$/.test(words)) {
    const column = readColumn(
      tokens.slice(0, words.endsWith("is not null") ? -3 : words.endsWith("notnull") ? -1 : -2),
    );
    return (column !== undefined && KEY_COLUMN.test(column)) || undefined;
  }
  if (/(?<! not)(?<!!) (?:like|ilike|glob|regexp|rlike|~|~ \*|similar to) string$/.test(words))
    return ANYTHING_PATTERN.test(lastToken?.text ?? "") || undefined;
  if (/(?:(?<! not) in|= any) group$/.test(words) && lastToken) return selectsAllKeys(lastToken, context) || undefined;
  if (words === "exists group" && lastToken && depth < MAX_DEPTH) {
    const groupTokens = readGroup(context.text, lastToken, context.dialect);
    return !groupTokens.some((token) => isWord(token, "from")) || undefined;
  }
  return undefined;
}

/** Whether a subquery returns the key of every row in the table that the statement changes. */
function selectsAllKeys(group: SqlToken, { text, dialect, table }: ConditionContext): boolean {
  const groupTokens = readGroup(text, group, dialect);
  const from = groupTokens.findIndex((token) => isWord(token, "from"));
  if (table === undefined || !isWord(groupTokens[0], "select") || from < 0) return false;
  const source = groupTokens.slice(from + 1);
  const name = [...source.entries()].find(
    ([at, token]) => at > 0 && !isSymbol(token, ".") && !isSymbol(source[at - 1], "."),
  );
  const [tableTokens, alias] = [source.slice(0, name?.[0]), source.slice(name?.[0] ?? source.length)];
  const isAlias = alias.length < 2 || (alias.length === 2 && isWord(alias[0], "as"));
  return isAlias && tableTokens.map(({ text: word }) => word).join("") === table;
}
