import type { Command } from "./command.ts";
import type { Word } from "./words/word.ts";

/** A segment of a word: literal text, or an expansion that is only known at run time. */
export interface WordSegment {
  text: string;
  live: boolean;
}

/** The value of a variable or of an array item. */
export type VariableValue = readonly WordSegment[];

export const joinSegments = (value: VariableValue): string => value.map(({ text }) => text).join("");

/**
 * The state that one of several branches leaves, limited to the variables, directory and parameters in which the
 * branches differ.
 */
export interface Outcome {
  values: ReadonlyMap<string, readonly VariableValue[] | undefined>;
  folder: Pick<ShellScope, "cwd" | "previous" | "steps">;
  parameters: readonly VariableValue[] | undefined;
}

/** The outcomes of alternative branches. Variables that share a choice take their values from the same outcome. */
export interface Choice {
  outcomes: readonly Outcome[];
}

/** A function defined in the command line. */
export interface FunctionDefinition {
  /** Reads the body; returns its output, if known. */
  body: (scope: ShellScope) => string | undefined | void;
  scope: ShellScope;
  isCalled: boolean;
  /** The number of calls being read; more than 1 means recursion. */
  callDepth: number;
}

/** A git setting, with its key in lowercase. */
export interface GitSetting {
  key: string;
  value: string;
}

/** A `cd` before a command. It may have failed. */
export interface FolderStep {
  before: FolderStep | undefined;
  /** The arguments of `cd`. */
  words: readonly Word[];
  /** The command runs only if this `cd` succeeded, because `&&` joins them. */
  isSure: boolean;
  count: number;
}

/** Windows shells, whose syntax is translated to equivalent POSIX commands. */
export type ForeignShell = "powershell" | "cmd";

/** The state of parsing one command line: results, limits and shared tables. */
export interface ShellReader {
  commands: Command[];
  problem?: string;
  /** The name of a function that starts itself without end. */
  forkBomb?: string;
  /** Known texts: the output of `<(…)` by its text, and the content of files that the command line writes, by name. */
  fileTexts: Map<string, string>;
  /** Files that descriptors write to: `exec 3>x` maps 3 to x. */
  outputFiles: Map<string, string>;
  /** For words such as `$(find / -type f)`, the arguments of `find`. */
  foundFiles: Map<string, readonly Word[]>;
  /** Alias texts by name. An alias is removed while its own text is being read. */
  aliases: Map<string, readonly string[]>;
  /** Programs that the command line copies or links, by their new name. */
  programCopies: Map<string, Word>;
  /** Settings that the command line writes to git's config. */
  gitSettings: GitSetting[];
  /** Variable values once `${x:-…}` defaults are applied: `D=${ROOT:-/}`, `${x:=rm}`. */
  defaults: Map<string, readonly VariableValue[]>;
  /** Whether any value depends on which branch runs. */
  hasChoices: boolean;
  /** Reads a script as a shell would run it; returns its output, if known. */
  readScript: (text: string, scope: ShellScope) => string | undefined;
  /** Reads a script as a Windows shell would run it. */
  readForeign: (shell: ForeignShell, text: string, scope: ShellScope) => void;
  /** The current nesting depth of scripts and of syntax nodes. */
  scriptDepth: number;
  nodeDepth: number;
  charactersRead: number;
  steps: number;
  /** Part of the command line is being read again with other values, and its steps are counted separately. */
  isRepeating: boolean;
  repeatedSteps: number;
}

/** The states in which `break`, `continue` or `return` leave a loop or function. */
export interface EarlyExits {
  /** The scope of the loop or function. */
  base: ShellScope;
  ends: ShellScope[];
}

/** Everything known at one point of a command line: variables, the directory, and the wrappers around the commands. */
export interface ShellScope {
  reader: ShellReader;
  parent?: ShellScope;
  /** Variables that the command line assigns; undefined if the value is unknown. */
  values: Map<string, readonly VariableValue[] | Choice | undefined>;
  /** Functions by name. A name has several definitions if the last one may not have replaced the earlier ones. */
  functions: Map<string, readonly FunctionDefinition[]>;
  /** The exits recorded for `break` and `continue`, and for `return`. */
  loopExits?: EarlyExits | undefined;
  functionExits?: EarlyExits | undefined;
  /** Commands in this scope may not run. */
  isConditional?: true;
  /** Outer values of a function's local variables, as `findVariable` returns them. Absent outside functions. */
  locals?: Map<string, ReturnType<typeof findVariable>>;
  cwd: string | undefined;
  /** The possible directories if there are several; `cwd` is then undefined. */
  folderChoice?: Choice | undefined;
  /** The directory before the last `cd`, if known. */
  previous?: string | undefined;
  /** The directory in which commands built from a predicted output will run. */
  base?: string | undefined;
  /** The `cd` commands that led to the directory. */
  steps?: FolderStep | undefined;
  /** The positional parameters, if known. */
  parameters: readonly VariableValue[] | Choice | undefined;
  /** `$_`: the last word of the previous command, if known. */
  last?: VariableValue;
  via: readonly string[];
  remote: boolean;
  /** Expansions with a default are read as the default: `${x:-y}` as y. */
  appliesDefaults?: true;
  /** The text on stdin, if known; `read` consumes its first line. */
  stdin?: string | undefined;
  /** The file that `exec > x` redirects the shell's own output to. */
  outputFile?: string | undefined;
  /** The commands whose output is piped in. */
  sources?: readonly Command[];
}

