import {
  type Command,
  isInterpreter,
  listScriptFiles,
  readGitArguments,
  resolveWord,
  takesPattern,
} from "bridge-hooks";
import { listReadTexts } from "./code.ts";
import { listChangedArguments } from "./changed-files.ts";
import { isHarmless, TELLS_NO_LINE } from "./file-programs.ts";
import { isPublicUrl } from "./files.ts";
import { type FileOperand, findLiterals, readOption, toOperand } from "./option-files.ts";

/** Clients that take requests as a text. */
const TRANSFER_PROGRAMS = new Set("sftp ftp lftp tftp ncftp smbclient psftp".split(" "));

/** What writes a new key to its output. */
const isMakingKey = ({ program, args }: Command): boolean =>
  program === "openssl"
    ? /^(?:gen|rand$|ecparam$|dhparam$)/.test(args[0] ?? "")
    : program === "wg"
      ? args[0]?.startsWith("gen") === true
      : program === "age-keygen";

/** What options begin with: no other word is asked about below. */
const OPTION_START = /^[-/]/;

/** The words of a command that may be files, and the files it is redirected from and to. */
export function findFileOperands(command: Command): FileOperand[] {
  const { program, args, dynamic, patched } = command;
  const harmless = isHarmless(command);
  const found: FileOperand[] = patched.flatMap(({ file_path, moved_to, operation }) =>
    [file_path, ...(moved_to ? [moved_to] : [])].map((text): FileOperand => ({
      text,
      change: operation === "add" ? "overwrite" : "change",
    })),
  );
  found.push(...findRedirectedFiles(command, harmless));
  found.push(...findListFiles(command));
  if (harmless) return found;
  found.push(...findSqlFiles(command), ...findSearchedNames(command));
  for (const { text } of listScriptFiles(command)) found.push({ text, isFile: true });
  if (TRANSFER_PROGRAMS.has(program)) found.push(...findTransfers(command));
  const git = program === "git" ? readGitArguments(args) : undefined;
  const row = git ? `git ${git.verb}` : program;
  const runsCode = isInterpreter(program);
  if (runsCode) for (const text of listReadTexts(command)) found.push(...findLiterals(text));
  const changed = listChangedArguments(command);
  const search = { command, row, verb: git?.verb, runsCode, isPatternNext: takesPattern(row) };
  for (let at = git ? git.at + 1 : 0; at < args.length; at++) {
    const arg = args[at] as string;
    if (OPTION_START.test(arg) || (runsCode && arg === "eval")) {
      const option = readOption(search, at);
      found.push(...option.files);
      if (option.takesNext) at++;
    } else if (search.isPatternNext) search.isPatternNext = false;
    else {
      const change = changed.get(at);
      found.push(...toOperands(arg, dynamic[at]).map((operand) => (change ? { ...operand, change } : operand)));
    }
  }
  return found;
}

/** The files whose rows `xargs` gives to a command as its arguments. */
const findListFiles = ({ via, words }: Command): FileOperand[] =>
  !via.includes("xargs")
    ? []
    : words.flatMap((word, at) => {
        const before = words[at - 1];
        if (before === "-a" || before === "--arg-file") return { text: word, isFile: true };
        return word.startsWith("--arg-file=") ? { text: word.slice("--arg-file=".length), isFile: true } : [];
      });

