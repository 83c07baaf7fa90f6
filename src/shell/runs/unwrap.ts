import { createShellError } from "../command.ts";
import { resolveFolder } from "../files/folder.ts";
import { getTableName, listMatchingPrograms, lookUpProgram, getWrapper, toTableCase } from "../programs/index.ts";
import { getCanonicalWords, type ProgramWord, readProgramWord, removeVersion } from "../programs/names.ts";
import { readOptionsAt, getOptionTable, type OptionTable, skipOptions } from "../programs/options.ts";
import type { Program, Wrapper } from "../programs/program.ts";
import type { ShellReader, ShellScope } from "../scope.ts";
import { countSteps } from "../parser.ts";
import { getTexts, type Word } from "../words/word.ts";

/** A command with its wrappers removed. */
export interface UnwrappedCommand {
  words: readonly Word[];
  via: readonly string[];
  env: Readonly<Record<string, string>>;
  cwd: string | undefined;
  more: boolean;
  remote: boolean;
  guessed: boolean;
}

/** A position where a command might start, and what is known about the command there. */
interface CommandStart extends Omit<UnwrappedCommand, "words"> {
  at: number;
}

/** Maximum number of interpretations. Each unknown option adds at most one. */
const MAX_INTERPRETATIONS = 16;
/** Maximum nesting depth of wrappers. */
const MAX_WRAPPER_DEPTH = 24;

/**
 * Removes wrappers from a command: `sudo -u me nice rm x` becomes `rm x`. There can be more than one interpretation:
 * the word after an unknown option might be its value, and a wildcard might match several program names. Every
 * interpretation after the first is a guess.
 */
export function unwrapCommand(words: readonly Word[], scope: ShellScope): UnwrappedCommand[] {
  const { via, cwd, remote, reader } = scope;
  const start: UnwrappedCommand = { words, via, env: {}, cwd, more: false, remote, guessed: false };
  const readings: UnwrappedCommand[] = [];
  const guesses = new Set<string>();
  const pendingStarts = [start];
  for (let pendingStart = pendingStarts.shift(); pendingStart; pendingStart = pendingStarts.shift())
    for (const reading of listInterpretations(pendingStart)) {
      readings.push(...listCommandVariants(reading));
      for (const guess of [...resolveProgramCopies(reading, reader), ...guessPrograms(reading)]) {
        const key = `${guess.words.length} ${guess.words[0]?.text}`;
        if (guesses.has(key)) continue;
        guesses.add(key);
        countSteps(reader);
        pendingStarts.push(guess);
      }
    }
  return readings;
}

/** Returns one interpretation for each program in the table that the first word could refer to. */
function guessPrograms(command: UnwrappedCommand): UnwrappedCommand[] {
  const [word, ...args] = command.words;
  if (word?.dynamic === undefined || word.mayVanish) return [];
  const { pattern } = readProgramWord(word);
  if (pattern === undefined) return [];
  const names = listMatchingPrograms(pattern);
  const isGuess = command.guessed || names.length > 1;
  return names.map((text) => ({ ...command, words: [{ text }, ...args], guessed: isGuess }));
}

/** Replaces the name of a copied or linked program with the original: `cp /bin/rm x; ./x y`. */
function resolveProgramCopies(command: UnwrappedCommand, { programCopies }: ShellReader): UnwrappedCommand[] {
  const [word, ...args] = command.words;
  const source = word && programCopies.size > 0 ? programCopies.get(readProgramWord(word).name ?? "") : undefined;
  return source ? [{ ...command, words: [source, ...args] }] : [];
}

/** Returns a program's name. If part of it is unknown, the name must be in the program table. */
function getKnownProgramName(word: Word): string | undefined {
  const { name, pattern }: ProgramWord = readProgramWord(word);
  return name !== undefined && (pattern === undefined || lookUpProgram(name)) ? toTableCase(name) : undefined;
}

/**
 * Lists the ways to write a command: as given, and with the program's usual name, since `git-push -f` is the same as
 * `git push -f`.
 */
function listCommandVariants(command: UnwrappedCommand): UnwrappedCommand[] {
  const [word, ...args] = command.words;
  const name = word && getKnownProgramName(word);
  if (!word || name === undefined) return [command];
  const isHidden = word.dynamic !== undefined && readProgramWord(word).pattern !== undefined;
  const originalCommand = isHidden ? { ...command, words: [{ text: name }, ...args] } : command;
  const usualWords = (getCanonicalWords(name) ?? getUnversionedName(name))?.map((text) => ({ text }));
  return usualWords ? [originalCommand, { ...command, words: [...usualWords, ...args] }] : [originalCommand];
}

