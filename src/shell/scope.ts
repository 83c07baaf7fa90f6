import type { Command } from "./command.ts";
import type { Word } from "./words/word.ts";

/** A segment of a word: literal text, or an expansion that is unknown until run time. */
export interface WordSegment {
  text: string;
  isDynamic: boolean;
}

/** Value of a variable or array item. */
export type VariableValue = readonly WordSegment[];

export const joinSegments = (value: VariableValue): string => value.map(({ text }) => text).join("");

/**
 * State after one of several branches. Contains only the variables, directory and parameters that differ between the
 * branches.
 */
export interface Outcome {
  values: ReadonlyMap<string, readonly VariableValue[] | undefined>;
  folder: Pick<ShellScope, "cwd" | "previousFolder" | "steps">;
  parameters: readonly VariableValue[] | undefined;
}

/** Outcomes of alternative branches. Variables with the same choice always take their values from the same outcome. */
export interface Choice {
  outcomes: readonly Outcome[];
}

/** A function defined in the command line. */
export interface FunctionDefinition {
  /** Reads the body. Returns the output, if known. */
  body: (scope: ShellScope) => string | undefined | void;
  scope: ShellScope;
  isCalled: boolean;
  /** Number of calls in progress. More than 1 means recursion. */
  callDepth: number;
}

/** A git setting with a lowercase key. */
export interface GitSetting {
  key: string;
  value: string;
}

/** A `cd` that precedes a command. The `cd` may have failed. */
export interface FolderStep {
  previousStep: FolderStep | undefined;
  /** Arguments of the `cd`. */
  words: readonly Word[];
  /** Whether the command runs only if this `cd` succeeded, as in `cd x && command`. */
  requiresSuccess: boolean;
  count: number;
}

/** Windows shells, whose syntax is translated to equivalent POSIX commands. */
export type ForeignShell = "powershell" | "cmd";

/** State of parsing one command line: results, limits and shared tables. */
export interface ShellReader {
  commands: Command[];
  problem?: string;
  /** Name of a function that endlessly starts copies of itself. */
  forkBomb?: string;
  /** Known text of files by name: the output of `<(…)`, and files that the command line writes. */
  fileTexts: Map<string, string>;
  /** Output file of each file descriptor: `exec 3>x` maps 3 to x. */
  outputFiles: Map<string, string>;
  /** Arguments of `find`, by the placeholder word for its output, such as `$(find / -type f)`. */
  foundFiles: Map<string, readonly Word[]>;
  /** Text of each alias by name. While an alias's text is being read, the alias itself is removed. */
  aliases: Map<string, readonly string[]>;
  /** Programs that the command line copies or links, by the name of the copy or link. */
  programCopies: Map<string, Word>;
  /** Git settings that the command line writes to a config file. */
  gitSettings: GitSetting[];
  /** Values of variables after defaults are applied, as in `D=${ROOT:-/}` and `${x:=rm}`. */
  defaults: Map<string, readonly VariableValue[]>;
  /** Whether any value depends on which branch runs. */
  hasChoices: boolean;
  /** Reads a script as a shell would. Returns the output, if known. */
  readScript: (text: string, scope: ShellScope) => string | undefined;
  /** Reads a script as a Windows shell would. */
  readForeign: (shell: ForeignShell, text: string, scope: ShellScope) => void;
  /** Current nesting depth of scripts and syntax nodes. */
  scriptDepth: number;
  nodeDepth: number;
  charactersRead: number;
  steps: number;
  /**
   * Whether part of the command line is being read again with other values. Steps of a repeated reading are counted
   * separately.
   */
  isRepeating: boolean;
  repeatedSteps: number;
}

/** States at each point where `break`, `continue` or `return` leaves a loop or function. */
export interface EarlyExits {
  /** Scope of the loop or function. */
  owner: ShellScope;
  states: ShellScope[];
}

/** Shell state at one point in a command line: variables, the directory, and the wrappers around the commands. */
export interface ShellScope {
  reader: ShellReader;
  parent?: ShellScope;
  /** Variables that the command line assigns. Unknown values are undefined. */
  values: Map<string, readonly VariableValue[] | Choice | undefined>;
  /**
   * Functions by name. A name has several definitions if it isn't certain that the latest one replaced the earlier
   * ones.
   */
  functions: Map<string, readonly FunctionDefinition[]>;
  /** `loopExits` are early exits by `break` and `continue`. `functionExits` are early exits by `return`. */
  loopExits?: EarlyExits | undefined;
  functionExits?: EarlyExits | undefined;
  /** Whether the commands in this scope might not run. */
  isConditional?: true;
  /**
   * Values that a function's local variables had before the call, as returned by `findVariable`. Undefined outside
   * functions.
   */
  locals?: Map<string, ReturnType<typeof findVariable>>;
  cwd: string | undefined;
  /** Possible current directories, if there are several. In that case, `cwd` is undefined. */
  folderChoice?: Choice | undefined;
  /** Directory before the last `cd`, if known. */
  previousFolder?: string | undefined;
  /** Working directory of the commands that use this scope's output. */
  outputFolder?: string | undefined;
  /** `cd` commands that led to the current directory. */
  steps?: FolderStep | undefined;
  /** Positional parameters, if known. */
  parameters: readonly VariableValue[] | Choice | undefined;
  /** Value of `$_`, if known: the last word of the previous command. */
  lastArgument?: VariableValue;
  via: readonly string[];
  remote: boolean;
  /** Whether an expansion with a default expands to its default: `${x:-y}` becomes y. */
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

/**
 * Creates a scope for a subshell, part of a pipeline, or a script. Changes in the new scope don't affect the outer
 * scope.
 */
export const createInnerScope = (scope: ShellScope, changes: Partial<ShellScope> = {}): ShellScope => ({
  ...scope,
  parent: scope,
  values: new Map(),
  ...changes,
});

export const isChoice = (value: readonly VariableValue[] | Choice | null | undefined): value is Choice =>
  value !== null && value !== undefined && "outcomes" in value;

/**
 * Returns a variable's items, or a choice between several values. Returns undefined if the command line doesn't assign
 * the variable, and null if the variable's value is unknown.
 */
export function findVariable(scope: ShellScope, name: string): readonly VariableValue[] | Choice | null | undefined {
  for (let at: ShellScope | undefined = scope; at; at = at.parent)
    if (at.values.has(name)) return at.values.get(name) ?? null;
  return undefined;
}

/**
 * Returns a variable's items. Returns undefined if the command line doesn't assign the variable, and null if the
 * variable's value is not certain.
 */
export function getVariableValues(scope: ShellScope, name: string): readonly VariableValue[] | null | undefined {
  const values = findVariable(scope, name);
  return isChoice(values) ? null : values;
}

/** Returns the positional parameters, if they are certain. */
export const getParameters = ({ parameters }: ShellScope): readonly VariableValue[] | undefined =>
  isChoice(parameters) ? undefined : parameters;

/** Copies the directory from another scope. */
export function copyFolder(scope: ShellScope, { cwd, folderChoice }: Pick<ShellScope, "cwd" | "folderChoice">): void {
  scope.cwd = cwd;
  scope.folderChoice = folderChoice;
}

/** Maximum number of items in a variable, and maximum total length of the items. */
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

/** Maximum number of early exits to record. Further exits rarely lead to a different state. */
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

/** Restores the values that local variables had before the function call. */
export function restoreLocals(scope: ShellScope, locals: NonNullable<ShellScope["locals"]>): void {
  for (const [name, values] of locals)
    if (values === undefined) scope.values.delete(name);
    else scope.values.set(name, values ?? undefined);
}
