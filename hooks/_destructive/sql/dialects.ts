/** Differences in SQL syntax that affect which statements run. */
export interface SqlDialect {
  /** MySQL, ClickHouse, BigQuery, Hive, Snowflake: in a string, a backslash escapes the quote after it. */
  hasEscapes?: boolean;
  /** MySQL: `#` starts a comment, `--` starts one only before a space, comments don't nest, and `$$` doesn't quote. */
  isMySql?: boolean;
  /** SQLite: comments don't nest, and lines that begin with a dot are commands of the client. */
  isSqlite?: boolean;
  /** SQL Server: statements don't need `;`, `GO` ends a batch, and `DELETE t` doesn't need FROM. */
  isTransact?: boolean;
  /** Oracle: a line that contains only a slash ends a block. */
  isOracle?: boolean;
  /** SQL Server, Oracle: a definition includes all statements up to the line that ends the batch. */
  definesInBatches?: boolean;
  /** ROLLBACK reverts everything since BEGIN, including DROP and TRUNCATE. */
  canRollBack?: boolean;
  /** DuckDB: replacing a table is routine because tables are often built from files. */
  replacesTables?: boolean;
}

const POSTGRES_DIALECT: SqlDialect = { canRollBack: true };
const SQLITE_DIALECT: SqlDialect = { isSqlite: true, canRollBack: true };
const MYSQL_DIALECT: SqlDialect = { isMySql: true, hasEscapes: true };
const TRANSACT_DIALECT: SqlDialect = { isTransact: true, canRollBack: true, definesInBatches: true };
const ESCAPING_DIALECT: SqlDialect = { hasEscapes: true };

const DIALECTS_BY_CLIENT: readonly (readonly [programs: RegExp, dialect: SqlDialect])[] = [
  [/^(psql|pgcli|ysqlsh|cockroach|supabase|neonctl|heroku|fly|flyctl)$/, POSTGRES_DIALECT],
  [/^(mysql|mariadb|mycli|mysqlsh|pscale|dolt|wp|drush)$/, MYSQL_DIALECT],
  [/^(sqlite3?|litecli|sqlite-utils|turso|wrangler)$/, SQLITE_DIALECT],
  [/^duckdb$/, { ...POSTGRES_DIALECT, replacesTables: true }],
  [/^(sqlcmd|mssql-cli|tsql|invoke-(?:sqlcmd2?|dbaquery))$/, TRANSACT_DIALECT],
  [/^(sqlplus|sqlcl)$/, { isOracle: true, definesInBatches: true }],
  [
    /^(bq|clickhouse(-client|-local)?|snowsql|snow|beeline|hive|impala-shell|spark-sql|spanner-cli|gcloud)$/,
    ESCAPING_DIALECT,
  ],
];

/** If the server type is unknown, backslash escapes and `#` are interpreted both ways. */
const UNKNOWN_SERVER: readonly SqlDialect[] = [
  { isTransact: true },
  { isTransact: true, isMySql: true, hasEscapes: true },
];

/** Lists the dialects in which a client's server might interpret SQL. */
export const listDialects = (program: string): readonly SqlDialect[] => {
  const clientDialects = DIALECTS_BY_CLIENT.find(([programs]) => programs.test(program));
  return clientDialects ? [clientDialects[1]] : UNKNOWN_SERVER;
};
