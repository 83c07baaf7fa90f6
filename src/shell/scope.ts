import type { Command } from "./command.ts";
import type { Word } from "./words/word.ts";

/** A segment of a word: literal text, or an expansion that is unknown until run time. */
export interface WordSegment {
  text: string;
  isDynamic: boolean;
}

/** The value of a variable or of one array item. */
export type VariableValue = readonly WordSegment[];

export const joinSegments = (value: VariableValue): string => value.map(({ text }) => text).join("");

/**
 * The state after one of several branches, limited to variables, directory and parameters that differ between the
 * branches.
 */
export interface Outcome {
  values: ReadonlyMap<string, readonly VariableValue[] | undefined>;
  folder: Pick<ShellScope, "cwd" | "previousFolder" | "steps">;
  parameters: readonly VariableValue[] | undefined;
}

/**
 * The possible outcomes of alternative branches. Variables that share a choice always take their values from the same
 * outcome.
 */
export interface OutcomeChoice {
  outcomes: readonly Outcome[];
}

/** A function that the command line defines. */
export interface FunctionDefinition {
  /** Reads the function's body. Returns its output, if known. */
  body: (scope: ShellScope) => string | undefined | void;
  scope: ShellScope;
  isCalled: boolean;
  /** Number of calls in progress. More than 1 means recursion. */
  callDepth: number;
}

/** A git setting. The key is lowercase. */
export interface GitSetting {
  key: string;
  value: string;
}

/** A `cd` before a command. It might have failed. */
export interface FolderStep {
  previousStep: FolderStep | undefined;
  /** Arguments of the `cd`. */
  words: readonly Word[];
  /** Whether the command runs only if this `cd` succeeded, as in `cd x && command`. */
  requiresSuccess: boolean;
  count: number;
}

/** Windows shells. Their syntax is translated to equivalent POSIX commands. */
export type ForeignShell = "powershell" | "cmd";

/** The state of parsing one command line: results, limits and shared tables. */
export interface ShellReader {
  commands: Command[];
  problem?: string;
  /** Name of a function that keeps starting copies of itself. */
  forkBomb?: string;
  /** Known contents of files by name: output of `<(…)`, and files written by the command line. */
  fileTexts: Map<string, string>;
  /** The file that each file descriptor writes to: `exec 3>x` maps 3 to x. */
  outputFiles: Map<string, string>;
  /** Arguments of each `find`, by the word that stands for its output, such as `$(find / -type f)`. */
  foundFiles: Map<string, readonly Word[]>;
  /** Definitions of each alias by name. An alias is removed while its own definition is being read. */
  aliases: Map<string, readonly string[]>;
  /** Programs that the command line copies or links, by their new name. */
  programCopies: Map<string, Word>;
  /** Git settings that the command line writes to git's config. */
  gitSettings: GitSetting[];
  /** Variable values once defaults are applied, as in `D=${ROOT:-/}` and `${x:=rm}`. */
  defaults: Map<string, readonly VariableValue[]>;
  /** Whether any value depends on which branch is taken. */
  hasChoices: boolean;
  /** Reads a script as a shell would. Returns the output, if known. */
  readScript: (text: string, scope: ShellScope) => string | undefined;
  /** Reads a script in a Windows shell's syntax. */
  readForeign: (shell: ForeignShell, text: string, scope: ShellScope) => void;
  /** Current nesting depth of scripts (`scriptDepth`) and of syntax nodes (`nodeDepth`). */
  scriptDepth: number;
  nodeDepth: number;
  charactersRead: number;
  steps: number;
  /**
   * Whether part of the command line is being read again with different values. Those steps are counted in
   * `repeatedSteps`.
   */
  isRepeating: boolean;
  repeatedSteps: number;
}

/** The state at each point where `break`, `continue` or `return` leaves a loop or function. */
export interface EarlyExits {
  /** Scope of the loop or function. */
  owner: ShellScope;
  states: ShellScope[];
}

