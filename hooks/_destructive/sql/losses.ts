import { isLossyAlter } from "./alterations.ts";
import { selectsAllRows, findWord, isTemporary, type SqlContext } from "./rows.ts";
import { isWord } from "./split-statements.ts";
import { readGroup, type SqlToken } from "./tokens.ts";

type Tokens = readonly SqlToken[];

/** Maximum depth of nested parentheses to search. */
const MAX_DEPTH = 8;

/**
 * First words of statements that lose data; `*` matches any word. Views, indexes, functions, and similar objects can be recreated, so
 * dropping them is allowed.
 */
const DESTRUCTIVE_FIRST_WORDS: readonly string[] = [
  "drop database|schema|table|keyspace|owned|tablespace|collection|user|role|login|group|catalog|volume|stage|tenant",
  "drop materialized view",
  "drop iceberg|hybrid|event|snapshot table",
  "drop pluggable database",
  // Cassandra: https://cassandra.apache.org/doc/latest/cassandra/developing/cql/ddl.html
  "drop columnfamily",
  // CockroachDB: https://www.cockroachlabs.com/docs/stable/drop-virtual-cluster
  "drop virtual cluster",
  // InfluxQL: https://docs.influxdata.com/influxdb/v1/query_language/manage-database/
  "drop measurement|series|shard",
  "drop retention policy",
  // These delete MySQL's binary logs.
  // https://dev.mysql.com/doc/refman/8.4/en/reset-binary-logs-and-gtids.html
  "reset master",
  "reset binary logs",
  "purge binary|master logs",
  // These purge dropped Oracle tables from the recycle bin.
  // https://docs.oracle.com/en/database/oracle/oracle-database/23/sqlrf/PURGE.html
  "purge table|index|tablespace|recyclebin|dba_recyclebin",
  "flashback database",
  // Databricks: https://docs.databricks.com/en/sql/language-manual/sql-ref-syntax-ddl-create-table-using.html
  "replace table",
];
/** Statements that lose data if they also contain a certain word. */
const DESTRUCTIVE_DETAILS: readonly (readonly [head: string, detail: string])[] = [
  // In ClickHouse, permanently detached tables stay invisible until they are attached again.
  // https://clickhouse.com/docs/sql-reference/statements/detach
  ["detach table|view|dictionary|database", "permanently"],
  // This also drops columns of the type. https://www.postgresql.org/docs/current/sql-droptype.html
  ["drop extension|type|domain", "cascade"],
  // https://learn.microsoft.com/en-us/sql/t-sql/statements/restore-statements-transact-sql
  ["restore database", "replace"],
  // This deletes Delta's history. https://docs.databricks.com/en/sql/language-manual/delta-vacuum.html
  ["vacuum *", "retain 0"],
];
const TARGET_WORDS = /^(?:low_priority|quick|ignore|only|top|percent|delayed|lateral)$/;
const DESTRUCTIVE_SHELL_COMMAND =
  /(?<![\w.-])(?:rm|del|erase|rd|rmdir|format|shutdown|diskpart|mkfs\S*|dd|remove-item|ri)\s/i;

/** Whether the tokens begin with the given words, each of which can have alternatives. */
const startsWith = (tokens: Tokens, words: string): boolean =>
  words.split(" ").every((word, at) => {
    const token = tokens[at];
    return word === "*" ? token !== undefined : token?.kind === "word" && word.split("|").includes(token.text);
  });

/** Whether a statement drops or empties an object, or changes or deletes every row. */
export function losesData(statement: Tokens, context: SqlContext): boolean {
  const tokens = skipPrefix(statement, context);
  const [first] = tokens;
  if (first?.kind !== "word") return first?.kind === "group" && isLossySubstatement(first, context);
  switch (first.text) {
    case "with":
      return isLossyWithStatement(tokens, context);
    case "delete":
      return deletesAllRows(tokens, context, []);
    case "update":
      return updatesAllRows(tokens, context);
    case "merge":
      return isLossyMerge(tokens);
    case "alter":
      return isLossyAlter(tokens, context);
    case "create":
      return replacesTable(tokens, context);
    case "truncate":
      return tokens.length > 1 && !isTemporary(tokens) && tokens[1]?.kind !== "group";
    case "insert":
      // Overwriting a single partition is routine, so it doesn't count.
      return isWord(tokens[1], "overwrite") && !tokens.some(({ text }) => /^(?:directory|partition)$/.test(text));
    case "copy":
      return isLossyCopy(tokens, context);
    case "match":
      return deletesNodes(tokens, context);
    default:
      return startsLossyStatement(tokens) || runsDeletion(tokens, context);
  }
}

