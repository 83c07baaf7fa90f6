import { type Command, mayBeWord, type Rule, wildcardPattern } from "bridge-hooks";
import { hasOption, MIN_PATTERN_LENGTH, isOptionSet, removeExpansions, type SplitArguments } from "./given-options.ts";
import type { LineContext, OperandWord } from "./line-context.ts";
import { CONDITIONS, SETS } from "./sets.ts";

/**
 * A rule about the arguments of programs. `program` names them, several with `|`; `mkfs.*` is every program whose name
 * begins so. A command is caught when one of the patterns fits it.
 *
 * A pattern is written like the command's arguments. It consists of words separated by blanks, all of which have to
 * fit:
 * - `push`, `drop|clear`, `v*`: the next operand (an argument that is not an option) is this word, or one of these
 *   words; `*` stands for any characters. What may be the value of an option (`--profile x`) is left out before it.
 * - `**`: any number of operands may come before the next word.
 * - `-f|--force`: one of these options is given, wherever it stands. `-fu`, `--force=x` and `--forc` count as well.
 * - `!-n|--dry-run`: none of these options is given, as far as the program table tells; of several, the last one wins.
 * - `<disk>`, `of=<disk>`: one of the operands belongs to this set (`sets.ts`), behind the prefix if there is one. In
 *   the rule's reason, `<disk>` stands for that operand.
 * - `?changes`: this condition holds (`sets.ts`).
 *
 * The empty pattern fits every command of the program. A command that only asks for help is never caught.
 */
export interface CommandRule extends Rule {
  program: string;
  pattern: string | readonly string[];
}

/** A rule that is code, since no pattern says what it looks for. */
export interface BuiltInRule extends Rule {
  finds: string;
}

/** Whether a text is one of several that `|` separates; `*` stands for any text. */
export function isWordMatch(text: string, token: string): boolean {
  const hasWildcard = token.includes("*");
  if (!hasWildcard && !token.includes("|")) return text === token;
  if (!hasWildcard && !token.includes(text)) return false;
  for (const wanted of token.split("|"))
    if (hasWildcard && wanted.includes("*") ? compileWildcard(wanted)(text) : text === wanted) return true;
  return false;
}

/** Whether an operand is one of several words, or may be, since parts of it are unknown: `pu${x}sh`. */
const isOperandMatch = ({ text, dynamic }: OperandWord, token: string): boolean =>
  isWordMatch(text, token) ||
  (dynamic !== undefined &&
    PARTLY_KNOWN.test(removeExpansions(dynamic)) &&
    mayBeWord(
      dynamic,
      token.split("|").filter((word) => PLAIN_WORD.test(word)),
    ));
/** At least two letters are known, and nothing says that it is a path. */
const PARTLY_KNOWN = /^[^a-z/.:]*[a-z][^a-z/.:]*[a-z][^/.:]*$/;
const PLAIN_WORD = /^[a-z][a-z-]+$/;

function compileWildcard(wanted: string): (text: string) => boolean {
  let found = patterns.get(wanted);
  if (!found) patterns.set(wanted, (found = wildcardPattern(wanted)));
  return found;
}
const patterns = new Map<string, (text: string) => boolean>();

/** An operand behind a prefix such as `of=`, without it. */
function stripPrefix({ text, dynamic }: OperandWord, prefix: string): OperandWord | undefined {
  if (!text.startsWith(prefix)) return undefined;
  return { text: text.slice(prefix.length), ...(dynamic !== undefined && { dynamic: dynamic.slice(prefix.length) }) };
}

function stripPrefixes(operands: readonly OperandWord[], from: number, prefix: string): OperandWord[] {
  const found: OperandWord[] = [];
  for (let at = from; at < operands.length; at++) {
    const operand = stripPrefix(operands[at] as OperandWord, prefix);
    if (operand) found.push(operand);
  }
  return found;
}

/** A word of a pattern; `words` are its alternatives. */
type PatternToken =
  | { kind: "any" }
  | { kind: "condition"; name: string }
  | { kind: "set"; prefix: string; set: string }
  | { kind: "option" | "forbidden"; words: readonly string[] }
  | { kind: "operand"; text: string };

