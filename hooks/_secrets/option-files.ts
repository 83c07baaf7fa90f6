import { type Command, listJoinedStrings, optionKind } from "bridge-hooks";
import { handlesFiles, isReader } from "./file-programs.ts";
import { findStrings } from "./strings.ts";

/** Options whose value is text or a pattern for the names of listed files. */
const TEXT_OPTIONS = new Set(
  "-m --message --title --body --notes --description -e --regexp -name -iname -path -ipath -wholename -regex --include -g --glob --iglob --type --label".split(
    " ",
  ),
);

/** Options that name a file the program uses without printing it. These options mean the same in any program. */
const UNPRINTED_FILE_OPTIONS = new Set(
  "--env-file --env-file-if-exists --from-env-file --kubeconfig --private-key --key-file --keyfile --certfile --ssl-keyfile --ssl-certfile --netrc-file --identity-file --authfile --secret-file --userconfig --globalconfig -var-file --var-file -backend-config --backend-config".split(
    " ",
  ),
);

/** Lowercase endings of options that name a key, certificate, or key store. */
const KEY_OPTION =
  /(?:keys?|certs?|certificates?|chain|pem|p12|pfx|pkcs12|ca|bundle|(?:key|trust)[-_.]?store|[-_.]ks|identity|signer|recip|credentials?|creds|service-account)[-_.]?(?:file|path|pair|location|store)?$/;
/** Options that name the output file, whatever the program. */
const OUTPUT_OPTION = /^--(?:out|output)(?:[-_]?file|[-_]path)?$/;

/** Whether `openssl`, given these arguments, prints no more than the public half of a key. */
function isPublicOutput({ program, args }: Command): boolean {
  if (program !== "openssl") return false;
  const hasAnyOption = (...options: string[]) => options.some((option) => args.includes(option));
  if (/^(?:x509|crl|verify)$/.test(args[0] ?? "")) return true;
  if (args[0] === "pkcs12")
    return hasAnyOption("-nokeys", "-noout") || (hasAnyOption("-export") && hasAnyOption("-out"));
  return /^(?:rsa|dsa|ec|pkey)$/.test(args[0] ?? "") && hasAnyOption("-pubout", "-noout") && !hasAnyOption("-text");
}

/** Whether an option of curl or wget names the output file: `-o`, `-qO`. */
const isDownloadOption = (program: string, arg: string): boolean =>
  program === "curl"
    ? /^(?:--output|-[A-Za-z]*o)$/.test(arg)
    : program === "wget" && /^(?:--output-document|-[A-Za-z]*O)$/.test(arg);

/** Whether an option names a file that `kubectl create secret` puts into the secret. */
const isStoredFile = ({ program, args }: Command, option: string): boolean =>
  option === "--from-file" && KUBERNETES_PROGRAM.test(program) && args.includes("create") && args.includes("secret");
/** Whether kubectl puts a file into a secret without printing it. */
const isHiddenFile = (command: Command, option: string): boolean =>
  isStoredFile(command, option) && !command.args.some((arg) => PRINTING_OPTION.test(arg));

/** Whether kubectl reads a manifest without printing it. */
const isManifestUse = ({ program, args }: Command, option: string): boolean =>
  KUBERNETES_PROGRAM.test(program) &&
  /^(?:-f|--filename)$/.test(option) &&
  MANIFEST_VERB.test(args.find((arg) => !arg.startsWith("-")) ?? "") &&
  !args.some((arg) => PRINTING_OPTION.test(arg));

/** Maximum length of a string that is considered as a file name. */
const MAX_STRING_LENGTH = 300;

/** What happens to a file that is changed without being read, as a verb for messages. */
export type FileChangeVerb = "overwrite" | "append to" | "change" | "remove";

/** A word of a command that may name a file. */
export interface FileOperand {
  text: string;
  /** Whether the word contains wildcards. */
  pattern?: boolean;
  /** Whether the command creates the file, in which case any existing contents don't matter. */
  isCreated?: boolean;
  /** Whether the word follows an option for a key that the program uses without printing it. */
  isKeyUse?: boolean;
  /** Whether the word is certain to be a file because it is a redirection target or comes from code. */
  isFile?: boolean;
  /** What happens to the file; absent if the command reads it. */
  change?: FileChangeVerb;
}

