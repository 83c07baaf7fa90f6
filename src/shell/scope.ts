import type { Command } from "./command.ts";

/** A piece of a word: text, or what is only known when it runs. */
export interface Segment {
  text: string;
  live: boolean;
}

/** What a variable holds, or one of an array's items. */
export type Value = readonly Segment[];

/** A function that the line defines. */
export interface Definition {
  body: (scope: Scope) => void;
  scope: Scope;
  called: boolean;
  /** How often it is being read, in itself. */
  running: number;
}

/** What is found while one line is read, and how much has been spent on it. */
export interface Reader {
  commands: Command[];
  problem?: string;
  /** What `<(…)` surely prints, by its text. */
  printed: Map<string, string>;
  /** Reads a text as a shell would run it. */
  script: (text: string, scope: Scope) => void;
  /** How many scripts in one another are being read, and how many nodes. */
  depth: number;
  nested: number;
  read: number;
  steps: number;
}

/** A place in a line: what is known there of variables, the folder, and who runs it. */
export interface Scope {
  reader: Reader;
  parent?: Scope;
  /** Variables that the line assigned; undefined where the value isn't known. */
  values: Map<string, readonly Value[] | undefined>;
  functions: Map<string, Definition>;
  /** What the names that a function has to itself stand for outside of it, as `valuesOf` tells; absent in none. */
  locals?: Map<string, readonly Value[] | null | undefined>;
  cwd: string | undefined;
  /** Positional parameters, where they are known. */
  parameters: readonly Value[] | undefined;
  /** `$_`: the last word of the command before, where that is known. */
  last?: Value;
  via: readonly string[];
  remote: boolean;
  /** The text that is piped in, where it is known. */
  stdin?: string;
}

export const newReader = (script: Reader["script"]): Reader => ({
  commands: [],
  printed: new Map(),
  script,
  depth: 0,
  nested: 0,
  read: 0,
  steps: 0,
});

/** The scope of a line. */
export const outermost = (reader: Reader): Scope => ({
  reader,
  values: new Map(),
  functions: new Map(),
  cwd: "",
  parameters: [],
  via: [],
  remote: false,
});

/** A scope whose changes don't reach the one around it: a subshell, a part of a pipeline, a script. */
export const inner = (scope: Scope, changes: Partial<Scope> = {}): Scope => ({
  ...scope,
  parent: scope,
  values: new Map(),
  ...changes,
});

/** A variable's items: undefined where the line does not assign it, null where they aren't known. */
export function valuesOf(scope: Scope, name: string): readonly Value[] | null | undefined {
  for (let at: Scope | undefined = scope; at; at = at.parent)
    if (at.values.has(name)) return at.values.get(name) ?? null;
  return undefined;
}

/** Items, and characters in all, of what a variable is known to hold. */
const MOST_ITEMS = 200;
const LONGEST_VALUE = 16_384;

const isSmall = (values: readonly Value[]) => {
  let length = 0;
  for (const value of values) for (const { text } of value) length += text.length;
  return values.length <= MOST_ITEMS && length <= LONGEST_VALUE;
};

/** Notes an assignment; without values, that a variable's value isn't known. */
export function assign(scope: Scope, name: string, values: readonly Value[] | undefined): void {
  scope.values.set(name, values && isSmall(values) ? values : undefined);
}

/** Gives names back what they stood for before a function. */
export function restore(scope: Scope, locals: NonNullable<Scope["locals"]>): void {
  for (const [name, values] of locals)
    if (values === undefined) scope.values.delete(name);
    else assign(scope, name, values ?? undefined);
}

const areSame = (a: readonly Value[] | undefined, b: readonly Value[] | undefined): boolean =>
  a === b ||
  (a !== undefined &&
    a.length === b?.length &&
    a.every((value, at) => {
      const other = b[at] as Value;
      return (
        value.length === other.length &&
        value.every(({ text, live }, piece) => text === other[piece]?.text && live === other[piece]?.live)
      );
    }));

/** Takes over what branches left of which one is run, or none: what all of them agree in is known. */
export function merge(scope: Scope, branches: readonly Scope[], none: boolean): void {
  const all = none ? [scope, ...branches] : branches;
  const [first] = all;
  scope.cwd = all.every(({ cwd }) => cwd === first?.cwd) ? first?.cwd : undefined;
  scope.parameters = all.every(({ parameters }) => parameters === first?.parameters) ? first?.parameters : undefined;
  scope.last = all.every(({ last }) => last === first?.last) ? first?.last : undefined;
  const names = new Set(branches.flatMap(({ values }) => [...values.keys()]));
  for (const name of names) {
    // Where the line did not assign it before, it is taken to be assigned now.
    const found = all.map((branch) => valuesOf(branch, name)).filter((values) => values !== undefined);
    const same = found.every((values) => areSame(values ?? undefined, found[0] ?? undefined));
    scope.values.set(name, same ? (found[0] ?? undefined) : undefined);
  }
}
