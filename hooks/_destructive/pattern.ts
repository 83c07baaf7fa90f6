import { type Command, mayBeWord, type Rule, wildcardPattern } from "bridge-hooks";
import { hasOption, MIN_PATTERN_LENGTH, isOptionSet, removeExpansions, type SplitArguments } from "./given-options.ts";
import type { LineContext, OperandWord } from "./line-context.ts";
import { NAMED_CONDITIONS, OPERAND_SETS } from "./sets.ts";

/**
 * A rule about program arguments. `program` lists program names separated by `|`; `mkfs.*` matches every program whose
 * name begins with `mkfs.`. The rule matches a command if any of its patterns does.
 *
 * A pattern looks like the command's arguments. It consists of space-separated tokens, all of which must match:
 * - `push`, `drop|clear`, `v*`: the next operand (an argument that is not an option) is one of these words; `*` matches
 *   any characters. Words before it that could be an option's value (`--profile x`) are skipped.
 * - `**`: any number of operands can come before the next word.
 * - `-f|--force`: one of these options is given, in any position. `-fu`, `--force=x`, and `--forc` also match.
 * - `!-n|--dry-run`: none of these options is in effect, according to the program table; the last occurrence wins.
 * - `<disk>`, `of=<disk>`: one of the operands is in this set (`sets.ts`). If the token has a prefix, the operand must
 *   have it too, and only the rest is looked up. In the rule's reason, the operand replaces `<disk>`.
 * - `?changes`: this condition holds (`sets.ts`).
 *
 * The empty pattern matches every command of the program. A command that only asks for help never matches.
 */
export interface CommandRule extends Rule {
  program: string;
  pattern: string | readonly string[];
}

/** A rule implemented in code because a pattern can't express it. */
export interface BuiltInRule extends Rule {
  finds: string;
}

/** Whether a string matches one of the alternatives separated by `|`, in which `*` matches any characters. */
export function isWordMatch(text: string, token: string): boolean {
  const hasWildcard = token.includes("*");
  if (!hasWildcard && !token.includes("|")) return text === token;
  if (!hasWildcard && !token.includes(text)) return false;
  for (const alternative of token.split("|"))
    if (hasWildcard && alternative.includes("*") ? compileWildcard(alternative)(text) : text === alternative)
      return true;
  return false;
}

/** Whether an operand is one of several words or could expand to one, as in `pu${x}sh`. */
const isOperandMatch = ({ text, dynamic }: OperandWord, token: string): boolean =>
  isWordMatch(text, token) ||
  (dynamic !== undefined &&
    PARTLY_KNOWN_WORD.test(removeExpansions(dynamic)) &&
    mayBeWord(
      dynamic,
      token.split("|").filter((word) => PLAIN_WORD.test(word)),
    ));
/** Words that aren't paths and contain at least two known letters. */
const PARTLY_KNOWN_WORD = /^[^a-z/.:]*[a-z][^a-z/.:]*[a-z][^/.:]*$/;
const PLAIN_WORD = /^[a-z][a-z-]+$/;

function compileWildcard(wildcard: string): (text: string) => boolean {
  let matcher = matchersByWildcard.get(wildcard);
  if (!matcher) matchersByWildcard.set(wildcard, (matcher = wildcardPattern(wildcard)));
  return matcher;
}
const matchersByWildcard = new Map<string, (text: string) => boolean>();

/** Removes a prefix, such as `of=`, from an operand. */
function stripPrefix({ text, dynamic }: OperandWord, prefix: string): OperandWord | undefined {
  if (!text.startsWith(prefix)) return undefined;
  return { text: text.slice(prefix.length), ...(dynamic !== undefined && { dynamic: dynamic.slice(prefix.length) }) };
}

