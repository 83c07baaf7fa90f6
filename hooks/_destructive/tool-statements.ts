import type { Command } from "bridge-hooks";
import { listDialects } from "./sql/dialects.ts";
import { findDestroyingStatement } from "./sql/find-loss.ts";
import { isProse, startsLikeSql } from "./sql/prose.ts";
import { readSqlTokens } from "./sql/tokens.ts";
import { type Arguments, type CalledTool, createToolCommand, splitName } from "./tool-calls.ts";

// Arguments with SQL, by the public schemas of MCP servers: `sql` (Neon's run_sql, DBHub's execute_sql, mcp-alchemy),
// `query` (Supabase's execute_sql and apply_migration, the reference servers for PostgreSQL and SQLite, BigQuery, ClickHouse's
// run_query), `sqlStatements` (Neon's run_sql_transaction), `migrationSql` (Neon), `statement`, `queries`, `ddl_statements`
// (Spanner in the MCP Toolbox).
const STATEMENT_ARGUMENT = /sql|quer(?:y|ies)|statements?|stmts?|ddl|dml|migration|cypher|cql/;
const CODE_ARGUMENT =
  /^(?:commands?|cmds?|script|q|code|input|exec|transaction|batch|operations|up|down|expression|value|keys|stdin|chars)$/;
/** The same for a tool that runs what a database is given. */
const TEXT_ARGUMENT = /^(?:text|contents?|body|string|source)$/;
const RUNNING_WORD = /^(?:execute\w*|exec|run|query|queries|sql|migrate|migrations?|apply|statements?|script)$/;
/** Arguments that hold others. */
const WRAPPING_ARGUMENT = /^(?:arguments|args|params|parameters|input|payload|request|options|body)$/;
const DATABASE_ARGUMENT = /^(?:database|databasename|db|dbname|databaseid|catalog)$/;

/** Words of tools that look for a text, keep it or show it, and don't run it. */
const READING_WORD =
  /^(?:search\w*|find\w*|docs?|documentation|look|lookup|grep|web|browse\w*|issues?|comments?|tickets?|pages?|wiki\w*|notes?|memory|memories|articles?|messages?|mail|emails?|explain|validate|format|lint|parse|beautify|translate|convert|check|suggest|complete|review|retriev\w*|recall|rag|knowledge|ask|question|chat|context7|deepwiki|think|plan|todo|list|logs?|traces?)$/;
const STORE_WORD =
  /^(?:sql\w*|dbs?|databases?|postgres\w*|pg|mysql|mariadb|\w*sqlite|supabase|neon|cockroach\w*|clickhouse|snowflake|bigquery|redshift|duckdb|motherduck|oracle|mssql|cassandra|scylla|trino|databricks|spanner|planetscale|turso|mongo\w*|dynamo\w*|chroma\w*|qdrant|milvus|weaviate|pinecone|elastic\w*|opensearch|couch\w*|redis|valkey|firestore|neo4j|influx\w*|astra\w*|prisma)$/;

/**
 * Tools that drop or empty something, by the ends of their names; `filtered` ones only without a filter. MongoDB:
 * https://github.com/mongodb-js/mongodb-mcp-server, Prisma: https://tessl.io/registry/tessl/npm-prisma/files/docs/mcp-server.md, Neon:
 * https://github.com/neondatabase/mcp-server-neon, Supabase: https://github.com/supabase-community/supabase-mcp.
 */
const STORE_TOOLS = {
  anywhere:
    /(?:^|_)drop_(?:collection|database|table|keyspace|schema|db)s?$|(?:^|_)flush_?(?:all|db)$|(?:^|_)migrate_reset$/,
  inStores:
    /(?:^|_)(?:delete|remove|truncate|clear|wipe|purge|reset)_(?:all_)?(?:collection|database|table|keyspace|schema|index|db|dataset|namespace|branch|project|cluster|instance)s?$/,
  filtered: /(?:^|_)(?:delete|remove|update)_many$/,
  /** With `many` or `deleteMany`. */
  several: /(?:^|_)(?:delete|remove|update)(?:_documents?)?$/,
};
const FILTER_ARGUMENT = /^(?:filter|query|selector|where)$/;

const MANY = "--many";
const [MAX_DEPTH, MAX_VALUES] = [6, 20_000];

const normalizeKey = (key: string): string => key.toLowerCase().replace(/[_-]/g, "");

/**
 * The commands that would do what a call of a database's tool does: `mcp__postgres__query 'DROP TABLE users'`. None for a
 * tool that only looks for such a text.
 */
export function listStatementCommands(called: CalledTool): Command[] {
  if (isReadingTool(called)) return [];
  const words = splitName(`${called.server}_${called.tool}`);
  const runsAnyText = words.some((word) => STORE_WORD.test(word)) && words.some((word) => RUNNING_WORD.test(word));
  const { found, database = findOwnName(called) } = searchArguments(called.given, runsAnyText);
  const texts = [...new Set(found)].filter(isDestroyingText);
  const store = isStoreTool(called) ? [formatFilter(called.given)] : [];
  const options = [
    ...(database === undefined ? [] : [`--database=${database}`]),
    ...(store.length > 0 && STORE_TOOLS.several.test(joinName(called.tool)) ? [MANY] : []),
  ];
  return [...texts, ...store].map((text) => createToolCommand(called, [...options, text]));
}

