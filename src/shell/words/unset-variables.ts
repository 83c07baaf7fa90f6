import type { Command, Redirect } from "../command.ts";
import { copyAnnotations } from "../files/folder-steps.ts";
import { isAlwaysSetVariable, splitWord } from "./values.ts";

/**
 * Matches an escaped character, a variable in braces (with its index, default operator and operand), or a plain
 * variable.
 */
const VARIABLE = /\\[^]|\$(?:\{([A-Za-z_]\w*)(?!\w)(?:\[[^\]{}]*\])?((?::?[-=?])?)([^{}]*)\}|([A-Za-z_]\w*))/g;

/** Whether a character can be part of a name. If so, a variable next to it expands to part of the same name. */
const isNameCharacter = (character: string | undefined): boolean =>
  character !== undefined && /[\w.~-]/.test(character);

/** A word's text, and its value in the format of `Command.dynamic`. */
interface ExpandedText {
  text: string;
  dynamic?: string;
}

/** Arguments that a `replace` callback receives for `VARIABLE`. */
type VariableGroups = [
  braced: string | undefined,
  operator: string | undefined,
  operand: string | undefined,
  plain: string | undefined,
  at: number,
  whole: string,
];

/** Removes unset variables from within names (`.e${x}nv`). Returns undefined if there are none. */
function removeUnsetVariables(dynamic: string, isUnset: (name: string) => boolean): ExpandedText | undefined {
  const remainingText = dynamic.replace(VARIABLE, (match: string, ...groups: unknown[]) => {
    const [bracedName, operator, operand, plainName, at, input] = groups as VariableGroups;
    const name = bracedName ?? plainName ?? "";
    const isEmpty = (operator ?? "") === "" || operand === "";
    const isInName = isNameCharacter(input[at - 1]) || isNameCharacter(input[at + match.length]);
    return name !== "" && isEmpty && isInName && !isAlwaysSetVariable(name) && isUnset(name) ? "" : match;
  });
  // Skip results that look like an option or a single-letter name, which are rarely intended.
  const isOption = remainingText.startsWith("-") && !dynamic.startsWith("-");
  if (remainingText === dynamic || isOption || !/\w\w/.test(remainingText)) return undefined;
  const parts = splitWord(remainingText);
  const isPlain = parts.every(({ kind }) => kind === "text");
  return isPlain
    ? { text: parts.map((part) => ("text" in part ? part.text : "")).join("") }
    : { text: remainingText, dynamic: remainingText };
}

function removeUnsetFromRedirect(redirect: Redirect, isUnset: (name: string) => boolean): Redirect {
  const withoutUnset = redirect.dynamic === undefined ? undefined : removeUnsetVariables(redirect.dynamic, isUnset);
  if (!withoutUnset) return redirect;
  const { dynamic: _, ...rest } = redirect;
  return {
    ...rest,
    target: withoutUnset.text,
    ...(withoutUnset.dynamic !== undefined && { dynamic: withoutUnset.dynamic }),
  };
}

/**
 * Adds a copy of each command with the unset variables removed from within names: `cat .e${x}nv` is also read as
 * `cat .env`.
 */
export function addUnsetVariants(commands: readonly Command[], isUnset: (name: string) => boolean): readonly Command[] {
  return commands.flatMap((command) => {
    const args = [...command.args];
    const dynamic: Record<number, string> = {};
    let isChanged = false;
    for (const [key, word] of Object.entries(command.dynamic)) {
      const at = Number(key);
      const withoutUnset = at < 0 || !word.includes("$") ? undefined : removeUnsetVariables(word, isUnset);
      if (withoutUnset) args[at] = withoutUnset.text;
      if (!withoutUnset) dynamic[at] = word;
      else if (withoutUnset.dynamic !== undefined) dynamic[at] = withoutUnset.dynamic;
      isChanged ||= withoutUnset !== undefined;
    }
    const redirects = command.redirects.map((redirect) => removeUnsetFromRedirect(redirect, isUnset));
    isChanged ||= redirects.some((redirect, at) => redirect !== command.redirects[at]);
    if (!isChanged) return command;
    const reading: Command = { ...command, args, dynamic, redirects, guessed: true };
    copyAnnotations(reading, command);
    return [command, reading];
  });
}
