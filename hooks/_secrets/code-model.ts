import type { Token } from "./code-tokens.ts";

/** Secrecy levels: how much of the environment a value contains. */
export const Level = { nothing: 0, holder: 1, secret: 2, environment: 3, values: 4 } as const;
/** A `holder` is a list or object that contains a secret; `values` stands for the environment's values, with or without names. */
export type Level = (typeof Level)[keyof typeof Level];
export const getHigherLevel = (first: Level, second: Level): Level => (first > second ? first : second);

/** An expression that has been read in part: `process.env`, `f(x).y`. */
export interface Operand {
  level: Level;
  /** The last word of the expression. */
  name: string;
  /** The index of the preceding token. */
  precedingIndex: number;
}

/** An open bracket, an interpolated string, or the whole program. */
export interface Frame {
  opener: string;
  /** The index of the opening token. */
  at: number;
  /** The function that these brackets call, or the list that they index. */
  owner: Operand | undefined;
  /** The operand that is currently being read. */
  operand: Operand | undefined;
  level: Level;
  /** State of the current statement. */
  isPrinted: boolean;
  isReturned: boolean;
  /** The index of "=" in an assignment, and the secrecy level of the assigned value. */
  assignedAt: number | undefined;
  assignedLevel: Level;
}

/** State of one pass over the code. */
export interface Walk {
  tokens: readonly Token[];
  program: string;
  isSecret: (name: string) => boolean;
  isLoop: boolean;
  /** Variables in the code that contain part of the environment. */
  names: Map<string, Level>;
  frames: Frame[];
  /** The number of open frames, by closing bracket or quote. */
  openCounts: Map<string, number>;
  /** The secrecy level of the last statement's value. */
  result: Level;
  printsSecret: boolean;
  /** The first secret variable that the code reads. */
  secretName?: string;
}