function stripOperandPrefixes(operands: readonly OperandWord[], from: number, prefix: string): OperandWord[] {
  const matches: OperandWord[] = [];
  for (let at = from; at < operands.length; at++) {
    const operand = stripPrefix(operands[at] as OperandWord, prefix);
    if (operand) matches.push(operand);
  }
  return matches;
}

/** A pattern token; `words` contains the alternatives. */
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

/** Cache of parsed patterns from built-in rules and config files. */
const knownTokens = new Map<string, readonly PatternToken[]>();
const MAX_KNOWN_PATTERNS = 5_000;

function readTokens(pattern: string): readonly PatternToken[] {
  let patternTokens = knownTokens.get(pattern);
  if (patternTokens) return patternTokens;
  const tokens: PatternToken[] = [];
  for (const token of pattern.split(" ")) if (token !== "") tokens.push(readToken(token));
  patternTokens = tokens;
  if (knownTokens.size >= MAX_KNOWN_PATTERNS) knownTokens.clear();
  knownTokens.set(pattern, patternTokens);
  return patternTokens;
}

/**
 * Returns the index after the next matching operand; undefined if there is none. Skips operands that the pattern allows
 * to be skipped and those that could be option values.
 */
function skipOperand(
  operands: readonly OperandWord[],
  from: number,
  token: string,
  skipsOperands: boolean,
): number | undefined {
  let at = from;
  let operand = operands[at];
  while (operand && (skipsOperands || operand.mayBeValue) && !isOperandMatch(operand, token)) operand = operands[++at];
  return operand && isOperandMatch(operand, token) ? at + 1 : undefined;
}

/**
 * Matches a pattern against a command. Returns the operands found by the pattern's sets; undefined if the pattern
 * doesn't match.
 */
export function matchPattern(
  pattern: string,
  command: Command,
  { options, operands, certainOptions }: SplitArguments,
  context: LineContext,
): Record<string, string> | undefined {
  const operandsBySet: Record<string, string> = {};
  let at = 0;
  let skip = false;
  for (const token of readTokens(pattern))
    switch (token.kind) {
      case "any":
        skip = true;
        break;
      case "forbidden":
        if (isOptionSet(token.words, certainOptions)) return undefined;
        break;
      case "condition":
        if (!Object.hasOwn(NAMED_CONDITIONS, token.name) || !NAMED_CONDITIONS[token.name]?.(command, context))
          return undefined;
        break;
      case "set": {
        const { prefix, set } = token;
        const remainingOperands = stripOperandPrefixes(operands, at, prefix);
        const matchedOperand = Object.hasOwn(OPERAND_SETS, set)
          ? OPERAND_SETS[set]?.find(remainingOperands, command, context)
          : undefined;
        if (matchedOperand === undefined) return undefined;
        operandsBySet[set] = matchedOperand;
        break;
      }
      case "option":
        if (!hasOption(options, token.words)) return undefined;
        break;
      case "operand": {
        const nextIndex = skipOperand(operands, at, token.text, skip);
        if (nextIndex === undefined) return undefined;
        at = nextIndex;
        skip = false;
      }
    }
  return operandsBySet;
}

/**
 * Returns lowercase substrings to search for; undefined if the token doesn't require any. Every unquoted shell command
 * that matches the token contains at least one of them.
 */
export function listTokenParts(token: string): readonly string[] | undefined {
  if (/^([!?]|\*\*|$)/.test(token)) return undefined;
  const [, prefix = "", set] = /^([^<]*)<(\w+)>$/.exec(token) ?? [];
  if (set !== undefined) return OPERAND_SETS[set]?.words ?? (prefix === "" ? undefined : [prefix.toLowerCase()]);
  const parts = token.split("|").map((alternative) =>
    /^-\w$/.test(alternative)
      ? ""
      : (alternative
          .split("*", 1)[0]
          ?.slice(0, alternative.startsWith("--") ? MIN_PATTERN_LENGTH : undefined)
          .toLowerCase() as string),
  );
  return parts.includes("") ? undefined : parts;
}
