import { isNameFilter } from "./name-filters.ts";
import { splitPipelines, splitPipelineStage } from "./pipelines.ts";

/** Variables that don't hold secrets, by name or prefix. */
const HARMLESS_NAME =
  /^(?:PATH|HOME|SHELL|TERM|USER|LOGNAME|LANG|LC_|TZ|PWD|OLDPWD|EDITOR|DISPLAY|XDG|NODE|NVM|BUN|DENO|npm_config|JAVA|PYTHON|VIRTUAL|CONDA|GO(?!O)|CARGO|RUST|CC|CXX|LD_|CI|PORT|DEBUG|LOG|(?:https?_|no_)?PROXY|IFS|HIST|PS[1-4]|BASH|COLUMNS|LINES|SHLVL|HOSTNAME|HOSTTYPE|MACHTYPE|OSTYPE|MANPATH|LS_COLORS|LESS|PAGER|VISUAL|TMP|TEMP|UID|EUID|PPID|RANDOM|SECONDS)\w*$/i;

/** Words found in the names of secrets, and services whose tokens are often kept in environment variables. */
const RISKY_WORDS = (
  "TOKEN SECRET PASSWORD PASSWD PASSPHRASE CREDENTIAL KEY APIKEY API PRIVATE AUTH BEARER JWT SESSION COOKIE ACCESS DSN URL URI PAT " +
  "DATABASE DB REDIS MONGO POSTGRES MYSQL AMQP BROKER GITHUB GH GITLAB AWS AZURE GOOGLE GCP NPM OPENAI ANTHROPIC CLAUDE GEMINI " +
  "SLACK STRIPE TWILIO SENDGRID SENTRY CLOUDFLARE HEROKU VERCEL NETLIFY DOCKER DISCORD TELEGRAM SUPABASE FIREBASE HUGGINGFACE ENV"
).split(" ");

/**
 * Whether part of a variable's name could come from a secret's name. A fragment of a risky word is enough, such as
 * `TOK`.
 */
const isRiskyPart = (part: string): boolean =>
  RISKY_WORDS.some((word) => part.includes(word) || word.includes(part.replace(/^_|_$/g, "")));

/** Filters that pass their input through, even if they reorder or shorten it. */
const PASSING_FILTERS = new Set(
  "sort sort-object uniq head tail tr cat less more column nl get-content gc type".split(" "),
);
/** Filters that print only a count or checksum. */
const COUNTING_FILTER =
  /^(?:(?:wc(?: -[clmwL]+| --(?:lines|words|bytes|chars))*|(?:md5|sha\d+)sum(?: -)?)(?: \d?>|$)|(?:measure(?:-object)?|find(?:str)? \/c)\b)/i;
/** Clipboard programs, which don't print their input. */
const CLIPBOARD_PROGRAM = /^(?:pbcopy|xclip)\b/;
/** A `grep -o` pattern that matches the beginning of a variable name. */
const NAME_PATTERN = /^\^(?:\\w|\[\^=\]|\[(?:[A-Z]-[A-Z]|[a-z]-[a-z]|0-9|_|\\w)+\]|\w|\*|\\?\+)+(?:\(\?==\)|=)?$/;
/** grep options that omit lines or don't affect which lines match. */
const GREP_OPTIONS = /^-(?=.)[iEFPwxnahsoqcNI]*e?$/;
const GREP_LONG_OPTIONS =
  /^--(?:ignore-case|extended-regexp|fixed-strings|perl-regexp|only-matching|quiet|count|colou?r(?:=\w+)?|no-filename|no-line-number)$/;
const SEARCH_PROGRAM = /^(?:[ef]?grep|rg|findstr)$/;

/** Whether all alternatives of a pattern match only lines with harmless names. */
export const isHarmlessPattern = (pattern: string, isSecret: (name: string) => boolean): boolean =>
  pattern
    .replace(/^\^?declare -x /, "")
    .replace(/[()]/g, "")
    .split(/\\?\|/)
    .every((part) => isHarmlessPart(part, isSecret));

