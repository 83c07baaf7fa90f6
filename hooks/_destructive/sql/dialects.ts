/** Differences in SQL syntax that affect which statements run. */
export interface SqlDialect {
  /** A backslash keeps the quote after it in the string: MySQL, ClickHouse, BigQuery, Hive, Snowflake. */
  hasEscapes?: boolean;
  /** `#` starts a comment, `--` only with a space after it, comments don't nest, and `$$` doesn't quote: MySQL. */
  isMySql?: boolean;
  /** Comments don't nest, and lines that begin with a dot are the client's own commands. */
  isSqlite?: boolean;
  /** Statements need no `;`, `GO` ends a batch, and `DELETE t` needs no FROM: SQL Server. */
  isTransact?: boolean;
  /** A line with only a slash ends a block: Oracle. */
  isOracle?: boolean;
  /** The statements of a definition continue until a line ends the batch. */
  definesInBatches?: boolean;
  /** ROLLBACK reverts everything since BEGIN, including DROP and TRUNCATE. */
  canRollBack?: boolean;
  /** Replacing a table is routine because tables are often built from files: DuckDB. */
  replacesTables?: boolean;
}

const POSTGRES: SqlDialect = { canRollBack: true };
const SQLITE: SqlDialect = { isSqlite: true, canRollBack: true };
const MYSQL: SqlDialect = { isMySql: true, hasEscapes: true };
const TRANSACT: SqlDialect = { isTransact: true, canRollBack: true, definesInBatches: true };
const ESCAPING: SqlDialect = { hasEscapes: true };

const CLIENTS: readonly (readonly [programs: RegExp, dialect: SqlDialect])[] = [
  [/^(psql|pgcli|ysqlsh|cockroach|supabase|neonctl|heroku|fly|flyctl)$/, POSTGRES],
  [/^(mysql|mariadb|mycli|mysqlsh|pscale|dolt|wp|drush)$/, MYSQL],
  [/^(sqlite3?|litecli|sqlite-utils|turso|wrangler)$/, SQLITE],
  [/^duckdb$/, { ...POSTGRES, replacesTables: true }],
  [/^(sqlcmd|mssql-cli|tsql|invoke-(?:sqlcmd2?|dbaquery))$/, TRANSACT],
  [/^(sqlplus|sqlcl)$/, { isOracle: true, definesInBatches: true }],
  [/^(bq|clickhouse(-client|-local)?|snowsql|snow|beeline|hive|impala-shell|spark-sql|spanner-cli|gcloud)$/, ESCAPING],
];

/** Both interpretations of backslash escapes and `#`, for unknown servers. */
const UNKNOWN_SERVER: readonly SqlDialect[] = [
  { isTransact: true },
  { isTransact: true, isMySql: true, hasEscapes: true },
];

/** Lists the dialects in which a client may run a text. */
export const listDialects = (program: string): readonly SqlDialect[] => {
  const known = CLIENTS.find(([programs]) => programs.test(program));
  return known ? [known[1]] : UNKNOWN_SERVER;
};
