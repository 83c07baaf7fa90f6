import type { Piece } from "./pieces.ts";

/** A text, or a list of texts. */
export type Value = string | readonly string[];

/** The arguments and the standard input of code, as far as they are known. */
export interface CodeInput {
  args?: readonly string[];
  stdin?: string;
  /** What its variables hold from the beginning. */
  names?: Readonly<Record<string, string>>;
  /** All arguments of its interpreter. */
  options?: readonly string[];
  /** Texts side by side are one, and the first argument is the program. */
  isAwk?: boolean;
  /** Strings between backticks, which run commands, keep them. */
  keepsBackticks?: boolean;
}

/** The pieces of code, and what its own variables hold as far as that is known. */
export interface Code {
  source: string;
  pieces: readonly Piece[];
  names: Map<string, Value>;
  /** Those that hold an object of a path. */
  paths: Set<string>;
  /** Strings that are filled in, by their places: each is read in every list around it. */
  filled: Map<number, Expression>;
  input: CodeInput;
  /** How many pieces may still be read for the expression that is being read. */
  steps: number;
  /** How many may still be read for all of them. */
  budget: number;
  /** How many brackets are open around what is being read. */
  depth: number;
}

/** An expression whose value is known, and where it ends. */
export interface Expression {
  value: Value;
  end: number;
  /** It is more than one string as it is. */
  isMade?: boolean;
  /** Something in it is unknown, and has `UNKNOWN` in its place. */
  isPartial?: boolean;
  /** It is an object of a path, which `/` appends to. */
  isPath?: boolean;
}

/** What a call gets: undefined for each argument that is unknown, and where it ends. */
export interface Arguments {
  values: (Value | undefined)[];
  end: number;
  isMade: boolean;
}

/** Words before a bracket that it is not the arguments of. */
const KEYWORD = /^(?:in|of|return|and|or|not|if|elif|else|yield|await|do|then|when|case|echo|print|puts)$/;

export const isSign = ({ pieces }: Code, at: number, sign: string): boolean => pieces[at]?.sign === sign;
export const isName = (sign: string | undefined): boolean => sign !== undefined && /^\$?[A-Za-z_]|^\$\d/.test(sign);

/** Whether a name at a place is that of a member: `a.b`. In PHP and perl the sign joins texts: `$a.b()`. */
export const isMember = ({ pieces }: Code, at: number): boolean =>
  pieces[at - 1]?.sign === "." &&
  pieces[at - 2]?.text === undefined &&
  !pieces[at - 2]?.sign?.startsWith("$") &&
  !pieces[at]?.sign?.startsWith("$");

/** Whether the bracket at a place has the arguments of a call, or an index, in it. */
export function isOfOperand({ pieces }: Code, at: number): boolean {
  const { sign, text } = pieces[at - 1] ?? {};
  return text !== undefined || sign === ")" || sign === "]" || (isName(sign) && !KEYWORD.test(sign ?? ""));
}

/** Where an expression ends in the source, if it matches from a piece on. */
export function matchEnd({ source, pieces }: Code, at: number, expression: RegExp): number | undefined {
  expression.lastIndex = pieces[at]?.start ?? source.length;
  const found = expression.exec(source);
  if (!found || found[0] === "") return undefined;
  let end = at;
  while ((pieces[end]?.start ?? Infinity) < expression.lastIndex) end++;
  return end;
}