/** kubectl options that print objects. */
const PRINTING_OPTION = /^(?:-o|--output|-v|--v=)/;
const KUBERNETES_PROGRAM = /^(?:kubectl|oc|k)$/;
/** kubectl subcommands that read objects without printing them. */
const MANIFEST_VERB = /^(?:apply|create|delete|replace|diff)$/;

/** The progress of a search for files among a command's words. */
export interface OperandSearch {
  command: Command;
  /** The command's key in the option table. */
  row: string;
  /** The subcommand, for git commands. */
  verb: string | undefined;
  runsCode: boolean;
  /** Whether the next operand is a pattern or code, not a file. */
  isPatternNext: boolean;
}

/** The files that an option names, and whether its value is the next word. */
interface OptionFiles {
  files: FileOperand[];
  takesNext?: boolean;
}

const isUnprintedFile = (row: string, option: string): boolean =>
  UNPRINTED_FILE_OPTIONS.has(option) || /^(?:uses|settings)$/.test(optionKind(row, option) ?? "");

/**
 * Whether an option takes a text value. Checked before patterns because a number such as 3 in `grep -nA 3 x file` isn't
 * the pattern.
 */
const isValueOption = (row: string, option: string): boolean =>
  !TEXT_OPTIONS.has(option) &&
  (optionKind(row, option) === "text" ||
    (/^-[A-Za-z]{2,}$/.test(option) && optionKind(row, `-${option.at(-1)}`) === "text"));

const isOutputOption = (command: Command, option: string): boolean => !isReader(command) && OUTPUT_OPTION.test(option);

function isKeyOption(command: Command, option: string): boolean {
  const { program } = command;
  if (isReader(command)) return false;
  return (
    KEY_OPTION.test(option.toLowerCase()) ||
    (option === "-i" && !handlesFiles(command)) ||
    (option === "--ssh" && /^(?:docker|podman)$/.test(program)) ||
    (option === "--set-file" && program === "helm") ||
    isStoredFile(command, option) ||
    (option === "-in" && isPublicOutput(command))
  );
}

/** Finds the files in an option or another word that looks like one: `--key=x`, `-ikey`, `-pe`. */
export function readOption(search: OperandSearch, at: number): OptionFiles {
  const { command, row, runsCode } = search;
  const arg = command.args[at] as string;
  const nextWord = command.args[at + 1] ?? "";
  const [option = ""] = arg.split("=", 1);
  const letters = /^-[^-]/.test(arg) ? [arg.slice(0, 2), `-${arg.at(-1)}`] : [];
  const isCode = (optionName: string) => /^(?:code|source)$/.test(optionKind(row, optionName) ?? "");
  if (isCode(option) || letters.some(isCode)) search.isPatternNext = false;
  if (runsCode && (arg === "eval" || [arg, ...letters.slice(1)].some((letter) => optionKind(row, letter) === "code")))
    return { files: findLiterals(nextWord), takesNext: true };
  if (search.isPatternNext && isValueOption(row, arg)) return { files: [], takesNext: true };
  if (optionKind(row, arg) === "makes" || isDownloadOption(command.program, arg) || isOutputOption(command, arg))
    return { files: [{ text: nextWord, isCreated: true, change: "overwrite" }], takesNext: true };
  if (arg !== option && isOutputOption(command, option))
    return { files: [{ text: arg.slice(option.length + 1), isCreated: true, change: "overwrite" }] };
  return hasUnprintedValue(search, arg, nextWord)
    ? { files: [], takesNext: true }
    : readOtherOption(search, at, option);
}

/** Whether an option's value is text or a file that the program uses without printing it. */
function hasUnprintedValue(search: OperandSearch, arg: string, nextWord: string): boolean {
  const { command, row, verb = "" } = search;
  if (isManifestUse(command, arg) && /\.ya?ml$/i.test(nextWord)) return true;
  const isSearch = /^(?:log|diff|show)$/.test(verb) && /^-[SG]$/.test(arg);
  if (!isSearch && !TEXT_OPTIONS.has(arg) && !isUnprintedFile(row, arg) && !isHiddenFile(command, arg)) return false;
  search.isPatternNext &&= arg !== "-e" && arg !== "--regexp";
  return true;
}

