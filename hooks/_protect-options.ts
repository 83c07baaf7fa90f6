import { join, resolve } from "bridge-hooks/paths";
import { type Command, type Guarded, homedir, knownOptions, optionKind } from "bridge-hooks";
import { changesByCode, resolveCommandFolder } from "./_protect-programs.ts";

/** Programs that only read their operands. They write only to files named by the options below. */
const READ_ONLY_PROGRAMS = new Set(
  `cat less more head tail jq yq rg grep egrep fgrep ag ack diff cmp comm wc stat ls eza exa file bat batcat tree du
  md5sum sha1sum sha256sum sha512sum cksum b2sum strings od hexdump nl tac cut tr fold column paste join expand test [ [[
  readlink realpath basename dirname echo printf which type git gh glab find fd fdfind dd pwd cd true false : read`.split(
    /\s+/,
  ),
);
/** Options of these programs that name an output file. */
const READER_OUTPUT_OPTION = /^(?:less (?:-o|-O|--log-file|--LOG-FILE)|tree (?:-o|--output)|(?:eza|bat) --output)$/;
/** Options whose value is a selector, an input file, or prose. */
const HARMLESS_OPTION =
  /^--?(?:\w+-)*(?:include|filter|glob|pattern|iname|path|match|prune|from|input|in|schema|config|configuration|settings|rcfile|data|header|form|upload-file|message|body|notes?|title|subject|prompt|description|comment|query|ro-bind|m|p|b|t|d|H|F|T)$/;
/** Wrapper programs whose options name input files, as in `xargs -a file`. */
const INPUT_FILE_WRAPPER = /^(?:find|fd|fdfind|xargs|parallel|dotenv|ssh)$/;
const OUTPUT_OPTION_NAME = /log|out|result|save|trace|report/i;
/** Builtins that set variables for the commands that follow: `export A=x`. */
const EXPORT_BUILTINS = new Set(["export", "declare", "typeset", "readonly", "local"]);

/** Resolves a word of a command to an absolute path. */
type ResolveWord = (word: string) => string;

export const createResolver = (command: Command, cwd: string): ResolveWord => {
  const folder = resolveCommandFolder(command, cwd);
  return (word) =>
    resolve(
      folder,
      word
        .replace(/^(?:~|\$HOME|\$\{HOME\})(?=\/|$)/, () => homedir())
        .replace(/^(?:\$PWD|\$\{PWD\})(?=\/|$)/, () => folder),
    );
};

/**
 * Returns a guarded file that a command could write to because it is named by an option's value, by text within one, or
 * by an environment variable.
 */
export function findFileNamedByOption(
  command: Command,
  allCommands: readonly Command[],
  guard: Guarded,
  cwd: string,
): string | undefined {
  const toPath = createResolver(command, cwd);
  const isGuarded = (word: string) => isPathWord(word) && guard.covers(toPath(word));
  const uses =
    listWrapperValues(command).find(isGuarded) ??
    listVariableValues(command, allCommands).find(isGuarded) ??
    listOptionStrings(command).find(isGuarded) ??
    findJoinedValue(command, (path) => guard.covers(toPath(path)));
  return uses === undefined ? undefined : toPath(uses);
}

const MAX_PATH_LENGTH = 4096;
const isPathWord = (word: string): boolean =>
  word.length <= MAX_PATH_LENGTH && /[/.]/.test(word) && !/[\s\0]|^@|:\/\//.test(word);