/** Returns the table's name for a program with a version suffix: `git` for `git-2.40`. */
function getUnversionedName(name: string): readonly string[] | undefined {
  const unversionedName = removeVersion(name);
  return unversionedName !== name && getTableName(name) === unversionedName ? [unversionedName] : undefined;
}

/** Lists the interpretations of a command: with and without each of its wrappers. */
function listInterpretations(command: UnwrappedCommand): UnwrappedCommand[] {
  const { words, ...state } = command;
  const start: CommandStart = { ...state, at: 0 };
  const programWord = words[0];
  if (!programWord) return [command];
  if (!programWord.mayVanish && !getWrapper(getKnownProgramName(programWord) ?? "")) return [command];
  const texts = getTexts(words);
  const readings: UnwrappedCommand[] = [];
  const seenStarts = new Set<number>();
  const places = [start];
  for (let current = places.shift(); current && readings.length < MAX_INTERPRETATIONS; current = places.shift()) {
    if (seenStarts.has(current.at)) continue;
    seenStarts.add(current.at);
    const innerStarts = findInnerStarts(words, texts, current);
    const word = words[current.at];
    // A word that is just an expansion might expand to nothing, and a program with an ambiguous name might not be a
    // wrapper.
    if (
      innerStarts.length === 0 ||
      word?.mayVanish ||
      (word && getWrapper(getKnownProgramName(word) ?? "")?.isAmbiguous)
    )
      readings.push({ ...current, words: current.at === 0 ? words : words.slice(current.at) });
    places.unshift(...innerStarts);
  }
  return readings;
}

/**
 * Lists the positions where the program's inner command might start. Empty if the program doesn't run another command.
 */
function findInnerStarts(words: readonly Word[], texts: readonly string[], start: CommandStart): CommandStart[] {
  const word = words[start.at] as Word;
  if (word.mayVanish) {
    const at = words.findIndex(({ mayVanish }, index) => index > start.at && !mayVanish);
    return at < 0 ? [] : [{ ...start, at, guessed: true }];
  }
  const name = getKnownProgramName(word) ?? "";
  const program = lookUpProgram(name);
  return program?.wrapper ? findWrappedStarts(texts, start, name, { program, wrapper: program.wrapper }) : [];
}

/** A wrapper and the program table row it belongs to. */
interface WrapperRow {
  program: Program;
  wrapper: Wrapper;
}

/** Positions still to be read, and positions whose options have already been read. */
interface CommandStartQueue {
  pendingStarts: CommandStart[];
  seenPositions: Set<number>;
}

/** Lists the positions where a wrapper's command might start. */
function findWrappedStarts(
  texts: readonly string[],
  start: CommandStart,
  name: string,
  row: WrapperRow,
): CommandStart[] {
  const { wrapper } = row;
  const via = [...start.via, name];
  if (via.length > MAX_WRAPPER_DEPTH)
    throw createShellError(
      `the command line is nested too deeply to parse (more than ${MAX_WRAPPER_DEPTH} nested wrappers); split it into several commands`,
    );
  const hasMoreArguments = start.more || wrapper.appendsInput === true;
  const isRemote = wrapper.remote && { remote: true, cwd: undefined };
  return findCommandStarts(
    texts,
    { ...start, at: start.at + 1, via, more: hasMoreArguments, ...isRemote },
    row,
    start.remote ? "remote" : "here",
  );
}

/** A command that a program runs in addition to what it does itself; see `Wrapper`. */
export interface AdditionalCommand {
  at: number;
  guessed: boolean;
  remote: boolean;
}

/** Lists the positions where a command described by an entry in `runs` might start. */
export const findAdditionalCommands = (
  texts: readonly string[],
  program: Program,
  wrapper: Wrapper,
): AdditionalCommand[] =>
  findCommandStarts(
    texts,
    { at: 0, via: [], env: {}, cwd: undefined, more: false, remote: wrapper.remote === true, guessed: false },
    { program, wrapper },
    "here",
  );

/** Returns the options that can precede a wrapper's command. */
export const getWrapperOptions = (program: Program, { optionsRow }: Wrapper): OptionTable =>
  getOptionTable(optionsRow === undefined ? program : lookUpProgram(optionsRow));