export const createReader = (script: ShellReader["readScript"], foreign: ShellReader["readForeign"]): ShellReader => ({
  commands: [],
  fileTexts: new Map(),
  outputFiles: new Map(),
  foundFiles: new Map(),
  aliases: new Map(),
  programCopies: new Map(),
  gitSettings: [],
  defaults: new Map(),
  hasChoices: false,
  readScript: script,
  readForeign: foreign,
  scriptDepth: 0,
  nodeDepth: 0,
  charactersRead: 0,
  steps: 0,
  isRepeating: false,
  repeatedSteps: 0,
});

export const createLineScope = (reader: ShellReader): ShellScope => ({
  reader,
  values: new Map(),
  functions: new Map(),
  cwd: "",
  parameters: [],
  via: [],
  remote: false,
});

/** Creates a scope whose changes don't affect the outer one, for a subshell, a part of a pipeline, or a script. */
export const createInnerScope = (scope: ShellScope, changes: Partial<ShellScope> = {}): ShellScope => ({
  ...scope,
  parent: scope,
  values: new Map(),
  ...changes,
});

export const isChoice = (value: readonly VariableValue[] | Choice | null | undefined): value is Choice =>
  value !== null && value !== undefined && "outcomes" in value;

/**
 * Returns the items of a variable, or a choice between several values. Undefined if the command line doesn't assign it,
 * null if the value is unknown.
 */
export function findVariable(scope: ShellScope, name: string): readonly VariableValue[] | Choice | null | undefined {
  for (let at: ShellScope | undefined = scope; at; at = at.parent)
    if (at.values.has(name)) return at.values.get(name) ?? null;
  return undefined;
}

/**
 * Returns the items of a variable. Undefined if the command line doesn't assign it, null if the value is not certain.
 */
export function getVariableValues(scope: ShellScope, name: string): readonly VariableValue[] | null | undefined {
  const found = findVariable(scope, name);
  return isChoice(found) ? null : found;
}

/** Returns the positional parameters, if certain. */
export const getParameters = ({ parameters }: ShellScope): readonly VariableValue[] | undefined =>
  isChoice(parameters) ? undefined : parameters;

/** Copies the directory from another scope. */
export function copyFolder(scope: ShellScope, { cwd, folderChoice }: Pick<ShellScope, "cwd" | "folderChoice">): void {
  scope.cwd = cwd;
  scope.folderChoice = folderChoice;
}

/** Maximum number of a variable's items, and maximum total length. */
const MAX_ITEMS = 200;
const MAX_VALUE_LENGTH = 16_384;

const isWithinLimits = (values: readonly VariableValue[]) => {
  let length = 0;
  for (const value of values) for (const { text } of value) length += text.length;
  return values.length <= MAX_ITEMS && length <= MAX_VALUE_LENGTH;
};

/** Records an assignment. `values` is undefined if the value is unknown. */
export function assignVariable(scope: ShellScope, name: string, values: readonly VariableValue[] | undefined): void {
  scope.values.set(name, values && isWithinLimits(values) ? values : undefined);
}

/** Maximum number of recorded exits; further ones rarely differ. */
const MAX_EXITS = 64;

/** Records the state in which a command leaves a loop or function. */
export function recordExit(scope: ShellScope, exits: EarlyExits | undefined): void {
  if (!exits || exits.ends.length >= MAX_EXITS) return;
  const values: ShellScope["values"] = new Map();
  for (let at: ShellScope | undefined = scope; at && at !== exits.base.parent; at = at.parent)
    for (const [name, value] of at.values) if (!values.has(name)) values.set(name, value);
  const { parent: _, ...end } = scope;
  exits.ends.push({ ...end, values, ...(exits.base.parent && { parent: exits.base.parent }) });
}

/** Restores the values that local variables had before the function call. */
export function restoreLocals(scope: ShellScope, locals: NonNullable<ShellScope["locals"]>): void {
  for (const [name, values] of locals)
    if (values === undefined) scope.values.delete(name);
    else scope.values.set(name, values ?? undefined);
}
