import type { Command, ShellKind } from "../../src/shell/index.ts";
import { readLine } from "../../src/shell/index.ts";
/** Formats a command as a string: `[directory] wrapper: NAME=value program words <stdin> redirections`. */
export function showCommand({ program, args, cwd, via, remote, env, redirects, stdin }: Command): string {
  const wrapper = via.at(-1);
  return [
    ...(remote ? ["↯"] : cwd === undefined ? ["[?]"] : cwd === "" ? [] : [`[${cwd}]`]),
    ...(wrapper === undefined ? [] : [`${wrapper}:`]),
    ...Object.entries(env).map(([name, value]) => `${name}=${value}`),
    ...(program === "" ? [] : [program]),
    ...args,
    ...(stdin === undefined ? [] : [`<${stdin.replace(/\n$/, "")}>`]),
    ...redirects.map(({ fd = "", operator, target }) => `${fd}${operator} ${target}`),
  ].join(" ");
}

/**
 * Returns how many commands a command line contains, or the message of its syntax error. Any other error is rethrown.
 */
export function outcomeOf(line: string, shell: ShellKind): string | number {
  try {
    return readLine(line, [shell]).commands.length;
  } catch (error) {
    if ((error as Error).name !== "ShellError") throw error;
    return (error as Error).message;
  }
}