/** Whether a statement in parentheses loses data. */
function isLossySubstatement(group: SqlToken, context: SqlContext): boolean {
  const { text, dialect, depth = 0 } = context;
  return depth < MAX_DEPTH && losesData(readGroup(text, group, dialect), { ...context, depth: depth + 1 });
}

/**
 * Removes a prefix that runs or prepares the statement after it, such as `EXPLAIN ANALYZE` or `PREPARE x AS`. `EXPLAIN`
 * without `ANALYZE` doesn't run the statement.
 */
function skipPrefix(tokens: Tokens, { text, dialect }: SqlContext): Tokens {
  const [first, second, third] = tokens;
  if (isWord(first, "explain")) {
    const options = second?.kind === "group" ? readGroup(text, second, dialect) : [];
    const at = findWord(options, "analyze");
    const isEnabled = at >= 0 && !/^(?:false|off|0)$/.test(options[at + 1]?.text ?? "");
    if (isEnabled) return tokens.slice(2);
    if (!isWord(second, "analyze") && !isWord(second, "analyse")) return [];
    return tokens.slice(third?.kind === "group" || isWord(third, "verbose") ? 3 : 2);
  }
  if (isWord(first, "prepare")) {
    const as = findWord(tokens, "as");
    return as < 0 ? [] : tokens.slice(as + 1);
  }
  return tokens;
}

function startsLossyStatement(tokens: Tokens): boolean {
  if (isTemporary(tokens)) return false;
  if (DESTRUCTIVE_FIRST_WORDS.some((statementHead) => startsWith(tokens, statementHead))) return true;
  const words = tokens.map(({ text }) => text).join(" ");
  return DESTRUCTIVE_DETAILS.some(([head, detail]) => startsWith(tokens, head) && ` ${words} `.includes(` ${detail} `));
}

/** Whether a `WITH` expression or its main statement loses data. */
function isLossyWithStatement(tokens: Tokens, context: SqlContext): boolean {
  const limitedNames: string[] = [];
  for (let at = 1; at < tokens.length; at++) {
    const token = tokens[at] as SqlToken;
    if (token.kind === "group") {
      const as = findLastWord(tokens, "as", at, at - MAX_EXPRESSION_HEAD);
      if (!/^(?:as|materialized)$/.test(tokens[at - 1]?.text ?? "")) continue;
      if (isLossySubstatement(token, context)) return true;
      const groupTokens = readGroup(context.text, token, context.dialect);
      const name = tokens[tokens[as - 1]?.kind === "group" ? as - 2 : as - 1]?.text ?? "";
      if (["where", "limit", "top"].some((word) => findWord(groupTokens, word) >= 0)) limitedNames.push(name);
    } else if (isWord(token, "delete")) return deletesAllRows(tokens.slice(at), context, limitedNames);
    else if (token.kind === "word" && /^(?:update|merge|insert|select)$/.test(token.text))
      return losesData(tokens.slice(at), context);
  }
  return false;
}
/** Number of tokens in the longest opening of a `WITH` expression: `AS NOT MATERIALIZED (`. */
const MAX_EXPRESSION_HEAD = 4;

function findLastWord(tokens: Tokens, word: string, endIndex: number, from = 0): number {
  for (let at = endIndex - 1; at >= Math.max(from, 0); at--) if (isWord(tokens[at], word)) return at;
  return -1;
}

/** Returns the name at the start of the tokens, which can be qualified, as in `a.b`. */
function readName(tokens: Tokens): string {
  let name = "";
  for (const { kind, text } of tokens) {
    const isPart = kind === "word" || kind === "name";
    if (isPart ? name !== "" && !name.endsWith(".") : text !== "." || kind !== "sign") break;
    name += text;
  }
  return name;
}

/** @param limitedNames names of common table expressions that contain only some rows */
function deletesAllRows(tokens: Tokens, context: SqlContext, limitedNames: readonly string[]): boolean {
  const from = findWord(tokens, "from");
  const whereIndex = findWord(tokens, "where");
  const hasFromClause = from >= 0 && (whereIndex < 0 || from < whereIndex);
  const target = tokens
    .slice(hasFromClause ? from + 1 : 1)
    .filter(({ kind, text }) => kind !== "word" || !TARGET_WORDS.test(text));
  const isTarget = /^(?:word|name|group|sign|string)$/.test(target[0]?.kind ?? "");
  if (!isTarget || (!hasFromClause && !deletesWithoutFrom(tokens, context)) || isTemporary(tokens)) return false;
  const name = readName(target);
  return !limitedNames.includes(name) && selectsAllRows(tokens, { ...context, table: name });
}

