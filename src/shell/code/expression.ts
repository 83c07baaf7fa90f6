import type { CodeToken } from "./tokens.ts";

/** Value of an expression: a string or a list of strings. */
export type Value = string | readonly string[];

/** Arguments and stdin that a piece of code receives, if known. */
export interface CodeInput {
  args?: readonly string[];
  stdin?: string;
  /** Initial variable values. */
  names?: Readonly<Record<string, string>>;
  /** All arguments of the interpreter, including its options. */
  options?: readonly string[];
  /**
   * Whether the code is awk. In awk, adjacent strings are concatenated, and the argument list starts with the program
   * name.
   */
  isAwk?: boolean;
  /** Whether backtick strings keep their backticks, because the language runs such strings as commands. */
  keepsBackticks?: boolean;
}

/** Parsed code with its known variable values. */
export interface Code {
  source: string;
  tokens: readonly CodeToken[];
  names: Map<string, Value>;
  /** Names of variables that hold path objects. */
  paths: Set<string>;
  /** Interpolated strings by token index, cached because every list around a string evaluates that string again. */
  filledStrings: Map<number, Expression>;
  input: CodeInput;
  /** Steps remaining for the current expression. */
  steps: number;
  /** Steps remaining for all expressions combined. */
  budget: number;
  /** Current bracket nesting depth. */
  depth: number;
}

/** An expression with a known value and the index of the next token. */
export interface Expression {
  value: Value;
  end: number;
  /** Whether the value was computed, not just copied from a single string literal. */
  isComputed?: boolean;
  /** Whether part of the value is unknown and replaced by `UNKNOWN`. */
  isPartial?: boolean;
  /** Whether the value is a path object, which the `/` operator appends to. */
  isPath?: boolean;
}

/** Arguments of a call and the index of the next token. Unknown arguments are undefined. */
export interface Arguments {
  values: (Value | undefined)[];
  end: number;
  isComputed: boolean;
}

/** Keywords after which a bracket doesn't start call arguments. */
const NON_CALL_KEYWORD = /^(?:in|of|return|and|or|not|if|elif|else|yield|await|do|then|when|case|echo|print|puts)$/;

export const hasSymbol = ({ tokens }: Code, at: number, symbol: string): boolean => tokens[at]?.symbol === symbol;
export const isName = (text: string | undefined): boolean => text !== undefined && /^\$?[A-Za-z_]|^\$\d/.test(text);

/**
 * Whether the name at `at` is a member, as in `a.b`. In `$a.b()` (PHP and Perl), the dot concatenates strings instead.
 */
export const isMember = ({ tokens }: Code, at: number): boolean =>
  tokens[at - 1]?.symbol === "." &&
  tokens[at - 2]?.text === undefined &&
  !tokens[at - 2]?.symbol?.startsWith("$") &&
  !tokens[at]?.symbol?.startsWith("$");

/** Whether the bracket at `at` encloses call arguments or an index. */
export function followsOperand({ tokens }: Code, at: number): boolean {
  const { symbol, text } = tokens[at - 1] ?? {};
  return (
    text !== undefined || symbol === ")" || symbol === "]" || (isName(symbol) && !NON_CALL_KEYWORD.test(symbol ?? ""))
  );
}

/** Matches a pattern against the source, starting at a token. Returns the index of the token after the match. */
export function findMatchEnd({ source, tokens }: Code, at: number, expression: RegExp): number | undefined {
  expression.lastIndex = tokens[at]?.start ?? source.length;
  const match = expression.exec(source);
  if (!match || match[0] === "") return undefined;
  let end = at;
  while ((tokens[end]?.start ?? Infinity) < expression.lastIndex) end++;
  return end;
}
