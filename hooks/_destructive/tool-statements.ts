import type { Command } from "bridge-hooks";
import { listDialects } from "./sql/dialects.ts";
import { findDestructiveStatement } from "./sql/find-loss.ts";
import { isProse, startsLikeSql } from "./sql/prose.ts";
import { readSqlTokens } from "./sql/tokens.ts";
import { type Arguments, type CalledTool, createToolCommand, splitName } from "./tool-calls.ts";

// Arguments that contain SQL according to the public schemas of MCP servers: `sql` (Neon's run_sql, DBHub's execute_sql, mcp-alchemy),
// `query` (Supabase's execute_sql and apply_migration, the reference servers for PostgreSQL and SQLite, BigQuery, ClickHouse's run_query),
// `sqlStatements` (Neon's run_sql_transaction), `migrationSql` (Neon), `statement`, `queries`, `ddl_statements` (Spanner in the MCP
// Toolbox).
const STATEMENT_ARGUMENT = /sql|quer(?:y|ies)|statements?|stmts?|ddl|dml|migration|cypher|cql/;
const CODE_ARGUMENT =
  /^(?:commands?|cmds?|script|q|code|input|exec|transaction|batch|operations|up|down|expression|value|keys|stdin|chars)$/;
/** Arguments that contain SQL only if the tool runs statements. */
const TEXT_ARGUMENT = /^(?:text|contents?|body|string|source)$/;
const EXECUTION_WORD = /^(?:execute\w*|exec|run|query|queries|sql|migrate|migrations?|apply|statements?|script)$/;
/** Arguments that contain other arguments. */
const CONTAINER_ARGUMENT = /^(?:arguments|args|params|parameters|input|payload|request|options|body)$/;
const DATABASE_ARGUMENT = /^(?:database|databasename|db|dbname|databaseid|catalog)$/;

/** Words in the names of tools that search, store, or display text but don't execute it. */
const READ_ONLY_WORD =
  /^(?:search\w*|find\w*|docs?|documentation|look|lookup|grep|web|browse\w*|issues?|comments?|tickets?|pages?|wiki\w*|notes?|memory|memories|articles?|messages?|mail|emails?|explain|validate|format|lint|parse|beautify|translate|convert|check|suggest|complete|review|retriev\w*|recall|rag|knowledge|ask|question|chat|context7|deepwiki|think|plan|todo|list|logs?|traces?)$/;
const STORE_WORD =
  /^(?:sql\w*|dbs?|databases?|postgres\w*|pg|mysql|mariadb|\w*sqlite|supabase|neon|cockroach\w*|clickhouse|snowflake|bigquery|redshift|duckdb|motherduck|oracle|mssql|cassandra|scylla|trino|databricks|spanner|planetscale|turso|mongo\w*|dynamo\w*|chroma\w*|qdrant|milvus|weaviate|pinecone|elastic\w*|opensearch|couch\w*|redis|valkey|firestore|neo4j|influx\w*|astra\w*|prisma)$/;

/**
 * Tools that drop or empty something, identified by the end of their name. `filtered` tools count only if the call has
 * no filter.
 * - MongoDB: https://github.com/mongodb-js/mongodb-mcp-server
 * - Prisma: https://tessl.io/registry/tessl/npm-prisma/files/docs/mcp-server.md
 * - Neon: https://github.com/neondatabase/mcp-server-neon
 * - Supabase: https://github.com/supabase-community/supabase-mcp
 */
const STORE_TOOLS = {
  anywhere:
    /(?:^|_)drop_(?:collection|database|table|keyspace|schema|db)s?$|(?:^|_)flush_?(?:all|db)$|(?:^|_)migrate_reset$/,
  inStores:
    /(?:^|_)(?:delete|remove|truncate|clear|wipe|purge|reset)_(?:all_)?(?:collection|database|table|keyspace|schema|index|db|dataset|namespace|branch|project|cluster|instance)s?$/,
  filtered: /(?:^|_)(?:delete|remove|update)_many$/,
  /** These tools affect several documents only if the arguments contain `many` or `deleteMany`. */
  several: /(?:^|_)(?:delete|remove|update)(?:_documents?)?$/,
};
const FILTER_ARGUMENT = /^(?:filter|query|selector|where)$/;

const MANY_OPTION = "--many";
const [MAX_DEPTH, MAX_VALUES] = [6, 20_000];

const normalizeKey = (key: string): string => key.toLowerCase().replace(/[_-]/g, "");

/**
 * Lists commands for the statements in a call to a database tool, such as `mcp__postgres__query 'DROP TABLE users'`.
 * The list is empty for a tool that only searches, stores, or displays text.
 */
export function listStatementCommands(called: CalledTool): Command[] {
  if (isReadingTool(called)) return [];
  const words = splitName(`${called.server}_${called.tool}`);
  const runsAnyText = words.some((word) => STORE_WORD.test(word)) && words.some((word) => EXECUTION_WORD.test(word));
  const { sqlTexts, database = findNamedDatabase(called) } = searchArguments(called.callArguments, runsAnyText);
  const texts = [...new Set(sqlTexts)].filter(isDestructiveStatement);
  const store = isStoreTool(called) ? [formatFilter(called.callArguments)] : [];
  const options = [
    ...(database === undefined ? [] : [`--database=${database}`]),
    ...(store.length > 0 && STORE_TOOLS.several.test(normalizeToolName(called.tool)) ? [MANY_OPTION] : []),
  ];
  return [...texts, ...store].map((text) => createToolCommand(called, [...options, text]));
}

