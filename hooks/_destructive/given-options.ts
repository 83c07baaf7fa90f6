import { type Command, knownOptions, optionKind, readFindArguments, readGitArguments } from "bridge-hooks";
import type { OperandWord } from "./line-context.ts";

/** The arguments of a command: its options, and what is neither an option nor an option's value. */
export interface SplitArguments {
  options: readonly string[];
  operands: readonly OperandWord[];
  /** Those of the options that are surely not another option's value, each letter by itself. */
  sure: readonly string[];
  /** The program table knows every option: no operand is the value of one. */
  isCertain: boolean;
}

/**
 * A command's options, and its operands. Where an option isn't known to have a value, that counts as an operand.
 * @param named options of which the rules tell that they have no value
 */
export function splitArguments(command: Command, named: OptionSet = NONE): SplitArguments {
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
  for (let at = 0, open = true; at < args.length; at++) {
    const text = args[at] as string;
    if (!open || !/^-./.test(text)) {
      const word = dynamic[at];
      operands.push({
        text,
        ...(word !== undefined && { dynamic: word }),
        ...(mayHaveValue && { mayBeValue: true }),
      });
      mayHaveValue = false;
    } else if (text === "--") open = false;
    else {
      const known = knownOptions(git && at > git.at ? `git ${git.verb}` : program, args, at);
      options.push(...listSpellings(text, known?.names));
      const hidden = dynamic[at];
      if (hidden !== undefined) options.push(removeExpansions(hidden));
      const isKnown = known !== undefined || FLAG.test(text);
      isCertain &&= isKnown;
      mayHaveValue = !isKnown && !text.includes("=");
      if (isValued(text, at) || known?.words === 2) at++;
    }
  }
  return { options, operands, isCertain, sure: listSureOptions(command, named) };
}

/** A long option, and in full what it may be short for, as the program table tells: `--fo` of `git clean`. */
function listSpellings(text: string, [name]: readonly string[] = []): string[] {
  const equals = text.indexOf("=");
  const given = equals < 0 ? text : text.slice(0, equals);
  return !text.startsWith("--") || name === undefined || name === given
    ? [text]
    : [text, name + text.slice(given.length)];
}

/** A word whose expansions turn out to be nothing: `--fo${x}rce` is `--force`. */
export const removeExpansions = (word: string): string => word.replace(EXPANSION, "");
const EXPANSION = /(?<!\\)(?:\$\{\w+\}|\$\w+|\$\((?:true|:)?\)|``)/g;

/** Whether an option is one of several. */
export type OptionSet = Pick<ReadonlySet<string>, "has">;
const NONE: OptionSet = { has: () => false };

/** Options without a value, whatever the program. */
const FLAG = /^--(no-[\w-]+|verbose|quiet|force|yes|all|recursive)$/;
/** Programs of which some take no option behind an operand: another file is deleted there, or the flag is none. */
const OPTIONS_FIRST = new Set(
  "rm srm wipe unlink chmod chown chgrp setfacl mv cp tee shred truncate kill ufw".split(" "),
);
/** Programs that help with `-h` as well, and those where a word asks for it. */
const SHORT_HELP = "git gh terraform tofu terragrunt pulumi helm kubectl oc k flyctl fly eksctl minikube kind".split(
  " ",
);
const HELP_WORD = "aws gcloud az terraform tofu heroku fly flyctl doctl eksctl helm kubectl pulumi gh".split(" ");

/**
 * The options that a command surely has: none that may be the value of one before it that is not known. Letters in one
 * word (`-rf`) are listed one by one.
 * @param named options of which the rules tell that they have no value
 */
export function listSureOptions({ program, args }: Command, named: OptionSet): string[] {
  const git = program === "git" ? readGitArguments(args) : undefined;
  const found: string[] = [];
  for (let at = 0, isSure = true; at < args.length && args[at] !== "--"; at++) {
    const text = args[at] as string;
    if (!/^-./.test(text)) {
      if (OPTIONS_FIRST.has(program)) break;
      isSure = true;
      continue;
    }
    const known = knownOptions(git && at > git.at ? `git ${git.verb}` : program, args, at);
    const names = known?.names ?? splitNamedLetters(text, named);
    if (isSure) found.push(...(text.startsWith("--") ? listSpellings(text, known?.names) : (names ?? [text])));
    if (known?.words === 2) at++;
    isSure = names !== undefined || FLAG.test(text) || text.includes("=") || named.has(text);
  }
  return found;
}

const splitNamedLetters = (text: string, named: OptionSet): string[] | undefined => {
  const letters = /^-\w+$/.test(text) ? [...text.slice(1)].map((letter) => `-${letter}`) : [];
  return letters.length > 0 && letters.every((letter) => named.has(letter)) ? letters : undefined;
};

/** The options in patterns. */
export const listNamedOptions = (patterns: readonly string[]): ReadonlySet<string> =>
  new Set(
    patterns.flatMap((pattern) =>
      pattern.split(" ").flatMap((token) => (/^!?-/.test(token) ? token.replace("!", "").split("|") : [])),
    ),
  );

/** A long option's shortest form in a line: `--f`. Where several begin so, the program takes none of them. */
export const MIN_PATTERN_LENGTH = 3;

/**
 * Whether a command's option is the one of a pattern: alone, among others (`-rf`), with a value, or shortened
 * (`--recurs`).
 */
function isOptionMatch(given: string, wanted: string): boolean {
  if (/^-\w$/.test(wanted)) return /^-\w+$/.test(given) && given.includes(wanted.slice(1), 1);
  const [name = ""] = given.split("=", 1);
  if (name === wanted) return true;
  // Go's flags may have one dash or two.
  return wanted.startsWith("--") ? name.length >= MIN_PATTERN_LENGTH && wanted.startsWith(name) : name === `-${wanted}`;
}

/** Whether one of some options is given. */
export function hasOption(options: readonly string[], words: readonly string[]): boolean {
  if (options.length === 0) return false;
  for (const wanted of words) for (const given of options) if (isOptionMatch(given, wanted)) return true;
  return false;
}
const OFF = /^(false|no|none|off|never|0)$/i;
const MIN_OPTION_LENGTH = 5;

/** Whether one of some options holds: the last of them that is given, and of those that take it back. */
export function isOptionSet(wanted: readonly string[], options: readonly string[]): boolean {
  let isSet = false;
  for (const option of options) {
    const equals = option.indexOf("=");
    const name = equals < 0 ? option : option.slice(0, equals);
    const isIt = (one: string) =>
      name === one ||
      name === `-${one}` ||
      (one.startsWith("--") && name.length >= MIN_OPTION_LENGTH && one.startsWith(name));
    if (wanted.some(isIt)) isSet = equals < 0 || !OFF.test(option.slice(equals + 1));
    else if (name.startsWith("--no-") && wanted.some((one) => one.replace(/^-+/, "") === name.slice(5))) isSet = false;
  }
  return isSet;
}

/** Whether a command only tells how it is used. */
export function isHelpAsked({ program, args }: Command, options: readonly string[]): boolean {
  if (program === "find") return readFindArguments(args).steps.some(({ word }) => /^--?help$/.test(word));
  if (options.includes("--help") || options.includes("-help")) return true;
  if (SHORT_HELP.includes(program) && options.includes("-h")) return true;
  if (!HELP_WORD.includes(program)) return false;
  return program === "aws" ? args.at(-1) === "help" && args.every((arg) => !arg.startsWith("-")) : args[0] === "help";
}