/** Shell state at one point in the command line: variables, the directory, and the wrappers around the commands. */
export interface ShellScope {
  reader: ShellReader;
  parent?: ShellScope;
  /** Variables assigned by the command line. An unknown value is undefined. */
  values: Map<string, readonly VariableValue[] | OutcomeChoice | undefined>;
  /** Functions by name. A name has multiple definitions unless the latest certainly replaced the earlier ones. */
  functions: Map<string, readonly FunctionDefinition[]>;
  /** `loopExits` are early exits through `break` and `continue`, and `functionExits` through `return`. */
  loopExits?: EarlyExits | undefined;
  functionExits?: EarlyExits | undefined;
  /** Whether the commands in this scope might not run. */
  isConditional?: true;
  /**
   * What a function's local variables contained before the call, as returned by `findVariable`. Undefined outside
   * functions.
   */
  locals?: Map<string, ReturnType<typeof findVariable>>;
  cwd: string | undefined;
  /** The possible current directories if there is more than one. `cwd` is then undefined. */
  folderChoice?: OutcomeChoice | undefined;
  /** Directory before the last `cd`, if known. */
  previousFolder?: string | undefined;
  /** Working directory of the commands that use this scope's output. */
  outputFolder?: string | undefined;
  /** The `cd` commands that led to the current directory. */
  steps?: FolderStep | undefined;
  /** Positional parameters, if known. */
  parameters: readonly VariableValue[] | OutcomeChoice | undefined;
  /** The value of `$_`, if known: the previous command's last word. */
  lastArgument?: VariableValue;
  via: readonly string[];
  remote: boolean;
  /** Whether `${x:-y}` expands to its default, y. */
  appliesDefaults?: true;
  /** Text on stdin, if known. `read` consumes its first line. */
  stdin?: string | undefined;
  /** File that receives the shell's own output after `exec > x`. */
  outputFile?: string | undefined;
  /** Commands whose output is piped into this scope. */
  sources?: readonly Command[];
}

export const createReader = (
  readScript: ShellReader["readScript"],
  readForeign: ShellReader["readForeign"],
): ShellReader => ({
  commands: [],
  fileTexts: new Map(),
  outputFiles: new Map(),
  foundFiles: new Map(),
  aliases: new Map(),
  programCopies: new Map(),
  gitSettings: [],
  defaults: new Map(),
  hasChoices: false,
  readScript,
  readForeign,
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

/** Creates a scope for a subshell, part of a pipeline, or a script. Changes there don't affect the outer scope. */
export const createInnerScope = (scope: ShellScope, changes: Partial<ShellScope> = {}): ShellScope => ({
  ...scope,
  parent: scope,
  values: new Map(),
  ...changes,
});

export const isChoice = (value: readonly VariableValue[] | OutcomeChoice | null | undefined): value is OutcomeChoice =>
  value !== null && value !== undefined && "outcomes" in value;

/**
 * Returns a variable's items, or a choice if they depend on a branch. Returns undefined if the command line doesn't
 * assign the variable, and null if its value is unknown.
 */
export function findVariable(
  scope: ShellScope,
  name: string,
): readonly VariableValue[] | OutcomeChoice | null | undefined {
  for (let at: ShellScope | undefined = scope; at; at = at.parent)
    if (at.values.has(name)) return at.values.get(name) ?? null;
  return undefined;
}

/**
 * Returns a variable's items. Returns undefined if the command line doesn't assign the variable, and null if its value
 * is uncertain.
 */
export function getVariableValues(scope: ShellScope, name: string): readonly VariableValue[] | null | undefined {
  const values = findVariable(scope, name);
  return isChoice(values) ? null : values;
}

/** Returns the positional parameters, or undefined if they are uncertain. */
export const getParameters = ({ parameters }: ShellScope): readonly VariableValue[] | undefined =>
  isChoice(parameters) ? undefined : parameters;

/** Copies the current directory from another scope. */
export function copyFolder(scope: ShellScope, { cwd, folderChoice }: Pick<ShellScope, "cwd" | "folderChoice">): void {
  scope.cwd = cwd;
  scope.folderChoice = folderChoice;
}

/** Maximum number of items in a variable, and their maximum total length. */
const MAX_ITEMS = 200;
const MAX_VALUE_LENGTH = 16_384;

const isWithinLimits = (values: readonly VariableValue[]) => {
  let length = 0;
  for (const value of values) for (const { text } of value) length += text.length;
  return values.length <= MAX_ITEMS && length <= MAX_VALUE_LENGTH;
};

/** Records an assignment. If the value is unknown, `values` is undefined. */
export function assignVariable(scope: ShellScope, name: string, values: readonly VariableValue[] | undefined): void {
  scope.values.set(name, values && isWithinLimits(values) ? values : undefined);
}

/** Maximum number of early exits to record. More of them rarely lead to a different state. */
const MAX_EXITS = 64;

/** Records the state in which a command leaves a loop or function. */
export function recordExit(scope: ShellScope, exits: EarlyExits | undefined): void {
  if (!exits || exits.states.length >= MAX_EXITS) return;
  const values: ShellScope["values"] = new Map();
  for (let at: ShellScope | undefined = scope; at && at !== exits.owner.parent; at = at.parent)
    for (const [name, value] of at.values) if (!values.has(name)) values.set(name, value);
  const { parent: _, ...end } = scope;
  exits.states.push({ ...end, values, ...(exits.owner.parent && { parent: exits.owner.parent }) });
}

/** Restores the values that local variables had before the function was called. */
export function restoreLocals(scope: ShellScope, locals: NonNullable<ShellScope["locals"]>): void {
  for (const [name, values] of locals)
    if (values === undefined) scope.values.delete(name);
    else scope.values.set(name, values ?? undefined);
}
