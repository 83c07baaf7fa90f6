import { CHANGING_PROGRAMS, DEFAULT_FILE_NAMES } from "../programs/code-programs.build.ts";
import { getProgramName } from "../programs/plain-names.ts";

/** Programs that only filter, sort or count their input. */
const PASSING_PROGRAMS =
  "|cat|tee|sort|uniq|wc|head|tail|grep|egrep|fgrep|rg|tac|nl|column|comm|diff|paste|fold|fmt|expand|jq|yq|od|hexdump|md5sum|sha1sum|sha256sum|cksum|true|";
/** Programs in a pipeline that may write their input to a file named by an operand or script. */
const WRITING_PROGRAMS = "|tee|sponge|dd|sort|uniq|sed|gsed|awk|gawk|mawk|";

/**
 * Programs that print names of files they find. Read back from a file that the command line wrote, the names may be
 * anything.
 */
const LISTING_PROGRAMS = "|ls|find|fd|fdfind|pwd|dirname|realpath|readlink|";

/** How commands of a command line pass on strings that it doesn't contain literally. */
export interface TextFlow {
  /** Whether a program has transformed a string, or joined several. */
  hasChanged: boolean;
  /** Whether a program lists file names. */
  hasListed: boolean;
  /** Whether a string was transformed in the current pipeline. */
  isChanged: boolean;
  /** Whether the next command reads the output of the previous one. */
  isPiped: boolean;
  /** Files that may contain a transformed string. */
  written: string[];
}

/** A command that has just ended, with the state of its command line. */
interface FollowedCommand {
  flow: TextFlow;
  words: readonly string[];
  /** The open groups and keywords. */
  open: string;
}

/** A command line after its last command. */
interface FollowedLine {
  flow: TextFlow;
  /** The targets of redirections. */
  targets: readonly string[];
  commands: readonly (readonly string[])[];
}

export const createTextFlow = (): TextFlow => ({
  hasChanged: false,
  hasListed: false,
  isChanged: false,
  isPiped: false,
  written: [],
});

const getLastName = (path: string): string => path.slice(path.lastIndexOf("/") + 1);

/** Returns the form in which name lists such as `|cat|ls|` contain a program. */
export const toProgramKey = (word: string): string => `|${getProgramName(word).toLowerCase()}|`;

/** Whether a program transforms its input. */
export const isChanging = (program: string): boolean => CHANGING_PROGRAMS.includes(toProgramKey(program));

/** Programs that only transform with this option letter; without it, they print whole lines or all of their words. */
const CHANGING_LETTERS: Readonly<Record<string, string>> = {
  "|head|": "c",
  "|tail|": "c",
  "|echo|": "n",
  "|print|": "n",
};

/** Whether the words contain an option with this letter, or a long option for bytes. */
const hasOption = (words: readonly string[], letter: string) =>
  words.some(
    (word) => word.startsWith("-") && (word.startsWith("--") ? word.startsWith("--b") : word.includes(letter)),
  );

/**
 * Tracks the output of a command.
 * @param separator the operator after the command.
 * @returns false if a program other than a filter reads a transformed string.
 */
export function followText({ flow, words, open }: FollowedCommand, separator: string): boolean {
  const isReading = flow.isPiped && flow.isChanged;
  for (let at = 0; at < words.length; at++) {
    const key = toProgramKey(words[at] as string);
    const isFilter = CHANGING_PROGRAMS.includes(key);
    if (at === 0 && isReading && !isFilter && !PASSING_PROGRAMS.includes(key)) return false;
    if (flow.isPiped && WRITING_PROGRAMS.includes(key)) flow.written.push(...words.slice(at + 1));
    if (LISTING_PROGRAMS.includes(key)) flow.hasListed = true;
    const letter = CHANGING_LETTERS[key];
    if (isFilter && !flow.isChanged && (letter === undefined || hasOption(words, letter)))
      flow.hasChanged = flow.isChanged = true;
  }
  if (separator === "|") flow.isPiped = true;
  // The output of a command in a group is part of the group's output.
  else if (open === "") flow.isPiped = flow.isChanged = false;
  return true;
}

/** Maximum number of file names that are compared. */
const MAX_WRITTEN = 32;

/** Whether a file that may contain transformed strings or listed names is named again, or is run by default. */
export function readsWritten({ flow, targets, commands }: FollowedLine): boolean {
  const written = [...targets, ...flow.written];
  if ((!flow.hasChanged && !flow.hasListed) || written.length === 0) return false;
  if (written.length > MAX_WRITTEN) return true;
  const words = commands.flat();
  return written.some((path) => {
    const name = getWrittenName(path);
    if (flow.hasChanged && DEFAULT_FILE_NAMES.includes(`|${name.toLowerCase()}|`)) return true;
    return name !== "" && words.filter((word) => word.endsWith(name)).length > 1;
  });
}

/** Returns the last segment of a path, which may be part of an option: `of=x`, `-ox`. */
function getWrittenName(path: string): string {
  const name = getLastName(path);
  const value = name.slice(name.indexOf("=") + 1);
  return value.startsWith("-") ? value.slice(2) : value;
}
