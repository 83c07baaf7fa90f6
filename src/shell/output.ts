import { readFdArguments } from "./files/fd-arguments.ts";
import { filterText } from "./files/filters.ts";
import {
  listFolder,
  createFoundFilesName,
  predictBaseName,
  predictWorkingFolder,
  resolvePathName,
} from "./files/listings.ts";
import { searchListing } from "./files/listing-filters.ts";
import { createNameTable } from "./words/name-table.ts";
import type { ShellScope } from "./scope.ts";
import { getPrintedText, type Word } from "./words/word.ts";
import { getFileText } from "./files/written-files.ts";

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

/** Decodes the escape sequences of `echo -e` and `printf`. */
const unescapePrinted = (text: string) =>
  text.replace(/\\(?:x([\da-fA-F]{1,2})|0?([0-7]{1,3})|([^]))/g, (match, hexDigits, octalDigits, character) =>
    hexDigits
      ? String.fromCharCode(Number.parseInt(hexDigits, 16))
      : octalDigits
        ? String.fromCharCode(Number.parseInt(octalDigits, 8))
        : (ESCAPES[character] ?? match),
  );

/** Placeholder for the repository root: the command that prints it. */
export const REPOSITORY_ROOT = "$(git rev-parse --show-toplevel)";

/** A command whose output can be predicted. */
interface PrintingCommand {
  program: string;
  words: readonly Word[];
  /** Words as the command prints them. */
  texts: readonly string[];
  stdin: string | undefined;
  scope: ShellScope;
}
type OutputPredictor = (command: PrintingCommand) => string | undefined;

/** Replaces file operands with stdin if the command line reveals the contents of the files. */
function readKnownFiles(command: PrintingCommand): PrintingCommand {
  const { words, stdin, scope } = command;
  if (stdin !== undefined || scope.reader.fileTexts.size === 0) return command;
  const otherWords: Word[] = [];
  let text: string | undefined;
  for (const word of words) {
    const fileText = getFileText(word.text, scope.reader);
    if (fileText === undefined) otherWords.push(word);
    else text = (text ?? "") + fileText;
  }
  return { ...command, words: otherWords, texts: otherWords.map(getPrintedText), stdin: text };
}

const filter: OutputPredictor = (command) => {
  const { program, texts, stdin } = readKnownFiles(command);
  return stdin === undefined ? undefined : filterText(program, texts, stdin);
};
/** Predicts which names in a listing match a search. */
const predictMatchingNames: OutputPredictor = (command) => {
  const { program, texts, stdin, scope } = readKnownFiles(command);
  return stdin === undefined ? undefined : searchListing(program, texts, stdin, scope);
};
const predictSingleName: OutputPredictor = ({ stdin }) =>
  stdin !== undefined && isSingleName(stdin) ? stdin : undefined;
const createStdinPredictor =
  (isCopied: (text: string) => boolean): OutputPredictor =>
  (command) => {
    const { texts, stdin } = readKnownFiles(command);
    return texts.every(isCopied) ? stdin : undefined;
  };
/** These commands print a path that ends in the name. Predicting only the name is accurate enough. */
const predictLastWord: OutputPredictor = ({ texts }) => `${texts.at(-1)}\n`;
const predictOutputOfWords: OutputPredictor = (command) =>
  /^-(?:v|[pP])$/.test(command.texts[0] ?? "") ? predictLastWord(command) : undefined;

const PREDICTORS = createNameTable<OutputPredictor>({
  echo: ({ texts }) => formatEcho(texts),
  printf: ({ texts }) => formatPrintf(texts[0] === "--" ? texts.slice(1) : texts),
  cat: createStdinPredictor((text) => text === "-" || /^-[AbeEnstTuv]+$/.test(text)),
  tee: ({ stdin }) => stdin,
  "sort uniq tac": createStdinPredictor((text) => text.startsWith("-")),
  tr: (command) => (command.texts.every((text) => SEPARATOR_ARGUMENT.test(text)) ? command.stdin : filter(command)),
  "rev cut paste": filter,
  "sed gsed": (command) => predictMatchingNames(command) ?? filter(command),
  "awk gawk mawk": (command) => predictMatchingNames(command) ?? printConstant(command) ?? filter(command),
  "grep egrep fgrep rg ag ack ugrep": (command) => predictMatchingNames(command) ?? predictSingleName(command),
  "head tail": (command) => filter(command) ?? predictSingleName(command),
  basename: ({ texts }) => predictBaseName(texts),
  pwd: ({ scope }) => predictWorkingFolder(scope),
  ls: ({ texts, scope }) => listFolder(texts, scope),
  find: ({ words, scope }) => createFoundFilesName(words, scope),
  "fd fdfind": ({ words, scope }) => {
    const { search, runs } = readFdArguments(words);
    return runs.length > 0 ? undefined : createFoundFilesName(search, scope);
  },
  "realpath readlink dirname": ({ program, texts }) => resolvePathName(program, texts),
  git: ({ texts }) => predictGit(texts.join(" ")),
  base64: (command) => {
    const { texts, stdin } = readKnownFiles(command);
    if (stdin === undefined) return undefined;
    return texts.some((text) => /^(?:-[a-z]*[dD]|--d)/.test(text)) ? decodeBase64(stdin) : encodeBase64(stdin);
  },
  "openssl basenc": ({ texts, stdin }) =>
    stdin !== undefined && /base64|-a\b/.test(texts.join(" ")) && texts.includes("-d")
      ? decodeBase64(stdin)
      : undefined,
  "pv sponge dd nl iconv fold envsubst": ({ stdin }) => stdin,
  yes: ({ texts }) => `${texts.join(" ")}\n`,
  "python python3 node nodejs perl ruby php jq": printConstant,
  xxd: (command) => {
    const { texts, stdin } = readKnownFiles(command);
    return stdin !== undefined && decodesHex(texts) ? decodeHex(stdin) : undefined;
  },
  "true false : cd unset shift sleep read [ test return break continue": () => "",
  // Without operands, these commands print existing variables, so their output is unknown.
  "export local declare typeset set": ({ texts }) => (texts.length === 0 || texts[0] === "-p" ? undefined : ""),
  // Existing crontab jobs aren't part of the command line, so `crontab -l` is treated as printing nothing.
  crontab: ({ texts }) => (texts.includes("-l") ? "" : undefined),
  which: predictLastWord,
  "command type": predictOutputOfWords,
});