/** Lists the positions at or after `start` where a command might start. */
function findCommandStarts(
  texts: readonly string[],
  start: CommandStart,
  { program, wrapper }: WrapperRow,
  origin: "here" | "remote",
): CommandStart[] {
  const verbs = wrapper.subcommands?.split(" ");
  const at = verbs ? texts.findIndex((text, index) => index >= start.at && verbs.includes(text)) + 1 : start.at;
  if (verbs && at === 0) return [];
  const table = getWrapperOptions(program, wrapper);
  if (wrapper.requiredOptions && !hasOption(texts, at, table, wrapper.requiredOptions)) return [];
  const dashes = wrapper.doubleDash ? texts.indexOf("--", at) : -1;
  if (dashes >= 0 || wrapper.doubleDash === "must")
    return dashes < 0 || dashes + 1 >= texts.length ? [] : [{ ...start, at: dashes + 1 }];
  const starts: CommandStart[] = [];
  const queue: CommandStartQueue = { pendingStarts: [{ ...start, at }], seenPositions: new Set() };
  const { pendingStarts } = queue;
  for (
    let nextStart = pendingStarts.shift();
    nextStart && starts.length < MAX_INTERPRETATIONS;
    nextStart = pendingStarts.shift()
  ) {
    const end = skipWrapperOptions(texts, nextStart, { table, wrapper }, queue);
    if (!end) continue;
    if (wrapper.localOperands?.test(texts[end.at] ?? ""))
      Object.assign(end, { remote: origin === "remote", cwd: texts[end.at] });
    skipWrapperOperands(texts, end, table, wrapper);
    if (end.at < texts.length && !starts.some((start) => start.at === end.at)) starts.push(end);
  }
  return starts;
}

/** Whether the leading options include any of the given names. */
function hasOption(texts: readonly string[], start: number, table: OptionTable, names: readonly string[]): boolean {
  for (let at = start; texts[at]?.startsWith("-") && texts[at] !== "--";) {
    const options = readOptionsAt(texts, at, table);
    if (options.some(({ name }) => names.includes(name))) return true;
    at += options.at(-1)?.words ?? 1;
  }
  return false;
}

/** Skips a wrapper's operands, any options after those, and assignments. */
function skipWrapperOperands(
  texts: readonly string[],
  end: CommandStart,
  table: OptionTable,
  { operandCount, entryPointOptions, isJoined }: Wrapper,
): void {
  end.at += operandCount ?? 0;
  // If an option can set the entry point, later options belong to the entry point.
  if (operandCount && entryPointOptions === undefined && texts[end.at]?.startsWith("-")) {
    const dashes = texts.indexOf("--", end.at);
    end.at = dashes >= 0 ? dashes + 1 : skipOptions(texts, end.at, table);
  } else if (operandCount && texts[end.at] === "--") end.at++;
  // In words that get joined into a script, assignments are part of the script.
  for (; !isJoined && end.at < texts.length; end.at++) {
    const assignment = /^([A-Za-z_]\w*)\+?=([^]*)$/.exec(texts[end.at] as string);
    if (!assignment) break;
    end.env = { ...end.env, [assignment[1] as string]: assignment[2] as string };
  }
}

/**
 * Skips options. Returns undefined if one of them means that no command follows, or if another interpretation has
 * already read this position. After an unknown option, also queues the interpretation in which the next word is the
 * option's value.
 */
function skipWrapperOptions(
  texts: readonly string[],
  start: CommandStart,
  { table, wrapper: { twoValueOptions: twice, noCommandOptions } }: { table: OptionTable; wrapper: Wrapper },
  { pendingStarts, seenPositions }: CommandStartQueue,
): CommandStart | undefined {
  const end = { ...start };
  for (; texts[end.at]?.startsWith("-");) {
    if (seenPositions.has(end.at)) return undefined;
    seenPositions.add(end.at);
    if (texts[end.at] === "--") {
      end.at++;
      break;
    }
    if (twice?.test(texts[end.at] ?? "")) {
      end.at += 3;
      continue;
    }
    const options = readOptionsAt(texts, end.at, table);
    if (options.some(({ name }) => noCommandOptions?.includes(name))) return undefined;
    for (const { name, value } of options)
      if (value !== undefined && table.get(name) === "folder") end.cwd = resolveFolder(end.cwd, value);
    if (options.some(({ isKnown }) => !isKnown) && pendingStarts.length < MAX_INTERPRETATIONS)
      pendingStarts.push({ ...end, at: end.at + 2, guessed: true });
    end.at += options.at(-1)?.words ?? 1;
  }
  return end;
}
