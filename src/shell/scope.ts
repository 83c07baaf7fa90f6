import type { Command } from "./command.ts";

/** A piece of a word: text, or what is only known when it runs. */
export interface WordSegment {
  text: string;
  live: boolean;
}

/** What a variable holds, or one of an array's items. */
export type VariableValue = readonly WordSegment[];

/** A function that the line defines. */
interface FunctionDefinition {
  body: (scope: ShellScope) => void;
  scope: ShellScope;
  called: boolean;
  /** How often it is being read, in itself. */
  running: number;
}

/** What is found while one line is read, and how much has been spent on it. */
export interface ShellReader {
  commands: Command[];
  problem?: string;
  /** What `<(…)` surely prints, by its text. */
  substitutionOutputs: Map<string, string>;
  /** Reads a text as a shell would run it. */
  readScript: (text: string, scope: ShellScope) => void;
  /** How many scripts in one another are being read, and how many nodes. */
  scriptDepth: number;
  nodeDepth: number;
  charactersRead: number;
  steps: number;
}

/** A place in a line: what is known there of variables, the folder, and who runs it. */
export interface ShellScope {
  reader: ShellReader;
  parent?: ShellScope;
  /** Variables that the line assigned; undefined where the value isn't known. */
  values: Map<string, readonly VariableValue[] | undefined>;
  functions: Map<string, FunctionDefinition>;
  /** What the names that a function has to itself stand for outside of it, as `valuesOf` tells; absent in none. */
  locals?: Map<string, readonly VariableValue[] | null | undefined>;
  cwd: string | undefined;
  /** Positional parameters, where they are known. */
  parameters: readonly VariableValue[] | undefined;
  /** `$_`: the last word of the command before, where that is known. */
  last?: VariableValue;
  via: readonly string[];
  remote: boolean;
  /** The text that is piped in, where it is known. */
  stdin?: string;
}

export const createReader = (script: ShellReader["readScript"]): ShellReader => ({
  commands: [],
  substitutionOutputs: new Map(),
  readScript: script,
  scriptDepth: 0,
  nodeDepth: 0,
  charactersRead: 0,
  steps: 0,
});

/** The scope of a line. */
export const createLineScope = (reader: ShellReader): ShellScope => ({
  reader,
  values: new Map(),
  functions: new Map(),
  cwd: "",
  parameters: [],
  via: [],
  remote: false,
});

/** A scope whose changes don't reach the one around it: a subshell, a part of a pipeline, a script. */
export const createInnerScope = (scope: ShellScope, changes: Partial<ShellScope> = {}): ShellScope => ({
  ...scope,
  parent: scope,
  values: new Map(),
  ...changes,
});

/** A variable's items: undefined where the line does not assign it, null where they aren't known. */
export function getVariableValues(scope: ShellScope, name: string): readonly VariableValue[] | null | undefined {
  for (let at: ShellScope | undefined = scope; at; at = at.parent)
    if (at.values.has(name)) return at.values.get(name) ?? null;
  return undefined;
}

/** Items, and characters in all, of what a variable is known to hold. */
const MOST_ITEMS = 200;
const LONGEST_VALUE = 16_384;

const isWithinLimits = (values: readonly VariableValue[]) => {
  let length = 0;
  for (const value of values) for (const { text } of value) length += text.length;
  return values.length <= MOST_ITEMS && length <= LONGEST_VALUE;
};

/** Notes an assignment; without values, that a variable's value isn't known. */
export function assignVariable(scope: ShellScope, name: string, values: readonly VariableValue[] | undefined): void {
  scope.values.set(name, values && isWithinLimits(values) ? values : undefined);
}

/** Gives names back what they stood for before a function. */
export function restoreLocals(scope: ShellScope, locals: NonNullable<ShellScope["locals"]>): void {
  for (const [name, values] of locals)
    if (values === undefined) scope.values.delete(name);
    else assignVariable(scope, name, values ?? undefined);
}

const areSameValues = (a: readonly VariableValue[] | undefined, b: readonly VariableValue[] | undefined): boolean =>
  a === b ||
  (a !== undefined &&
    a.length === b?.length &&
    a.every((value, at) => {
      const other = b[at] as VariableValue;
      return (
        value.length === other.length &&
        value.every(({ text, live }, piece) => text === other[piece]?.text && live === other[piece]?.live)
      );
    }));

/** Takes over what branches left of which one is run, or none: what all of them agree in is known. */
export function mergeBranches(scope: ShellScope, branches: readonly ShellScope[], none: boolean): void {
  const all = none ? [scope, ...branches] : branches;
  const [first] = all;
  scope.cwd = all.every(({ cwd }) => cwd === first?.cwd) ? first?.cwd : undefined;
  scope.parameters = all.every(({ parameters }) => parameters === first?.parameters) ? first?.parameters : undefined;
  scope.last = all.every(({ last }) => last === first?.last) ? first?.last : undefined;
  const names = new Set(branches.flatMap(({ values }) => [...values.keys()]));
  for (const name of names) {
    // Where the line did not assign it before, it is taken to be assigned now.
    const found = all.map((branch) => getVariableValues(branch, name)).filter((values) => values !== undefined);
    const same = found.every((values) => areSameValues(values ?? undefined, found[0] ?? undefined));
    scope.values.set(name, same ? (found[0] ?? undefined) : undefined);
  }
}