/**
 * Predicts a command's output from its arguments and stdin. Parts that are unknown until run time stay as written.
 * Returns undefined if the output is unknown.
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

/** Arguments of `tr` that only change the separators between names: `tr '\\n' '\\0'`. */
const SEPARATOR_ARGUMENT = /^(?:-[ds]+|(?:\\[nrt0]|\\000|\s)+|\[:space:\])$/;

/**
 * Whether the text is a single line without wildcards or a list of names from a search. A program that selects lines
 * from it prints all of it or nothing.
 */
const isSingleName = (text: string): boolean => /^[^\n*?[(]+\n?$/.test(text) || SEARCH_RESULT.test(text);
const SEARCH_RESULT = /^(?:\.?\*?[\w.-]{2,60}\*?\n){1,8}$/;

function formatEcho(texts: readonly string[]): string {
  let at = 0;
  while (/^-[neE]+$/.test(texts[at] ?? "")) at++;
  const options = texts.slice(0, at).join("");
  const text = `${texts.slice(at).join(" ")}${options.includes("n") ? "" : "\n"}`;
  return options.includes("e") ? unescapePrinted(text) : text;
}

/** Maximum length of output that is read as a script. */
const MAX_OUTPUT_LENGTH = 131_072;

/** `printf` conversions by format letter. */
const CONVERSIONS: Readonly<Record<string, (text: string) => string>> = {
  b: unescapePrinted,
  c: (text) => text.slice(0, 1),
  d: (text) => text || "0",
  i: (text) => text || "0",
};

/** Formats strings and plain numbers, repeating the format until all arguments are consumed. */
function formatPrintf([format = "", ...args]: readonly string[]): string | undefined {
  if (/%(?!(?:\.\d)?[sbcdiq%])/.test(format)) return undefined;
  let text = "";
  let at = 0;
  do {
    text += unescapePrinted(format).replace(
      /%(?:\.(\d))?([sbcdiq%])/g,
      (_, length: string | undefined, kind: string) => {
        if (kind === "%") return "%";
        const convertedText = (CONVERSIONS[kind] ?? String)(args[at++] ?? "");
        return length === undefined ? convertedText : convertedText.slice(0, Number(length));
      },
    );
    if (text.length > MAX_OUTPUT_LENGTH) return undefined;
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

/** Whether the options make `xxd` decode hex: `xxd -r -p` or the combined form. */
const decodesHex = (options: readonly string[]) =>
  options.every((option) => /^-(?:r|p|ps|rp|pr|revert|plain)$/.test(option)) &&
  /-\w*r/.test(options.join(" ")) &&
  /-\w*p/.test(options.join(" "));

const encodeBase64 = (text: string): string => `${Buffer.from(text).toString("base64")}\n`;

/** Code that only prints a string constant: `print("x")`, `BEGIN { print "x" }`, or `"x"` for `node -p` and `jq -n`. */
const CONSTANT_PRINTING_CODE =
  /^(?:BEGIN\s{0,9}\{)?\s{0,9}(?:(?:print|puts|echo|say|p|console\.log|process\.stdout\.write)\b)?[\s(]{0,9}(["'])((?:(?!\1)[^\\]|\\[^])*)\1[\s);}]{0,9}$/;

/** Returns the output of code that only prints a constant. */
function printConstant({ texts }: PrintingCommand): string | undefined {
  for (const code of texts) {
    const [, , text] =
      code.length > 1_000 || code.startsWith("-") ? [] : (CONSTANT_PRINTING_CODE.exec(code.trim()) ?? []);
    if (text !== undefined) return `${unescapePrinted(text)}\n`;
  }
  return undefined;
}

const decodeHex = (text: string): string => Buffer.from(text.replace(/\s+/g, ""), "hex").toString("latin1");
