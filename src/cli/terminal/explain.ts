import type { Definition } from "clipanion";
import { hosts } from "../../hosts/index.ts";
import { suggestName } from "../../protocol/name-suggestions.ts";
import { VALUE_NAMES } from "./option-values.ts";
import { quoteTyped } from "../../system/own-command.ts";

/**
 * Explains why a command rejects its arguments. Replaces clipanion's own explanations, which are long and cover all
 * commands.
 */
export function explainRefusal(words: readonly string[], { options, usage }: Definition): string {
  const takesValue = new Map(
    options.flatMap(({ definition }) => {
      const [names = "", value] = definition.split(" ");
      return names.split(",").map((name): [string, boolean] => [name, value !== undefined]);
    }),
  );
  const names = [...takesValue.keys()];
  const operands: string[] = [];
  for (let at = 0; at < words.length; at++) {
    const word = words[at] as string;
    const [name = ""] = word.split("=", 1);
    if (!word.startsWith("-")) operands.push(word);
    else if (word === "--") {
      operands.push(...words.slice(at + 1));
      break;
    } else if (!takesValue.has(name)) {
      return `unknown option "${word}"${adviseQuoting(words, operands, names) ?? suggestName(name, names)}`;
    } else if (takesValue.get(name) !== true) {
      if (word !== name) return `${name} takes no value`;
    } else if (word === name && (words[++at] ?? "-").startsWith("-")) return explainMissingValue(name);
  }
  const requiredOperands = [...usage.matchAll(/ <(\w+)>/g)].map(([, name]) => name);
  if (requiredOperands.length > operands.length && !usage.endsWith("..."))
    return `${requiredOperands[operands.length]} is missing`;
  const [extra = ""] = operands.slice(requiredOperands.length);
  if (usage.endsWith("...") || operands.length === 0) return "not enough arguments";
  if (!usage.endsWith("]")) return `unexpected argument "${extra}"${optionHint(extra, names)}`;
  return usage.endsWith("[DIR]")
    ? "pass only one directory"
    : `unexpected argument${adviseQuoting(words, operands, names) ?? ""}`;
}

/**
 * Advises the user to quote a shell command that was typed as multiple words, if this program's command accepts one.
 */
function adviseQuoting(
  words: readonly string[],
  [first]: readonly string[],
  names: readonly string[],
): string | undefined {
  if (first === undefined || first.includes(" ") || !names.includes("--command")) return undefined;
  return `; quote the whole command: ${quoteTyped(words.slice(words.indexOf(first)).join(" "))}`;
}

const explainMissingValue = (name: string) => `${name} needs a value: ${name} ${VALUE_NAMES[name] ?? "VALUE"}`;

/** Suggests the option that a word most likely belongs to. */
function optionHint(word: string, names: readonly string[]): string {
  const values = { "--host": hosts.some(({ id }) => id === word) && word, "--hooks": "DIR" };
  const option = Object.entries(values).find(([name, value]) => value && names.includes(name));
  return option ? `; did you mean ${option.join(" ")}?` : "";
}
