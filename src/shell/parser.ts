import type { ParsedScript } from "unbash";
import type * as Parser from "unbash";
import { createShellError } from "./command.ts";
import { parsePlainLine } from "./plain-line.ts";
import type { ShellReader } from "./scope.ts";

/**
 * Maximum length of a command line in characters. Linux doesn't accept a longer argument, so `bash -c` couldn't receive
 * it.
 */
export const MAX_LINE_LENGTH = 131_072;
/** Maximum total number of characters to read, including nested scripts and variable values. */
const MAX_CHARACTERS_READ = 2 * MAX_LINE_LENGTH;
/**
 * Maximum number of steps. Each command, word and word part counts as one step. In a loop over known words, each step
 * counts once per iteration.
 */
const MAX_STEPS = 6_000;
/** Number of steps that each nested script counts as. */
const STEPS_PER_SCRIPT = 20;
/** Maximum script nesting depth: `sh -c "sh -c …"`. */
const MAX_SCRIPT_DEPTH = 24;
/**
 * Maximum numbers of separators and of here-documents that start on the same line. These limits keep parsing time
 * bounded.
 */
const MAX_SEPARATORS = 10_000;
const MAX_DOCUMENTS_PER_LINE = 200;
const MAX_DOCUMENTS = 4_000;
/**
 * Maximum number of occurrences of `$$` in a script that contains a brace. At each `$$`, unbash 6.0.4 searches for the
 * closing brace again.
 */
const MAX_PID_EXPANSIONS = 50;

/** Counts steps. Throws if the limit is exceeded. */
export function countSteps(reader: ShellReader, steps = 1): void {
  if (reader.isRepeating) reader.repeatedSteps += steps;
  else reader.steps += steps;
  if (reader.steps > MAX_STEPS || reader.repeatedSteps > MAX_STEPS)
    throw createShellError(
      `the command line has too many commands and words to parse (more than ${MAX_STEPS} steps); split it into several commands`,
    );
}

/** Whether parts of the command line may be read again without exceeding the limit on repeated steps. */
export const canRereadLine = ({ repeatedSteps }: ShellReader): boolean => repeatedSteps < MAX_STEPS / 2;

/** Number of characters that count as one step when text is reread. */
const CHARACTERS_PER_STEP = 64;

/** Counts the characters read. Throws if the limit is exceeded. */
export function countCharacters(reader: ShellReader, characters: number): void {
  if (reader.isRepeating) return countSteps(reader, characters / CHARACTERS_PER_STEP);
  reader.charactersRead += characters;
  if (reader.charactersRead > MAX_CHARACTERS_READ)
    throw createShellError(
      `the command line is nested too deeply to parse (more than ${MAX_CHARACTERS_READ} characters including nested scripts); split it into several commands`,
    );
}

const SEPARATORS = [";", "&", "|", "\n"];

/** Returns approximately the text without its first here-documents, which may be large but are cheap to parse. */
function removeDocuments(text: string): string {
  let remainingText = "";
  let textStart = 0;
  let count = 0;
  for (const { 0: operator, 2: word, index } of text.matchAll(/<<-?[ \t]*(["']?)(\w+)\1/g)) {
    if (index < textStart) continue;
    if (++count > MAX_DOCUMENTS_PER_LINE) break;
    const end = text.indexOf(`\n${word}`, index + operator.length);
    if (end < 0) continue;
    remainingText += text.slice(textStart, index);
    textStart = end;
  }
  return remainingText + text.slice(textStart);
}

/** Whether the text contains more separators than the limit allows. */
function exceedsLimit(text: string, separators: readonly string[], limit: number): boolean {
  let count = 0;
  for (const separator of separators)
    for (let at = text.indexOf(separator); at >= 0; at = text.indexOf(separator, at + 1))
      if (++count > limit) return true;
  return false;
}

const createLimitError = (subject: string, limit: number) =>
  createShellError(
    `the command line has too many ${subject} to parse (more than ${limit}); split it into several commands`,
  );

/** Rejects scripts that can't be parsed within a call's time limit. */
function checkLimits(text: string, depth: number): void {
  if (depth > MAX_SCRIPT_DEPTH)
    throw createShellError(
      `the command line is nested too deeply to parse (more than ${MAX_SCRIPT_DEPTH} nested scripts); split it into several commands`,
    );
  if (text.length > MAX_LINE_LENGTH)
    throw createShellError(
      `the command line is too long to parse (${text.length} characters; at most ${MAX_LINE_LENGTH}); move it to a script file`,
    );
  if (exceedsLimit(text, ["<<"], MAX_DOCUMENTS)) throw createLimitError("here-documents", MAX_DOCUMENTS);
  for (const row of text.includes("<<") ? text.split("\n") : [])
    if (row.length > MAX_DOCUMENTS_PER_LINE && exceedsLimit(row, ["<<"], MAX_DOCUMENTS_PER_LINE))
      throw createLimitError("here-documents on one line", MAX_DOCUMENTS_PER_LINE);
  if (text.includes("{") && exceedsLimit(text, ["$$"], MAX_PID_EXPANSIONS))
    throw createLimitError('"$$" next to braces', MAX_PID_EXPANSIONS);
  const hasTooManySeparators = exceedsLimit(text, SEPARATORS, MAX_SEPARATORS);
  if (
    hasTooManySeparators &&
    (exceedsLimit(text, SEPARATORS, 4 * MAX_SEPARATORS) ||
      exceedsLimit(removeDocuments(text), SEPARATORS, MAX_SEPARATORS))
  )
    throw createLimitError("commands", MAX_SEPARATORS);
}

/** Loads the parser lazily because most calls don't need it. */
export const loadParser = (): typeof Parser => (loadedParser ??= require("unbash") as typeof Parser);
let loadedParser: typeof Parser | undefined;

/** Checks a script against all limits and counts its characters and steps. */
export function checkScript(text: string, reader: ShellReader): void {
  checkLimits(text, reader.scriptDepth);
  countCharacters(reader, text.length);
  countSteps(reader, STEPS_PER_SCRIPT);
}

export function parseScript(text: string, reader: ShellReader): ParsedScript {
  checkScript(text, reader);
  const plainScript = parsePlainLine(text);
  if (plainScript) return plainScript;
  const tree = loadParser().parse(text);
  recordParseErrors(tree, reader);
  return tree;
}

/** Returns the statements of a command substitution, counting its characters and steps. */
export function readSubstitution(
  text: string,
  script: ParsedScript | undefined,
  reader: ShellReader,
): ParsedScript["commands"] {
  countCharacters(reader, text.length);
  countSteps(reader, STEPS_PER_SCRIPT);
  if (script) recordParseErrors(script, reader);
  return script?.commands ?? [];
}

function recordParseErrors({ errors }: ParsedScript, reader: ShellReader): void {
  for (const { message } of errors ?? []) {
    if (message.startsWith("maximum"))
      throw createShellError(
        `the command line is nested too deeply to parse (${message}); split it into several commands`,
      );
    reader.problem ??= message;
  }
}
