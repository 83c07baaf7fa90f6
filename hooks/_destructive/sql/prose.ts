import { isSymbol, isWord } from "./split-statements.ts";
import type { SqlToken } from "./tokens.ts";

type Tokens = readonly SqlToken[];

const toWordSet = (words: string): ReadonlySet<string> => new Set(words.split(" "));

/** First words of statements. */
const STATEMENT_VERBS = toWordSet(
  "select with insert update delete drop truncate alter create merge replace begin start commit rollback savepoint end abort " +
    "explain do exec execute call set use show grant revoke prepare deallocate declare if copy analyze vacuum attach detach " +
    "pragma delimiter optimize lock unlock purge reset restore reindex cluster refresh comment describe desc values table match " +
    "flashback undrop go print while for case",
);
/** Words that separate names in a statement. */
const SEPARATING_KEYWORDS = toWordSet(
  "from where set and or not in is null like between join on using as inner left right full outer cross natural lateral order by " +
    "asc desc limit offset returning values into select with recursive group having union all distinct exists case when then else " +
    "end cascade restrict if only table column constraint delete update insert drop truncate alter merge true false default " +
    "matched source target materialized view database schema user role owned add rename to type partition top percent output ilike " +
    "any some interval current_date current_timestamp cluster sync no delay settings permanently purge force identity restart of",
);
/** Words that can follow the names in `DROP` and `TRUNCATE`. */
const WORDS_AFTER_DROPPED_NAME = toWordSet(
  "cascade restrict constraints purge sync no delay on force with by restart continue identity settings permanently where including " +
    "drop reuse keep at if option",
);
/** Words that can come before the name of a dropped object. */
const WORDS_BEFORE_DROPPED_NAME = toWordSet(
  "table database schema keyspace owned by tablespace collection user role login group catalog volume stage tenant materialized view " +
    "iceberg hybrid event snapshot pluggable columnfamily virtual cluster measurement series shard retention policy extension type " +
    "domain if exists only from all tables",
);

const isName = (token: SqlToken | undefined): boolean =>
  token?.kind === "name" ||
  token?.kind === "string" ||
  (token?.kind === "word" && !SEPARATING_KEYWORDS.has(token.text)) ||
  isSymbol(token, "%") ||
  isSymbol(token, "$") ||
  isSymbol(token, "{");

/** Whether tokens begin like an SQL statement. */
export const startsLikeSql = ([first]: Tokens): boolean =>
  first !== undefined &&
  (first.kind === "group" || first.kind === "command" || (first.kind === "word" && STATEMENT_VERBS.has(first.text)));

/**
 * Whether what looks like a statement is English prose that would be a syntax error in SQL, such as "drop table users
 * from the docs" or "delete from users all who left".
 */
export function isProse(tokens: Tokens): boolean {
  const [first] = tokens;
  if (isWord(first, "with")) return false;
  if (isWord(first, "create")) return !isCreated(tokens);
  let names = 0;
  for (const token of tokens.slice(1)) {
    names =
      token.kind === "word" && !SEPARATING_KEYWORDS.has(token.text) && !WORDS_AFTER_DROPPED_NAME.has(token.text)
        ? names + 1
        : 0;
    if (names > MAX_NAMES) return true;
  }
  switch (first?.text) {
    case "drop":
    case "truncate":
      return !endsAfterNames(tokens);
    case "delete":
      return !hasTarget(tokens.slice(tokens.findIndex((token) => isWord(token, "from")) + 1));
    case "update":
      return !tokens.some((token) => isSymbol(token, "="));
    case "alter":
      return !isAlteration(tokens);
    case "reset":
      return tokens.length > 2 && !/^(?:to|logs)$/.test(tokens[2]?.text ?? "");
    default:
      return false;
  }
}
/** A table and its alias. */
const MAX_NAMES = 2;

/** Words that can follow the table and alias of `DELETE`. */
const WORDS_AFTER_DELETE_TARGET = toWordSet(
  "where using returning limit order join inner left right full cross natural output option settings partition as on use for",
);

/** Whether tokens begin with a table followed by valid syntax. */
function hasTarget(tokens: Tokens): boolean {
  let at = isWord(tokens[0], "only") ? 1 : 0;
  if (!isName(tokens[at])) return false;
  while (isSymbol(tokens[at + 1], ".") || isSymbol(tokens[at + 1], "-")) at += 2;
  if (isWord(tokens[at + 1], "as")) at++;
  if (isName(tokens[at + 1])) at++;
  const nextToken = tokens[at + 1];
  return nextToken?.kind !== "word" || WORDS_AFTER_DELETE_TARGET.has(nextToken.text);
}

/** Words that can follow the table of `CREATE OR REPLACE TABLE`. */
const WORDS_AFTER_CREATED_TABLE = toWordSet(
  "as like clone using copy comment options with on cluster partition data default engine",
);

function isCreated(tokens: Tokens): boolean {
  let at = tokens.findIndex((token) => ["table", "database", "schema"].includes(token.text)) + 1;
  if (!isName(tokens[at])) return false;
  while (isSymbol(tokens[at + 1], ".")) at += 2;
  const nextToken = tokens[at + 1];
  return nextToken?.kind !== "word" || WORDS_AFTER_CREATED_TABLE.has(nextToken.text);
}

/** Whether `ALTER` names a table, and valid syntax follows the dropped object. */
function isAlteration(tokens: Tokens): boolean {
  if (!tokens.slice(2, 5).some(isName)) return false;
  let at = tokens.findIndex((token) => isWord(token, "drop")) + 1;
  if (at === 0) return true;
  while (/^(?:column|if|exists|partition|part|detached)$/.test(tokens[at]?.text ?? "")) at++;
  const [name, next] = tokens.slice(at);
  return name?.kind === "group" || (isName(name) && (next?.kind !== "word" || WORDS_AFTER_DROPPED_NAME.has(next.text)));
}

/** Whether the names of dropped objects are followed only by valid keywords. */
function endsAfterNames(tokens: Tokens): boolean {
  let at = 1;
  while (tokens[at]?.kind === "word" && WORDS_BEFORE_DROPPED_NAME.has(tokens[at]?.text ?? "") && at < tokens.length - 1)
    at++;
  if (!isName(tokens[at])) return false;
  for (at++; at < tokens.length; at++) {
    const token = tokens[at] as SqlToken;
    if (isSymbol(token, ".") || isSymbol(token, ",") || isSymbol(token, "-") || isSymbol(token, "*")) at++;
    else return token.kind === "word" ? WORDS_AFTER_DROPPED_NAME.has(token.text) : true;
  }
  return true;
}