function readOtherOption(search: OperandSearch, at: number, option: string): OptionFiles {
  const { command, row } = search;
  const { args, dynamic } = command;
  const arg = args[at] as string;
  if (arg !== option && isHiddenFile(command, option)) return { files: [] };
  const toFile = (index: number) => toOperand(args[index] ?? "", dynamic[index]);
  if (!arg.startsWith("-")) {
    if (!search.isPatternNext) return { files: [toFile(at)] };
    search.isPatternNext = false;
    return { files: [] };
  }
  if (isKeyOption(command, option)) {
    if (arg !== option) return { files: [{ ...toFile(at), isKeyUse: true }] };
    return /^-|^$/.test(args[at + 1] ?? "")
      ? { files: [] }
      : { files: [{ ...toFile(at + 1), isKeyUse: true }], takesNext: true };
  }
  const isText = TEXT_OPTIONS.has(option) || isUnprintedFile(row, option) || isUnprintedFile(row, arg.slice(0, 2));
  return { files: isText ? [] : [toFile(at)] };
}

export const toOperand = (text: string, dynamicText: string | undefined): FileOperand => ({
  text,
  ...(dynamicText !== undefined && /(?<!\\)[*?[]/.test(dynamicText) && { pattern: true }),
});

/** Code that finds files by wildcard. `FILE_READING` matches code that reads, sends, or copies them. */
const FILE_SEARCH_CODE =
  /\b[ir]?glob\w{0,8}\b|\bDir\s{0,3}\[|\bfnmatch|\bEnumerateFiles\b|<[^<>\s$]{0,40}[*?][^<>\s]{0,40}>/i;
const FILE_READING = /open|read|contents|slurp|load|copy|send|post|upload|\bcp\b|<[A-Z$]\w{0,20}>/i;
/** An unquoted glob in Perl: `<.en*>`. */
const PERL_GLOB_PATTERN = /<([^<>\s$]{0,40}[*?][^<>\s]{0,40})>/g;

/**
 * Matches the code before a file name in a write call. `WRITE_CALL_END` matches what follows it, as in
 * `open(".env", "w")` and `Path(".env").write_text(`.
 */
const FILE_WRITE_CALL =
  /\b(?:writeFile|appendFile|outputFile|file_put_contents|File\.write|Bun\.write)(?:Sync)?\(\s{0,3}$/;
const OPENING_CALL = /\b(?:open|Path)\(\s{0,3}$/;
const WRITE_CALL_END = /^\s{0,3}(?:,\s{0,3}(?:mode\s{0,3}=\s{0,3})?["'][wax]b?["']|\)\.write_(?:text|bytes)\()/;

/** Lists the strings in code that may be file names: string literals, and concatenations of them. */
export function findLiterals(code: string): FileOperand[] {
  const stringPositions = [...findStrings(code)];
  const strings = stringPositions.map(([start, end]) => code.slice(start + 1, end - 1));
  const isWritten = ([start, end]: readonly [number, number]) => {
    const precedingCode = code.slice(Math.max(0, start - 40), start);
    return (
      FILE_WRITE_CALL.test(precedingCode) ||
      (OPENING_CALL.test(precedingCode) && WRITE_CALL_END.test(code.slice(end, end + 40)))
    );
  };
  const readStrings = new Set(strings.filter((_, at) => !isWritten(stringPositions[at] as readonly [number, number])));
  const searchesFiles = FILE_SEARCH_CODE.test(code) && FILE_READING.test(code);
  const unquotedGlobs = searchesFiles ? [...code.matchAll(PERL_GLOB_PATTERN)].map(([, text = ""]) => text) : [];
  return [...strings, ...listJoinedStrings(code), ...unquotedGlobs]
    .filter((text) => text !== "" && text.length <= MAX_STRING_LENGTH)
    .map((text): FileOperand => ({
      text,
      isFile: true,
      ...(searchesFiles && /[*?[]/.test(text) && { pattern: true }),
      ...(strings.includes(text) && !readStrings.has(text) && { change: "overwrite" }),
    }));
}
