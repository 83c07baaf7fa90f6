import { TRANSFORM_PROGRAMS, DEFAULT_FILE_NAMES } from "../programs/code-programs.build.ts";
import { getProgramName } from "../programs/plain-names.ts";

/** Programs that only filter, sort or count their input. */
const FILTER_PROGRAMS =
  "|cat|tee|sort|uniq|wc|head|tail|grep|egrep|fgrep|rg|tac|nl|column|comm|diff|paste|fold|fmt|expand|jq|yq|od|hexdump|md5sum|sha1sum|sha256sum|cksum|true|";
/** Programs that may write their piped input to a file. An operand or a script names the file. */
const FILE_WRITING_PROGRAMS = "|tee|sponge|dd|sort|uniq|sed|gsed|awk|gawk|mawk|";

/**
 * Programs that print the names of matching files. The command line may write such names to a file and read that file
 * again. The names can't be predicted.
 */
const LISTING_PROGRAMS = "|ls|find|fd|fdfind|pwd|dirname|realpath|readlink|";

/** How commands pass on strings that don't appear literally in the command line. */
export interface TextFlow {
  /** Whether a program has transformed a string or joined strings. */
  hasTransformed: boolean;
  /** Whether a program lists file names. */
  hasListing: boolean;
  /** Whether a program in the current pipeline has transformed a string. */
  isTransformed: boolean;
  /** Whether the next command reads this command's output. */
  isPiped: boolean;
  /** Files that may contain a transformed string. */
  writtenFiles: string[];
}

/** A command that has been read completely, with the state of its command line. */
interface TrackedCommand {
  flow: TextFlow;
  words: readonly string[];
  /** Open groups and keywords. */
  openGroups: string;
}

/** A command line that has been read completely. */
interface TrackedLine {
  flow: TextFlow;
  /** Targets of redirections. */
  targets: readonly string[];
  commands: readonly (readonly string[])[];
}

export const createTextFlow = (): TextFlow => ({
  hasTransformed: false,
  hasListing: false,
  isTransformed: false,
  isPiped: false,
  writtenFiles: [],
});

const getLastName = (path: string): string => path.slice(path.lastIndexOf("/") + 1);

/** Formats a program name as it appears in name lists such as `|cat|ls|`. */
export const toProgramKey = (word: string): string => `|${getProgramName(word).toLowerCase()}|`;

/** Whether a program transforms its input. */
export const isTransformProgram = (program: string): boolean => TRANSFORM_PROGRAMS.includes(toProgramKey(program));

/**
 * Letter of the option that makes a program transform its input, by program. Without this option, the program prints
 * whole lines or all of its words.
 */
const TRANSFORM_OPTIONS: Readonly<Record<string, string>> = {
  "|head|": "c",
  "|tail|": "c",
  "|echo|": "n",
  "|print|": "n",
};

/** Whether the words contain an option with this letter, or a long option whose name starts with "b" (for bytes). */
const hasOption = (words: readonly string[], optionLetter: string) =>
  words.some(
    (word) => word.startsWith("-") && (word.startsWith("--") ? word.startsWith("--b") : word.includes(optionLetter)),
  );

/**
 * Tracks the output of a command.
 * @param separator the operator after the command
 * @returns false if a program that is not a filter reads a transformed string
 */
export function trackOutput({ flow, words, openGroups }: TrackedCommand, separator: string): boolean {
  const isReading = flow.isPiped && flow.isTransformed;
  for (let at = 0; at < words.length; at++) {
    const key = toProgramKey(words[at] as string);
    const isFilter = TRANSFORM_PROGRAMS.includes(key);
    if (at === 0 && isReading && !isFilter && !FILTER_PROGRAMS.includes(key)) return false;
    if (flow.isPiped && FILE_WRITING_PROGRAMS.includes(key)) flow.writtenFiles.push(...words.slice(at + 1));
    if (LISTING_PROGRAMS.includes(key)) flow.hasListing = true;
    const optionLetter = TRANSFORM_OPTIONS[key];
    if (isFilter && !flow.isTransformed && (optionLetter === undefined || hasOption(words, optionLetter)))
      flow.hasTransformed = flow.isTransformed = true;
  }
  if (separator === "|") flow.isPiped = true;
  // The output of a command in a group is part of the group's output.
  else if (openGroups === "") flow.isPiped = flow.isTransformed = false;
  return true;
}

/** Maximum number of file names to compare. */
const MAX_WRITTEN_FILES = 32;

/**
 * Whether the command line reads a file that contains transformed strings or file names. The command line may name such
 * a file a second time, or a program may run the file by default.
 */
export function readsTrackedFile({ flow, targets, commands }: TrackedLine): boolean {
  const writtenFiles = [...targets, ...flow.writtenFiles];
  if ((!flow.hasTransformed && !flow.hasListing) || writtenFiles.length === 0) return false;
  if (writtenFiles.length > MAX_WRITTEN_FILES) return true;
  const words = commands.flat();
  return writtenFiles.some((path) => {
    const name = getWrittenName(path);
    if (flow.hasTransformed && DEFAULT_FILE_NAMES.includes(`|${name.toLowerCase()}|`)) return true;
    return name !== "" && words.filter((word) => word.endsWith(name)).length > 1;
  });
}

/** Returns the last segment of a path, which may be attached to an option: `of=x`, `-ox`. */
function getWrittenName(path: string): string {
  const name = getLastName(path);
  const value = name.slice(name.indexOf("=") + 1);
  return value.startsWith("-") ? value.slice(2) : value;
}
