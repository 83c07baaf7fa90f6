import { posix } from "bridge-hooks/paths";
import type { Command } from "bridge-hooks";
import { splitArguments } from "./given-options.ts";
import { listDialects } from "./sql/dialects.ts";
import { isProse } from "./sql/prose.ts";
import { type DestructiveStatement, findDestructiveStatement } from "./sql/find-loss.ts";

const { basename } = posix;

/** Lists the strings that a database client could execute, from its arguments and stdin. */
export const listClientStrings = ({ args, stdin }: Command): string[] => [
  ...args.flatMap((arg) => {
    const text = arg.replace(/^(--[\w-]+=|-[A-Za-z](?=[A-Za-z]))/, "");
    // The statement can be attached to combined option letters, as in `-Be'drop table x'`.
    const [letters] = /^-[A-Za-z]{1,4}[ce](?=[A-Za-z])/.exec(arg) ?? [];
    return letters === undefined ? text : [text, arg.slice(letters.length)];
  }),
  ...(stdin === undefined ? [] : [stdin]),
];

const MAX_SHOWN_LENGTH = 60;
export const shortenStatement = (statement: string) => {
  const line = statement.trim().replace(/\s+/g, " ");
  return line.length > MAX_SHOWN_LENGTH ? `${line.slice(0, MAX_SHOWN_LENGTH)}…` : line;
};

