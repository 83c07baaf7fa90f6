import type { Token } from "./code-tokens.ts";

/** How much of the environment a value holds. */
export const Level = { nothing: 0, holder: 1, secret: 2, environment: 3, values: 4 } as const;
/** A holder is a list or an object with a secret in it; values are what the environment holds, without its names or with. */
export type Level = (typeof Level)[keyof typeof Level];
export const getHigher = (one: Level, other: Level): Level => (one > other ? one : other);

/** A value as far as it was read: `process.env`, `f(x).y`. */
export interface Operand {
  level: Level;
  /** The word that it ends with. */
  name: string;
  /** The token in front of it. */
  before: number;
}

/** What stands in brackets, or in quotes with something to fill in; or all of the code. */
export interface Frame {
  opener: string;
  /** Its opener's place. */
  at: number;
  /** What it belongs to: the function that is called, the list that is asked. */
  owner: Operand | undefined;
  /** The operand that is being read. */
  operand: Operand | undefined;
  level: Level;
  /** What follows holds for a statement in it. */
  isShown: boolean;
  isReturned: boolean;
  /** Where its "=" is, and what is behind that. */
  assignedAt: number | undefined;
  assigned: Level;
}

/** One reading of code from its beginning to its end. */
export interface Walk {
  tokens: readonly Token[];
  program: string;
  isSecret: (name: string) => boolean;
  isLoop: boolean;
  /** The code's own variables that hold something of the environment. */
  names: Map<string, Level>;
  frames: Frame[];
  /** How many of them wait for each closing bracket or quote. */
  open: Map<string, number>;
  /** What the last statement gives. */
  result: Level;
  isShown: boolean;
  /** The first secret that is read. */
  found?: string;
}
