import { TRANSFORM_PROGRAMS, DEFAULT_FILE_NAMES } from "../programs/code-programs.build.ts";
import { getProgramName } from "../programs/plain-names.ts";

/** Programs that only filter, sort or count their input. */
const FILTER_PROGRAMS =
  "|cat|tee|sort|uniq|wc|head|tail|grep|egrep|fgrep|rg|tac|nl|column|comm|diff|paste|fold|fmt|expand|jq|yq|od|hexdump|md5sum|sha1sum|sha256sum|cksum|true|";
/** Programs that can write their piped input to a file named by an operand or script. */
const FILE_WRITING_PROGRAMS = "|tee|sponge|dd|sort|uniq|sed|gsed|awk|gawk|mawk|";

/**
 * Programs that print file names. These names can't be predicted, and the command line might write them to a file and
 * read that file later.
 */
const LISTING_PROGRAMS = "|ls|find|fd|fdfind|pwd|dirname|realpath|readlink|";

/** How strings that don't appear literally in the command line pass from command to command. */
export interface StringFlow {
  /** Whether a program has transformed or joined any strings. */
  hasTransformed: boolean;
  /** Whether a program lists file names. */
  hasListing: boolean;
  /** Whether a program in the current pipeline has transformed any strings. */
  isTransformed: boolean;
  /** Whether the next command reads this command's output. */
  isPiped: boolean;
  /** Files that might contain a transformed string. */
  writtenFiles: string[];
}

/** A complete command, with the state of the command line around it. */
interface TrackedCommand {
  flow: StringFlow;
  words: readonly string[];
  /** Open groups and keywords. */
  openGroups: string;
}

/** A complete command line. */
interface TrackedLine {
  flow: StringFlow;
  /** Targets of redirections. */
  targets: readonly string[];
  commands: readonly (readonly string[])[];
}

export const createStringFlow = (): StringFlow => ({
  hasTransformed: false,
  hasListing: false,
  isTransformed: false,
  isPiped: false,
  writtenFiles: [],
});

const getLastName = (path: string): string => path.slice(path.lastIndexOf("/") + 1);

/** Formats a program name as it appears in lists such as `|cat|ls|`. */
export const toProgramKey = (word: string): string => `|${getProgramName(word).toLowerCase()}|`;

/** Whether a program transforms its input. */
export const isTransformProgram = (program: string): boolean => TRANSFORM_PROGRAMS.includes(toProgramKey(program));

/**
 * The letter of the option that makes each program transform its text. Without it, the program prints whole lines or
 * all of its words.
 */
const TRANSFORM_OPTIONS: Readonly<Record<string, string>> = {
  "|head|": "c",
  "|tail|": "c",
  "|echo|": "n",
  "|print|": "n",
};

/** Whether the words include an option with this letter, or a long option that starts with "b" (for bytes). */
const hasOption = (words: readonly string[], optionLetter: string) =>
  words.some(
    (word) => word.startsWith("-") && (word.startsWith("--") ? word.startsWith("--b") : word.includes(optionLetter)),
  );

/**
 * Tracks what happens to a command's output.
 * @param separator the operator after the command
 * @returns false if a transformed string reaches a program that isn't a filter
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
  // Within a group, a command's output is part of the group's output.
  else if (openGroups === "") flow.isPiped = flow.isTransformed = false;
  return true;
}

/** Maximum number of written files to look for among the words. */
const MAX_WRITTEN_FILES = 32;

/**
 * Whether the command line might read a file to which it wrote transformed strings or file names. Either the file is
 * named a second time, or a program runs it by default.
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

/** Returns the last segment of a path, even if it is attached to an option: `of=x`, `-ox`. */
function getWrittenName(path: string): string {
  const name = getLastName(path);
  const value = name.slice(name.indexOf("=") + 1);
  return value.startsWith("-") ? value.slice(2) : value;
}
