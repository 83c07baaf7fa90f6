import {
  type Command,
  isInterpreter,
  listScriptFiles,
  readGitArguments,
  resolveWord,
  takesPattern,
} from "bridge-hooks";
import { listInputStrings } from "./code.ts";
import { listChangedArguments } from "./changed-files.ts";
import { isHarmless, COUNT_OPTION } from "./file-programs.ts";
import { isPublicUrl } from "./files.ts";
import { type FileOperand, findLiterals, readOption, toOperand } from "./option-files.ts";

/** File transfer clients that can read their commands from a script. */
const TRANSFER_PROGRAMS = new Set("sftp ftp lftp tftp ncftp smbclient psftp".split(" "));

/** Whether a command outputs a new key. */
const generatesKey = ({ program, args }: Command): boolean =>
  program === "openssl"
    ? /^(?:gen|rand$|ecparam$|dhparam$)/.test(args[0] ?? "")
    : program === "wg"
      ? args[0]?.startsWith("gen") === true
      : program === "age-keygen";

/** How an option starts. Words that start differently are never parsed as options. */
const OPTION_PREFIX = /^[-/]/;

/** Lists the words of a command that may name files, and the targets of its redirections. */
export function findFileOperands(command: Command): FileOperand[] {
  const { program, args, dynamic, patched } = command;
  const printsNothing = isHarmless(command);
  const fileOperands: FileOperand[] = patched.flatMap(({ file_path, moved_to, operation }) =>
    [file_path, ...(moved_to ? [moved_to] : [])].map((text): FileOperand => ({
      text,
      change: operation === "add" ? "overwrite" : "change",
    })),
  );
  fileOperands.push(...findRedirectedFiles(command, printsNothing));
  fileOperands.push(...findListFiles(command));
  if (printsNothing) return fileOperands;
  fileOperands.push(...findSqlFiles(command), ...findSearchedNames(command));
  for (const { text } of listScriptFiles(command)) fileOperands.push({ text, isFile: true });
  if (TRANSFER_PROGRAMS.has(program)) fileOperands.push(...findTransfers(command));
  const git = program === "git" ? readGitArguments(args) : undefined;
  const row = git ? `git ${git.verb}` : program;
  const runsCode = isInterpreter(program);
  if (runsCode) for (const text of listInputStrings(command)) fileOperands.push(...findLiterals(text));
  const changedFiles = listChangedArguments(command);
  const search = { command, row, verb: git?.verb, runsCode, isPatternNext: takesPattern(row) };
  for (let at = git ? git.at + 1 : 0; at < args.length; at++) {
    const arg = args[at] as string;
    if (OPTION_PREFIX.test(arg) || (runsCode && arg === "eval")) {
      const option = readOption(search, at);
      fileOperands.push(...option.files);
      if (option.takesNext) at++;
    } else if (search.isPatternNext) search.isPatternNext = false;
    else {
      const change = changedFiles.get(at);
      fileOperands.push(...toOperands(arg, dynamic[at]).map((operand) => (change ? { ...operand, change } : operand)));
    }
  }
  return fileOperands;
}

/** Lists the files that `xargs` reads arguments from. */
const findListFiles = ({ via, words }: Command): FileOperand[] =>
  !via.includes("xargs")
    ? []
    : words.flatMap((word, at) => {
        const precedingWord = words[at - 1];
        if (precedingWord === "-a" || precedingWord === "--arg-file") return { text: word, isFile: true };
        return word.startsWith("--arg-file=") ? { text: word.slice("--arg-file=".length), isFile: true } : [];
      });