/** Whether a database's name suggests that it is a test database. */
export const isTestDatabase = (name: string): boolean => /(^|[_-])test(s|ing|db)?\d{0,4}([_-]|$)/i.test(name);
const DROP_DATABASE = /^drop\s+(?:database|keyspace|schema)\s+(?:if\s+exists\s+)?["'`[]?([\w-]+)/i;

/** Statements that affect more than one database, and commands that switch to or attach another one. */
const SHARED_STATEMENT =
  /^drop\s+(database|role|user|login|group|owned|tablespace|keyspace|tenant)\b|^(reset|purge)\b/i;
const DATABASE_SWITCH = /\\c|\buse\s|\battach\b/i;

const DATABASE_OPTIONS: Readonly<Record<string, RegExp>> = {
  psql: /^(?:-d|--dbname(?:=|$))/,
  mysql: /^(?:-D|--database(?:=|$))/,
  mariadb: /^(?:-D|--database(?:=|$))/,
};
const FILE_CLIENT = /^(sqlite3|sqlite|litecli|duckdb)$/;
const MONGO_CLIENT = /^(mongosh|mongo)$/;

/** Returns the database named by a client's arguments or environment; undefined if it is uncertain. */
function getNamedDatabase(command: Command): string | undefined {
  const { program, args, dynamic, env } = command;
  const { operands, isCertain } = splitArguments(command);
  const options = DATABASE_OPTIONS[program];
  if (!isCertain || !(options || FILE_CLIENT.test(program) || MONGO_CLIENT.test(program))) return undefined;
  const at = options ? args.findLastIndex((arg) => options.test(arg)) : -1;
  const value = args[at]?.replace(options ?? "", "") ?? "";
  const [operand] = operands;
  // With `-d`, psql treats an operand as a user name.
  const isNamedByOption = at >= 0 && (program === "psql" || !operand);
  if (isNamedByOption)
    return (dynamic[at] ?? dynamic[at + 1]) ? undefined : readDatabaseName(value || (args[at + 1] ?? ""));
  if (!operand) return program === "psql" ? env["PGDATABASE"] : undefined;
  if (operand.dynamic !== undefined) return undefined;
  return FILE_CLIENT.test(program) ? readFileDatabase(operand.text) : readDatabaseName(operand.text);
}

/** Whether a file is in a temporary directory. */
const isScratchFile = (file: string): boolean =>
  /^(?:\/private)?(?:\/var)?\/tmp\/./.test(file) && !file.includes("/..");

const readFileDatabase = (file: string): string =>
  file === ":memory:" || isScratchFile(file) ? "test" : basename(file).replace(/\.\w{1,8}$/, "");

/** Returns the database name from a URL such as `postgres://host/name`. A plain name is returned unchanged. */
export function readDatabaseName(text: string): string | undefined {
  const address = /^[a-z][a-z\d+]*:\/\/[^/]*\/([^?]*)(\?[^]*)?$/i.exec(text);
  if (address) return /dbname/i.test(address[2] ?? "") ? undefined : address[1];
  return /[=\s:]/.test(text) ? undefined : text;
}

/** Returns the database named in the arguments of an MCP tool. */
const getToolDatabase = ({ args }: Command): string | undefined =>
  args.find((arg) => arg.startsWith("--database="))?.replace(/^[^=]*=/, "");

/** Whether a client uses a test database and never switches to another database. */
export function usesTestDatabase(command: Command): boolean {
  const name = command.program.startsWith("mcp__") ? getToolDatabase(command) : getNamedDatabase(command);
  return (
    name !== undefined && isTestDatabase(name) && !listClientStrings(command).some((text) => DATABASE_SWITCH.test(text))
  );
}

/** Whether a MySQL statement names a database explicitly, as in `drop table shop.users`. */
const namesDatabase = ({ program }: Command, statement: string) =>
  /^(mysql|mariadb)$/.test(program) && /[\w`]\.[\w`]/.test(statement);

/** Clients whose arguments rarely contain SQL, as in `gcloud … --description 'drop tables of the old shop'`. */
const GENERAL_PURPOSE_CLIENT =
  /^(?:gcloud|heroku|supabase|wrangler|snow|bq|aws|flyctl|fly|neonctl|pscale|influx|wp|drush)$/;

/** Returns the first SQL statement that drops or empties an object, or deletes or changes every row. */
function findDestructiveSql(texts: readonly string[], command: Command): string | undefined {
  let isTest: boolean | undefined;
  const isIgnored = ({ text, tokens, isInner }: DestructiveStatement) => {
    if (GENERAL_PURPOSE_CLIENT.test(command.program) && !isInner && isProse(tokens)) return true;
    if (isTestDatabase(DROP_DATABASE.exec(text)?.[1] ?? "")) return true;
    if (SHARED_STATEMENT.test(text) || namesDatabase(command, text)) return false;
    return (isTest ??= usesTestDatabase(command));
  };
  const dialects = listDialects(command.program);
  for (const text of texts) {
    const sqlStatement = findDestructiveStatement(text, dialects, isIgnored);
    if (sqlStatement) return shortenStatement(sqlStatement.text);
  }
  return undefined;
}

const DESTRUCTIVE_MONGO = /\bdropDatabase\s*\(|\.drop\s*\(\s*\)|\.(deleteMany|remove)\s*\(\s*(\{\s*\}\s*)?[,)]/;
const DESTRUCTIVE_REDIS = /^[ \t\v\f]*(flushall|flushdb)\b|\bredis\.p?call\s*\(\s*["'](?:flushall|flushdb)\b/im;

const findMatchingText = (texts: readonly string[], pattern: RegExp) => {
  const text = texts.find((candidate) => pattern.test(candidate));
  return text && shortenStatement(text);
};

/** Functions that find a command's first destructive statement, keyed by language. */
export const STATEMENT_FINDERS = {
  sql: (command: Command) => findDestructiveSql(listClientStrings(command), command),
  mongo: (command: Command) => {
    const mongoStatement = findMatchingText(listClientStrings(command), DESTRUCTIVE_MONGO);
    const usesOtherDatabase = listClientStrings(command).some((text) => /getSiblingDB|\buse\b/.test(text));
    return mongoStatement !== undefined && !usesOtherDatabase && usesTestDatabase(command) ? undefined : mongoStatement;
  },
  redis: (command: Command) => findMatchingText(listClientStrings(command), DESTRUCTIVE_REDIS),
};
