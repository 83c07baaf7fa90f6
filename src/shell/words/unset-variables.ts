import type { Command, Redirect } from "../command.ts";
import { copyNotes } from "../files/folder-steps.ts";
import { isAlwaysSet, splitWord } from "./values.ts";

/** In order: a quoted character; a variable with an index, the operator that gives it a value, and the rest; a plain one. */
const VARIABLE = /\\[^]|\$(?:\{([A-Za-z_]\w*)(?!\w)(?:\[[^\]{}]*\])?((?::?[-=?])?)([^{}]*)\}|([A-Za-z_]\w*))/g;

/** A letter of a name: what stands beside such a letter hides a part of the name. */
const isLetter = (letter: string | undefined): boolean => letter !== undefined && /[\w.~-]/.test(letter);

/** A word, and what it is where a shell expands it. */
interface ExpandedText {
  text: string;
  dynamic?: string;
}

/** The groups of `VARIABLE`, then where it matches and the whole text. */
type VariableGroups = [
  braced: string | undefined,
  operator: string | undefined,
  operand: string | undefined,
  plain: string | undefined,
  at: number,
  whole: string,
];

/** A word without the variables in its names that have no value, `.e${x}nv`; undefined if there are none. */
function dropUnset(dynamic: string, isUnset: (name: string) => boolean): ExpandedText | undefined {
  const rest = dynamic.replace(VARIABLE, (all: string, ...groups: unknown[]) => {
    const [braced, operator, operand, plain, at, whole] = groups as VariableGroups;
    const name = braced ?? plain ?? "";
    const isEmpty = (operator ?? "") === "" || operand === "";
    const isInName = isLetter(whole[at - 1]) || isLetter(whole[at + all.length]);
    return name !== "" && isEmpty && isInName && !isAlwaysSet(name) && isUnset(name) ? "" : all;
  });
  // What becomes an option was meant to be none; a name of one letter is hardly one.
  const isOption = rest.startsWith("-") && !dynamic.startsWith("-");
  if (rest === dynamic || isOption || !/\w\w/.test(rest)) return undefined;
  const parts = splitWord(rest);
  const isPlain = parts.every(({ kind }) => kind === "text");
  return isPlain
    ? { text: parts.map((part) => ("text" in part ? part.text : "")).join("") }
    : { text: rest, dynamic: rest };
}

function dropFromRedirect(redirect: Redirect, isUnset: (name: string) => boolean): Redirect {
  const found = redirect.dynamic === undefined ? undefined : dropUnset(redirect.dynamic, isUnset);
  if (!found) return redirect;
  const { dynamic: _, ...rest } = redirect;
  return { ...rest, target: found.text, ...(found.dynamic !== undefined && { dynamic: found.dynamic }) };
}

/** Adds the commands as they are where the variables in their names have no value: `cat .e${x}nv` is `cat .env`. */
export function addUnsetReadings(commands: readonly Command[], isUnset: (name: string) => boolean): readonly Command[] {
  return commands.flatMap((command) => {
    const args = [...command.args];
    const dynamic: Record<number, string> = {};
    let isChanged = false;
    for (const [key, word] of Object.entries(command.dynamic)) {
      const at = Number(key);
      const found = at < 0 || !word.includes("$") ? undefined : dropUnset(word, isUnset);
      if (found) args[at] = found.text;
      if (!found) dynamic[at] = word;
      else if (found.dynamic !== undefined) dynamic[at] = found.dynamic;
      isChanged ||= found !== undefined;
    }
    const redirects = command.redirects.map((redirect) => dropFromRedirect(redirect, isUnset));
    isChanged ||= redirects.some((redirect, at) => redirect !== command.redirects[at]);
    if (!isChanged) return command;
    const reading: Command = { ...command, args, dynamic, redirects, guessed: true };
    copyNotes(reading, command);
    return [command, reading];
  });
}