/**
 * Whether an alternative matches only harmless names, as `^PATH=`, `node`, and `MY_APP` do. So does `^x`, because
 * lowercase names belong to shell variables.
 */
function isHarmlessPart(part: string, isSecret: (name: string) => boolean): boolean {
  const name = part.replace(/^\^/, "").replace(/=(?:\.\*)?$|\.\*$/, "");
  if (isSecret(name.toUpperCase()) || !/^\w+$/.test(name)) return false;
  if (HARMLESS_NAME.test(name)) return true;
  return (name.length > 2 || /^\^[a-z]/.test(part)) && !isRiskyPart(name.toUpperCase());
}

/** A PowerShell filter that selects by name: `? Name -like 'NODE*'`. Captures the pattern. */
const NAME_CONDITION =
  /^(?:where(?:-object)?|\?) (?:\{ ?\$_\.(?:name|key)|(?:-property )?(?:name|key)) -[ci]?(?:like|match|eq) (\S+?)(?: ?\})?$/i;

/** Returns the patterns and option letters of a search; undefined if it uses unknown options. */
function readSearch(program: string, args: readonly string[]): { patterns: string[]; letters: string } | undefined {
  const patterns: string[] = [];
  let letters = "";
  for (let at = 0; at < args.length; at++) {
    const arg = args[at] as string;
    if (program === "findstr") {
      if (/^\/c:/i.test(arg)) patterns.push(arg.slice(3));
      else if (!arg.startsWith("/")) patterns.push(...arg.split(" "));
      else if (!/^\/[ibelrnx]$/i.test(arg)) return undefined;
    } else if (/^-[^-]/.test(arg)) {
      if (!GREP_OPTIONS.test(arg)) return undefined;
      letters += arg.slice(1);
      if (arg.endsWith("e")) patterns.push(args[++at] ?? "");
    } else if (arg.startsWith("--")) {
      if (!GREP_LONG_OPTIONS.test(arg)) return undefined;
      letters += { "--only-matching": "o", "--quiet": "q", "--count": "c" }[arg] ?? "";
    } else if (!/^\d?>/.test(arg)) patterns.push(arg);
  }
  return { patterns, letters };
}

function isHarmlessSearch([program = "", ...args]: readonly string[], isSecret: (name: string) => boolean): boolean {
  const [, expected] = NAME_CONDITION.exec([program, ...args].join(" ")) ?? [];
  if (expected !== undefined) return isHarmlessPattern(expected.replace(/^\*|\*$/g, ""), isSecret);
  const search = SEARCH_PROGRAM.test(program) ? readSearch(program, args) : undefined;
  if (search === undefined) return false;
  const { patterns, letters } = search;
  if (/[qc]/.test(letters)) return true;
  const printsNames = letters.includes("o") && !letters.includes("i");
  const isHarmless = (pattern: string) =>
    isHarmlessPattern(pattern, isSecret) || (printsNames && NAME_PATTERN.test(pattern));
  return patterns.length > 0 && patterns.every(isHarmless);
}

/**
 * PowerShell expressions for the name in each line or item, or for the number of items, each with a shorter equivalent.
 */
