import { posix } from "bridge-hooks/paths";
import type { Command } from "bridge-hooks";
import { splitArguments } from "./given-options.ts";

const { basename } = posix;

/** What a client of a database would be told to do: its arguments, and the text that it reads. */
const getClientTexts = ({ args, stdin }: Command): string[] => [
  ...args.flatMap((arg) => {
    const text = arg.replace(/^(--[\w-]+=|-[A-Za-z](?=[A-Za-z]))/, "");
    // Behind several letters: `-Be'drop table x'`.
    const [letters] = /^-[A-Za-z]{1,4}[ce](?=[A-Za-z])/.exec(arg) ?? [];
    return letters === undefined ? text : [text, arg.slice(letters.length)];
  }),
  ...(stdin === undefined ? [] : [stdin]),
];

const SHOWN = 60;
const shortenStatement = (statement: string) => {
  const line = statement.trim().replace(/\s+/g, " ");
  return line.length > SHOWN ? `${line.slice(0, SHOWN)}…` : line;
};

/** A condition that holds for every row is none. */
const WHERE_CONDITION = /\bwhere\b(?!\s+(1\s*=\s*1|true|1)\s*$)/i;
const DESTROYING_WORD = /\b(drop|truncate|delete|update)\b/i;
/** How statements begin that lose what can't be had again. */
const DROPPING_STATEMENT =
  /^(drop\s+(database|schema|table|keyspace|owned|tablespace|materialized\s+view|collection|user|role)\b|truncate\s+(table\s+)?[\w"`[]|alter\s+table\b[^]*\bdrop\s+(column\b|(?!constraint|index|primary|foreign|key|check|default|not)["`\w]))/i;
const ALL_ROWS_STATEMENT =
  /^(with\b[^]*?\)\s*)?(delete\s+from\s+[\w"`[.]|update\s+(only\s+)?[\w"`[\].]+(\s+(as\s+)?\w+)?\s+set\b)/i;

/** Whether a database's name says that it is one of tests. */
export const isTestDatabase = (name: string): boolean => /(^|[_-])test(s|ing|db)?\d{0,4}([_-]|$)/i.test(name);
const DROP_DATABASE = /^drop\s+database\s+(?:if\s+exists\s+)?["'`[]?([\w-]+)/i;

/** What more than the database is made of, and what changes to another one, or reaches into it. */
const SHARED_STATEMENT = /^drop\s+(database|role|user|owned|tablespace|keyspace)\b/i;
const LEAVING_TEXT = /\\c|\buse\s|\battach\b/i;

const DATABASE_OPTIONS: Readonly<Record<string, RegExp>> = {
  psql: /^(?:-d|--dbname(?:=|$))/,
  mysql: /^(?:-D|--database(?:=|$))/,
  mariadb: /^(?:-D|--database(?:=|$))/,
};
const FILE_CLIENT = /^(sqlite3|sqlite|litecli|duckdb)$/;
const MONGO_CLIENT = /^(mongosh|mongo)$/;

/** The database that a client is told to use; undefined where that isn't sure. */
function getNamedDatabase(command: Command): string | undefined {
  const { program, args, dynamic, env } = command;
  const { operands, isCertain } = splitArguments(command);
  const options = DATABASE_OPTIONS[program];
  if (!isCertain || !(options || FILE_CLIENT.test(program) || MONGO_CLIENT.test(program))) return undefined;
  const at = options ? args.findLastIndex((arg) => options.test(arg)) : -1;
  const value = args[at]?.replace(options ?? "", "") ?? "";
  const [operand] = operands;
  // To psql, what stands beside `-d` is a user.
  const isGiven = at >= 0 && (program === "psql" || !operand);
  if (isGiven) return (dynamic[at] ?? dynamic[at + 1]) ? undefined : readDatabaseName(value || (args[at + 1] ?? ""));
  if (!operand) return program === "psql" ? env["PGDATABASE"] : undefined;
  if (operand.dynamic !== undefined) return undefined;
  return FILE_CLIENT.test(program) ? readFileDatabase(operand.text) : readDatabaseName(operand.text);
}

const readFileDatabase = (file: string): string =>
  file === ":memory:" ? "test" : basename(file).replace(/\.\w{1,8}$/, "");

/** The name in an address, `postgres://host/name`; a name as it is. */
function readDatabaseName(text: string): string | undefined {
  const address = /^[a-z][a-z+]*:\/\/[^/]*\/([^?]*)(\?[^]*)?$/i.exec(text);
  if (address) return /dbname/i.test(address[2] ?? "") ? undefined : address[1];
  return /[=\s:]/.test(text) ? undefined : text;
}

/** Whether a client is told to use a database of tests, and no text of its changes to another. */
function usesTestDatabase(command: Command): boolean {
  const name = getNamedDatabase(command);
  return name !== undefined && isTestDatabase(name) && !getClientTexts(command).some((text) => LEAVING_TEXT.test(text));
}

/** Whether a statement of MySQL's names a database of its own: `drop table shop.users`. */
const namesDatabase = ({ program }: Command, statement: string) =>
  /^(mysql|mariadb)$/.test(program) && /[\w`]\.[\w`]/.test(statement);

/** The first SQL statement that destroys: it drops or empties something, or deletes or changes every row. */
function findDestroyingSql(text: string, command: Command, isTest: boolean): string | undefined {
  const bare = text.replace(/--[^\n]*|\/\*(?!!)[^]*?(?:\*\/|$)|'(?:[^']|'')*'/g, (found) =>
    found.startsWith("'") ? "''" : " ",
  );
  for (const part of bare.split(";")) {
    const statement = part.trim().replace(/^(explain\s+analyze\s+|begin\s+|\/\*!\d*\s*)/i, "");
    if (isTestDatabase(DROP_DATABASE.exec(statement)?.[1] ?? "")) continue;
    if (isTest && !SHARED_STATEMENT.test(statement) && !namesDatabase(command, statement)) continue;
    if (DROPPING_STATEMENT.test(statement) || (ALL_ROWS_STATEMENT.test(statement) && !WHERE_CONDITION.test(statement)))
      return shortenStatement(statement);
  }
  return undefined;
}

const DESTROYING_MONGO = /\bdropDatabase\s*\(|\.drop\s*\(\s*\)|\.(deleteMany|remove)\s*\(\s*(\{\s*\}\s*)?[,)]/;
const DESTROYING_REDIS = /^[ \t\v\f]*(flushall|flushdb)\b|\bredis\.p?call\s*\(\s*["'](?:flushall|flushdb)\b/im;

const findMatchingText = (texts: readonly string[], pattern: RegExp) => {
  const text = texts.find((one) => pattern.test(one));
  return text && shortenStatement(text);
};

/** The first of a command's texts that destroys, in each of the languages. */
export const STATEMENT_FINDERS = {
  sql: (command: Command) => {
    const texts = getClientTexts(command).filter((text) => DESTROYING_WORD.test(text));
    const isTest = texts.length > 0 && usesTestDatabase(command);
    return texts.map((text) => findDestroyingSql(text, command, isTest)).find((statement) => statement !== undefined);
  },
  mongo: (command: Command) => {
    const found = findMatchingText(getClientTexts(command), DESTROYING_MONGO);
    const isOther = getClientTexts(command).some((text) => /getSiblingDB|\buse\b/.test(text));
    return found !== undefined && !isOther && usesTestDatabase(command) ? undefined : found;
  },
  redis: (command: Command) => findMatchingText(getClientTexts(command), DESTROYING_REDIS),
};
