import { type Command, listPossibleCommands, listProgramNames, optionKind } from "bridge-hooks";
import { PROGRAM_ALIASES, type PasswordStoreRule, PASSWORD_STORES } from "./keeper-rules.ts";

/** Splits arguments into operands and options. If an option is known to take a value, the value is joined to it. */
function splitArguments(program: string, args: readonly string[]): { operands: string[]; options: string[] } {
  const operands: string[] = [];
  const options: string[] = [];
  for (let at = 0; at < args.length; at++) {
    const arg = args[at] as string;
    if (optionKind(program, arg) !== undefined) options.push(`${arg}=${args[++at] ?? ""}`);
    else (arg.startsWith("-") ? options : operands).push(arg);
  }
  return { operands, options };
}

/**
 * Lists the commands. If a program's name is only partly known, adds the password store commands it could stand for:
 * `/usr/bin/va?lt read x`.
 */
export const listPasswordStoreCommands = (commands: readonly Command[]): readonly Command[] =>
  listPossibleCommands(commands, [...Object.keys(PASSWORD_STORES), ...Object.keys(PROGRAM_ALIASES)]);

/** This output is often saved to a file as a backup. */
const BACKUP_REQUEST = "state pull";

/** Describes the secret that a command requests from a password store. */
export function findPasswordStoreRequest({ program, args, redirects }: Command): string | undefined {
  const name = listProgramNames(program)
    .map((programName) => PROGRAM_ALIASES[programName] ?? programName)
    .find((programName) => Object.hasOwn(PASSWORD_STORES, programName));
  if (name === undefined) return undefined;
  const { operands, options } = splitArguments(program, args);
  const hasWord = (pattern: RegExp) => [...operands, ...options].some((word) => pattern.test(word));
  for (const [words, option, without] of PASSWORD_STORES[name] as readonly PasswordStoreRule[]) {
    const wordPatterns = words === "" ? [] : words.split(" ").map((word) => new RegExp(`^(?:${word})$`));
    // The operands may be preceded by the value of a global option.
    const start = [0, 1, 2].find((at) => wordPatterns.every((word, index) => word.test(operands[at + index] ?? "")));
    if (
      redirects.some(({ operator, target, fd = 1 }) => fd === 1 && operator.startsWith(">") && target === "/dev/null")
    )
      return undefined;
    if (words === BACKUP_REQUEST && redirects.some(({ operator }) => operator.startsWith(">"))) continue;
    if (start !== undefined && (!option || hasWord(option)) && !(without && hasWord(without)))
      return [program, ...operands.slice(start, start + wordPatterns.length)].join(" ");
  }
  return undefined;
}

/** A filter expression that picks the environment from a container's full description. */
const ENVIRONMENT_FILTER = /\benv\b|\.Config(?!\w|\.(?!Env))/i;
const isEnvironmentFilter = ({ program, args }: Command) =>
  /^(?:jq|yq|gron|[ef]?grep|rg|awk|sed|python3?|node)$/.test(program) &&
  args.some((arg) => ENVIRONMENT_FILTER.test(arg) && !/\|\s{0,9}keys/.test(arg));

/**
 * Finds an `inspect` command whose output goes through a filter that picks the environment: `docker inspect web | jq
 * '.[0].Config.Env'`.
 */
export function findPipedRequest(line: string, commands: readonly Command[], at: number): string | undefined {
  const { program, args } = commands[at] as Command;
  if ((PROGRAM_ALIASES[program] ?? program) !== "docker" || !line.includes("|")) return undefined;
  const isWhole = args.includes("inspect") && !args.some((arg) => /^(?:-f|--format)(?:=|$)/.test(arg));
  return isWhole && commands.slice(at + 1).some(isEnvironmentFilter) ? `${program} inspect` : undefined;
}