function readToken(token: string): PatternToken {
  const [, prefix = "", set] = (token.endsWith(">") && /^([^<]*)<(\w+)>$/.exec(token)) || [];
  if (token === "**") return { kind: "any" };
  if (token.startsWith("?")) return { kind: "condition", name: token.slice(1) };
  if (token.startsWith("!")) return { kind: "forbidden", words: token.slice(1).split("|") };
  if (set !== undefined) return { kind: "set", prefix, set };
  return token.startsWith("-") ? { kind: "option", words: token.split("|") } : { kind: "operand", text: token };
}

/** The words of patterns, read once: the built-in ones, and those of config files. */
const knownTokens = new Map<string, readonly PatternToken[]>();
const MAX_KNOWN_PATTERNS = 5_000;

function readTokens(pattern: string): readonly PatternToken[] {
  let found = knownTokens.get(pattern);
  if (found) return found;
  const tokens: PatternToken[] = [];
  for (const token of pattern.split(" ")) if (token !== "") tokens.push(readToken(token));
  found = tokens;
  if (knownTokens.size >= MAX_KNOWN_PATTERNS) knownTokens.clear();
  knownTokens.set(pattern, found);
  return found;
}

/**
 * The position after the next operand, or after the first one that fits; undefined where that does not fit. What may be
 * the value of an option is left out where it does not fit.
 */
function skipOperand(
  operands: readonly OperandWord[],
  from: number,
  token: string,
  isAnyBefore: boolean,
): number | undefined {
  let at = from;
  let operand = operands[at];
  while (operand && (isAnyBefore || operand.mayBeValue) && !isOperandMatch(operand, token)) operand = operands[++at];
  return operand && isOperandMatch(operand, token) ? at + 1 : undefined;
}

/** What a pattern's sets have found in a command, by their names; nothing where it does not fit. */
export function matchPattern(
  pattern: string,
  command: Command,
  { options, operands, sure }: SplitArguments,
  here: LineContext,
): Record<string, string> | undefined {
  const found: Record<string, string> = {};
  let at = 0;
  let skip = false;
  for (const token of readTokens(pattern))
    switch (token.kind) {
      case "any":
        skip = true;
        break;
      case "forbidden":
        if (isOptionSet(token.words, sure)) return undefined;
        break;
      case "condition":
        if (!Object.hasOwn(CONDITIONS, token.name) || !CONDITIONS[token.name]?.(command, here)) return undefined;
        break;
      case "set": {
        const { prefix, set } = token;
        const rest = stripPrefixes(operands, at, prefix);
        const hit = Object.hasOwn(SETS, set) ? SETS[set]?.find(rest, command, here) : undefined;
        if (hit === undefined) return undefined;
        found[set] = hit;
        break;
      }
      case "option":
        if (!hasOption(options, token.words)) return undefined;
        break;
      case "operand": {
        const next = skipOperand(operands, at, token.text, skip);
        if (next === undefined) return undefined;
        at = next;
        skip = false;
      }
    }
  return found;
}

/**
 * Parts of which one is in every line, in small letters and without quotes, that has what a word of a pattern asks for;
 * undefined if none is certain.
 */
export function listTokenParts(token: string): readonly string[] | undefined {
  if (/^([!?]|\*\*|$)/.test(token)) return undefined;
  const [, prefix = "", set] = /^([^<]*)<(\w+)>$/.exec(token) ?? [];
  if (set !== undefined) return SETS[set]?.words ?? (prefix === "" ? undefined : [prefix.toLowerCase()]);
  const parts = token.split("|").map((wanted) =>
    /^-\w$/.test(wanted)
      ? ""
      : (wanted
          .split("*", 1)[0]
          ?.slice(0, wanted.startsWith("--") ? MIN_PATTERN_LENGTH : undefined)
          .toLowerCase() as string),
  );
  return parts.includes("") ? undefined : parts;
}