const SHORT_FORMS_BY_LONG: readonly [RegExp, string][] = [
  [/\$_\.split\(\s{0,3}['"]=['"](?:\s{0,3},\s{0,3}\d)?\s{0,3}\)\[0\](?:\.trim\(\))?/gi, "$_.Name"],
  [/\(\s{0,3}\$_\s{1,3}-split\s{1,3}['"]=['"](?:\s{0,3},\s{0,3}\d)?\s{0,3}\)\[0\](?:\.trim\(\))?/gi, "$_.Name"],
  [/\(\s{0,3}((?:gci|get-childitem|dir|ls)\s{1,3}env:[\\/*]{0,2})\s{0,3}\)\.(?:name|keys?)\b/gi, "$1 | select Name"],
  [
    /\(\s{0,3}((?:gci|get-childitem|dir|ls|gc|get-content|cat|type)\s{1,3}[^\s()|;]{1,200})\s{0,3}\)\.(?:count|length)\b/gi,
    "$1 | wc",
  ],
];
export const replaceLongForms = (line: string): string =>
  SHORT_FORMS_BY_LONG.reduce((text, [pattern, short]) => text.replace(pattern, short), line);

/** Options that make grep print whole lines. */
const WHOLE_LINE_OPTIONS = /^-[iEFPwxnvNI]+$/;

const isRedirected = (words: readonly string[]) => words.some((word) => /^(?:[1&]?>|<)/.test(word));

/** Whether a search reads only its input and prints whole lines of it. */
const printsWholeLines = (args: readonly string[]): boolean => {
  const options = args.filter((arg) => arg.startsWith("-"));
  return options.length === args.length - 1 && options.every((option) => WHOLE_LINE_OPTIONS.test(option));
};

/** Whether a pipeline prints only harmless names. The first stage that does more than select lines decides. */
function printsOnlyNames(
  stages: readonly (readonly string[])[],
  isSecret: (name: string) => boolean,
  endFilters: readonly RegExp[],
): boolean {
  for (const words of stages) {
    const [program = "", ...args] = words;
    const isSearch = SEARCH_PROGRAM.test(program);
    const text = words.join(" ");
    if (isNameFilter(words) || isHarmlessSearch(words, isSecret) || endFilters.some((end) => end.test(text)))
      return true;
    if (!(isSearch ? printsWholeLines(args) : PASSING_FILTERS.has(program.toLowerCase())) || isRedirected(words))
      return false;
  }
  return false;
}

/** Whether every pipeline that reads a settings file prints nothing from it but variable names. */
export function printsOnlyFileNames(line: string, file: string): boolean {
  const name = new RegExp(`${RegExp.escape(file)}(?![\\w.-])`);
  let hasSettingsFile = false;
  for (const { stages } of splitPipelines(replaceLongForms(line))) {
    const stageWords = stages.map(splitPipelineStage);
    for (const [at, words] of stageWords.entries()) {
      if (!words.some((word) => name.test(word))) continue;
      const otherWords = words.filter((word, index) => word !== file && !(word === "<" && words[index + 1] === file));
      if (otherWords.length === words.length || otherWords.some((word) => name.test(word))) return false;
      if (!printsOnlyNames([otherWords, ...stageWords.slice(at + 1)], () => true, [COUNTING_FILTER])) return false;
      hasSettingsFile = true;
    }
  }
  return hasSettingsFile;
}

/**
 * Whether every command that prints the whole environment is piped into a filter that lets only harmless names through.
 * @param program the program that prints the environment
 * @param dumpArguments matches the arguments that make it print everything
 */
export function isEnvironmentFiltered(
  line: string,
  program: string,
  dumpArguments: RegExp,
  isSecret: (name: string) => boolean,
): boolean {
  let hasDump = false;
  for (const { stages } of splitPipelines(replaceLongForms(line)))
    for (const [at, stage] of stages.entries()) {
      const words = splitPipelineStage(stage);
      const start = words.findIndex((word) => word === program || word.endsWith(`/${program}`));
      const otherWords = words.slice(start + 1).filter((word) => !word.startsWith("2>") && word !== "/dev/null");
      if (start < 0 || (at > 0 && start > 0)) continue;
      if (!isRedirected(otherWords) && !otherWords.every((word) => dumpArguments.test(word))) continue;
      if (
        isRedirected(otherWords) ||
        !printsOnlyNames(stages.slice(at + 1).map(splitPipelineStage), isSecret, [COUNTING_FILTER, CLIPBOARD_PROGRAM])
      )
        return false;
      hasDump = true;
    }
  return hasDump;
}
