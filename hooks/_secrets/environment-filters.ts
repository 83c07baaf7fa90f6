import { splitPipelines, splitStage } from "./pipelines.ts";

/** Names, or beginnings of them, that tell no secret. */
const HARMLESS_NAME =
  /^(?:PATH|HOME|SHELL|TERM|USER|LOGNAME|LANG|LC_|TZ|PWD|OLDPWD|EDITOR|DISPLAY|XDG|NODE|NVM|BUN|DENO|npm_config|JAVA|PYTHON|VIRTUAL|CONDA|GO(?!O)|CARGO|RUST|CC|CXX|LD_|CI|PORT|DEBUG|LOG|(?:https?_|no_)?PROXY|IFS|HIST|PS[1-4]|BASH|COLUMNS|LINES|SHLVL|HOSTNAME|HOSTTYPE|MACHTYPE|OSTYPE|MANPATH|LS_COLORS|LESS|PAGER|VISUAL|TMP|TEMP|UID|EUID|PPID|RANDOM|SECONDS)\w*$/i;

/** What lets through all that it reads, in another order or less of it. */
const PASSING_FILTERS = new Set("sort uniq head tail tr cat less more column nl".split(" "));
/** Filters that leave nothing but names, or a number. */
const NAMES_ONLY =
  /^(?:cut -d ?= -f ?1(?![-,\d])|sed (?:-E )?s\/=\.\*\/\/|awk -F ?= \{ ?print \$1 ?\}|wc\b|(?:md5|sha\d+)sum\b|pbcopy|xclip)/;
/** A pattern that fits a name as a whole, for `grep -o`. */
const NAME_PATTERN = /^\^(?:\\w|\[\^=\]|\[(?:[A-Z]-[A-Z]|[a-z]-[a-z]|0-9|_)+\])(?:\*|\\?\+)(?:\(\?==\)|=)?$/;
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

const isRedirected = (words: readonly string[]) => words.some((word) => /^(?:[1&]?>|<)/.test(word));

/** Whether the first of these stages that is more than an order of rows leaves only harmless names. */
function areNamesLeft(stages: readonly string[], isSecret: (name: string) => boolean): boolean {
  for (const stage of stages) {
    const words = splitStage(stage);
    const [program = "", ...args] = words;
    if (NAMES_ONLY.test(words.join(" "))) return true;
    if (/^[ef]?grep$/.test(program)) return isHarmlessSearch(args, isSecret);
    if (!PASSING_FILTERS.has(program) || isRedirected(words)) return false;
  }
  return false;
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
      if (isRedirected(rest) || !areNamesLeft(stages.slice(at + 1), isSecret)) return false;
      isFound = true;
    }
  return isFound;
}
