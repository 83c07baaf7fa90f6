import { describe, expect, test } from "bun:test";
import hook from "../../../hooks/block-destructive.ts";
import { askHook } from "../../support/ask-hook.ts";

type Call = readonly [server: string, tool: string, given: object];

const ask = async ([server, tool, given]: Call): Promise<string> => {
  const event = {
    event: "PreToolUse",
    tool: "MCP",
    tool_name: `mcp__${server}__${tool}`,
    input: { ...(server && { server }), tool, arguments: given },
  };
  return (await askHook(hook, event))?.decision ?? "pass";
};

const ESCAPED = JSON.stringify({ sql: "DROP TABLE users" });
const denied: readonly Call[] = [
  ["postgres", "query", { sql: "DELETE FROM users" }],
  ["postgres", "query", { sql: "DROP USER app" }],
  ["supabase", "execute_sql", { project_id: "p", query: "DROP TABLE users;" }],
  ["supabase", "apply_migration", { name: "no_email", query: "ALTER TABLE users DROP COLUMN email" }],
  ["neon", "run_sql_transaction", { params: { sqlStatements: ["SELECT 1", "TRUNCATE users"], databaseName: "main" } }],
  ["neon", "prepare_database_migration", { migrationSql: "DROP TABLE users" }],
  ["dbhub", "execute_sql", { sql: "with x as (delete from users returning *) select * from x" }],
  ["x", "run", { statement: "EXPLAIN ANALYZE DELETE FROM users" }],
  ["x", "call_tool", { name: "query", arguments: ESCAPED }],
  ["x", "call_tool", { name: "query", arguments: { sql: "DROP TABLE users" } }],
  ["clickhouse", "run_query", { query: "ALTER TABLE events DELETE WHERE 1" }],
  ["mysql", "mysql_query", { sql: "SELECT 1; DROP DATABASE shop" }],
  ["pg", "execute", { queries: [{ text: "UPDATE users SET admin = true", values: [] }] }],
  ["mssql", "run", { command: "SELECT 1 DROP TABLE users" }],
  ["", "execute_sql", { sql: "DROP SCHEMA public CASCADE" }],
  ["snowflake", "run_query", { statement: "-- clean\nCREATE OR REPLACE TABLE users AS SELECT 1" }],
  ["pg", "query", { sql: "DO $$ BEGIN EXECUTE 'DROP TABLE ' || 'users'; END $$" }],
  ["pg", "query", { sql: "BEGIN; DELETE FROM users; ROLLBACK" }],
  ["bq", "execute-query", { query: "DELETE FROM `shop.users` WHERE true" }],
  ["cassandra", "cql", { cql: "TRUNCATE shop.users" }],
  ["neo4j", "write_neo4j_cypher", { query: "MATCH (n) DETACH DELETE n" }],
  ["pg", "explain_query", { sql: "DELETE FROM users", analyze: true }],
  ["mongodb", "drop-collection", { database: "shop", collection: "users" }],
  ["mongodb", "delete-many", { database: "shop", collection: "users", filter: {} }],
  ["mongodb", "delete-many", { database: "shop", collection: "users" }],
  ["mongodb", "delete-many", { collection: "users", filter: { _id: { $exists: true } } }],
  ["postgres", "execute", { text: "DROP TABLE users" }],
  ["tmux", "send_keys", { pane: "1", keys: ["DROP TABLE users;", "Enter"] }],
  ["mongo", "deleteMany", { collection: "users", filter: "{}" }],
  ["chroma", "chroma_delete_collection", { collection_name: "notes" }],
  ["mongo", "mongo-delete-document", { collection: "users", filter: {}, deleteMany: true }],
  ["redis", "flushall", {}],
  ["prisma", "migrate-reset", {}],
  ["neon", "delete_branch", { branchId: "b" }],
  ["sqlite", "write_query", { query: "UPDATE todos SET done = 1" }],
  ["x", "batch", { sql: ["SELECT 1", "DROP TABLE b"] }],
  ["spanner", "update_ddl", { ddl_statements: ["DROP TABLE users"] }],
];
const allowed: readonly Call[] = [
  ["postgres", "query", { sql: "SELECT * FROM t WHERE note = 'drop table users; delete from users'" }],
  ["postgres", "query", { sql: "DELETE FROM users WHERE id = 3" }],
  ["postgres", "query", { sql: "SELECT 1 -- DROP TABLE users" }],
  ["postgres", "query", { sql: "CREATE FUNCTION f() RETURNS trigger AS $$ BEGIN DELETE FROM a; RETURN NEW; END $$" }],
  ["postgres", "query", { sql: "INSERT INTO users VALUES (1) ON CONFLICT DO UPDATE SET a = 1" }],
  ["postgres", "query", { sql: "INSERT INTO posts (body) VALUES ('it''s; DROP TABLE users')" }],
  ["postgres", "query", { sql: "CREATE TABLE a (b int REFERENCES c ON DELETE CASCADE)" }],
  ["postgres", "create_note", { text: "DROP TABLE users" }],
  ["postgres", "query", { database: "shop_test", sql: "TRUNCATE users" }],
  ["mysql", "query", { sql: "INSERT INTO t VALUES (1) ON DUPLICATE KEY UPDATE a = 1" }],
  ["docs", "search", { query: "DROP TABLE users" }],
  ["context7", "query-docs", { libraryId: "/pg", query: "DELETE FROM users" }],
  ["context7", "query", { query: "DELETE FROM users" }],
  ["supabase", "search_docs", { graphql_query: 'query { searchDocs(query: "DROP TABLE users") { nodes { title } } }' }],
  ["github", "create_issue", { title: "DROP TABLE users", body: "DROP TABLE users;" }],
  ["github", "add_issue_comment", { body: "DELETE FROM users; is bad" }],
  ["github", "graphql", { query: "mutation { deleteUsers(where: {}) { count } }" }],
  ["slack", "post", { text: "DELETE FROM users" }],
  ["fs", "write_file", { path: "x.sql", content: "DROP TABLE users;" }],
  ["memory", "create_entities", { entities: [{ name: "x", observations: ["DROP TABLE users"] }] }],
  ["pg", "explain_query", { sql: "DELETE FROM users" }],
  ["pg", "validate_sql", { sql: "DROP TABLE users" }],
  ["x", "run_code", { code: "await db.query('DROP TABLE users')" }],
  ["mongodb", "delete-many", { database: "shop", collection: "users", filter: { old: true } }],
  ["mongodb", "drop-collection", { database: "shop_test", collection: "users" }],
  ["mongo", "mongo-delete-document", { collection: "users", filter: {} }],
  ["mongo", "mongodb_delete", { collection: "users", filter: { a: 1 }, many: true }],
  ["mongodb", "drop-index", { database: "shop", collection: "users", indexName: "x" }],
  ["word", "delete_table", { document: "x.docx", index: 0 }],
  ["postman", "delete_collection", { id: "x" }],
  ["github", "delete_branch", { branch: "x" }],
  ["datadog", "list_logs", { query: "DROP TABLE users" }],
  ["kibana", "query", { query: 'message: "DROP TABLE users"' }],
  ["sqlite", "write_query", { query: "INSERT INTO notes (t) VALUES ('one\nDELETE FROM users\n')" }],
  [
    "supabase",
    "apply_migration",
    { query: "DROP POLICY p ON users; CREATE POLICY p ON users FOR DELETE USING (true)" },
  ],
  ...[
    "drop the users table from the docs",
    "drop table users from the docs",
    "delete from users who are inactive",
    "DROP DATABASE best practices",
    "alter table drop column postgres",
    "truncate table vs delete",
    "DROP TABLE IF EXISTS",
    "drop user in postgres",
    "update user set password laravel",
    "delete from cart does not work on mobile",
    "how do I DROP TABLE users; safely",
    "alter table users drop column email in a rails migration",
    "create or replace table in snowflake",
    "reset master password",
    "update user set up guide",
  ].map((query): Call => ["x", "assistant", { query }]),
];

