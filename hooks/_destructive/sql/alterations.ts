import { selectsAllRows, findWord, isTemporary, type SqlContext } from "./rows.ts";
import { isSymbol, isWord } from "./split-statements.ts";
import type { SqlToken } from "./tokens.ts";

type Tokens = readonly SqlToken[];

/** Objects that `ALTER TABLE … DROP` can remove without losing row data. */
const HARMLESS_DROPPED_OBJECTS =
  /^(?:constraint|index|key|primary|foreign|unique|check|default|not|expression|identity|clustering|search|row|all|fulltext|spatial|projection|statistics|ttl|tag|tags|policy|masking|data|feature|trigger|rule|inherit)$/;
/** Splits tokens at commas. */
function splitItems(tokens: Tokens): SqlToken[][] {
  const items: SqlToken[][] = [[]];
  for (const token of tokens)
    if (isSymbol(token, ",")) items.push([]);
    else (items.at(-1) as SqlToken[]).push(token);
  return items;
}

const ALTERING_VERB = /^(?:drop|delete|update|truncate|clear|discard)$/;

/** Whether `ALTER TABLE` drops columns or partitions or, as in ClickHouse, deletes rows. */
export function isLossyAlter(tokens: Tokens, context: SqlContext): boolean {
  if (isWord(tokens[1], "type")) return findWord(tokens, "attribute") > 0 && findWord(tokens, "drop") > 0;
  if (!isWord(tokens[1], "table") || isTemporary(tokens)) return false;
  // An unquoted word that matches `ALTERING_VERB` is a verb and not a table name.
  const at = tokens.findIndex(({ kind, text }, i) => i > 2 && kind === "word" && ALTERING_VERB.test(text));
  const start = tokens.slice(3, at < 0 ? undefined : at);
  // In `ALTER TABLE t ALTER COLUMN c DROP DEFAULT`, `DROP` isn't the first verb.
  const isFirstVerb =
    at >= 0 &&
    !start.some(({ kind, text }) => kind === "word" && /^(?:alter|modify|add|rename|set|change)$/.test(text));
  const items = splitItems(tokens.slice(isFirstVerb ? at : 3));
  const isDrop = isWord(items[0]?.[0], "drop");
  return items.some((item) => isLossyAlteration(item, context) || (isDrop && isWord(item[0], "column")));
}

function isLossyAlteration(item: Tokens, context: SqlContext): boolean {
  const [verb, next] = item;
  switch (verb?.kind === "word" ? verb.text : "") {
    case "drop":
      return next !== undefined && (next.kind !== "word" || !HARMLESS_DROPPED_OBJECTS.test(next.text));
    case "truncate":
      return isWord(next, "partition");
    case "clear":
      return isWord(next, "column");
    case "discard":
      // MySQL deletes the table's data file: https://dev.mysql.com/doc/refman/8.4/en/innodb-table-import.html
      return item.some((token) => isWord(token, "tablespace"));
    case "delete":
    case "update":
      return selectsAllRows(item, context);
    default:
      return false;
  }
}
