import { createFoundFilesName } from "./listings.ts";
import type { ShellScope } from "../scope.ts";

/** Search options that don't change the output format: the program still prints entire matching lines. */
const SEARCH_OPTION =
  /^(?:-[iEFPGswxhayz]{1,6}|--(?:colou?r(?:=\w+)?|ignore-case|(?:extended|perl)-regexp|fixed-strings))$/;
const AWK_PATTERN = /^\/((?:[^/\\\n]|\\[^])+)\/\s{0,9}(?:\{\s{0,9}print(?:\s{0,9}\$0)?\s{0,9};?\s{0,9}\})?$/;
const SED_PATTERN = /^\/((?:[^/\\\n]|\\[^])+)\/(p|!d)$/;
/**
 * Capture groups, in order: an escaped character, `.*` or `.+`, any character, a character set, a literal character,
 * anything else.
 */
const PATTERN_TOKEN = /\\([^])|(\.[*+])|(\.)|(\[[^\]]{1,32}\](?![*+?{]))|([\w,@~/:-](?![*+?{]))|([^])/g;
const MAX_PATTERN_LENGTH = 100;

/** Part of a file name, written as a wildcard. The flags say whether it's at the start or end of the name. */
interface NamePart {
  wildcard: string;
  isStart: boolean;
  isEnd: boolean;
}

/** Lists the patterns that a program uses to select lines. Returns undefined if the program does anything else. */
function listPatterns(program: string, args: readonly string[]): readonly string[] | undefined {
  if (program.endsWith("awk")) return args.length === 1 ? AWK_PATTERN.exec(args[0]?.trim() ?? "")?.slice(1) : undefined;
  if (program.endsWith("sed")) {
    const [, pattern, flag] = SED_PATTERN.exec(args.at(-1) ?? "") ?? [];
    const isShown = flag === "p" ? args.length === 2 && args[0] === "-n" : args.length === 1;
    return pattern !== undefined && isShown ? [pattern] : undefined;
  }
  const patterns: string[] = [];
  for (const [at, arg] of args.entries()) {
    if (arg === "-e") continue;
    if (args[at - 1] === "-e" || !/^-./.test(arg)) patterns.push(arg);
    else if (!SEARCH_OPTION.test(arg)) return undefined;
  }
  return patterns.length === 1 || args.filter((arg) => arg === "-e").length === patterns.length ? patterns : undefined;
}

/**
 * Converts a search pattern to part of a file name. Returns undefined for patterns with repetitions or alternatives.
 */
function readExpression(source: string): NamePart | undefined {
  const isStart = source.startsWith("^");
  const isEnd = /(?<!\\)\$$/.test(source);
  let namePattern = "";
  for (const [, quotedCharacter, anyText, anyCharacter, characterSet, literal] of source
    .slice(isStart ? 1 : 0, isEnd ? -1 : undefined)
    .matchAll(PATTERN_TOKEN)) {
    if (quotedCharacter !== undefined && /[(){}|+?<>\w]/.test(quotedCharacter)) return undefined;
    const wildcard =
      quotedCharacter ?? (anyText && "*") ?? (anyCharacter && "?") ?? characterSet?.replace("[^", "[!") ?? literal;
    if (wildcard === undefined) return undefined;
    namePattern += wildcard;
  }
  return namePattern === "" ? undefined : { wildcard: namePattern, isStart, isEnd };
}

/** Lists the alternatives of a pattern. Expands a single group: `a(b|c)` becomes `ab` and `ac`. */
function listAlternatives(source: string): string[] {
  const [, prefix = "", alternatives, suffix = ""] = /^([^()]*)\(([^()]*)\)([^()]*)$/.exec(source) ?? [];
  return alternatives === undefined
    ? source.split(/\\?\|/)
    : alternatives.split("|").map((alternative) => prefix + alternative + suffix);
}

/** Builds wildcards for names that contain this part: either names with a leading dot or names without one. */
function listNames({ wildcard, isStart, isEnd }: NamePart, isHidden: boolean): string[] {
  const end = isEnd ? "" : "*";
  const firstCharacter = wildcard[0] === "?" ? "." : wildcard[0];
  if (!isHidden) return [`${isStart ? "" : "*"}${wildcard}${end}`];
  return [
    ...(isStart ? [] : [`.*${wildcard}${end}`]),
    ...(firstCharacter === "." ? [`.${wildcard.slice(1)}${end}`] : []),
  ];
}

/**
 * Applies a search to a list of names and returns wildcards. `grep env` turns `*` into `*env*`. It restricts `find`
 * output to files with matching paths.
 */
export function searchListing(
  program: string,
  args: readonly string[],
  listing: string,
  scope: ShellScope,
): string | undefined {
  const { foundFiles } = scope.reader;
  const patterns = listPatterns(program, args);
  if (!patterns || patterns.join().length > MAX_PATTERN_LENGTH) return undefined;
  const isLiteralSearch = program === "fgrep" || args.some((arg) => /^(?:-\w*F|--fixed)/.test(arg));
  const isWholeLine = args.some((arg) => /^-\w*x/.test(arg));
  const isCaseless = args.some((arg) => /^(?:-\w*[iy]|--ignore)/.test(arg));
  const parts = patterns
    .flatMap((pattern) => (isLiteralSearch ? [pattern.replace(/[.[\]*^$]/g, "\\$&")] : listAlternatives(pattern)))
    .map((pattern) => readExpression(isCaseless ? pattern.toLowerCase() : pattern));
  const names: string[] = [];
  for (const line of listing.trimEnd().split("\n"))
    for (const part of parts) {
      if (!part) return undefined;
      const namePart = isWholeLine ? { ...part, isStart: true, isEnd: true } : part;
      const files = foundFiles.get(line);
      if (line === "*" || line === ".[!.]*") names.push(...listNames(namePart, line !== "*"));
      // Not a `find` listing, or one already filtered by name.
      else if (!files || files.some(({ text }) => /^-i?(?:name|path|regex)$/.test(text))) return undefined;
      else {
        const path = `*${part.wildcard}${part.isEnd ? "" : "*"}`;
        const name = createFoundFilesName([...files, { text: "-path" }, { text: path }], scope);
        if (name !== undefined) names.push(name.trimEnd());
      }
    }
  return names.length === 0 ? undefined : `${names.join("\n")}\n`;
}