const SQL_CLIENT = /^(?:sqlite3?|duckdb|psql|pgcli|mysql|mariadb)$/;
/** SQL functions and client commands that read a file. */
const READING_SQL =
  /\b(?:readfile|read_text|read_blob|read_csv\w*|read_json\w*|pg_read_(?:binary_)?file|load_file)\s*\(|\\copy\b|\bcopy\b|\bload\s+data\b|\.(?:import|read)\b|\bfrom\s+'/i;

/** Lists the files that a database client reads because they are named in SQL or in a client command. */
const findSqlFiles = ({ program, args, stdin = "" }: Command): FileOperand[] =>
  SQL_CLIENT.test(program) ? [...args, stdin].filter((text) => READING_SQL.test(text)).flatMap(findLiterals) : [];

/** @param printsNothing if true, the command doesn't print any of its input */
const findRedirectedFiles = (command: Command, printsNothing: boolean): FileOperand[] =>
  command.redirects
    .filter(({ operator, target }) => !operator.startsWith(printsNothing ? "<" : "<<") && !/^(?:\d+|-)$/.test(target))
    .map(({ operator, target, dynamic }): FileOperand => ({
      ...toOperand(target, dynamic),
      isFile: true,
      ...(/^[>&]/.test(operator) && { change: operator.includes(">>") ? "append to" : "overwrite" }),
      ...(operator.startsWith(">") && generatesKey(command) && { isCreated: true }),
    }));

/** Lists the words in a transfer client's commands, whether these come from arguments or stdin: `put .env`. */
const findTransfers = ({ args, redirects }: Command): FileOperand[] =>
  [...args, ...redirects.map(({ operator, target, text }) => (operator === "<<<" ? target : (text ?? "")))]
    .filter((word) => /\s/.test(word))
    .flatMap((word) => word.split(/[\s;"']+/).map((text) => ({ text })));

/**
 * Converts a word to operands. If it ends in a variable that may be empty, the text before the variable is a second
 * operand: `.env$x`.
 */
const toOperands = (text: string, dynamicText: string | undefined): FileOperand[] => {
  const operand = toOperand(text, dynamicText);
  if (dynamicText === undefined || !/[$`]/.test(dynamicText)) return [operand];
  const value = resolveWord({ text, dynamic: dynamicText }, { home: "~", current: "." });
  return value.kind === "below" ? [operand, { text: value.text }] : [operand];
};

/** Search options that select the files to search: `--include=.env`, `-g .env`. */
const FILE_SELECTION_OPTION = /^(?:--include|--glob|--iglob|-g)$/;
const SEARCH_PROGRAMS = new Set(["grep", "egrep", "fgrep", "zgrep", "rg", "ugrep", "ack", "ag"]);

/** Lists the file names that a search is limited to. Exclusions (`!`) aren't included. */
function findSearchedNames({ program, args }: Command): FileOperand[] {
  if (!SEARCH_PROGRAMS.has(program) || args.some((arg) => arg === "--files" || COUNT_OPTION.test(arg))) return [];
  const isRegex = program === "ag" || program === "ack";
  const values = args.flatMap((arg, at) => {
    const [option = ""] = arg.split("=", 1);
    if (isRegex) return arg === "-G" || option === "--file-search-regex" ? (args[at + 1] ?? "") : [];
    if (FILE_SELECTION_OPTION.test(arg)) return args[at + 1] ?? "";
    if (FILE_SELECTION_OPTION.test(option)) return arg.slice(option.length + 1);
    return /^-g./.test(arg) ? arg.slice(2) : [];
  });
  return values
    .filter((value) => !value.startsWith("!"))
    .map((value) => (isRegex ? value.replace(/[\\^$]/g, "") : value))
    .map((text) => ({ text, isFile: true, ...(/[*?[]/.test(text) && { pattern: true }) }));
}

/** Removes URLs of public keys and certificates from a word. */
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
 * Splits a word into parts that may be paths: `@.env`, `file=@.env`, `host:.env`, `HEAD:.env`, `a,b`. The part before
 * "=" is dropped.
 */
export function splitPaths(word: string): string[] {
  if (!/[=:@,;]/.test(word)) return word === "" ? [] : [word];
  const parts = removePublicUrls(word).split(/([=:@,;])/);
  return [...new Set([word, ...parts.filter((_, at) => at % 2 === 0 && parts[at + 1] !== "=")])].filter(Boolean);
}
