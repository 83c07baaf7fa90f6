import type { Definition } from "clipanion";
import { getCommandName } from "../help/command-page.ts";
import { GLOBAL_OPTIONS } from "../terminal/global-options.ts";
import { VALUE_NAMES } from "../terminal/option-values.ts";
import type { Shell } from "./scripts.ts";
import { type Candidate, FILES, listOperands, listOptionValues } from "./values.ts";

interface TypedOption {
  names: string[];
  takesValue: boolean;
  meaning: string;
}

/** Normalizes the words that a shell passes, up to the one being completed. */
export function readWords(words: readonly string[], shell: Shell): string[] {
  // The script appends a dot to the last word, because PowerShell drops empty arguments.
  if (shell === "powershell") return words.map((word, at) => (at === words.length - 1 ? word.slice(0, -1) : word));
  // bash splits `--mode=warn` into three words.
  if (shell !== "bash") return [...words];
  const read = words.filter((word, at) => word !== "=" || !words[at - 1]?.startsWith("--"));
  return words.at(-1) === "=" ? [...read, ""] : read;
}

/**
 * Lists completions for the last word.
 * @param words The words after the program. The user is typing the last word.
 */
export async function completeWords(
  words: readonly string[],
  commands: readonly Definition[],
  shell: Shell,
): Promise<readonly Candidate[]> {
  const typed = words.at(-1) ?? "";
  const before = words.slice(0, -1);
  if (before.includes("--")) return FILES;
  const command = findCommand(before, commands);
  // `help` takes a command's words.
  const own = listSubcommands(before[0] === "help" ? before.slice(1) : before, commands);
  const options = [...(command ? listOptions(command) : []), ...GLOBAL];
  const [name = "", value] = splitOption(typed);
  if (value !== undefined) {
    const found = await listOptionValues(name, command, VALUE_NAMES[name]);
    return filterByPrefix(found, value).map((one) => ({
      ...one,
      value: `${shell === "bash" ? "" : `${name}=`}${one.value}`,
    }));
  }
  const previous = before.at(-1) ?? "";
  if (options.some(({ names, takesValue }) => takesValue && names.includes(previous)))
    return filterByPrefix(await listOptionValues(previous, command, VALUE_NAMES[previous]), typed);
  if (typed.startsWith("-")) {
    const left = options.filter(({ names }) => !names.some((one) => before.includes(one)));
    return filterByPrefix(
      left.flatMap(({ names, meaning }) => names.map((one) => ({ value: one, meaning }))),
      typed,
    );
  }
  const operands =
    command && own.length === 0 ? await listOperands(command, countOperands(before, command, options)) : [];
  const more = command && own.length > 0 ? await listOperands(command, 0) : [];
  return filterByPrefix([...own, ...operands, ...more.filter(({ value: one }) => !one.startsWith(":"))], typed);
}

const isPath = ({ value }: Candidate) => value.startsWith(":");
const filterByPrefix = (all: readonly Candidate[], typed: string): Candidate[] => {
  const fitting = all.filter((one) => isPath(one) || one.value.startsWith(typed));
  return fitting.map(({ value, meaning }) => ({ value, ...(meaning && { meaning: shorten(meaning) }) }));
};

/** Shortens text to one line that fits a menu. */
const shorten = (text: string): string => text.trim().replaceAll(/\s+/g, " ").slice(0, 80);

function splitOption(word: string): [name: string, value?: string] {
  const at = word.indexOf("=");
  return word.startsWith("--") && at > 0 ? [word.slice(0, at), word.slice(at + 1)] : [word];
}

/** Finds the command with the longest path that the words start with. */
function findCommand(words: readonly string[], commands: readonly Definition[]): Definition | undefined {
  const fitting = commands.filter((one) => getPath(one).every((word, at) => word === words[at]));
  return fitting.toSorted((a, b) => getPath(b).length - getPath(a).length)[0];
}

const getPath = (command: Definition): string[] => getCommandName(command).split(" ");

/** Lists the possible next words of a command's path. */
function listSubcommands(words: readonly string[], commands: readonly Definition[]): Candidate[] {
  const found = new Map<string, string>();
  for (const command of commands) {
    const path = getPath(command);
    const next = path[words.length];
    // Skip commands that hosts call, not users.
    if (command.category?.trim() === "host" || next?.startsWith("-")) continue;
    if (next === undefined || !words.every((word, at) => word === path[at])) continue;
    if (!found.has(next) || path.length === words.length + 1) found.set(next, command.description ?? "");
  }
  return [...found].map(([value, meaning]) => ({ value, meaning }));
}

const listOptions = ({ options }: Definition): TypedOption[] =>
  options.map(({ definition, description = "" }) => {
    const [names = "", value] = definition.split(" ");
    return { names: names.split(","), takesValue: value !== undefined, meaning: description };
  });

const GLOBAL: readonly TypedOption[] = [
  { names: ["--help"], takesValue: false, meaning: "Show the help" },
  ...GLOBAL_OPTIONS.map(([option, meaning]) => ({
    names: [option.split(" ")[0] as string],
    takesValue: option.includes(" "),
    meaning,
  })),
];

/** Counts the operands before the word being completed. */
function countOperands(words: readonly string[], command: Definition, options: readonly TypedOption[]): number {
  const valued = new Set(options.flatMap(({ names, takesValue }) => (takesValue ? names : [])));
  const rest = words.slice(getPath(command).length);
  return rest.filter((word, at) => !word.startsWith("-") && !valued.has(rest[at - 1] ?? "")).length;
}