describe("block-destructive judges SQL in the arguments of MCP tools", () => {
  for (const call of denied) test(`denies ${JSON.stringify(call)}`, async () => expect(await ask(call)).toBe("deny"));
  for (const call of allowed) test(`allows ${JSON.stringify(call)}`, async () => expect(await ask(call)).toBe("pass"));
});

test("a tool that the host does not identify as an MCP server's is also judged", async () => {
  const event = { event: "PreToolUse", tool: "Other", tool_name: "execute_sql", input: { query: "DROP TABLE users" } };
  expect((await askHook(hook, event))?.reason).toBe(
    `Blocked "execute_sql 'DROP TABLE users'": it runs "DROP TABLE users". If this is intended, ask the user to run it. [bridge-hooks database/mcp-sql]`,
  );
});

test("the setting allow names a tool and its statement", async () => {
  const event = {
    event: "PreToolUse",
    tool: "MCP",
    tool_name: "mcp__pg__query",
    input: { server: "pg", tool: "query", arguments: { sql: "TRUNCATE cache" } },
  };
  expect(await askHook(hook, event, { allow: ["mcp__pg__query TRUNCATE cache"] })).toBeUndefined();
  expect((await askHook(hook, event, { allow: ["mcp__pg__query TRUNCATE other"] }))?.decision).toBe("deny");
});
