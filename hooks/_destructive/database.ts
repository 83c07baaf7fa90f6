import type { ProgramRules } from "./pattern.ts";

const EMPTIED = "it deletes everything in the database";

export const databaseRules: ProgramRules = {
  "psql|pgcli|mysql|mariadb|mycli|sqlite3|sqlite|litecli|duckdb|usql|sqlcmd|mssql-cli|sqlplus|cqlsh|clickhouse|clickhouse-client|cockroach|snowsql|snow|bq|trino|presto|impala-shell|beeline|hive|turso|wrangler|dolt|spanner-cli|isql|supabase|heroku|gcloud|neonctl|pscale":
    {
      "<sql>": 'it runs "<sql>"',
    },
  "mongosh|mongo": { "<mongo>": 'it runs "<mongo>"' },
  "redis-cli|valkey-cli|keydb-cli|dragonfly-cli": { "<redis>": 'it runs "<redis>"' },
  "dropdb|dropuser": { "<lasting> !--interactive|-i": "it drops <lasting>" },
  mysqladmin: { "** drop <lasting>": EMPTIED },
  mongorestore: { "--drop": "it drops each collection before it restores it" },
  pg_restore: { "-c|--clean": "it drops what it restores" },
  etcdctl: { "del --prefix|--from-key": "it deletes every key that begins so" },
  influx: { delete: "it deletes what was measured", "bucket delete": "it deletes what was measured" },
  prisma: {
    "migrate reset": EMPTIED,
    "db push --force-reset|--accept-data-loss": EMPTIED,
    "db execute <sql>": 'it runs "<sql>"',
  },
  "rails|rake": {
    "** db:drop*|db:reset|db:purge*|db:truncate_all|db:migrate:reset|db:seed:replant|db:schema:load": EMPTIED,
  },
  "manage.py|django-admin": { "flush|reset_db": EMPTIED, "migrate ** zero": "it undoes every migration of an app" },
  artisan: { "migrate:fresh|migrate:refresh|migrate:reset|db:wipe": EMPTIED },
  console: { "doctrine:database:drop|doctrine:schema:drop|d:d:d|d:s:d --force": EMPTIED },
  "sequelize|sequelize-cli": { "db:drop|db:migrate:undo:all": EMPTIED },
  "typeorm|typeorm-ts-node-commonjs|typeorm-ts-node-esm": { "schema:drop": EMPTIED },
  knex: { "migrate:rollback --all": "it undoes every migration" },
  "drizzle-kit": { "push --force": "it drops whatever the schema does not name" },
  "mikro-orm": { "schema:drop|schema:fresh|migration:fresh": EMPTIED },
  ace: { "migration:fresh|migration:reset|migration:refresh|db:wipe": EMPTIED },
  mix: { "ecto.drop|ecto.reset": EMPTIED },
  "alembic|flask": { "** downgrade base": "it undoes every migration" },
  flyway: { "** clean": EMPTIED },
  liquibase: { "** drop-all|dropAll": EMPTIED },
  supabase: { "db reset": EMPTIED },
  "dotnet|dotnet-ef": { "** database drop": EMPTIED },
  wp: { "db drop|reset|clean": EMPTIED, "site empty": EMPTIED, "db query|cli <sql>": 'it runs "<sql>"' },
  drush: { "sql-drop|sql:drop": EMPTIED, "sql-query|sqlq|sql:query <sql>": 'it runs "<sql>"' },
  heroku: { "pg:reset": EMPTIED },
  atlas: { "schema clean": EMPTIED },
  "dbmate|migrate|sql-migrate": { "** drop": EMPTIED },
  sqlx: { "database drop|reset": EMPTIED },
  diesel: { "database reset": EMPTIED },
};
