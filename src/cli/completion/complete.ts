import type { Definition } from "clipanion";
import { getCommandName } from "../help/command-page.ts";
import { GLOBAL_OPTIONS } from "../terminal/global-options.ts";
import { VALUE_NAMES } from "../terminal/option-values.ts";
import type { Shell } from "./scripts.ts";
import { type Candidate, FILE_COMPLETION, listOperands, listOptionValues } from "./values.ts";

interface TypedOption {
  names: string[];
  takesValue: boolean;
  meaning: string;
}

/** Normalizes the words that a shell passes. The last word is the one being completed. */
export function readWords(words: readonly string[], shell: Shell): string[] {
  // The script appends a dot to the last word, because PowerShell drops empty arguments.
  if (shell === "powershell") return words.map((word, at) => (at === words.length - 1 ? word.slice(0, -1) : word));
  // bash splits `--mode=warn` into three words.
  if (shell !== "bash") return [...words];
  const joinedWords = words.filter((word, at) => word !== "=" || !words[at - 1]?.startsWith("--"));
  return words.at(-1) === "=" ? [...joinedWords, ""] : joinedWords;
}

/**
 * Lists completions for the last word, which the user is typing.
 * @param words the words after the program name
 */
export async function completeWords(
  words: readonly string[],
  commands: readonly Definition[],
  shell: Shell,
): Promise<readonly Candidate[]> {
  const lastWord = words.at(-1) ?? "";
  const previousWords = words.slice(0, -1);
  if (previousWords.includes("--")) return FILE_COMPLETION;
  const command = findCommand(previousWords, commands);
  // The arguments of `help` are a command's path.
  const subcommands = listSubcommands(previousWords[0] === "help" ? previousWords.slice(1) : previousWords, commands);
  const options = [...(command ? listOptions(command) : []), ...GLOBAL];
  const [name = "", value] = splitOption(lastWord);
  if (value !== undefined) {
    const optionValues = await listOptionValues(name, command, VALUE_NAMES[name]);
    return filterByPrefix(optionValues, value).map((candidate) => ({
      ...candidate,
      value: `${shell === "bash" ? "" : `${name}=`}${candidate.value}`,
    }));
  }
  const previous = previousWords.at(-1) ?? "";
  if (options.some(({ names, takesValue }) => takesValue && names.includes(previous)))
    return filterByPrefix(await listOptionValues(previous, command, VALUE_NAMES[previous]), lastWord);
  if (lastWord.startsWith("-")) {
    const unusedOptions = options.filter(
      ({ names }) => !names.some((optionName) => previousWords.includes(optionName)),
    );
    return filterByPrefix(
      unusedOptions.flatMap(({ names, meaning }) => names.map((optionName) => ({ value: optionName, meaning }))),
      lastWord,
    );
  }
  const operands =
    command && subcommands.length === 0
      ? await listOperands(command, countOperands(previousWords, command, options))
      : [];
  const operandCandidates = command && subcommands.length > 0 ? await listOperands(command, 0) : [];
  return filterByPrefix(
    [...subcommands, ...operands, ...operandCandidates.filter(({ value: one }) => !one.startsWith(":"))],
    lastWord,
  );
}

const isPathCompletion = ({ value }: Candidate) => value.startsWith(":");
const filterByPrefix = (candidates: readonly Candidate[], prefix: string): Candidate[] => {
  const matchingCandidates = candidates.filter(
    (candidate) => isPathCompletion(candidate) || candidate.value.startsWith(prefix),
  );
  return matchingCandidates.map(({ value, meaning }) => ({
    value,
    ...(meaning && { meaning: shortenCandidate(meaning) }),
  }));
};

/** Shortens text to one line that fits a menu. */
const shortenCandidate = (text: string): string => text.trim().replaceAll(/\s+/g, " ").slice(0, 80);

function splitOption(word: string): [name: string, value?: string] {
  const at = word.indexOf("=");
  return word.startsWith("--") && at > 0 ? [word.slice(0, at), word.slice(at + 1)] : [word];
}

/** Finds the command whose path matches the start of the words, preferring the longest path. */
function findCommand(words: readonly string[], commands: readonly Definition[]): Definition | undefined {
  const matchingCommands = commands.filter((candidate) => getPath(candidate).every((word, at) => word === words[at]));
  return matchingCommands.toSorted((a, b) => getPath(b).length - getPath(a).length)[0];
}

const getPath = (command: Definition): string[] => getCommandName(command).split(" ");

/** Lists the words that can come next in a command's path. */
function listSubcommands(words: readonly string[], commands: readonly Definition[]): Candidate[] {
  const subcommands = new Map<string, string>();
  for (const command of commands) {
    const path = getPath(command);
    const nextWord = path[words.length];
    // Skip commands that hosts call, not users.
    if (command.category?.trim() === "host" || nextWord?.startsWith("-")) continue;
    if (nextWord === undefined || !words.every((word, at) => word === path[at])) continue;
    if (!subcommands.has(nextWord) || path.length === words.length + 1)
      subcommands.set(nextWord, command.description ?? "");
  }
  return [...subcommands].map(([value, meaning]) => ({ value, meaning }));
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
  const operandWords = words.slice(getPath(command).length);
  return operandWords.filter((word, at) => !word.startsWith("-") && !valued.has(operandWords[at - 1] ?? "")).length;
}
