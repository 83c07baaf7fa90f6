import { quoteCommand } from "../../protocol/host/quote.ts";
import type { ConfigEntry, MachineContext } from "../../protocol/host/install.ts";
import { type Command, readLine } from "../../shell/index.ts";

/** Programs that start another program and forward stdin, stdout and the exit code. */
const LAUNCHERS = ["command", "env", "exec", "ionice", "nice", "nohup", "setsid", "stdbuf", "time", "timeout"];
const SHELLS = ["bash", "dash", "ksh", "sh", "zsh"];
/** Commands that don't write to stdout, so they may come before or after the hook command. */
const NEUTRAL_COMMANDS = [":", "cd", "true"];

/** A command without its launcher. */
export interface WrappedCommand {
  words: string[];
  /** Whether the command line also sets environment variables, which could make a program load foreign code. */
  setsVariables: boolean;
}

const isLaunchedOnly = ({ via, redirects, dynamic, guessed, remote, more }: Command): boolean =>
  via.every((name) => LAUNCHERS.includes(name) || SHELLS.includes(name)) &&
  redirects.every(({ fd, operator }) => fd === 2 && operator.startsWith(">")) &&
  Object.keys(dynamic).every((index) => index === "-1") &&
  !(guessed || remote || more);

/**
 * Finds the single command that a command line runs, without wrappers such as `env X=1`, `timeout 5`, `sh -c`,
 * `cd x &&`, `2>/dev/null` and `|| true`. Returns undefined if the command line does anything else.
 */
export function findWrappedCommand(
  { command, args }: ConfigEntry,
  { env }: Pick<MachineContext, "env">,
): WrappedCommand | undefined {
  const { commands, problem } = readLine(args ? quoteCommand([command, ...args], "sh") : command);
  const launchedCommand = commands.findLast(({ program }) => !NEUTRAL_COMMANDS.includes(program));
  if (problem !== undefined || launchedCommand === undefined || !isLaunchedOnly(launchedCommand)) return undefined;
  const isAround = ({ program }: Command) =>
    NEUTRAL_COMMANDS.includes(program) || (SHELLS.includes(program) && launchedCommand.via.includes(program));
  if (!commands.every((one) => one === launchedCommand || isAround(one))) return undefined;
  const [program = "", ...words] = launchedCommand.words.slice(-launchedCommand.args.length - 1);
  const path = program.replace(/^(?:~|\$HOME|\$\{HOME\})(?=\/)/, () => env.HOME ?? "~");
  if (path.includes("$")) return undefined;
  return { words: [path, ...words], setsVariables: commands.some((one) => Object.keys(one.env).length > 0) };
}
