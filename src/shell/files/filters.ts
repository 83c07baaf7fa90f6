import { createNameTable } from "../words/name-table.ts";

/** Maximum length of strings and expressions to evaluate. */
const MAX_STRING_LENGTH = 256;
const MAX_EXPRESSION_LENGTH = 64;

const CHARACTER_CLASSES: Readonly<Record<string, string>> = {
  "[:lower:]": "a-z",
  "[:upper:]": "A-Z",
  "[:digit:]": "0-9",
  "[:alpha:]": "A-Za-z",
  "[:alnum:]": "A-Za-z0-9",
  "[:space:]": " \\t\\n\\r",
  "[:blank:]": " \\t",
};
const ESCAPES: Readonly<Record<string, string>> = { n: "\n", t: "\t", r: "\r", "0": "\0" };

/** Expands a `tr` character set: `a-z`, `[:upper:]`, `\n`. */
function expandCharacterSet(text: string): string | undefined {
  if (text.length > MAX_EXPRESSION_LENGTH || /\[[=.]|\*\]/.test(text)) return undefined;
  const expandedText = text.replace(/\[:\w+:\]/g, (name) => CHARACTER_CLASSES[name] ?? name);
  return expandedText.replace(
    /(\\?[^])-([^])|\\([^])/g,
    (match, firstCharacter?: string, lastCharacter?: string, escapedCharacter?: string) => {
      if (escapedCharacter !== undefined) return ESCAPES[escapedCharacter] ?? escapedCharacter;
      const [firstCode, lastCode] = [
        firstCharacter?.charCodeAt(firstCharacter.length - 1) ?? 0,
        lastCharacter?.charCodeAt(0) ?? 0,
      ];
      if (lastCode < firstCode || lastCode > 126) return match;
      return String.fromCharCode(...Array.from({ length: lastCode - firstCode + 1 }, (_, at) => firstCode + at));
    },
  );
}

/** Applies `tr` to a string. */
function translateLetters(
  options: readonly string[],
  [sourceSet, targetSet]: readonly string[],
  text: string,
): string | undefined {
  const [sourceCharacters, targetCharacters] = [
    expandCharacterSet(sourceSet ?? ""),
    expandCharacterSet(targetSet ?? ""),
  ];
  if (
    sourceCharacters === undefined ||
    targetCharacters === undefined ||
    options.some((option) => !/^-[ds]$/.test(option))
  )
    return undefined;
  if (options.includes("-d")) return [...text].filter((character) => !sourceCharacters.includes(character)).join("");
  if (options.includes("-s")) return undefined;
  return [...text]
    .map((character) => {
      const at = sourceCharacters.lastIndexOf(character);
      return at < 0 ? character : (targetCharacters[Math.min(at, targetCharacters.length - 1)] ?? "");
    })
    .join("");
}

/** Parses a `cut` field list: `1,3-`. */
function parseFieldPositions(list: string): ((position: number) => boolean) | undefined {
  if (!/^(?:\d{1,4}-?|\d{0,4}-\d{1,4})(?:,(?:\d{1,4}-?|\d{0,4}-\d{1,4}))*$/.test(list)) return undefined;
  const ranges = list.split(",").map((range) => {
    const [start = "", end] = range.split("-");
    return [Number(start || 1), end === undefined ? Number(start) : Number(end || Infinity)] as const;
  });
  return (position) => ranges.some(([start, end]) => position >= start && position <= end);
}

const getValue = (args: readonly string[], optionLetters: string, name: string): string | undefined => {
  for (const [at, arg] of args.entries()) {
    if (arg.startsWith(`--${name}=`)) return arg.slice(name.length + 3);
    if (new RegExp(`^-[${optionLetters}]$`).test(arg)) return args[at + 1];
    if (new RegExp(`^-[${optionLetters}]`).test(arg)) return arg.slice(2);
  }
  return undefined;
};

/** Applies `cut` to a string. */
function cutLines(args: readonly string[], text: string): string | undefined {
  const characterList = getValue(args, "cb", "characters");
  const fields = getValue(args, "f", "fields");
  const isSelected = parseFieldPositions(characterList ?? fields ?? "");
  if (!isSelected || args.includes("--complement")) return undefined;
  const delimiter = characterList === undefined ? (getValue(args, "d", "delimiter") ?? "\t") : "";
  const cutLine = (line: string) =>
    delimiter !== "" && !line.includes(delimiter)
      ? line
      : line
          .split(delimiter)
          .filter((_, at) => isSelected(at + 1))
          .join(delimiter);
  return mapLines(text, cutLine);
}

const mapLines = (text: string, change: (line: string) => string): string =>
  text
    .replace(/\n$/, "")
    .split("\n")
    .map((line) => `${change(line)}\n`)
    .join("");

/**
 * Converts a `sed` expression to a JavaScript expression. Returns undefined for expressions with alternatives or more
 * than one repetition.
 */
