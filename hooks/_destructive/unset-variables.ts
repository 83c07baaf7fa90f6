import type { Command } from "bridge-hooks";
import type { LineContext } from "./line-context.ts";

/** Describes, in the shell's syntax, how to make sure that a variable is set. */
export const describeUnsetCheck = (name: string, { shell }: LineContext): string =>
  ({
    bash: `: write \${${name}:?}`,
    powershell: `: run the command inside if ($env:${name}) { … }`,
    cmd: `: run the command after if defined ${name}`,
  })[shell];

/**
 * Creates a predicate for variables that could be unset. A variable counts as set if its name also appears outside of
 * expansions such as `$X`, `$env:X`, `%X%`, `!X!`, or `('X')`.
 */
export function createUnsetCheck(line: string, commands: readonly Command[]): LineContext["mayBeUnset"] {
  let mentionedNames: ReadonlySet<string> | undefined;
  let isStrict: boolean | undefined;
  return (name) => {
    isStrict ??= commands.some(rejectsUnsetVariables);
    mentionedNames ??= new Set(line.match(/(?<![$\w{:%!]|\{[!#])\w+(?!\w|['"]\s{0,9}[),])/g));
    const [variable = ""] = /^\w+/.exec(name) ?? [];
    return !isStrict && !mentionedNames.has(variable) && !isProtectedAgainstUnset(variable, line);
  };
}

/**
 * Whether a command runs only after a check that the variable is set, as in `[ -n "$X" ] && …` or `if ($env:X) { … }`.
 */
function isProtectedAgainstUnset(variable: string, line: string): boolean {
  const unguardedLine = line.replace(UNSET_GUARD, (check, bashName, powerShellName) =>
    (bashName ?? powerShellName) === variable ? "" : check,
  );
  return unguardedLine !== line && !new RegExp(`\\$(?:env:)?\\{?${variable}\\b`).test(unguardedLine);
}
// The quotes are required: if the variable is empty and unquoted, the test becomes `[ -n ]`, which is true.
const UNSET_GUARD =
  /(?<!!\s{0,9})(?:\[\[?|\btest)\s{1,9}-[nd]\s{1,9}"\$\{?(\w+)\}?"\s{0,9}\]{0,2}\s{0,9}&&(?:[^;|&\n]|&&)*|\bif\s{0,9}\(\s{0,9}\$env:(\w+)\s{0,9}\)\s{0,9}\{[^{}]*\}/gi;

/** Whether a command such as `set -u` makes the shell exit on an unset variable. */
const rejectsUnsetVariables = ({ program, args }: Command): boolean =>
  program === "set" && args.some((arg) => /^-\w*u/.test(arg) || arg === "nounset");
