import type { Command } from "bridge-hooks";
import type { LineContext } from "./line-context.ts";

/** How a line makes sure that a variable has a value. */
export const adviseCheck = (name: string, { shell }: LineContext): string =>
  ({
    bash: `: write \${${name}:?}`,
    powershell: `: run it behind if ($env:${name})`,
    cmd: `: run it behind if defined ${name}`,
  })[shell];

/**
 * What tells whether a variable may have no value, found once for a line: one has a value whose name is there as more
 * than `$X`, `$env:X`, `%X%`, `!X!` or `('X')`.
 */
export function createUnsetCheck(line: string, commands: readonly Command[]): LineContext["mayBeUnset"] {
  let named: ReadonlySet<string> | undefined;
  let isStrict: boolean | undefined;
  return (name) => {
    isStrict ??= commands.some(refusesUnset);
    named ??= new Set(line.match(/(?<![$\w{:%!]|\{[!#])\w+(?!\w|['"]\s{0,9}[),])/g));
    const [variable = ""] = /^\w+/.exec(name) ?? [];
    return !isStrict && !named.has(variable) && !isGuarded(variable, line);
  };
}

/** Whether a line uses a variable only where it has asked for its value: `[ -n "$X" ] && …`, `if ($env:X) { … }`. */
function isGuarded(variable: string, line: string): boolean {
  const rest = line.replace(GUARDED, (all, tested, other) => ((tested ?? other) === variable ? "" : all));
  return rest !== line && !new RegExp(`\\$(?:env:)?\\{?${variable}\\b`).test(rest);
}
// Without quotes, an empty variable leaves `[ -n ]`, which is true.
const GUARDED =
  /(?<!!\s{0,9})(?:\[\[?|\btest)\s{1,9}-[nd]\s{1,9}"\$\{?(\w+)\}?"\s{0,9}\]{0,2}\s{0,9}&&(?:[^;|&\n]|&&)*|\bif\s{0,9}\(\s{0,9}\$env:(\w+)\s{0,9}\)\s{0,9}\{[^{}]*\}/gi;

/** Whether the shell stops where a variable without a value is used: `set -u`. */
const refusesUnset = ({ program, args }: Command): boolean =>
  program === "set" && args.some((arg) => /^-\w*u/.test(arg) || arg === "nounset");