const SQL_CLIENT = /^(?:sqlite3?|duckdb|psql|pgcli|mysql|mariadb)$/;
/** Where SQL, or a command of a client, reads a file. */
const READING_SQL =
  /\b(?:readfile|read_text|read_blob|read_csv\w*|read_json\w*|pg_read_(?:binary_)?file|load_file)\s*\(|\\copy\b|\bcopy\b|\bload\s+data\b|\.(?:import|read)\b|\bfrom\s+'/i;

/** The files that a client of a database is told to read. */
const findSqlFiles = ({ program, args, stdin = "" }: Command): FileOperand[] =>
  SQL_CLIENT.test(program) ? [...args, stdin].filter((text) => READING_SQL.test(text)).flatMap(findLiterals) : [];

/** @param harmless the command shows nothing that it reads. */
const findRedirectedFiles = (command: Command, harmless: boolean): FileOperand[] =>
  command.redirects
    .filter(({ operator, target }) => !operator.startsWith(harmless ? "<" : "<<") && !/^(?:\d+|-)$/.test(target))
    .map(({ operator, target, dynamic }): FileOperand => ({
      ...toOperand(target, dynamic),
      isFile: true,
      ...(/^[>&]/.test(operator) && { change: operator.includes(">>") ? "append to" : "overwrite" }),
      ...(operator.startsWith(">") && isMakingKey(command) && { isCreated: true }),
    }));

/** What the requests of a file transfer name, which stand in one word or on the input: `put .env`. */
const findTransfers = ({ args, redirects }: Command): FileOperand[] =>
  [...args, ...redirects.map(({ operator, target, text }) => (operator === "<<<" ? target : (text ?? "")))]
    .filter((word) => /\s/.test(word))
    .flatMap((word) => word.split(/[\s;"']+/).map((text) => ({ text })));

/** A word as what it may be: with what stands before a variable that may be empty, `.env$x`. */
const toOperands = (text: string, live: string | undefined): FileOperand[] => {
  const operand = toOperand(text, live);
  if (live === undefined || !/[$`]/.test(live)) return [operand];
  const value = resolveWord({ text, dynamic: live }, { home: "~", current: "." });
  return value.kind === "below" ? [operand, { text: value.text }] : [operand];
};

/** Options of a search that choose the files which it looks into: `--include=.env`, `-g .env`. */
const CHOOSING_OPTION = /^(?:--include|--glob|--iglob|-g)$/;
const SEARCHES = new Set(["grep", "egrep", "fgrep", "zgrep", "rg", "ugrep", "ack", "ag"]);

/** The names of files that a search is told to look into. What a pattern with `!` leaves out is not among them. */
function findSearchedNames({ program, args }: Command): FileOperand[] {
  if (!SEARCHES.has(program) || args.some((arg) => arg === "--files" || TELLS_NO_LINE.test(arg))) return [];
  const isRegex = program === "ag" || program === "ack";
  const values = args.flatMap((arg, at) => {
    const [option = ""] = arg.split("=", 1);
    if (isRegex) return arg === "-G" || option === "--file-search-regex" ? (args[at + 1] ?? "") : [];
    if (CHOOSING_OPTION.test(arg)) return args[at + 1] ?? "";
    if (CHOOSING_OPTION.test(option)) return arg.slice(option.length + 1);
    return /^-g./.test(arg) ? arg.slice(2) : [];
  });
  return values
    .filter((value) => !value.startsWith("!"))
    .map((value) => (isRegex ? value.replace(/[\\^$]/g, "") : value))
    .map((text) => ({ text, isFile: true, ...(/[*?[]/.test(text) && { pattern: true }) }));
}

/** A word without the URLs in it of keys and certificates that are for all to fetch. */
const removePublicUrls = (word: string): string =>
  word.includes("://")
    ? word
        .split(/([\s"',;]+)/)
        .map((part) => {
          const at = part.search(/(?:https?|ftp):\/\//i);
          return at >= 0 && isPublicUrl(part.slice(at)) ? part.slice(0, at) : part;
        })
        .join("")
    : word;

/**
 * The parts of a word that may be paths: `@.env`, `file=@.env`, `host:.env`, `HEAD:.env`, `a,b`; not what stands before
 * "=".
 */
export function splitPaths(word: string): string[] {
  if (!/[=:@,;]/.test(word)) return word === "" ? [] : [word];
  const parts = removePublicUrls(word).split(/([=:@,;])/);
  return [...new Set([word, ...parts.filter((_, at) => at % 2 === 0 && parts[at + 1] !== "=")])].filter(Boolean);
}
