import { readFdArguments } from "./fd-arguments.ts";
import { filterText } from "./filters.ts";
import { listFolder, nameFoundFiles, printBaseName, printFolder, resolvePathName } from "./listings.ts";
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

/**
 * Predicts what a command prints from its arguments and stdin. Parts that are only known at run time appear as written.
 * Undefined if unknown.
 */
export function predictOutput(
  program: string,
  args: readonly Word[],
  stdin: string | undefined,
  scope: ShellScope,
): string | undefined {
  const texts = args.map(getPrintedText);
  switch (program) {
    case "echo":
      return formatEcho(texts);
    case "printf":
      return formatPrintf(texts[0] === "--" ? texts.slice(1) : texts);
    case "cat":
      return texts.every((text) => text === "-" || /^-[AbeEnstTuv]+$/.test(text)) ? stdin : undefined;
    case "tee":
      return stdin;
    case "sort":
    case "uniq":
    case "tac":
      return texts.every((text) => text.startsWith("-")) ? stdin : undefined;
    case "tr":
      if (texts.every((text) => BLANK_LETTERS.test(text))) return stdin;
      return stdin === undefined ? undefined : filterText(program, texts, stdin);
    case "rev":
    case "cut":
    case "sed":
    case "gsed":
    case "awk":
    case "gawk":
    case "mawk":
      return stdin === undefined ? undefined : filterText(program, texts, stdin);
    case "head":
    case "tail":
    case "grep":
      if (stdin === undefined) return undefined;
      return filterText(program, texts, stdin) ?? (isOneName(stdin) ? stdin : undefined);
    case "basename":
      return printBaseName(texts);
    case "pwd":
      return printFolder(scope);
    case "ls":
      return listFolder(texts);
    case "find":
      return nameFoundFiles(args, scope);
    case "fd":
    case "fdfind": {
      const { search, runs } = readFdArguments(args);
      return runs.length > 0 ? undefined : nameFoundFiles(search, scope);
    }
    case "realpath":
    case "readlink":
    case "dirname":
      return resolvePathName(program, texts);
    case "git":
      return predictGit(texts.join(" "));
    case "base64":
      return stdin !== undefined && texts.some((text) => ["-d", "-D", "--decode"].includes(text))
        ? decodeBase64(stdin)
        : undefined;
    case "xxd":
      return stdin !== undefined && isHexReversed(texts) ? decodeHex(stdin) : undefined;
    case "true":
    case ":":
    case "cd":
    case "export":
    case "sleep":
      return "";
    case "crontab":
      // Jobs that are already in the crontab are not commands of this line.
      return texts.includes("-l") ? "" : undefined;
    case "which":
    case "command":
    case "type":
      // It prints a path that ends in the name; the name is enough.
      return program === "which" || /^-(?:v|[pP])$/.test(texts[0] ?? "") ? `${texts.at(-1)}\n` : undefined;
    default:
      return undefined;
  }
}

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
