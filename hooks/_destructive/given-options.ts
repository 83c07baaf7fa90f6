import { type Command, knownOptions, optionKind, readFindArguments, readGitArguments } from "bridge-hooks";
import type { OperandWord } from "./line-context.ts";

/** A command's options and operands, not including the values of known options. */
export interface SplitArguments {
  options: readonly string[];
  operands: readonly OperandWord[];
  /** Options that can't be another option's value. Combined letters are split. */
  certainOptions: readonly string[];
  /** Whether all options are known. If so, no operand can be an option's value. */
  isCertain: boolean;
}

/**
 * Splits arguments into options and operands. A word after an unknown option counts as an operand.
 * @param patternOptions options from rule patterns, which don't take a value
 */
export function splitArguments(command: Command, patternOptions: OptionSet = NO_OPTIONS): SplitArguments {
  const { program, args, dynamic } = command;
  const git = program === "git" ? readGitArguments(args) : undefined;
  const isValued = (option: string, at: number) =>
    git && at > git.at
      ? optionKind(`git ${git.verb}`, option) !== undefined || optionKind("git", option) === "shell"
      : optionKind(program, option) !== undefined;
  const options: string[] = [];
  const operands: OperandWord[] = [];
  let isCertain = true;
  let mayHaveValue = false;
  for (let at = 0, acceptsOptions = true; at < args.length; at++) {
    const text = args[at] as string;
    if (!acceptsOptions || !/^-./.test(text)) {
      const word = dynamic[at];
      operands.push({
        text,
        ...(word !== undefined && { dynamic: word }),
        ...(mayHaveValue && { mayBeValue: true }),
      });
      mayHaveValue = false;
    } else if (text === "--") acceptsOptions = false;
    else {
      const optionTable = knownOptions(git && at > git.at ? `git ${git.verb}` : program, args, at);
      options.push(...listOptionVariants(text, optionTable?.names));
      const dynamicWord = dynamic[at];
      if (dynamicWord !== undefined) options.push(removeExpansions(dynamicWord));
      const isKnown = optionTable !== undefined || FLAG.test(text);
      isCertain &&= isKnown;
      mayHaveValue = !isKnown && !text.includes("=");
      if (isValued(text, at) || optionTable?.words === 2) at++;
    }
  }
  return { options, operands, isCertain, certainOptions: listCertainOptions(command, patternOptions) };
}

/** Lists a long option as written and, if it is abbreviated like `--fo` in `git clean`, in full. */
function listOptionVariants(text: string, [name]: readonly string[] = []): string[] {
  const equals = text.indexOf("=");
  const optionName = equals < 0 ? text : text.slice(0, equals);
  return !text.startsWith("--") || name === undefined || name === optionName
    ? [text]
    : [text, name + text.slice(optionName.length)];
}

/** Removes expansions that could be empty, which turns `--fo${x}rce` into `--force`. */
export const removeExpansions = (word: string): string => word.replace(EXPANSION, "");
const EXPANSION = /(?<!\\)(?:\$\{\w+\}|\$\w+|\$\((?:true|:)?\)|``)/g;

/** A set of option names. */
export type OptionSet = Pick<ReadonlySet<string>, "has">;
const NO_OPTIONS: OptionSet = { has: () => false };

/** Options that don't take a value in any program. */
const FLAG = /^--(no-[\w-]+|verbose|quiet|force|yes|all|recursive)$/;
/** Programs for which options after an operand are ignored, because some versions treat them as file names. */
const OPTIONS_FIRST_PROGRAMS = new Set(
  "rm srm wipe unlink chmod chown chgrp setfacl mv cp tee shred truncate kill ufw".split(" "),
);
/** Programs that print help for `-h`, and programs with a `help` subcommand. */
const SHORT_HELP = "git gh terraform tofu terragrunt pulumi helm kubectl oc k flyctl fly eksctl minikube kind".split(
  " ",
);
const HELP_WORD = "aws gcloud az terraform tofu heroku fly flyctl doctl eksctl helm kubectl pulumi gh".split(" ");

/**
 * Lists a command's options, except words that could be an unknown option's value. Combined letters such as `-rf` are
 * listed individually.
 * @param patternOptions options from rule patterns, which don't take a value
 */
