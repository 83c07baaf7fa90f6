import { splitPipelines, splitStage } from "./pipelines.ts";

/** Names, or beginnings of them, that tell no secret. */
const HARMLESS_NAME =
  /^(?:PATH|HOME|SHELL|TERM|USER|LOGNAME|LANG|LC_|TZ|PWD|OLDPWD|EDITOR|DISPLAY|XDG|NODE|NVM|BUN|DENO|npm_config|JAVA|PYTHON|VIRTUAL|CONDA|GO(?!O)|CARGO|RUST|CC|CXX|LD_|CI|PORT|DEBUG|LOG|(?:https?_|no_)?PROXY|IFS|HIST|PS[1-4]|BASH|COLUMNS|LINES|SHLVL|HOSTNAME|HOSTTYPE|MACHTYPE|OSTYPE|MANPATH|LS_COLORS|LESS|PAGER|VISUAL|TMP|TEMP|UID|EUID|PPID|RANDOM|SECONDS)\w*$/i;

/** What lets through all that it reads, in another order or less of it. */
const PASSING_FILTERS = new Set("sort sort-object uniq head tail tr cat less more column nl".split(" "));
/** Filters that leave nothing but names. */
const NAMES_ONLY =
  /^(?:cut (?:-s )?-d ?= -f ?1(?: -s)?|sed (?:-[En] |-e )?s\/=\.\*(?:\/\/p?|\/=\/)g?|awk -F ?= (?:\/\^?\w*=?\/ ?)?\{ ?print \$1;? ?\}|(?:select(?:-object)?|foreach(?:-object)?|%|ft|format-table) (?:-(?:property|expandproperty|expand|membername) )?name)(?: \d?>[^|]*)?$/i;
/** What tells no more than a number, or keeps what it takes. */
const KEEPS_SECRETS = /^(?:wc|(?:md5|sha\d+)sum|pbcopy|xclip|measure(?:-object)?)\b/i;
/** A pattern that fits a part of a name from its beginning on, for `grep -o`. */
const NAME_PATTERN = /^\^(?:\\w|\[\^=\]|\[(?:[A-Z]-[A-Z]|[a-z]-[a-z]|0-9|_)+\]|\w|\*|\\?\+)+(?:\(\?==\)|=)?$/;
/** Options of grep that change nothing of what a row must have in it, and those without which it would show none. */
const GREP_OPTIONS = /^-[iEFPwxnahsoqce]+$/;
const GREP_LONG_OPTIONS =
  /^--(?:ignore-case|extended-regexp|fixed-strings|perl-regexp|only-matching|quiet|count|colou?r(?:=\w+)?)$/;

/** Whether a pattern finds none but rows of harmless names; alternatives included. */
const isHarmlessPattern = (pattern: string, isSecret: (name: string) => boolean): boolean =>
  pattern
    .replace(/^\^?declare -x /, "")
    .replace(/[()]/g, "")
    .split(/\\?\|/)
    .every((part) => {
      const name = part.replace(/^\^/, "").replace(/=$/, "");
      return HARMLESS_NAME.test(name) && !isSecret(name.toUpperCase());
    });

function isHarmlessSearch(args: readonly string[], isSecret: (name: string) => boolean): boolean {
  const patterns: string[] = [];
  let letters = "";
  for (let at = 0; at < args.length; at++) {
    const arg = args[at] as string;
    if (/^-[^-]/.test(arg)) {
      if (!GREP_OPTIONS.test(arg)) return false;
      letters += arg.slice(1);
      if (arg.endsWith("e")) patterns.push(args[++at] ?? "");
    } else if (arg.startsWith("--")) {
      if (!GREP_LONG_OPTIONS.test(arg)) return false;
      letters += { "--only-matching": "o", "--quiet": "q", "--count": "c" }[arg] ?? "";
    } else if (!/^\d?>/.test(arg)) patterns.push(arg);
  }
  if (/[qc]/.test(letters)) return true;
  return (
    patterns.length > 0 &&
    patterns.every(
      (pattern) =>
        isHarmlessPattern(pattern, isSecret) ||
        (letters.includes("o") && !letters.includes("i") && NAME_PATTERN.test(pattern)),
    )
  );
}

/** Options of grep with which it leaves whole rows. */
const ROW_OPTIONS = /^-[iEFPwxnv]+$/;

const isRedirected = (words: readonly string[]) => words.some((word) => /^(?:[1&]?>|<)/.test(word));

/** Whether a search leaves whole rows of what it reads, and looks into no file. */
const leavesRows = (args: readonly string[]): boolean => {
  const options = args.filter((arg) => arg.startsWith("-"));
  return options.length === args.length - 1 && options.every((option) => ROW_OPTIONS.test(option));
};

/** Whether the first of these stages that is more than a choice of rows leaves only harmless names. */
function areNamesLeft(
  stages: readonly (readonly string[])[],
  isSecret: (name: string) => boolean,
  ends: readonly RegExp[],
): boolean {
  for (const words of stages) {
    const [program = "", ...args] = words;
    const isSearch = /^[ef]?grep$/.test(program);
    const text = words.join(" ");
    if (ends.some((end) => end.test(text)) || (isSearch && isHarmlessSearch(args, isSecret))) return true;
    if (!(isSearch ? leavesRows(args) : PASSING_FILTERS.has(program.toLowerCase())) || isRedirected(words))
      return false;
  }
  return false;
}

/** Whether each use that a line makes of a file of settings leaves nothing but the names in it. */
export function areFileNamesLeft(line: string, file: string): boolean {
  const name = new RegExp(`${RegExp.escape(file)}(?![\\w.-])`);
  let isFound = false;
  for (const { stages } of splitPipelines(line)) {
    const split = stages.map(splitStage);
    for (const [at, words] of split.entries()) {
      if (!words.some((word) => name.test(word))) continue;
      const rest = words.filter((word, index) => word !== file && !(word === "<" && words[index + 1] === file));
      if (rest.length === words.length || rest.some((word) => name.test(word))) return false;
      if (!areNamesLeft([rest, ...split.slice(at + 1)], () => true, [NAMES_ONLY])) return false;
      isFound = true;
    }
  }
  return isFound;
}

/**
 * Whether what prints the whole environment is piped, each time in a line, into what leaves only harmless names.
 * @param program what prints it, with such arguments.
 */
export function isEnvironmentFiltered(
  line: string,
  program: string,
  takes: RegExp,
  isSecret: (name: string) => boolean,
): boolean {
  let isFound = false;
  for (const { stages } of splitPipelines(line))
    for (const [at, stage] of stages.entries()) {
      const words = splitStage(stage);
      const start = words.findIndex((word) => word === program || word.endsWith(`/${program}`));
      const rest = words.slice(start + 1).filter((word) => !word.startsWith("2>") && word !== "/dev/null");
      if (start < 0 || (at > 0 && start > 0)) continue;
      if (!isRedirected(rest) && !rest.every((word) => takes.test(word))) continue;
      if (
        isRedirected(rest) ||
        !areNamesLeft(stages.slice(at + 1).map(splitStage), isSecret, [NAMES_ONLY, KEEPS_SECRETS])
      )
        return false;
      isFound = true;
    }
  return isFound;
}
