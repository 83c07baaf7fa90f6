import { matchAt } from "./text.ts";

/** Blanks, an escape, a string, a call for letters, a name, or another sign. */
const TOKEN =
  /[ \t\n]+|\\[^]|([rbfuRBFU]{0,2})(["'`])((?:(?!\2)[^\\]|\\[^])*)\2|(?:chr|String\.fromCharCode)\s{0,9}\(([\s\d,xa-fA-F]{1,99})\)|(\d{1,5})\.chr\b|\$?[A-Za-z_]\w*|[^]/y;
const ESCAPE = /\\(?:x([\da-fA-F]{1,2})|u\{?([\da-fA-F]{1,6})\}?|([0-7]{1,3})|([^]))/g;
const FILLED = /[$#]?\{\s*([^{}]{1,100})\}/g;
/** Signs between texts that are put together. */
const JOINING = new Set(["+", ".", "~", "&"]);
const MAX_LENGTH = 20_000;
const MAX_JOINED = 300;
const MAX_FOUND = 200;
/** Pieces of a list. */
const MAX_LISTED = 100;

/** A piece of code: a text that is known, or a name or a sign. */
interface Piece {
  text?: string;
  /** The code has the text as it is. */
  isPlain?: true;
  sign?: string;
}

const unescape = (text: string) =>
  text.replace(ESCAPE, (_, hex?: string, unicode?: string, octal?: string, letter = "") => {
    if (letter !== "") return letter === "n" ? "\n" : letter === "t" ? "\t" : letter;
    const code = Number.parseInt(hex ?? unicode ?? octal ?? "0", octal === undefined ? 16 : 8);
    return code <= 0x10_ff_ff ? String.fromCodePoint(code) : "";
  });

/** The letters whose numbers a call has: `chr(46)`. */
const readLetters = (numbers: string) =>
  numbers.split(",").reduce((text, number) => text + String.fromCharCode(Number(number)), "");

/** Reads a string; what is filled in has to be a text as well. */
function readText(prefix: string, mark: string, inside: string): Piece {
  if (/r/i.test(prefix)) return { text: inside, isPlain: true };
  let isKnown = true;
  const isFilled = mark === "`" || /f/i.test(prefix) || (mark === '"' && inside.includes("#{"));
  const filled = isFilled
    ? inside.replace(FILLED, (_, expression: string) => {
        const [piece, ...others] = splitPieces(expression);
        isKnown &&= others.length === 0 && piece?.text !== undefined;
        return piece?.text ?? "";
      })
    : inside;
  if (!isKnown) return { sign: "string" };
  const text = unescape(filled);
  return text === inside ? { text, isPlain: true } : { text };
}

function splitPieces(code: string): Piece[] {
  const pieces: Piece[] = [];
  for (let at = 0; at < code.length;) {
    const [all = "", prefix = "", mark, inside = "", numbers, number] = matchAt(TOKEN, code, at) ?? [];
    at += all.length;
    const letters = numbers ?? number;
    if (all.trim() === "") continue;
    if (mark !== undefined) pieces.push(readText(prefix, mark, inside));
    else pieces.push(letters === undefined ? { sign: all } : { text: readLetters(letters) });
  }
  return pieces;
}

/** The pieces of code, and what its own variables hold as far as that is known. */
interface Code {
  pieces: readonly Piece[];
  names: Map<string, string>;
}

const getText = ({ pieces, names }: Code, at: number): string | undefined => {
  const { text, sign } = pieces[at] ?? {};
  return text ?? (sign === undefined ? undefined : names.get(sign));
};
const isSign = ({ pieces }: Code, at: number, sign: string) => pieces[at]?.sign === sign;

/** Texts up to a closing bracket, with commas and brackets between them; undefined if there is anything else. */
function readList(code: Code, start: number): { texts: string[]; end: number } | undefined {
  const texts: string[] = [];
  let depth = 1;
  for (let at = start; at < Math.min(code.pieces.length, start + MAX_LISTED); at++) {
    const text = getText(code, at);
    const { sign = "" } = code.pieces[at] ?? {};
    if (text !== undefined) texts.push(text);
    else if (sign === "(" || sign === "[") depth++;
    else if ((sign === ")" || sign === "]") && --depth === 0) return { texts, end: at + 1 };
    else if (sign !== "," && sign !== ")" && sign !== "]") return undefined;
  }
  return undefined;
}

/** A text that code puts together, and where the expression ends. */
interface Joined {
  text: string;
  end: number;
  /** It is more than one string as it is. */
  isMade: boolean;
}

/** `["a", "b"].join("")`, `"".join(["a", "b"])`, `join("", "a", "b")` */
function readJoin(code: Code, at: number): Joined | undefined {
  if (isSign(code, at, "[")) {
    const list = readList(code, at + 1);
    if (!list || !isSign(code, list.end, ".") || !isSign(code, list.end + 1, "join")) return undefined;
    // Without brackets it is ruby's.
    const given = isSign(code, list.end + 2, "(") ? readList(code, list.end + 3)?.texts : [""];
    return { text: list.texts.join(given?.[0] ?? ","), end: list.end + 3, isMade: true };
  }
  const isMethod = isSign(code, at + 1, ".") && isSign(code, at + 2, "join");
  const isCall = isSign(code, at, "join") || isSign(code, at, "implode");
  const start = isMethod ? at + 2 : at;
  const list = (isMethod || isCall) && isSign(code, start + 1, "(") ? readList(code, start + 2) : undefined;
  if (!list) return undefined;
  const separator = isMethod ? getText(code, at) : list.texts.shift();
  return separator === undefined ? undefined : { text: list.texts.join(separator), end: list.end, isMade: true };
}

/** `"%s%s" % ("a", "b")` */
function fillFormat(code: Code, format: string, at: number): Joined | undefined {
  if (!isSign(code, at, "%")) return undefined;
  const only = getText(code, at + 1);
  const list = only === undefined && isSign(code, at + 1, "(") ? readList(code, at + 2) : undefined;
  const texts = only === undefined ? [...(list?.texts ?? [])] : [only];
  if (texts.length === 0) return undefined;
  return { text: format.replace(/%s/g, () => texts.shift() ?? ""), end: list?.end ?? at + 2, isMade: true };
}

function readOperand(code: Code, at: number): Joined | undefined {
  const joined = readJoin(code, at);
  if (joined) return joined;
  const text = getText(code, at);
  if (text === undefined) return undefined;
  return fillFormat(code, text, at + 1) ?? { text, end: at + 1, isMade: code.pieces[at]?.isPlain !== true };
}

/** The text of an expression: `"a" + "b"`, `"a" . $b`, `"a" "b"`. */
function readExpression(code: Code, start: number): Joined | undefined {
  const found = readOperand(code, start);
  if (!found) return undefined;
  while (found.text.length <= MAX_JOINED) {
    const isCall = isSign(code, found.end, ".") && isSign(code, found.end + 1, "concat");
    const list = isCall ? readList(code, found.end + 3) : undefined;
    if (list) Object.assign(found, { text: found.text + list.texts.join(""), end: list.end, isMade: true });
    const isJoined = JOINING.has(code.pieces[found.end]?.sign ?? "");
    const next = readOperand(code, isJoined ? found.end + 1 : found.end);
    if (!next) break;
    Object.assign(found, { text: found.text + next.text, end: next.end, isMade: true });
  }
  return found;
}

/** Notes a text that an assignment before it gives to a name, behind what the name holds if it is appended. */
function nameText(code: Code, at: number, joined: Joined): void {
  if (!isSign(code, at - 1, "=")) return;
  const isAppended = JOINING.has(code.pieces[at - 2]?.sign ?? "");
  const name = code.pieces[isAppended ? at - 3 : at - 2]?.sign ?? "";
  const before = isAppended ? code.names.get(name) : undefined;
  if (before !== undefined) Object.assign(joined, { text: before + joined.text, isMade: true });
  if (/^\$?[A-Za-z_]/.test(name)) code.names.set(name, joined.text);
}

/**
 * The texts that code puts together of its own strings, which stand nowhere in it as they are: `".e" + "nv"`,
 * `".e"."nv"`, `["a", "b"].join("")`, `chr(46) + "env"`.
 */
export function listJoinedStrings(text: string): readonly string[] {
  if (text.length > MAX_LENGTH) return [];
  const code: Code = { pieces: splitPieces(text), names: new Map() };
  const found: string[] = [];
  for (let at = 0; at < code.pieces.length && found.length < MAX_FOUND;) {
    const joined = readExpression(code, at);
    if (joined) nameText(code, at, joined);
    if (joined?.isMade) found.push(joined.text);
    at = Math.max(at + 1, joined?.end ?? 0);
  }
  return found;
}
