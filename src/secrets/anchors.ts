import { SECRET_RULES } from "./kinds/index.ts";
import type { SecretRule } from "./kinds/rule.ts";

/** A place in the text where one of the rules' literals occurs. */
export interface Anchor {
  at: number;
  literal: string;
}

/** Marks credentials in a URL. Any issuer's credentials can appear there. */
export const URL_LITERAL = "://";

/** Minimum length of a token. Tokens don't contain whitespace. */
const MIN_TOKEN_LENGTH = 20;

/** URL credentials, from "://" to the end of the password. */
export const URL_CREDENTIALS = /:\/\/[^\s/:@"'`<>\\]{0,100}:[^\s/:@"'`<>\\]{4,2000}@/y;

type LiteralPosition = NonNullable<SecretRule["position"]>;

/**
 * A rule's literal, the character code of its third character, and where the literal appears relative to the secret.
 */
interface RuleLiteral {
  literal: string;
  thirdCode: number;
  position: LiteralPosition;
}

/**
 * Literals grouped by their first two ASCII characters. `numbers` maps each pair to an index in `lists`. List 0 is
 * empty.
 */
interface LiteralTable {
  numbers: Uint16Array;
  lists: RuleLiteral[][];
}

const listLiterals = (position: LiteralPosition) => [
  ...new Set(
    SECRET_RULES.filter((rule) => (rule.position ?? "start") === position).flatMap(({ prefixes }) => prefixes),
  ),
];

const NAMES = [...listLiterals("before"), URL_LITERAL];
/** A run of characters long enough to contain a token; see `measureRun`. */
const LONG_RUN = new RegExp(`[^\\x00- "'\`]{${MIN_TOKEN_LENGTH},}`, "g");
const NAME = new RegExp(NAMES.map((name) => name.replaceAll(/[?.\\/-]/g, String.raw`\$&`)).join("|"), "g");
const TOKEN_TABLE = createTable([
  [listLiterals("start"), "start"],
  [listLiterals("inside"), "inside"],
]);
const NAME_TABLE = createTable([[NAMES, "before"]]);

function createTable(groups: readonly [pieces: readonly string[], place: LiteralPosition][]): LiteralTable {
  const numbers = new Uint16Array(1 << 14);
  const lists: RuleLiteral[][] = [[]];
  for (const [pieces, position] of groups)
    for (const literal of pieces) {
      const pair = (literal.charCodeAt(0) << 7) | literal.charCodeAt(1);
      numbers[pair] ||= lists.push([]) - 1;
      lists[numbers[pair] as number]?.push({
        literal,
        thirdCode: literal.length > 2 ? literal.charCodeAt(2) : -1,
        position,
      });
    }
  return { numbers, lists };
}

const isLetterOrDigit = (code: number) =>
  (code >= 48 && code <= 57) || (code >= 65 && code <= 90) || (code >= 97 && code <= 122);
const isHexDigit = (code: number) =>
  (code >= 48 && code <= 57) || (code >= 65 && code <= 70) || (code >= 97 && code <= 102);

/**
 * Returns whether a word could start at `at`. A word can also start after an escape such as `\n` or a percent-encoded
 * character such as `%3D`.
 */
export function isTokenStart(text: string, at: number): boolean {
  const code = text.charCodeAt(at - 1);
  if (!isLetterOrDigit(code)) return true;
  const previous = text.charCodeAt(at - 2);
  if (previous === 92) return code === 110 || code === 114 || code === 116;
  return isHexDigit(code) && isHexDigit(previous) && text.charCodeAt(at - 3) === 37;
}

/**
 * Counts the characters in one direction up to the next whitespace or quote, but no further than the minimum token
 * length.
 */
function measureRun(text: string, from: number, step: 1 | -1): number {
  let length = 0;
  for (let at = from; length < MIN_TOKEN_LENGTH && at >= 0 && at < text.length; at += step, length++) {
    const code = text.charCodeAt(at);
    if (code <= 32 || code === 34 || code === 39 || code === 96) break;
  }
  return length;
}

function isPlausible(text: string, at: number, literal: string, position: LiteralPosition): boolean {
  if (position === "start") return isTokenStart(text, at) && measureRun(text, at, 1) >= MIN_TOKEN_LENGTH;
  if (position === "inside") return measureRun(text, at, 1) + measureRun(text, at - 1, -1) >= MIN_TOKEN_LENGTH;
  if (literal !== URL_LITERAL) return true;
  URL_CREDENTIALS.lastIndex = at;
  return URL_CREDENTIALS.test(text);
}

/**
 * Finds every occurrence of a literal, in order. Rules are tried only at these positions. Names and long runs of
 * characters are rare in most text: regular expressions find both, and only the long runs are then scanned character by
 * character.
 */
export function findAnchors(text: string): Anchor[] {
  const anchors: Anchor[] = [];
  LONG_RUN.lastIndex = 0;
  for (let match = LONG_RUN.exec(text); match; match = LONG_RUN.exec(text))
    addAnchors(text, { from: match.index, to: LONG_RUN.lastIndex }, TOKEN_TABLE, anchors);
  NAME.lastIndex = 0;
  for (let match = NAME.exec(text); match; match = NAME.exec(text)) {
    const at = match.index;
    addAnchors(text, { from: at, to: at + 1 }, NAME_TABLE, anchors);
    // Resume at the next character, since one name can be a prefix of another.
    NAME.lastIndex = at + 1;
  }
  return anchors.sort((a, b) => a.at - b.at);
}

/** Adds the literals that occur between `from` and `to`. */
function addAnchors(
  text: string,
  { from, to }: { from: number; to: number },
  { numbers, lists }: LiteralTable,
  anchors: Anchor[],
): void {
  let code = text.charCodeAt(from);
  for (let at = from; at < to && at + 1 < text.length; at++) {
    const next = text.charCodeAt(at + 1);
    const number = code < 128 && next < 128 ? (numbers[(code << 7) | next] as number) : 0;
    code = next;
    if (number === 0) continue;
    const thirdCode = text.charCodeAt(at + 2);
    for (const { literal, thirdCode: expectedCode, position } of lists[number] as RuleLiteral[])
      if (
        (expectedCode === thirdCode || expectedCode < 0) &&
        text.startsWith(literal, at) &&
        isPlausible(text, at, literal, position)
      )
        anchors.push({ at, literal });
  }
}