/** Whether a tool only searches, stores, or displays its arguments. */
function isReadingTool({ server, tool, callArguments }: CalledTool): boolean {
  const [own, servers] = [splitName(tool), splitName(server)];
  if (own.includes("explain") && callArguments["analyze"] === true) return false;
  if (own.some((word) => READ_ONLY_WORD.test(word))) return true;
  return (
    servers.some((word) => READ_ONLY_WORD.test(word)) && ![...own, ...servers].some((word) => STORE_WORD.test(word))
  );
}

/** Whether a string is destructive SQL rather than English prose. */
const isDestructiveStatement = (text: string): boolean =>
  isDestructiveSql(text, ({ tokens, isInner }) => !isInner && isProse(tokens));

/** Whether a string is destructive SQL. */
export function isDestructiveSql(
  text: string,
  isIgnored: Parameters<typeof findDestructiveStatement>[2] = () => false,
): boolean {
  const dialects = listDialects("");
  if (!findDestructiveStatement(text, dialects, isIgnored)) return false;
  return dialects.some((dialect) => startsLikeSql(readSqlTokens(text, dialect)));
}

/** Lists the strings in JSON that could be SQL. */
export function listStatementStrings(json: string): string[] {
  const parsedJson = parseObject(json);
  return parsedJson === undefined ? [] : searchArguments({ statements: parsedJson }, false).sqlTexts;
}

/** Finds the strings in the arguments that could be SQL, and the database that the arguments name. */
function searchArguments(
  callArguments: Arguments,
  runsAnyText: boolean,
): { sqlTexts: string[]; database: string | undefined } {
  const sqlTexts: string[] = [];
  let database: string | undefined;
  let count = 0;
  const search = (value: unknown, key: string, depth: number): void => {
    if (++count > MAX_VALUES || depth > MAX_DEPTH) return;
    if (typeof value === "string") {
      if (DATABASE_ARGUMENT.test(key)) database ??= value;
      const wrappedArguments =
        CONTAINER_ARGUMENT.test(key) && value.trimStart().startsWith("{") ? parseObject(value) : undefined;
      if (wrappedArguments) search(wrappedArguments, "", depth + 1);
      else if (isStatementArgument(key) || (runsAnyText && TEXT_ARGUMENT.test(key))) sqlTexts.push(value);
    } else if (Array.isArray(value)) for (const item of value) search(item, key, depth + 1);
    else if (typeof value === "object" && value !== null)
      for (const [name, item] of Object.entries(value)) {
        // The items can be objects, as in `queries: [{ text: "…" }]`.
        const argumentName = normalizeKey(name);
        search(item, TEXT_ARGUMENT.test(argumentName) && isStatementArgument(key) ? key : argumentName, depth + 1);
      }
  };
  search(callArguments, "", 0);
  return { sqlTexts, database };
}

/** Returns the database that a tool acts on, such as `shop` in `delete_database { name: "shop" }`. */
const findNamedDatabase = ({ tool, callArguments: { name } }: CalledTool): string | undefined =>
  typeof name === "string" && /(?:^|_)(?:database|db)$/.test(normalizeToolName(tool)) ? name : undefined;

const isStatementArgument = (key: string): boolean => STATEMENT_ARGUMENT.test(key) || CODE_ARGUMENT.test(key);

function parseObject(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

const normalizeToolName = (name: string) => splitName(name).join("_");

/** Whether a tool itself drops or empties something. */
function isStoreTool({ server, tool, callArguments }: CalledTool): boolean {
  const name = normalizeToolName(tool);
  if (STORE_TOOLS.anywhere.test(name)) return true;
  const affectsMany = (callArguments["many"] ?? callArguments["deleteMany"]) === true && STORE_TOOLS.several.test(name);
  if (affectsMany || STORE_TOOLS.filtered.test(name)) return formatFilter(callArguments) === "{}";
  return STORE_TOOLS.inStores.test(name) && splitName(`${server}_${tool}`).some((word) => STORE_WORD.test(word));
}

/** Formats a call's document filter; `{}` if the call has no filter. */
function formatFilter(callArguments: Arguments): string {
  const [, filter] = Object.entries(callArguments).find(([name]) => FILTER_ARGUMENT.test(name)) ?? [];
  const text = typeof filter === "string" ? filter : JSON.stringify(filter ?? {});
  return EMPTY_FILTER.test(text.trim()) ? "{}" : text;
}
/** An empty filter, or one that matches every document. */
const EMPTY_FILTER = /^(?:\{\s*\}|\{"_id":\{"\$(?:exists":true|ne":null)\}\})?$/;

/**
 * Whether a command such as `mcp__mongodb__drop-collection {}` represents a tool call that drops or empties an object.
 */
export function emptiesStore({ program, args }: Command): boolean {
  const [, server = "", ...rest] = program.split("__");
  const filter = args.findLast((arg) => !arg.startsWith("-")) ?? "{}";
  return isStoreTool({
    server,
    tool: rest.join("__"),
    displayName: "",
    callArguments: { filter, many: args.includes(MANY_OPTION) },
  });
}
