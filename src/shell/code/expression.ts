import type { Piece } from "./pieces.ts";

/** A string or a list of strings. */
export type Value = string | readonly string[];

/** The arguments and stdin of code, as far as known. */
export interface CodeInput {
  args?: readonly string[];
  stdin?: string;
  /** Initial values of variables. */
  names?: Readonly<Record<string, string>>;
  /** All arguments of the interpreter. */
  options?: readonly string[];
  /** The code is awk: adjacent strings are concatenated, and the first argument is the program. */
  isAwk?: boolean;
  /** Backtick strings keep their backticks, because they run commands. */
  keepsBackticks?: boolean;
}

/** The tokens of code, and the known values of its variables. */
export interface Code {
  source: string;
  pieces: readonly Piece[];
  names: Map<string, Value>;
  /** Variables that hold a path object. */
  paths: Set<string>;
  /** Interpolated strings by token index. Cached because a string is read again for every list around it. */
  filled: Map<number, Expression>;
  input: CodeInput;
  /** Remaining steps for the current expression. */
  steps: number;
  /** Remaining steps for all expressions. */
  budget: number;
  /** The current bracket nesting depth. */
  depth: number;
}

/** An expression with a known value, and the index of the token after it. */
export interface Expression {
  value: Value;
  end: number;
  /** The value differs from a single string literal as written. */
  isMade?: boolean;
  /** Part of the value is unknown, with `UNKNOWN` in its place. */
  isPartial?: boolean;
  /** The value is a path object, to which `/` appends. */
  isPath?: boolean;
}

/** The arguments of a call (undefined if unknown), and the index of the token after them. */
export interface Arguments {
  values: (Value | undefined)[];
  end: number;
  isMade: boolean;
}

/** Keywords that don't take the following bracket as call arguments. */
const KEYWORD = /^(?:in|of|return|and|or|not|if|elif|else|yield|await|do|then|when|case|echo|print|puts)$/;

export const isSign = ({ pieces }: Code, at: number, sign: string): boolean => pieces[at]?.sign === sign;
export const isName = (sign: string | undefined): boolean => sign !== undefined && /^\$?[A-Za-z_]|^\$\d/.test(sign);

/** Whether the name at `at` is a member: `a.b`. In PHP and Perl, the dot concatenates instead: `$a.b()`. */
export const isMember = ({ pieces }: Code, at: number): boolean =>
  pieces[at - 1]?.sign === "." &&
  pieces[at - 2]?.text === undefined &&
  !pieces[at - 2]?.sign?.startsWith("$") &&
  !pieces[at]?.sign?.startsWith("$");

/** Whether the bracket at `at` holds call arguments or an index. */
export function followsOperand({ pieces }: Code, at: number): boolean {
  const { sign, text } = pieces[at - 1] ?? {};
  return text !== undefined || sign === ")" || sign === "]" || (isName(sign) && !KEYWORD.test(sign ?? ""));
}

/** Matches a pattern in the source from a token on; returns the index of the token after the match. */
export function matchEnd({ source, pieces }: Code, at: number, expression: RegExp): number | undefined {
  expression.lastIndex = pieces[at]?.start ?? source.length;
  const found = expression.exec(source);
  if (!found || found[0] === "") return undefined;
  let end = at;
  while ((pieces[end]?.start ?? Infinity) < expression.lastIndex) end++;
  return end;
}
