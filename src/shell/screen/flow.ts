import { CHANGING_PROGRAMS, DEFAULT_FILE_NAMES } from "../programs/code-programs.build.ts";
import { getProgramName } from "../programs/plain-names.ts";

/** Programs that print less of what they read, or sort or count it, and do nothing else with it. */
const PASSING_PROGRAMS =
  "|cat|tee|sort|uniq|wc|head|tail|grep|egrep|fgrep|rg|tac|nl|column|comm|diff|paste|fold|fmt|expand|jq|yq|od|hexdump|md5sum|sha1sum|sha256sum|cksum|true|";
/** Those of a pipeline that may write it to a file that an operand or a script names. */
const WRITING_PROGRAMS = "|tee|sponge|dd|sort|uniq|sed|gsed|awk|gawk|mawk|";

/** Programs that print names of files that they find; read from a file of the line, these may be any. */
const LISTING_PROGRAMS = "|ls|find|fd|fdfind|pwd|dirname|realpath|readlink|";

/** How a line's commands pass on texts that aren't its words. */
export interface TextFlow {
  /** Whether a program has changed a text, or joined several to one. */
  hasChanged: boolean;
  /** Whether a program lists names. */
  hasListed: boolean;
  /** Whether a text was changed in this pipeline. */
  isChanged: boolean;
  /** Whether the next command reads what the one before prints. */
  isPiped: boolean;
  /** Names of files that such a text may be in. */
  written: string[];
}

/** A command that has just ended, in its line. */
interface FollowedCommand {
  flow: TextFlow;
  words: readonly string[];
  /** The groups and keywords that are open. */
  open: string;
}

/** A line after its last command. */
interface FollowedLine {
  flow: TextFlow;
  /** The targets of its redirections. */
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

/** The program that a word may mean, as a key of a list of names. */
export const toProgramKey = (word: string): string => `|${getProgramName(word).toLowerCase()}|`;

/** Whether a program changes texts. */
export const isChanging = (program: string): boolean => CHANGING_PROGRAMS.includes(toProgramKey(program));

/** Programs that print whole lines, or all of their words, without such an option. */
const CHANGING_LETTERS: Readonly<Record<string, string>> = {
  "|head|": "c",
  "|tail|": "c",
  "|echo|": "n",
  "|print|": "n",
};

/** Whether one of the words is an option with this letter, or the long one for bytes. */
const hasOption = (words: readonly string[], letter: string) =>
  words.some(
    (word) => word.startsWith("-") && (word.startsWith("--") ? word.startsWith("--b") : word.includes(letter)),
  );

/**
 * Follows a command's output.
 * @param separator the operator behind the command.
 * @returns false if another program than a filter reads a text that was changed.
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
  // What a group prints goes where the group's output goes.
  else if (open === "") flow.isPiped = flow.isChanged = false;
  return true;
}

/** More names of files are not compared. */
const MAX_WRITTEN = 32;

/** Whether a file that such a text, or such names, may be in is named again, or run without its name. */
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

/** The last name of a path, which may be the value of an option: `of=x`, `-ox`. */
function getWrittenName(path: string): string {
  const name = getLastName(path);
  const value = name.slice(name.indexOf("=") + 1);
  return value.startsWith("-") ? value.slice(2) : value;
}
