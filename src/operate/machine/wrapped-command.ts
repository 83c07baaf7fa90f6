import { quoteCommand } from "../../protocol/host/quote.ts";
import type { ConfigEntry, MachineContext } from "../../protocol/host/install.ts";
import { type Command, readLine } from "../../shell/index.ts";

/** Programs that only start another one, with the same stdin, stdout and exit code. */
const LAUNCHERS = ["command", "env", "exec", "ionice", "nice", "nohup", "setsid", "stdbuf", "time", "timeout"];
const SHELLS = ["bash", "dash", "ksh", "sh", "zsh"];
/** Programs around it that leave its answer on stdout as it is. */
const NEUTRAL = [":", "cd", "true"];

/** A command line behind whatever only launches it. */
export interface WrappedCommand {
  words: string[];
  /** The line also sets variables, by which a program may be made to load code. */
  setsVariables: boolean;
}

const isLaunchedOnly = ({ via, redirects, dynamic, guessed, remote, more }: Command): boolean =>
  via.every((name) => LAUNCHERS.includes(name) || SHELLS.includes(name)) &&
  redirects.every(({ fd, operator }) => fd === 2 && operator.startsWith(">")) &&
  Object.keys(dynamic).every((index) => index === "-1") &&
  !(guessed || remote || more);

/**
 * Finds the one command that a shell line comes down to, behind `env X=1`, `timeout 5`, `sh -c`, `cd x &&` or before
 * `2>/dev/null` and `|| true`; undefined if the line does anything else.
 */
export function findWrappedCommand(
  { command, args }: ConfigEntry,
  { env }: Pick<MachineContext, "env">,
): WrappedCommand | undefined {
  const { commands, problem } = readLine(args ? quoteCommand([command, ...args], "sh") : command);
  const launched = commands.findLast(({ program }) => !NEUTRAL.includes(program));
  if (problem !== undefined || launched === undefined || !isLaunchedOnly(launched)) return undefined;
  const isAround = ({ program }: Command) =>
    NEUTRAL.includes(program) || (SHELLS.includes(program) && launched.via.includes(program));
  if (!commands.every((one) => one === launched || isAround(one))) return undefined;
  const [program = "", ...words] = launched.words.slice(-launched.args.length - 1);
  const path = program.replace(/^(?:~|\$HOME|\$\{HOME\})(?=\/)/, () => env.HOME ?? "~");
  if (path.includes("$")) return undefined;
  return { words: [path, ...words], setsVariables: commands.some((one) => Object.keys(one.env).length > 0) };
}
