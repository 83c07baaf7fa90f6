import type { Command } from "../command.ts";
import { readGitArguments } from "./git-arguments.ts";
import { isInterpreter, takesPattern } from "./index.ts";

/** Options, in any program, whose value names files to exclude: `--exclude-dir`, `--ignore-pattern`, `-Exclude`. */
const EXCLUSION_OPTION =
  /^--?(?!no-)(?:[a-z]+[-_])*i?(?:exclude|ignore|skip)(?:[-_]?(?:pattern|glob|regex|file|folder|dir|path|name|list|from|vcs|list-file)(?:s|es|ectory|ectories|ory)?)?$/i;

/** Additional exclusion options by program. */
const EXCLUSION_OPTIONS: Readonly<Record<string, readonly string[]>> = {
  bandit: ["-x"],
  borg: ["-e"],
  chokidar: ["-i"],
  codespell: ["-S"],
  diff: ["-x"],
  fd: ["-E"],
  fdfind: ["-E"],
  "git clean": ["-e"],
  "git ls-files": ["-x"],
  gitingest: ["-e"],
  gsutil: ["-x"],
  isort: ["-s", "--sg"],
  jscpd: ["-i"],
  ls: ["-I", "--hide"],
  madge: ["-x"],
  nodemon: ["-i"],
  repomix: ["-i"],
  restic: ["-e"],
  tree: ["-I"],
  watchexec: ["-i"],
};

/** Options after which every word up to the next option names files to exclude. */
const EXCLUSION_LISTS: Readonly<Record<string, RegExp>> = {
  unzip: /^-x$/,
  zip: /^(?:-x|--exclude)$/,
};

/** Git pathspec that excludes files. */
const EXCLUSION_PATHSPEC = /^:(?:[!^]|\((?:[a-z:]+,)*exclude\b)/;
/** Word that excludes files: a negated glob, a filter rule, or a combined option of 7-Zip or `xcopy`. */
const EXCLUSION_WORD = /^(?:(?:-g|--i?glob=|--include=)?![\w.*/{-]|(?:--filter=|-f)?- \S|-xr?[0-2]?[!@]|\/exclude:)/i;
/** Options whose value is a glob or a filter rule. */
const GLOB_OPTION = /^(?:-g|-f|--i?glob|--include|--filter)$/;
const EXCLUSION_PREFIX = /^(?:[-:!/]|- )/;

/**
 * Whether a word excludes files without a preceding option. Patterns and code may look like such a word:
 * `awk '!seen[$0]++'`.
 */
function isExclusionWord(program: string, row: string, arg: string, previousWord: string): boolean {
  if (program === "git" && EXCLUSION_PATHSPEC.test(arg)) return !/^-[a-zA-Z]*m$/.test(previousWord);
  if (!EXCLUSION_WORD.test(arg)) return false;
  if (!/^(?:!|- )/.test(arg) || GLOB_OPTION.test(previousWord)) return true;
  return arg.startsWith("!") && !previousWord.startsWith("-") && !takesPattern(row) && !isInterpreter(program);
}

/** A command's arguments and the exclusion options of its program. */
interface ExclusionSearch {
  program: string;
  args: readonly string[];
  row: string;
  /** Exclusion options that only this program has. */
  options: readonly string[];
  list: RegExp | undefined;
}

function createExclusionSearch(program: string, args: readonly string[]): ExclusionSearch {
  const row = program === "git" ? `git ${readGitArguments(args).verb}` : program;
  const options = Object.hasOwn(EXCLUSION_OPTIONS, row) ? (EXCLUSION_OPTIONS[row] as readonly string[]) : [];
  return { program, args, row, options, list: Object.hasOwn(EXCLUSION_LISTS, row) ? EXCLUSION_LISTS[row] : undefined };
}

/**
 * Counts how many words the exclusion at `at` takes up. If other options are bundled in the same word, `otherOptions`
 * is the word without the exclusion's letter.
 */
function readExclusion(search: ExclusionSearch, at: number): { words: number; otherOptions?: string } {
  const { program, args, row, options, list } = search;
  const arg = args[at] as string;
  const [option = ""] = arg.split("=", 1);
  const isValue = (index: number) => !/^-|^$/.test(args[index] ?? "");
  if (isExclusionWord(program, row, arg, args[at - 1] ?? "")) return { words: 1 };
  if (GLOB_OPTION.test(arg) && isExclusionWord(program, row, args[at + 1] ?? "", arg)) return { words: 2 };
  if (list?.test(arg)) {
    const end = args.findIndex((_, index) => index > at && !isValue(index));
    return { words: (end < 0 ? args.length : end) - at };
  }
  const valueWords = isValue(at + 1) ? 1 : 0;
  if (options.includes(option) || EXCLUSION_OPTION.test(option))
    return { words: 1 + (arg === option ? valueWords : 0) };
  const isLetter = (optionLetter: string) => options.some((option) => option === `-${optionLetter}`);
  if (/^-[A-Za-z]+$/.test(arg) && isLetter(arg.slice(-1)) && valueWords > 0)
    return { words: 2, otherOptions: arg.slice(0, -1) };
  return { words: /^-[^-]/.test(arg) && isLetter(arg[1] as string) ? 1 : 0 };
}

/** Lists the arguments that don't exclude files, each with its index. */
function listNonExclusions(program: string, args: readonly string[]): { at: number; text: string }[] {
  const search = createExclusionSearch(program, args);
  const keptWords: { at: number; text: string }[] = [];
  for (let at = 0; at < args.length;) {
    const { words, otherOptions } = readExclusion(search, at);
    const text = words === 0 ? (args[at] as string) : otherOptions;
    if (text !== undefined) keptWords.push({ at, text });
    at += Math.max(1, words);
  }
  return keptWords;
}

/** Removes arguments that exclude files: `tar --exclude .env .`, `git add . ':!.env'`. */
export function withoutExclusions(command: Command): Command {
  if (!command.args.some((arg) => EXCLUSION_PREFIX.test(arg))) return command;
  const keptWords = listNonExclusions(command.program, command.args);
  if (keptWords.length === command.args.length) return command;
  const dynamic: Record<number, string> = {};
  for (const [index, at] of [-1, ...keptWords.map((word) => word.at)].entries()) {
    const dynamicWord = command.dynamic[at];
    if (dynamicWord !== undefined) dynamic[index - 1] = dynamicWord;
  }
  return { ...command, args: keptWords.map(({ text }) => text), dynamic };
}
