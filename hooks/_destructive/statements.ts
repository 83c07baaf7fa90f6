import type { Command } from "bridge-hooks";

/** What a client of a database would be told to do: its arguments, and the text that it reads. */
const getClientTexts = ({ args, stdin }: Command): string[] => [
  ...args.map((arg) => arg.replace(/^(--[\w-]+=|-[A-Za-z](?=[A-Za-z]))/, "")),
  ...(stdin === undefined ? [] : [stdin]),
];

const SHOWN = 60;
const shortenStatement = (statement: string) => {
  const line = statement.trim().replace(/\s+/g, " ");
  return line.length > SHOWN ? `${line.slice(0, SHOWN)}…` : line;
};

/** A condition that holds for every row is none. */
const WHERE_CONDITION = /\bwhere\b(?!\s+(1\s*=\s*1|true|1)\s*$)/i;
/** How statements begin that lose what can't be had again. */
const DROPPING_STATEMENT =
  /^(drop\s+(database|schema|table|keyspace|owned|tablespace|materialized\s+view|collection|user|role)\b|truncate\s+(table\s+)?[\w"`[]|alter\s+table\b[^]*\bdrop\s+(column\b|(?!constraint|index|primary|foreign|key|check|default|not)["`\w]))/i;
const ALL_ROWS_STATEMENT =
  /^(with\b[^]*?\)\s*)?(delete\s+from\s+[\w"`[.]|update\s+(only\s+)?[\w"`[\].]+(\s+(as\s+)?\w+)?\s+set\b)/i;

/** Whether a database's name says that it is one of tests. */
export const isTestDatabase = (name: string): boolean => /(^|[_-])test([_-]|$)/i.test(name);
const DROP_DATABASE = /^drop\s+database\s+(?:if\s+exists\s+)?["'`[]?([\w-]+)/i;

/** The first SQL statement that destroys: it drops or empties something, or deletes or changes every row. */
function findDestroyingSql(text: string): string | undefined {
  if (!/\b(drop|truncate|delete|update)\b/i.test(text)) return undefined;
  const bare = text.replace(/--[^\n]*|\/\*(?!!)[^]*?(?:\*\/|$)|'(?:[^']|'')*'/g, (found) =>
    found.startsWith("'") ? "''" : " ",
  );
  for (const part of bare.split(";")) {
    const statement = part.trim().replace(/^(explain\s+analyze\s+|begin\s+|\/\*!\d*\s*)/i, "");
    if (isTestDatabase(DROP_DATABASE.exec(statement)?.[1] ?? "")) continue;
    if (DROPPING_STATEMENT.test(statement) || (ALL_ROWS_STATEMENT.test(statement) && !WHERE_CONDITION.test(statement)))
      return shortenStatement(statement);
  }
  return undefined;
}

const DESTROYING_MONGO = /\bdropDatabase\s*\(|\.drop\s*\(\s*\)|\.(deleteMany|remove)\s*\(\s*(\{\s*\}\s*)?[,)]/;
const DESTROYING_REDIS = /^[ \t\v\f]*(flushall|flushdb)\b/im;

const findMatchingText = (texts: readonly string[], pattern: RegExp) => {
  const text = texts.find((one) => pattern.test(one));
  return text && shortenStatement(text);
};

/** The first of a command's texts that destroys, in each of the languages. */
export const STATEMENT_FINDERS = {
  sql: (command: Command) =>
    getClientTexts(command)
      .map(findDestroyingSql)
      .find((statement) => statement !== undefined),
  mongo: (command: Command) => findMatchingText(getClientTexts(command), DESTROYING_MONGO),
  redis: (command: Command) => findMatchingText(getClientTexts(command), DESTROYING_REDIS),
};
