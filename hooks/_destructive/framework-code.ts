import type { Command } from "bridge-hooks";
import type { LineContext } from "./line-context.ts";
import type { OperandFinder } from "./place-finder.ts";
import { listClientStrings, isTestDatabase, shortenStatement } from "./statements.ts";
import { isDestructiveSql, listStatementStrings } from "./tool-statements.ts";

/** Calls that delete every row of a model, listed by framework. */
const DELETE_ALL_CALLS: readonly RegExp[] = [
  // Rails. Calls after `where` or another scope aren't matched because they delete only some rows.
  /(?<![\w.):])(?:::)?[A-Z]\w{0,60}(?:::\w{1,60}){0,6}(?:\.(?:unscoped|all|with_deleted)){0,2}\.(?:delete_all|destroy_all|find_each\(?\s?&:(?:destroy|delete)!?|each\(?\s?&:(?:destroy|delete)!?)/,
  // Django
  /\.(?:objects|_base_manager|_default_manager)(?:\.all\(\))?\.(?:delete|_raw_delete)\(/,
  /call_command\(\s{0,9}["'](?:flush|reset_db)/,
  // Laravel
  /::(?:truncate\(\)|query\(\)->(?:delete|truncate|forceDelete)\(\)|all\(\)->each->(?:delete|forceDelete)\(\))/,
  /DB::table\([^)]{1,60}\)->(?:delete|truncate)\(\)|Schema::drop\w{0,20}\(/,
  /Artisan::call\(\s{0,9}["']db:wipe/,
  // Ecto, Sidekiq
  /\bRepo\.delete_all\(\s{0,9}[A-Z][\w.]{0,80}\s{0,9}\)/,
  /Sidekiq::(?:Queue|RetrySet|ScheduledSet|DeadSet)\.new(?:\([^)]{0,40}\))?\.clear/,
  /\b(?:execute|exec_query|execute_sql|statement|unprepared|raw|query|query!)\s{0,9}\(?\s{0,9}["']{1,3}\s{0,9}(?:drop\s{1,9}(?:table|database|schema)|truncate)\b/i,
];

/** SQLAlchemy and Prisma calls that delete every row. They also occur in ordinary scripts. */
const DELETE_ALL_LIBRARY_CALLS: readonly RegExp[] = [
  /\b(?:db|metadata|Base)\.drop_all\(/,
  /\.deleteMany\(\s{0,9}(?:\{\s{0,9}\})?\s{0,9}\)|\$executeRawUnsafe\(\s{0,9}["'`](?:drop|truncate)\b/i,
];

/** Creates a function that finds the given calls in code passed to a program as an argument or on stdin. */
const createCallFinder =
  (calls: readonly RegExp[]): OperandFinder =>
  (_, command) => {
    for (const text of listClientStrings(command))
      for (const call of calls) {
        const [callText] = call.exec(text) ?? [];
        if (callText !== undefined) return shortenStatement(callText);
      }
    return undefined;
  };

/** HTTP endpoints that accept SQL: ClickHouse, InfluxDB, CrateDB, rqlite, Neo4j, Drill, Trino, D1, … */
const SQL_ADDRESS =
  /:(?:8123|8443|9000|8086|4200|4001|7474|8047)(?:[/?]|$)|clickhouse|\/_sql\b|\/v1\/statement\b|\/database\/query\b|\/d1\/database\/|\/tx(?:\/commit)?$|\/v2\/pipeline$|\/druid\/v2\/sql/i;
/** Destructive SQL keywords that these servers support. */
const REQUEST_WORDS = ["drop", "truncate", "delete", "alter", "detach"];
const REQUEST_WORD = new RegExp(REQUEST_WORDS.join("|"), "i");
const TEXT_PARAMETER = /^(?:query|q|sql|stmt|statement)=/i;

/** Lists the statements in a request's body, JSON values, and query parameters. */
function listRequestStrings({ args, stdin }: Command): string[] {
  return [...args, ...(stdin === undefined ? [] : [stdin])].flatMap((arg) => {
    const text = arg.replace(/^--?[\w-]{1,30}=|^-d(?=[^-\s])/, "");
    if (/^\s*[{[]/.test(text)) return listStatementStrings(text);
    if (/^[a-z]{1,9}:\/\/|^[\w.-]{1,80}:\d/i.test(text)) return listParameters(text);
    return text.replace(TEXT_PARAMETER, "");
  });
}

const listParameters = (address: string): string[] => {
  const at = address.indexOf("?");
  return at < 0 ? [] : [...new URLSearchParams(address.slice(at)).values()];
};

/** Returns the destructive statement in an HTTP request to a database. */
const findRequestedSql: OperandFinder = (_, command) => {
  const { args } = command;
  const address = args.find((arg) => !arg.startsWith("-") && SQL_ADDRESS.test(arg) && /^\S+$/.test(arg));
  if (address === undefined || isTestDatabase(/[?&](?:database|db)=([\w-]+)/.exec(address)?.[1] ?? ""))
    return undefined;
  const requestText = listRequestStrings(command).find((text) => REQUEST_WORD.test(text) && isDestructiveSql(text));
  return requestText === undefined ? undefined : shortenStatement(requestText);
};

const DATABASE_CLIENT = /^(?:psql|pgcli|mysql|mariadb|sqlite3?|sqlplus|sqlcmd|cockroach|usql)$/;

/** Whether a database client reads a command's output. */
export const isPipedToClient = (_: Command, { commands, line }: LineContext): boolean =>
  line.includes("|") && commands.some(({ program, args }) => DATABASE_CLIENT.test(program) || args.includes("dbshell"));

/** Packages of servers that store data below `/var/lib`. */
const SERVER_PACKAGE =
  /^(?:postgresql(?:-\d+|-common)?|mysql(?:-(?:community-)?server)?(?:-[\d.]+)?|mariadb(?:-server)?(?:-[\d.]+)?|mongodb(?:-org)?(?:-server)?|redis(?:-server)?|influxdb2?|elasticsearch|opensearch|clickhouse-server|cassandra|couchdb|rabbitmq-server|slapd)\*?$/;

const SERVER_WORDS =
  "postgres mysql mariadb mongo redis influx elastic opensearch clickhouse cassandra couchdb rabbitmq slapd".split(" ");

/** Whether a command such as `redis-cli --scan` or `redis-cli KEYS '*'` lists every key. */
function listsAllKeys({ program, args }: Command): boolean {
  if (!/^(?:redis|valkey|keydb|dragonfly)-cli$/.test(program)) return false;
  const keys = args.findIndex((arg) => /^keys$/i.test(arg));
  if (keys >= 0) return args[keys + 1] === "*";
  const pattern = args.indexOf("--pattern");
  return args.includes("--scan") && (pattern < 0 || args[pattern + 1] === "*");
}

/** Finds a command that deletes all keys listed by another command. */
const findAllKeys: OperandFinder = (_, command, { commands }) =>
  (command.more || Object.values(command.dynamic).some((word) => /\$\(|`/.test(word))) &&
  commands.some((candidate) => candidate !== command && listsAllKeys(candidate))
    ? "every key"
    : undefined;

/** Build tasks that empty a database, such as `flyway:clean` and `:app:flywayClean`. */
const DATABASE_CLEAN_TASK =
  /(?:^|:)(?:flywayClean|dropAll|liquibaseDropAll)$|(?:^|:)flyway(?:-maven-plugin)?(?::[\d.]{1,20})?:clean$/;

/** Placeholders that rules about application databases use in their patterns. */
export const DATABASE_SETS = {
  models: {
    words: ["delete", "destroy", "truncate", "drop", "flush", "wipe", "reset_db", "queue", "set.new"],
    find: createCallFinder([...DELETE_ALL_CALLS, ...DELETE_ALL_LIBRARY_CALLS]),
  },
  libraries: { words: ["drop_all", "deletemany", "rawunsafe"], find: createCallFinder(DELETE_ALL_LIBRARY_CALLS) },
  requested: { words: REQUEST_WORDS, find: findRequestedSql },
  cleaning: {
    words: ["flyway", "dropall"],
    find: ((operands) => operands.find(({ text }) => DATABASE_CLEAN_TASK.test(text))?.text) as OperandFinder,
  },
  server: {
    words: SERVER_WORDS,
    find: ((operands) => operands.find(({ text }) => SERVER_PACKAGE.test(text))?.text) as OperandFinder,
  },
  keys: { find: findAllKeys },
} satisfies Readonly<Record<string, { words?: readonly string[]; find: OperandFinder }>>;