/**
 * Whether a statement deletes rows without FROM. `DELETE users` is valid in SQL Server and Oracle; in other dialects,
 * it is an error or means something else.
 */
const deletesWithoutFrom = (tokens: Tokens, { dialect }: SqlContext): boolean =>
  (dialect.isTransact === true || dialect.isOracle === true) && (tokens.length === 2 || findWord(tokens, "where") > 0);

function updatesAllRows(tokens: Tokens, context: SqlContext): boolean {
  const set = findWord(tokens, "set");
  const target = tokens.slice(1, set).filter(({ kind, text }) => kind !== "word" || !TARGET_WORDS.test(text));
  // SQL Server lists joined tables after SET.
  const joinTokens = context.dialect.isTransact ? tokens : target;
  if (set < 0 || target.length === 0 || isTemporary(tokens) || joinsSomeRows(joinTokens)) return false;
  return selectsAllRows(tokens, { ...context, table: readName(target) });
}

/** Whether an inner join limits the change to rows that have a match in the joined table. */
const joinsSomeRows = (tokens: Tokens): boolean =>
  findWord(tokens, "join") > 0 &&
  !tokens.some(({ kind, text }) => kind === "word" && /^(?:left|full|cross)$/.test(text)) &&
  tokens.some((token) => isWord(token, "on") || isWord(token, "using"));

/** Whether a `MERGE` deletes either all rows that match or all rows that don't. */
function isLossyMerge(tokens: Tokens): boolean {
  let isConditional = true;
  return tokens.some((token, at) => {
    if (isWord(token, "when")) isConditional = false;
    else if (isWord(token, "and")) isConditional = true;
    return isWord(token, "delete") && isWord(tokens[at - 1], "then") && !isConditional;
  });
}

/** Whether a statement replaces an existing table, as `CREATE OR REPLACE TABLE` does in Snowflake, BigQuery, MariaDB, and Databricks. */
function replacesTable(tokens: Tokens, { dialect }: SqlContext): boolean {
  if (!startsWith(tokens, "create or replace") || dialect.replacesTables || isTemporary(tokens.slice(2))) return false;
  const at = tokens.findIndex(({ text }) => /^(?:table|database|schema)$/.test(text));
  const kinds = tokens.slice(3, at);
  return at >= 3 && at <= 5 && kinds.every(({ text }) => /^(?:transient|hybrid|iceberg|volatile)$/.test(text));
}

/**
 * Whether a COPY deletes rows, as in `COPY (DELETE FROM t RETURNING *) TO …`, or has PostgreSQL run a destructive
 * program.
 */
function isLossyCopy(tokens: Tokens, context: SqlContext): boolean {
  const [, second] = tokens;
  if (second?.kind === "group" && isLossySubstatement(second, context)) return true;
  const at = findWord(tokens, "program");
  return at > 0 && DESTRUCTIVE_SHELL_COMMAND.test(tokens[at + 1]?.text ?? "");
}

/** Whether a SQL Server procedure runs a destructive program or drops an account. */
function runsDeletion(tokens: Tokens, context: SqlContext): boolean {
  if (!/^(?:exec|execute|xp_cmdshell|master)$/.test(tokens[0]?.text ?? "")) return false;
  if (tokens.some((token) => /^sp_drop(?:user|login|role|srvrolemember)$/.test(token.text))) return true;
  const at = findWord(tokens, "xp_cmdshell");
  const strings = tokens.slice(at).filter(({ kind }) => kind === "string" || kind === "group");
  return (
    at >= 0 &&
    strings.some((token) =>
      DESTRUCTIVE_SHELL_COMMAND.test(`${context.text.slice(token.at, token.end).replace(/^N?'/, "")} `),
    )
  );
}

/**
 * Whether a Cypher statement deletes all nodes without a condition or property filter, as in
 * `MATCH (n) DETACH DELETE n`.
 */
function deletesNodes(tokens: Tokens, { text }: SqlContext): boolean {
  const end = findWord(tokens, "delete");
  if (end < 0 || tokens[1]?.kind !== "group" || findWord(tokens, "where") >= 0 || findWord(tokens, "limit") >= 0)
    return false;
  return !text.slice(tokens[1].at, tokens[end]?.at).includes("{");
}
