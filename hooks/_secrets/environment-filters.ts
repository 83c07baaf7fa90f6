import { leavesNames } from "./name-filters.ts";
import { splitPipelines, splitStage } from "./pipelines.ts";

/** Names, or beginnings of them, that tell no secret. */
const HARMLESS_NAME =
  /^(?:PATH|HOME|SHELL|TERM|USER|LOGNAME|LANG|LC_|TZ|PWD|OLDPWD|EDITOR|DISPLAY|XDG|NODE|NVM|BUN|DENO|npm_config|JAVA|PYTHON|VIRTUAL|CONDA|GO(?!O)|CARGO|RUST|CC|CXX|LD_|CI|PORT|DEBUG|LOG|(?:https?_|no_)?PROXY|IFS|HIST|PS[1-4]|BASH|COLUMNS|LINES|SHLVL|HOSTNAME|HOSTTYPE|MACHTYPE|OSTYPE|MANPATH|LS_COLORS|LESS|PAGER|VISUAL|TMP|TEMP|UID|EUID|PPID|RANDOM|SECONDS)\w*$/i;

/** Words of names that hold secrets, and the services whose tokens an environment often holds. */
const RISKY_WORDS = (
  "TOKEN SECRET PASSWORD PASSWD PASSPHRASE CREDENTIAL KEY APIKEY API PRIVATE AUTH BEARER JWT SESSION COOKIE ACCESS DSN URL URI PAT " +
  "DATABASE DB REDIS MONGO POSTGRES MYSQL AMQP BROKER GITHUB GH GITLAB AWS AZURE GOOGLE GCP NPM OPENAI ANTHROPIC CLAUDE GEMINI " +
  "SLACK STRIPE TWILIO SENDGRID SENTRY CLOUDFLARE HEROKU VERCEL NETLIFY DOCKER DISCORD TELEGRAM SUPABASE FIREBASE HUGGINGFACE ENV"
).split(" ");

/** Whether a part of a name may be one of a secret: it holds a risky word, or is a part of one, `TOK`. */
const isRiskyPart = (part: string): boolean =>
  RISKY_WORDS.some((word) => part.includes(word) || word.includes(part.replace(/^_|_$/g, "")));

/** What lets through all that it reads, in another order or less of it. */
const PASSING_FILTERS = new Set(
  "sort sort-object uniq head tail tr cat less more column nl get-content gc type".split(" "),
);
/** What tells no more than a number, or a checksum. */
const COUNTING_FILTER =
  /^(?:(?:wc(?: -[clmwL]+| --(?:lines|words|bytes|chars))*|(?:md5|sha\d+)sum(?: -)?)(?: \d?>|$)|(?:measure(?:-object)?|find(?:str)? \/c)\b)/i;
/** The same, and what keeps what it takes. */
const KEEPING_FILTER = /^(?:pbcopy|xclip)\b/;
/** A pattern that fits a part of a name from its beginning on, for `grep -o`. */
const NAME_PATTERN = /^\^(?:\\w|\[\^=\]|\[(?:[A-Z]-[A-Z]|[a-z]-[a-z]|0-9|_|\\w)+\]|\w|\*|\\?\+)+(?:\(\?==\)|=)?$/;
/** Options of grep that change nothing of what a row must have in it, and those without which it would show none. */
const GREP_OPTIONS = /^-(?=.)[iEFPwxnahsoqcNI]*e?$/;
const GREP_LONG_OPTIONS =
  /^--(?:ignore-case|extended-regexp|fixed-strings|perl-regexp|only-matching|quiet|count|colou?r(?:=\w+)?|no-filename|no-line-number)$/;
const SEARCH_PROGRAM = /^(?:[ef]?grep|rg|findstr)$/;

/** Whether a pattern finds none but rows of harmless names; alternatives included. */
export const isHarmlessPattern = (pattern: string, isSecret: (name: string) => boolean): boolean =>
  pattern
    .replace(/^\^?declare -x /, "")
    .replace(/[()]/g, "")
    .split(/\\?\|/)
    .every((part) => isHarmlessPart(part, isSecret));

/** `^PATH=`, `node`, `MY_APP`; and `^x`, since what begins so in lower case is a variable of the shell. */
function isHarmlessPart(part: string, isSecret: (name: string) => boolean): boolean {
  const name = part.replace(/^\^/, "").replace(/=(?:\.\*)?$|\.\*$/, "");
  if (isSecret(name.toUpperCase()) || !/^\w+$/.test(name)) return false;
  if (HARMLESS_NAME.test(name)) return true;
  return (name.length > 2 || /^\^[a-z]/.test(part)) && !isRiskyPart(name.toUpperCase());
}