function toExpression(source: string, isExtended: boolean): string | undefined {
  if (source === "" || source.length > MAX_EXPRESSION_LENGTH) return undefined;
  // A single repetition can't take long: the string is short, and each position is tried only once.
  const repetitions = source.replace(/\\[^]/g, "").match(isExtended ? /[*+?{}()|]/g : /\*/g) ?? [];
  if (repetitions.length > 1 || /\\[^\w\s./*[\]$^"'-]|\\[a-z0-9]/i.test(source)) return undefined;
  if (isExtended && /[(){}|]/.test(source)) return undefined;
  return isExtended ? source : source.replace(/(?<!\\)[+?(){}|]/g, "\\$&");
}

function compileExpression(source: string, flags: string): RegExp | undefined {
  try {
    return new RegExp(source, flags);
  } catch {
    return undefined;
  }
}

const TRANSLITERATION = /^y([^\w\s\\])([\w.]{1,64})\1([\w.]{1,64})\1$/;
const SUBSTITUTION = /^s([^\w\s\\])((?:(?!\1)[^\\\n]|\\[^])*)\1((?:(?!\1)[^\\\n]|\\[^])*)\1([gI]*)$/;

/** Applies the substitutions of a `sed` script to a string: `s/x/./;s/y/z/`. */
function applySubstitutions(args: readonly string[], text: string): string | undefined {
  const options = args.filter((arg) => /^-./.test(arg) && !/^-(?:e|-expression)$/.test(arg));
  const scripts = args.filter((arg) => !/^-./.test(arg));
  const isExtended = options.some((option) => /^-[Er]$/.test(option));
  if (options.some((option) => !/^-[Er]$/.test(option)) || scripts.length === 0) return undefined;
  if (scripts.every((script) => /^\s*$/.test(script))) return text;
  let lines: string | undefined = text;
  for (const script of scripts.flatMap((arg) => arg.split(/;(?=[sy]\W)/))) {
    const [, , sourceSet, targetSet] = TRANSLITERATION.exec(script.trim()) ?? [];
    if (sourceSet !== undefined) {
      lines = translateLetters([], [sourceSet, targetSet ?? ""], lines);
      if (lines === undefined) return undefined;
      continue;
    }
    const [, , pattern = "", replacement = "", flags = ""] = SUBSTITUTION.exec(script.trim()) ?? [];
    const source = toExpression(pattern, isExtended);
    if (source === undefined || /\\[^/.&\\-]/.test(replacement)) return undefined;
    const expression = compileExpression(source, flags.toLowerCase());
    if (!expression) return undefined;
    const expandReplacement = (match: string) =>
      replacement.replace(/\\([^])|&/g, (_, escapedCharacter?: string) => escapedCharacter ?? match);
    lines = mapLines(lines, (line) => line.replace(expression, expandReplacement));
  }
  return lines;
}

/** Applies `awk '{print $2, $3}'` or `awk 1` to a string. */
function printFields(args: readonly string[], text: string): string | undefined {
  const separator = getValue(args, "F", "field-separator");
  const code = (args.at(-1) ?? "").replace(/\s/g, "");
  const [, fieldList] = /^(?:\{print((?:\$(?:\d|NF),?){0,9});?\}|1)$/.exec(code) ?? [];
  const names = fieldList?.match(/\d|NF/g) ?? ["0"];
  if ((fieldList === undefined && code !== "1") || (separator !== undefined && !/^[^\\[\]*+?.^$|()]$/.test(separator)))
    return undefined;
  return mapLines(text, (line) => {
    const fields = separator === undefined ? line.trim().split(/\s+/) : line.split(separator);
    const getField = (name: string) =>
      name === "0" ? line : (fields[name === "NF" ? fields.length - 1 : Number(name) - 1] ?? "");
    return names.map(getField).join(fieldList?.includes(",") ? " " : "");
  });
}

/** Applies `head -n4`, `tail -2` or `head -c4` to a string. */
function applyHeadOrTail(args: readonly string[], text: string, program: string): string | undefined {
  const lines = getValue(args, "n", "lines") ?? /^-(\d+)$/.exec(args[0] ?? "")?.[1];
  if (lines !== undefined) {
    const lineList = text.match(/[^\n]*\n|[^\n]+$/g) ?? [];
    const lineCount = Number(lines);
    if (!/^\d{1,4}$/.test(lines)) return undefined;
    return (
      program === "head"
        ? lineList.slice(0, lineCount)
        : lineList.slice(lineList.length - Math.min(lineCount, lineList.length))
    ).join("");
  }
  const [, countSign, digits] = /^([+-]?)(\d{1,4})$/.exec(getValue(args, "c", "bytes") ?? "") ?? [];
  if (digits === undefined) return undefined;
  const count = Number(digits);
  if (program === "head") return countSign === "-" ? text.slice(0, -count || undefined) : text.slice(0, count);
  return countSign === "+" ? text.slice(count - 1) : text.slice(-count);
}

type Filter = (args: readonly string[], text: string, program: string) => string | undefined;

const FILTERS = createNameTable<Filter>({
  rev: (args, text) => (args.length > 0 ? undefined : mapLines(text, (line) => [...line].reverse().join(""))),
  tr: (args, text) => {
    const isOption = (arg: string) => /^-./.test(arg);
    return translateLetters(
      args.filter(isOption),
      args.filter((arg) => !isOption(arg)),
      text,
    );
  },
  cut: cutLines,
  paste: (args, text) => {
    const [, , delimiter = "\t"] = /^-(s)?d?(.)?$/.exec(args.join("").replace(/^-s-d/, "-sd")) ?? [];
    return args[0]?.startsWith("-s") ? text.replace(/\n(?!$)/g, delimiter) : undefined;
  },
  "sed gsed": applySubstitutions,
  "awk gawk mawk": printFields,
  "head tail": applyHeadOrTail,
});

/** Programs that transform their input. */
export const FILTER_NAMES: readonly string[] = [...FILTERS.keys()];

/** Applies a filter program to a known string. Returns undefined if the result is unknown. */
export const filterText = (program: string, args: readonly string[], text: string): string | undefined =>
  text.length > MAX_STRING_LENGTH || /[$`*?[]/.test(text) ? undefined : FILTERS.get(program)?.(args, text, program);