/** Whether the arguments of a tool are only looked for, kept or shown. */
function isReadingTool({ server, tool, given }: CalledTool): boolean {
  const [own, servers] = [splitName(tool), splitName(server)];
  if (own.includes("explain") && given["analyze"] === true) return false;
  if (own.some((word) => READING_WORD.test(word))) return true;
  return servers.some((word) => READING_WORD.test(word)) && ![...own, ...servers].some((word) => STORE_WORD.test(word));
}

/** Whether a text is SQL that destroys, and not English that sounds so. */
const isDestroyingText = (text: string): boolean =>
  isDestroyingSql(text, ({ tokens, isInner }) => !isInner && isProse(tokens));

/** Whether a text is SQL that destroys. */
export function isDestroyingSql(
  text: string,
  isIgnored: Parameters<typeof findDestroyingStatement>[2] = () => false,
): boolean {
  const dialects = listDialects("");
  if (!findDestroyingStatement(text, dialects, isIgnored)) return false;
  return dialects.some((dialect) => startsLikeSql(readSqlTokens(text, dialect)));
}

/** The texts in JSON that may be SQL. */
export function listStatementTexts(json: string): string[] {
  const given = parseObject(json);
  return given === undefined ? [] : searchArguments({ statements: given }, false).found;
}

/** The texts in arguments that may be SQL, and the database that they name. */
function searchArguments(given: Arguments, runsAnyText: boolean): { found: string[]; database: string | undefined } {
  const found: string[] = [];
  let database: string | undefined;
  let seen = 0;
  const search = (value: unknown, key: string, depth: number): void => {
    if (++seen > MAX_VALUES || depth > MAX_DEPTH) return;
    if (typeof value === "string") {
      if (DATABASE_ARGUMENT.test(key)) database ??= value;
      const inner = WRAPPING_ARGUMENT.test(key) && value.trimStart().startsWith("{") ? parseObject(value) : undefined;
      if (inner) search(inner, "", depth + 1);
      else if (isStatementArgument(key) || (runsAnyText && TEXT_ARGUMENT.test(key))) found.push(value);
    } else if (Array.isArray(value)) for (const item of value) search(item, key, depth + 1);
    else if (typeof value === "object" && value !== null)
      for (const [name, item] of Object.entries(value)) {
        // `queries: [{ text: "…" }]`
        const own = normalizeKey(name);
        search(item, TEXT_ARGUMENT.test(own) && isStatementArgument(key) ? key : own, depth + 1);
      }
  };
  search(given, "", 0);
  return { found, database };
}

/** The database that a tool is about, by its name: `delete_database { name: "shop" }`. */
const findOwnName = ({ tool, given: { name } }: CalledTool): string | undefined =>
  typeof name === "string" && /(?:^|_)(?:database|db)$/.test(joinName(tool)) ? name : undefined;

const isStatementArgument = (key: string): boolean => STATEMENT_ARGUMENT.test(key) || CODE_ARGUMENT.test(key);

function parseObject(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

const joinName = (name: string) => splitName(name).join("_");

/** Whether a tool drops or empties something by itself. */
function isStoreTool({ server, tool, given }: CalledTool): boolean {
  const name = joinName(tool);
  if (STORE_TOOLS.anywhere.test(name)) return true;
  const isMany = (given["many"] ?? given["deleteMany"]) === true && STORE_TOOLS.several.test(name);
  if (isMany || STORE_TOOLS.filtered.test(name)) return formatFilter(given) === "{}";
  return STORE_TOOLS.inStores.test(name) && splitName(`${server}_${tool}`).some((word) => STORE_WORD.test(word));
}

/** What a call chooses documents by: `{}` if it does not. */
function formatFilter(given: Arguments): string {
  const [, filter] = Object.entries(given).find(([name]) => FILTER_ARGUMENT.test(name)) ?? [];
  const text = typeof filter === "string" ? filter : JSON.stringify(filter ?? {});
  return EMPTY_FILTER.test(text.trim()) ? "{}" : text;
}
/** No condition, or one that every document meets. */
const EMPTY_FILTER = /^(?:\{\s*\}|\{"_id":\{"\$(?:exists":true|ne":null)\}\})?$/;

/** Whether a command stands for such a call: `mcp__mongodb__drop-collection {}`. */
export function emptiesStore({ program, args }: Command): boolean {
  const [, server = "", ...rest] = program.split("__");
  const filter = args.findLast((arg) => !arg.startsWith("-")) ?? "{}";
  return isStoreTool({ server, tool: rest.join("__"), shown: "", given: { filter, many: args.includes(MANY) } });
}
