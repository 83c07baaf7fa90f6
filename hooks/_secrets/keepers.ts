import { type Command, listPossibleCommands, listProgramNames, optionKind } from "bridge-hooks";
import { ALIASES, type KeeperRule, KEEPERS } from "./keeper-rules.ts";

/** A command's operands, and its options, with their values where it is known that they have one. */
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

/** The commands, and what they ask of keepers whose names have unknown parts: `/usr/bin/va?lt read x`. */
export const listKeeperCommands = (commands: readonly Command[]): readonly Command[] =>
  listPossibleCommands(commands, [...Object.keys(KEEPERS), ...Object.keys(ALIASES)]);

/** What is usually written to a file, to be restored from it. */
const SAVED_REQUEST = "state pull";

/** What a keeper is asked for, as a message names it. */
export function findKeeperRequest({ program, args, redirects }: Command): string | undefined {
  const name = listProgramNames(program)
    .map((one) => ALIASES[one] ?? one)
    .find((one) => Object.hasOwn(KEEPERS, one));
  if (name === undefined) return undefined;
  const { operands, options } = splitArguments(program, args);
  const asks = (pattern: RegExp) => [...operands, ...options].some((word) => pattern.test(word));
  for (const [words, option, without] of KEEPERS[name] as readonly KeeperRule[]) {
    const wanted = words === "" ? [] : words.split(" ").map((word) => new RegExp(`^(?:${word})$`));
    // A global option's value may stand before them.
    const start = [0, 1, 2].find((at) => wanted.every((word, index) => word.test(operands[at + index] ?? "")));
    if (
      redirects.some(({ operator, target, fd = 1 }) => fd === 1 && operator.startsWith(">") && target === "/dev/null")
    )
      return undefined;
    if (words === SAVED_REQUEST && redirects.some(({ operator }) => operator.startsWith(">"))) continue;
    if (start !== undefined && (!option || asks(option)) && !(without && asks(without)))
      return [program, ...operands.slice(start, start + wanted.length)].join(" ");
  }
  return undefined;
}

/** What takes the environment from what a container's description prints whole. */
const ENVIRONMENT_TAKER = /\benv\b|\.Config(?!\w|\.(?!Env))/i;
const isTaker = ({ program, args }: Command) =>
  /^(?:jq|yq|gron|[ef]?grep|rg|awk|sed|python3?|node)$/.test(program) &&
  args.some((arg) => ENVIRONMENT_TAKER.test(arg) && !/\|\s{0,9}keys/.test(arg));

/** What a description is asked for by the command that it is piped into: `docker inspect web | jq '.[0].Config.Env'`. */
export function findPipedRequest(line: string, commands: readonly Command[], at: number): string | undefined {
  const { program, args } = commands[at] as Command;
  if ((ALIASES[program] ?? program) !== "docker" || !line.includes("|")) return undefined;
  const isWhole = args.includes("inspect") && !args.some((arg) => /^(?:-f|--format)(?:=|$)/.test(arg));
  return isWhole && commands.slice(at + 1).some(isTaker) ? `${program} inspect` : undefined;
}
