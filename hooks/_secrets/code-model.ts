import type { Token } from "./code-tokens.ts";

/** How much of the environment a value reveals. */
export const SecrecyLevel = { nothing: 0, holder: 1, secret: 2, environment: 3, values: 4 } as const;
/**
 * `holder` is a list or object that contains a secret. `values` stands for all values in the environment, with or
 * without their names.
 */
export type SecrecyLevel = (typeof SecrecyLevel)[keyof typeof SecrecyLevel];
export const getHigherSecrecyLevel = (first: SecrecyLevel, second: SecrecyLevel): SecrecyLevel =>
  first > second ? first : second;

/** A partially read expression, such as `process.env` or `f(x).y`. */
export interface Operand {
  level: SecrecyLevel;
  /** The last word of the expression. */
  name: string;
  /** The index of the preceding token. */
  precedingIndex: number;
}

/** An open bracket, an open interpolated string, or the program itself. */
export interface Frame {
  opener: string;
  /** The index of the opening token. */
  at: number;
  /** What comes before the opening bracket: the function being called or the list being indexed. */
  owner: Operand | undefined;
  /** The operand being read. */
  operand: Operand | undefined;
  level: SecrecyLevel;
  /** State of the current statement. */
  isPrinted: boolean;
  isReturned: boolean;
  /** The index of "=" in an assignment, and the secrecy level of the assigned value. */
  assignedAt: number | undefined;
  assignedLevel: SecrecyLevel;
}

/** State of one pass over the code. */
export interface WalkState {
  tokens: readonly Token[];
  program: string;
  isSecret: (name: string) => boolean;
  isLoop: boolean;
  /** Maps variables in the code to the secrecy level of their value. */
  names: Map<string, SecrecyLevel>;
  frames: Frame[];
  /** How many frames are open, keyed by closing bracket or quote. */
  openCounts: Map<string, number>;
  /** The secrecy level of the last statement's value. */
  result: SecrecyLevel;
  printsSecret: boolean;
  /** The first secret variable that the code reads. */
  secretName?: string;
}
