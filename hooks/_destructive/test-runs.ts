import { posix } from "bridge-hooks/paths";
import type { Command } from "bridge-hooks";
import type { LineContext } from "./line-context.ts";
import { isTestDatabase, readDatabaseName } from "./statements.ts";

/** Variables that select a program's database. */
const ADDRESS_VARIABLE =
  /(?:^|_)(?:DATABASE|DB|POSTGRES(?:QL)?|PG|MYSQL|MARIADB|MONGO(?:DB)?)_?(?:URL|URI|DSN|NAME|DATABASE)$|(?:^|_)DSN$/;
/** `RAILS_ENV`, `APP_ENV`. */
const ENVIRONMENT_VARIABLE = /(?:^|_)ENV$/;
/**
 * Database clients. They take the database's name as an argument, so the environment's name doesn't matter for them.
 */
const DATABASE_CLIENT =
  /^(?:psql|pgcli|ysqlsh|mysql|mariadb|mycli|mysqlsh|mysqladmin|sqlite3?|litecli|duckdb|mongosh|mongo|mongorestore|pg_restore|dropdb|dropuser|redis-cli|valkey-cli|sqlcmd|sqlplus|cqlsh|usql|clickhouse(?:-client)?)$/;

/**
 * Whether a command uses a test database, judging by a database URL in its variables or, if there is none, by the
 * environment's name.
 */
export function isTestRun(command: Command, { commands }: LineContext): boolean {
  const env = listVariables(command, commands);
  const addresses = env.filter(([name]) => ADDRESS_VARIABLE.test(name));
  if (DATABASE_CLIENT.test(command.program)) return false;
  if (addresses.length > 0) return addresses.every(([, value]) => isTestAddress(value));
  return (
    loadsOnlyTestVariables(command) ||
    env.some(([name, value]) => ENVIRONMENT_VARIABLE.test(name) && /^test(s|ing)?$/.test(value))
  );
}

/** Whether `dotenv` loads only test variables, as in `dotenv -e .env.test -- rails db:drop`. */
function loadsOnlyTestVariables({ via, words }: Command): boolean {
  const files = via.includes("dotenv") ? words.filter((word) => /(?:^|[/=])\.env[\w.]*$/.test(word)) : [];
  return files.length > 0 && files.every((file) => /\.env\.test(?:\.local)?$/.test(file));
}

/** A variable that later commands inherit. */
interface Assignment {
  at: number;
  entry: [name: string, value: string];
}

/** A shell command's variable assignments; computed once. */
const knownAssignments = new WeakMap<readonly Command[], readonly Assignment[]>();

/**
 * Lists exported variables and plain assignments. Plain assignments count because an earlier command might have
 * exported the variable.
 */
function listAssignments(commands: readonly Command[]): readonly Assignment[] {
  let assignments = knownAssignments.get(commands);
  if (!assignments) {
    assignments = commands.flatMap(({ program, args, dynamic, env }, at) =>
      program === "export"
        ? args
            .map((arg, i) => ({ at, entry: splitAssignment(dynamic[i] ?? arg) }))
            .filter(({ entry: [name] }) => ADDRESS_VARIABLE.test(name) || ENVIRONMENT_VARIABLE.test(name))
        : program === ""
          ? Object.entries(env).flatMap((entry) => (ADDRESS_VARIABLE.test(entry[0]) ? [{ at, entry }] : []))
          : [],
    );
    knownAssignments.set(commands, assignments);
  }
  return assignments;
}

/**
 * Lists the variables that a command gets from assignments before its name, from an earlier `export`, or from its
 * container.
 */
function listVariables(command: Command, commands: readonly Command[]): [name: string, value: string][] {
  const ownVariables = [
    ...Object.entries(command.env),
    ...(acceptsAssignments(command) ? command.args.flatMap(readOwnAssignment) : []),
  ];
  const lineAssignments = listAssignments(commands);
  if (lineAssignments.length === 0 && !command.remote) return ownVariables;
  const end = commands.indexOf(command);
  const precedingCommands = command.remote
    ? listContainerVariables(command, commands.slice(0, Math.max(end, 0)))
    : lineAssignments.filter(({ at }) => end >= 0 && at < end).map(({ entry }) => entry);
  return Object.entries(Object.fromEntries([...precedingCommands, ...ownVariables]));
}

/**
 * Lists the variables that a command passes to a container, as in `docker compose exec -e RAILS_ENV=test web rails
 * db:drop`.
 */
function listContainerVariables({ via }: Command, precedingCommands: readonly Command[]): [string, string][] {
  const starts = precedingCommands.findLast(
    (candidate) =>
      /^(?:docker|podman|nerdctl)(?:-compose)?$/.test(candidate.program) && candidate.via.length < via.length,
  );
  return (starts?.args ?? []).flatMap((arg, at, args) => {
    const assignment = /^(?:-e|--env)$/.test(args[at - 1] ?? "")
      ? arg
      : arg.startsWith("--env=")
        ? arg.slice("--env=".length)
        : "";
    return assignment === "" ? [] : [splitAssignment(starts?.dynamic[at]?.replace(/^--env=/, "") ?? assignment)];
  });
}

/** Whether a program accepts variable assignments as arguments, as in `rake db:drop RAILS_ENV=test`. */
const acceptsAssignments = ({ program }: Command): boolean => program === "rake" || program === "rails";
const readOwnAssignment = (arg: string): [string, string][] => (/^[A-Z]\w*=/.test(arg) ? [splitAssignment(arg)] : []);

const splitAssignment = (text: string): [string, string] => {
  const equals = text.indexOf("=");
  return equals < 0 ? [text, ""] : [text.slice(0, equals), text.slice(equals + 1)];
};

/**
 * Whether a database URL or the variable it comes from suggests a test database, as in `postgres://h/app_test` or
 * `$TEST_DATABASE_URL`.
 */
function isTestAddress(address: string): boolean {
  const text = address.replace(/^["']|["']$/g, "");
  const [, variable] = /^\$\{?(\w+)\}?$/.exec(text) ?? [];
  if (variable !== undefined) return /(?:^|_)TEST(?:S|ING)?(?:_|$)/i.test(variable);
  if (/\$|`/.test(text)) return false;
  if (text.includes(":memory:")) return true;
  const [, name = readDatabaseName(text)] = /\bdbname=([\w-]+)/i.exec(text) ?? [];
  const file = posix.basename(text.replace(/\?.*$/s, "")).replace(/\.\w{1,8}$/, "");
  return isTestDatabase(name ?? "") || (/^(?:sqlite|file)/i.test(text) && isTestDatabase(file));
}