/** Returns the part of a word that may be an attached option value: `--output=x`, `-ox`. */
const readJoinedValue = (word: string): string | undefined =>
  /^--?[^=]+=/.test(word)
    ? word.slice(word.indexOf("=") + 1)
    : /^-[A-Za-z](?:[./~]|\$\{?HOME)/.test(word)
      ? word.slice(2)
      : undefined;

/** Lists the option values of wrapper programs: `strace -o x`, `/usr/bin/time -o x`. */
function listWrapperValues({ words, args, via }: Command): string[] {
  const wrappers = words.slice(0, Math.max(0, words.length - args.length - 1));
  const readsOnly = via.some((name) => INPUT_FILE_WRAPPER.test(name));
  return wrappers.flatMap((word, at) => {
    const attachedValue = readJoinedValue(word);
    const precedingWord = wrappers[at - 1] ?? "";
    const option = attachedValue === undefined ? precedingWord : (word.split("=", 1)[0] as string);
    if (!option.startsWith("-") || (readsOnly && !OUTPUT_OPTION_NAME.test(option))) return [];
    return HARMLESS_OPTION.test(option) && attachedValue === undefined ? [] : [attachedValue ?? word];
  });
}

/** Lists the values of variables that are set for a command or exported to the commands after it. */
function listVariableValues(command: Command, allCommands: readonly Command[]): string[] {
  const { program, args, env } = command;
  if (EXPORT_BUILTINS.has(program))
    return allCommands.some(mayWriteByVariable) ? args.map((word) => word.slice(word.indexOf("=") + 1)) : [];
  if (program === "")
    return exportsVariables(allCommands) && allCommands.some(mayWriteByVariable) ? Object.values(env) : [];
  return mayWriteByVariable(command) ? Object.values(env) : [];
}

/** Whether a command exports variables without giving them a value: `export A`, `set -a`. */
const exportsVariables = (allCommands: readonly Command[]): boolean =>
  allCommands.some(
    ({ program, args }) =>
      (EXPORT_BUILTINS.has(program) && args.some((word) => /^\w+$/.test(word))) ||
      (program === "set" && args.some((word) => /^-\w*a|^allexport$/.test(word))),
  );

/** Whether a program might write to a file named by a variable. Inline code counts only if it writes files. */
function mayWriteByVariable(command: Command): boolean {
  const { program } = command;
  if (program === "" || program === "set" || EXPORT_BUILTINS.has(program)) return false;
  if (program === "git") return true;
  return !READ_ONLY_PROGRAMS.has(program) && changesByCode(command) !== false;
}

/**
 * Lists option values. A value that contains spaces is replaced by the paths in it, except for `-c`, whose value is
 * checked as a script.
 */
function listOptionStrings(command: Command): string[] {
  return listOptions(command).flatMap(({ name, value }) =>
    /\s/.test(value) && name !== "-c"
      ? value.split(/[\s"'`,;()]+/).filter((word) => /^(?:[~/]|\$\{?HOME)/.test(word))
      : [value],
  );
}

interface PassedOption {
  name: string;
  value: string;
}

/** Lists the options whose values may be output files. */
function listOptions({ program, args }: Command): PassedOption[] {
  const isReader = READ_ONLY_PROGRAMS.has(program) || EXPORT_BUILTINS.has(program);
  const outputOptions: PassedOption[] = [];
  for (const [at, word] of args.entries()) {
    const attachedValue = readJoinedValue(word);
    const name = word.startsWith("-") ? (word.split("=", 1)[0] as string) : "";
    if (!word.startsWith("-")) {
      if (!isReader && /^\w+=/.test(word)) outputOptions.push({ name: "", value: word.slice(word.indexOf("=") + 1) });
    } else if (isReader ? !READER_OUTPUT_OPTION.test(`${program} ${name}`) : HARMLESS_OPTION.test(name)) continue;
    else if (attachedValue !== undefined) outputOptions.push({ name, value: attachedValue });
    else if (mayBeOutputNameNext(program, args, at)) outputOptions.push({ name, value: args[at + 1] ?? "" });
  }
  return outputOptions;
}

/**
 * Copying programs, archivers, and filters. The word after one of their options is usually a file operand, not the
 * option's value.
 */
const READING_OPERANDS =
  /^(?:cp|mv|ln|install|rsync|scp|sftp|ditto|\w*tar|pax|cpio|zip|7z\w*|gzip|bzip2|xz|zstd|sort|uniq|[gmn]?awk|g?sed|base64|openssl|ssh|aws|gsutil|rclone|export|declare|typeset|readonly|local|alias|set)$/;
/** Python modules that don't write to their file arguments. */
const READING_MODULE = /^json\.tool$/;

/** Whether the next word may be an option's value that names an output file. */
function mayBeOutputNameNext(program: string, args: readonly string[], at: number): boolean {
  const word = args[at] as string;
  const kind = optionKind(program, word);
  if (kind !== undefined) return kind === "text" || (kind === "code" && /^(?:gdb|lldb)$/.test(program));
  if (args.some((arg, index) => args[index - 1] === "-m" && READING_MODULE.test(arg))) return false;
  return !READING_OPERANDS.test(program) && knownOptions(program, args, at) === undefined;
}

/**
 * Returns a guarded file whose directory and name are given by two separate options: `--cpu-prof-dir=~/.claude
 * --cpu-prof-name=settings.json`.
 */
function findJoinedValue(command: Command, isGuarded: (path: string) => boolean): string | undefined {
  const options = listOptions(command);
  const folders = options.filter(({ name }) => /dir(?:ectory)?$|path$/.test(name));
  for (const folder of folders)
    for (const { value } of options) {
      const path = join(folder.value, value);
      if (value !== folder.value && /^[^/~$\s]{1,200}$/.test(value) && isGuarded(path)) return path;
    }
  return undefined;
}