/** The pattern of a search by the name of a thing: `? Name -like 'NODE*'`. */
const NAME_CONDITION =
  /^(?:where(?:-object)?|\?) (?:\{ ?\$_\.(?:name|key)|(?:-property )?(?:name|key)) -[ci]?(?:like|match|eq) (\S+?)(?: ?\})?$/i;

/** The patterns of a search, and the letters of its options; undefined if it has others. */
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
  const [, wanted] = NAME_CONDITION.exec([program, ...args].join(" ")) ?? [];
  if (wanted !== undefined) return isHarmlessPattern(wanted.replace(/^\*|\*$/g, ""), isSecret);
  const search = SEARCH_PROGRAM.test(program) ? readSearch(program, args) : undefined;
  if (search === undefined) return false;
  const { patterns, letters } = search;
  if (/[qc]/.test(letters)) return true;
  const showsNames = letters.includes("o") && !letters.includes("i");
  const isHarmless = (pattern: string) =>
    isHarmlessPattern(pattern, isSecret) || (showsNames && NAME_PATTERN.test(pattern));
  return patterns.length > 0 && patterns.every(isHarmless);
}

/** What PowerShell takes of each row before its "=", or of each thing, in shorter forms. */
const SHORT_FORMS: readonly [RegExp, string][] = [
  [/\$_\.split\(\s{0,3}['"]=['"](?:\s{0,3},\s{0,3}\d)?\s{0,3}\)\[0\](?:\.trim\(\))?/gi, "$_.Name"],
  [/\(\s{0,3}\$_\s{1,3}-split\s{1,3}['"]=['"](?:\s{0,3},\s{0,3}\d)?\s{0,3}\)\[0\](?:\.trim\(\))?/gi, "$_.Name"],
  [/\(\s{0,3}((?:gci|get-childitem|dir|ls)\s{1,3}env:[\\/*]{0,2})\s{0,3}\)\.(?:name|keys?)\b/gi, "$1 | select Name"],
  [
    /\(\s{0,3}((?:gci|get-childitem|dir|ls|gc|get-content|cat|type)\s{1,3}[^\s()|;]{1,200})\s{0,3}\)\.(?:count|length)\b/gi,
    "$1 | wc",
  ],
];
export const writeShortForms = (line: string): string =>
  SHORT_FORMS.reduce((text, [pattern, short]) => text.replace(pattern, short), line);

/** Options of grep with which it leaves whole rows. */
const ROW_OPTIONS = /^-[iEFPwxnvNI]+$/;

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
    const isSearch = SEARCH_PROGRAM.test(program);
    const text = words.join(" ");
    if (leavesNames(words) || isHarmlessSearch(words, isSecret) || ends.some((end) => end.test(text))) return true;
    if (!(isSearch ? leavesRows(args) : PASSING_FILTERS.has(program.toLowerCase())) || isRedirected(words))
      return false;
  }
  return false;
}

/** Whether each use that a line makes of a file of settings leaves nothing but the names in it. */
export function areFileNamesLeft(line: string, file: string): boolean {
  const name = new RegExp(`${RegExp.escape(file)}(?![\\w.-])`);
  let isFound = false;
  for (const { stages } of splitPipelines(writeShortForms(line))) {
    const split = stages.map(splitStage);
    for (const [at, words] of split.entries()) {
      if (!words.some((word) => name.test(word))) continue;
      const rest = words.filter((word, index) => word !== file && !(word === "<" && words[index + 1] === file));
      if (rest.length === words.length || rest.some((word) => name.test(word))) return false;
      if (!areNamesLeft([rest, ...split.slice(at + 1)], () => true, [COUNTING_FILTER])) return false;
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
  for (const { stages } of splitPipelines(writeShortForms(line)))
    for (const [at, stage] of stages.entries()) {
      const words = splitStage(stage);
      const start = words.findIndex((word) => word === program || word.endsWith(`/${program}`));
      const rest = words.slice(start + 1).filter((word) => !word.startsWith("2>") && word !== "/dev/null");
      if (start < 0 || (at > 0 && start > 0)) continue;
      if (!isRedirected(rest) && !rest.every((word) => takes.test(word))) continue;
      if (
        isRedirected(rest) ||
        !areNamesLeft(stages.slice(at + 1).map(splitStage), isSecret, [COUNTING_FILTER, KEEPING_FILTER])
      )
        return false;
      isFound = true;
    }
  return isFound;
}
