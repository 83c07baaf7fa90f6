import { readFdArguments } from "./fd-arguments.ts";
import { filterText } from "./filters.ts";
import { listFolder, nameFoundFiles, printBaseName, printFolder, resolvePathName } from "./listings.ts";
import { createNameTable } from "./name-table.ts";
import type { ShellScope } from "./scope.ts";
import { getPrintedText, type Word } from "./word.ts";

const ESCAPES: Readonly<Record<string, string>> = {
  a: "\x07",
  b: "\b",
  e: "\x1b",
  f: "\f",
  n: "\n",
  r: "\r",
  t: "\t",
  v: "\v",
  "\\": "\\",
};

/** Decodes the escapes of `echo -e` and `printf`. */
const unescapePrinted = (text: string) =>
  text.replace(/\\(?:x([\da-fA-F]{1,2})|0?([0-7]{1,3})|([^]))/g, (all, hex, octal, letter) =>
    hex
      ? String.fromCharCode(Number.parseInt(hex, 16))
      : octal
        ? String.fromCharCode(Number.parseInt(octal, 8))
        : (ESCAPES[letter] ?? all),
  );

/** What stands for the output of the command in it. */
export const REPOSITORY_ROOT = "$(git rev-parse --show-toplevel)";

/** A command whose output is to be predicted. */
interface PrintingCommand {
  program: string;
  words: readonly Word[];
  /** The words as a command prints them. */
  texts: readonly string[];
  stdin: string | undefined;
  scope: ShellScope;
}
type OutputPredictor = (command: PrintingCommand) => string | undefined;

const filter: OutputPredictor = ({ program, texts, stdin }) =>
  stdin === undefined ? undefined : filterText(program, texts, stdin);
const printStdinIf =
  (isCopied: (text: string) => boolean): OutputPredictor =>
  ({ texts, stdin }) =>
    texts.every(isCopied) ? stdin : undefined;
/** It prints a path that ends in the name; the name is enough. */
const printLastWord: OutputPredictor = ({ texts }) => `${texts.at(-1)}\n`;
const printNamed: OutputPredictor = (command) =>
  /^-(?:v|[pP])$/.test(command.texts[0] ?? "") ? printLastWord(command) : undefined;

const PREDICTORS = createNameTable<OutputPredictor>({
  echo: ({ texts }) => formatEcho(texts),
  printf: ({ texts }) => formatPrintf(texts[0] === "--" ? texts.slice(1) : texts),
  cat: printStdinIf((text) => text === "-" || /^-[AbeEnstTuv]+$/.test(text)),
  tee: ({ stdin }) => stdin,
  "sort uniq tac": printStdinIf((text) => text.startsWith("-")),
  tr: (command) => (command.texts.every((text) => BLANK_LETTERS.test(text)) ? command.stdin : filter(command)),
  "rev cut sed gsed awk gawk mawk": filter,
  "head tail grep": (command) =>
    filter(command) ?? (command.stdin !== undefined && isOneName(command.stdin) ? command.stdin : undefined),
  basename: ({ texts }) => printBaseName(texts),
  pwd: ({ scope }) => printFolder(scope),
  ls: ({ texts }) => listFolder(texts),
  find: ({ words, scope }) => nameFoundFiles(words, scope),
  "fd fdfind": ({ words, scope }) => {
    const { search, runs } = readFdArguments(words);
    return runs.length > 0 ? undefined : nameFoundFiles(search, scope);
  },
  "realpath readlink dirname": ({ program, texts }) => resolvePathName(program, texts),
  git: ({ texts }) => predictGit(texts.join(" ")),
  base64: ({ texts, stdin }) =>
    stdin !== undefined && texts.some((text) => /^(?:-[dD]|--decode)$/.test(text)) ? decodeBase64(stdin) : undefined,
  xxd: ({ texts, stdin }) => (stdin !== undefined && isHexReversed(texts) ? decodeHex(stdin) : undefined),
  "true : cd export sleep": () => "",
  // Jobs that are already in the crontab are not commands of this line.
  crontab: ({ texts }) => (texts.includes("-l") ? "" : undefined),
  which: printLastWord,
  "command type": printNamed,
});

/**
 * Predicts what a command prints from its arguments and stdin. Parts that are only known at run time appear as written.
 * Undefined if unknown.
 */
export const predictOutput = (
  program: string,
  words: readonly Word[],
  stdin: string | undefined,
  scope: ShellScope,
): string | undefined => PREDICTORS.get(program)?.({ program, words, texts: words.map(getPrintedText), stdin, scope });

function predictGit(command: string): string | undefined {
  if (command === "rev-parse --show-toplevel") return `${REPOSITORY_ROOT}\n`;
  return /^rev-parse --(?:absolute-git-dir|git-dir|git-common-dir)$/.test(command)
    ? `${REPOSITORY_ROOT}/.git\n`
    : undefined;
}

/** Arguments with which `tr` changes nothing but what separates names: `tr '\\n' '\\0'`. */
const BLANK_LETTERS = /^(?:-[ds]+|(?:\\[nrt0]|\\000|\s)+|\[:space:\])$/;

/** Whether a text is one line without a pattern: a part of its lines is nothing or all of it. */
const isOneName = (text: string): boolean => /^[^\n*?[(]+\n?$/.test(text);

function formatEcho(texts: readonly string[]): string {
  let at = 0;
  while (/^-[neE]+$/.test(texts[at] ?? "")) at++;
  const options = texts.slice(0, at).join("");
  const text = `${texts.slice(at).join(" ")}${options.includes("n") ? "" : "\n"}`;
  return options.includes("e") ? unescapePrinted(text) : text;
}

/** Longer output is not read as a script. */
const LONGEST = 131_072;

/** Formats with `%s`, `%b` and `%%` only; the format is reused until no arguments are left. */
function formatPrintf([format = "", ...args]: readonly string[]): string | undefined {
  if (/%(?![sb%])/.test(format)) return undefined;
  let text = "";
  let at = 0;
  do {
    text += unescapePrinted(format).replace(/%([sb%])/g, (_, kind) =>
      kind === "%" ? "%" : kind === "b" ? unescapePrinted(args[at++] ?? "") : (args[at++] ?? ""),
    );
    if (text.length > LONGEST) return undefined;
  } while (at > 0 && at < args.length);
  return text;
}

function decodeBase64(text: string): string | undefined {
  try {
    return atob(text.replace(/\s+/g, ""));
  } catch {
    return undefined;
  }
}

/** `xxd -r -p`, in one word or in two. */
const isHexReversed = (options: readonly string[]) =>
  options.every((option) => /^-(?:r|p|ps|rp|pr|revert|plain)$/.test(option)) &&
  /-\w*r/.test(options.join(" ")) &&
  /-\w*p/.test(options.join(" "));

const decodeHex = (text: string): string => Buffer.from(text.replace(/\s+/g, ""), "hex").toString("latin1");