export function listCertainOptions({ program, args }: Command, patternOptions: OptionSet): string[] {
  const git = program === "git" ? readGitArguments(args) : undefined;
  const sureOptions: string[] = [];
  for (let at = 0, isSure = true; at < args.length && args[at] !== "--"; at++) {
    const text = args[at] as string;
    if (!/^-./.test(text)) {
      if (OPTIONS_FIRST_PROGRAMS.has(program)) break;
      isSure = true;
      continue;
    }
    const optionTable = knownOptions(git && at > git.at ? `git ${git.verb}` : program, args, at);
    const names = optionTable?.names ?? splitNamedLetters(text, patternOptions);
    if (isSure)
      sureOptions.push(...(text.startsWith("--") ? listOptionVariants(text, optionTable?.names) : (names ?? [text])));
    if (optionTable?.words === 2) at++;
    isSure = names !== undefined || FLAG.test(text) || text.includes("=") || patternOptions.has(text);
  }
  return sureOptions;
}

const splitNamedLetters = (text: string, patternOptions: OptionSet): string[] | undefined => {
  const letters = /^-\w+$/.test(text) ? [...text.slice(1)].map((character) => `-${character}`) : [];
  return letters.length > 0 && letters.every((character) => patternOptions.has(character)) ? letters : undefined;
};

/** Lists the options that patterns contain. */
export const listNamedOptions = (patterns: readonly string[]): ReadonlySet<string> =>
  new Set(
    patterns.flatMap((pattern) =>
      pattern.split(" ").flatMap((token) => (/^!?-/.test(token) ? token.replace("!", "").split("|") : [])),
    ),
  );

/** Minimum length of an abbreviated long option, such as `--f`. Programs reject ambiguous abbreviations. */
export const MIN_PATTERN_LENGTH = 3;

/**
 * Whether an option in a command matches an option in a pattern, even if it is combined with others (`-rf`), has a
 * value, or is abbreviated (`--recurs`).
 */
function isOptionMatch(commandOption: string, patternOption: string): boolean {
  if (/^-\w$/.test(patternOption))
    return /^-\w+$/.test(commandOption) && commandOption.includes(patternOption.slice(1), 1);
  const [name = ""] = commandOption.split("=", 1);
  if (name === patternOption) return true;
  // Go programs accept flags with either one or two dashes.
  return patternOption.startsWith("--")
    ? name.length >= MIN_PATTERN_LENGTH && patternOption.startsWith(name)
    : name === `-${patternOption}`;
}

/** Whether the command has any of the options. */
export function hasOption(options: readonly string[], words: readonly string[]): boolean {
  if (options.length === 0) return false;
  for (const patternOption of words)
    for (const commandOption of options) if (isOptionMatch(commandOption, patternOption)) return true;
  return false;
}
const DISABLING_VALUE = /^(false|no|none|off|never|0)$/i;
const MIN_OPTION_LENGTH = 5;

/** Whether any of the options is in effect. Options can be negated, and the last occurrence wins. */
export function isOptionSet(wantedOptions: readonly string[], options: readonly string[]): boolean {
  let isSet = false;
  for (const option of options) {
    const equals = option.indexOf("=");
    const name = equals < 0 ? option : option.slice(0, equals);
    const matchesOption = (candidate: string) =>
      name === candidate ||
      name === `-${candidate}` ||
      (candidate.startsWith("--") && name.length >= MIN_OPTION_LENGTH && candidate.startsWith(name));
    if (wantedOptions.some(matchesOption)) isSet = equals < 0 || !DISABLING_VALUE.test(option.slice(equals + 1));
    else if (
      name.startsWith("--no-") &&
      wantedOptions.some((candidate) => candidate.replace(/^-+/, "") === name.slice(5))
    )
      isSet = false;
  }
  return isSet;
}

/** Whether a command only prints help. */
export function asksForHelp({ program, args }: Command, options: readonly string[]): boolean {
  if (program === "find") return readFindArguments(args).steps.some(({ word }) => /^--?help$/.test(word));
  if (options.includes("--help") || options.includes("-help")) return true;
  if (SHORT_HELP.includes(program) && options.includes("-h")) return true;
  if (!HELP_WORD.includes(program)) return false;
  return program === "aws" ? args.at(-1) === "help" && args.every((arg) => !arg.startsWith("-")) : args[0] === "help";
}
