import type { CommandExpansionPart, Command as Node, WordPart, Word as Source } from "unbash";
import { readForEachChoice } from "./choices.ts";
import { listNamesOfCommand } from "./used-names.ts";
import type { ShellScope } from "../scope.ts";
import { listPossibleOutputs } from "./substitutions.ts";
import { expandWord } from "./words.ts";
import { getTexts } from "./word.ts";

/** Reads a command once for each combination of its variables' values and its substitutions' possible outputs. */
export function readWithChoices<T>(node: Node, scope: ShellScope, readCommand: (at: ShellScope) => T): T[] {
  const boundParts = listSubstitutions(node).filter((part) => bindOutputs(part, scope));
  const results = readForEachChoice(
    scope,
    () => [...listNamesOfCommand(node, scope), ...getTexts(boundParts)],
    readCommand,
  );
  for (const { text } of boundParts) scope.values.delete(text);
  return results;
}

/**
 * Stores the possible outputs of a substitution as a variable named after the substitution's text. Returns false if
 * they are unknown or too many.
 */
function bindOutputs(part: CommandExpansionPart, scope: ShellScope): boolean {
  const outputs = new Set(listPossibleOutputs(part, scope, expandWord));
  if (outputs.size === 0 || outputs.size > MAX_OUTPUTS || (outputs.size === 1 && outputs.has(undefined))) return false;
  const { cwd, previousFolder, steps } = scope;
  const outcomes = [...outputs].map((text) => ({
    values: new Map([[part.text, text === undefined ? undefined : [[{ text, isDynamic: false }]]]]),
    folder: { cwd, previousFolder, steps },
    parameters: undefined,
  }));
  scope.values.set(part.text, { outcomes });
  scope.reader.hasChoices = true;
  return true;
}
const MAX_OUTPUTS = 8;

/** Lists the command substitutions in a command's words. */
function listSubstitutions({ name, prefix, args }: Node): CommandExpansionPart[] {
  const substitutions: CommandExpansionPart[] = [];
  const addParts = (parts: readonly WordPart[] | undefined) => {
    for (const part of parts ?? [])
      if (part.type === "CommandExpansion") substitutions.push(part);
      else if (part.type === "DoubleQuoted") addParts(part.parts);
  };
  const addWord = (word: Source | undefined) => addParts(word?.parts);
  addWord(name);
  for (const part of [...prefix, ...args])
    if (part.type === "Word") addWord(part);
    else if (part.type === "Assignment" && part.value.type === "Word") addWord(part.value);
  return substitutions;
}
