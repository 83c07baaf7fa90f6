import type { Command } from "./command.ts";
import type { Word } from "./words/word.ts";

/** A piece of a word: literal text, or an expansion that is only known at run time. */
export interface WordSegment {
  text: string;
  live: boolean;
}

/** The value of a variable, or of one item of an array. */
export type VariableValue = readonly WordSegment[];

export const joinSegments = (value: VariableValue): string => value.map(({ text }) => text).join("");

/** What one of several branches leaves behind, of all that differs between them. */
export interface Outcome {
  values: ReadonlyMap<string, readonly VariableValue[] | undefined>;
  folder: Pick<ShellScope, "cwd" | "previous" | "steps">;
  parameters: readonly VariableValue[] | undefined;
}

/** The outcomes of branches of which one has run. Variables with the same choice have the values of the same outcome. */
export interface Choice {
  outcomes: readonly Outcome[];
}

/** A function that the line defines. */
export interface FunctionDefinition {
  /** Reads the body; returns what it prints, if known. */
  body: (scope: ShellScope) => string | undefined | void;
  scope: ShellScope;
  called: boolean;
  /** The depth of calls currently being read: above 1 in a recursion. */
  running: number;
}

/** One setting of git's; the key is in lower case. */
export interface GitSetting {
  key: string;
  value: string;
}

/** A `cd` before a command, which may have failed. */
export interface FolderStep {
  before: FolderStep | undefined;
  /** The words behind `cd`. */
  words: readonly Word[];
  /** The command runs only if this one succeeded: it is behind `&&`. */
  isSure: boolean;
  count: number;
}

/** The shells of Windows, whose lines are read as what POSIX shells would run. */
export type ForeignShell = "powershell" | "cmd";

/** The result of reading one line, and the work spent on it. */
export interface ShellReader {
  commands: Command[];
  problem?: string;
  /** The name of a function that starts itself without end. */
  forkBomb?: string;
  /** What `<(…)` certainly prints, by its text, and what the line writes to files, by their names. */
  fileTexts: Map<string, string>;
  /** The files that descriptors write to: of `exec 3>x`, x by 3. */
  outputFiles: Map<string, string>;
  /** The arguments of `find` whose files a word stands for, by the word: `$(find / -type f)`. */
  foundFiles: Map<string, readonly Word[]>;
  /** The texts of the aliases that the line defines, by name; those that are being read are left out. */
  aliases: Map<string, readonly string[]>;
  /** The programs that the line has copied or linked, by the new name. */
  programCopies: Map<string, Word>;
  /** The settings that the line has written to git's config. */
  gitSettings: GitSetting[];
  /** What variables hold where the defaults of others are taken: `D=${ROOT:-/}`, `${x:=rm}`. */
  defaults: Map<string, readonly VariableValue[]>;
  /** Whether anything depends on which branch of the line has run. */
  hasChoices: boolean;
  /** Reads a text as a shell would run it; returns what it prints, if known. */
  readScript: (text: string, scope: ShellScope) => string | undefined;
  /** Reads a text as a shell of Windows would run it. */
  readForeign: (shell: ForeignShell, text: string, scope: ShellScope) => void;
  /** The current depth of nested scripts, and of nodes. */
  scriptDepth: number;
  nodeDepth: number;
  charactersRead: number;
  steps: number;
  /** Something is read again with other values, and its steps are counted apart. */
  isRepeating: boolean;
  repeatedSteps: number;
}

/** The states in which commands end a loop or a function early. */
export interface EarlyExits {
  /** The scope of the loop or function. */
  base: ShellScope;
  ends: ShellScope[];
}

/** What is known at one place of a line: variables, directory, and the wrappers around it. */
export interface ShellScope {
  reader: ShellReader;
  parent?: ShellScope;
  /** Variables that the line assigned; undefined if the value is unknown. */
  values: Map<string, readonly VariableValue[] | Choice | undefined>;
  /** By name: several if one of them may not have replaced those before it. */
  functions: Map<string, readonly FunctionDefinition[]>;
  /** Where `break` and `continue`, and `return`, go on. */
  loopExits?: EarlyExits | undefined;
  functionExits?: EarlyExits | undefined;
  /** Commands in it may not run. */
  isConditional?: true;
  /** In a function, the outer values of its local names, as `findVariable` returns them; absent elsewhere. */
  locals?: Map<string, ReturnType<typeof findVariable>>;
  cwd: string | undefined;
  /** Where the directory is one of several, which; `cwd` is undefined then. */
  folderChoice?: Choice | undefined;
  /** The directory before the last `cd`, if known. */
  previous?: string | undefined;
  /** Of what is printed for other commands, the directory that these run in. */
  base?: string | undefined;
  /** Each `cd` that led there. */
  steps?: FolderStep | undefined;
  /** Positional parameters, if known. */
  parameters: readonly VariableValue[] | Choice | undefined;
  /** `$_`: the last word of the previous command, if known. */
  last?: VariableValue;
  via: readonly string[];
  remote: boolean;
  /** `${x:-y}` is read as y. */
  takesDefaults?: true;
  /** The text on stdin, if known: `read` takes its first line. */
  stdin?: string | undefined;
  /** The file that `exec > x` has redirected the shell itself to. */
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

/** The scope at the start of a line. */
export const createLineScope = (reader: ShellReader): ShellScope => ({
  reader,
  values: new Map(),
  functions: new Map(),
  cwd: "",
  parameters: [],
  via: [],
  remote: false,
});

/** A scope whose changes do not affect the outer one: a subshell, a part of a pipeline, a script. */
export const createInnerScope = (scope: ShellScope, changes: Partial<ShellScope> = {}): ShellScope => ({
  ...scope,
  parent: scope,
  values: new Map(),
  ...changes,
});

export const isChoice = (value: readonly VariableValue[] | Choice | null | undefined): value is Choice =>
  value !== null && value !== undefined && "outcomes" in value;

/** A variable's items, or the choice between several: undefined if the line does not assign it, null if unknown. */
export function findVariable(scope: ShellScope, name: string): readonly VariableValue[] | Choice | null | undefined {
  for (let at: ShellScope | undefined = scope; at; at = at.parent)
    if (at.values.has(name)) return at.values.get(name) ?? null;
  return undefined;
}

/** A variable's items: undefined if the line does not assign it, null if they are not certain. */
export function getVariableValues(scope: ShellScope, name: string): readonly VariableValue[] | null | undefined {
  const found = findVariable(scope, name);
  return isChoice(found) ? null : found;
}

/** The positional parameters, if certain. */
export const getParameters = ({ parameters }: ShellScope): readonly VariableValue[] | undefined =>
  isChoice(parameters) ? undefined : parameters;

/** Gives a scope the directory of another one. */
export function takeFolder(scope: ShellScope, { cwd, folderChoice }: Pick<ShellScope, "cwd" | "folderChoice">): void {
  scope.cwd = cwd;
  scope.folderChoice = folderChoice;
}

/** Maximum number of a variable's items, and of their characters in all. */
const MOST_ITEMS = 200;
const LONGEST_VALUE = 16_384;

const isWithinLimits = (values: readonly VariableValue[]) => {
  let length = 0;
  for (const value of values) for (const { text } of value) length += text.length;
  return values.length <= MOST_ITEMS && length <= LONGEST_VALUE;
};

/** Records an assignment; undefined values mean that the variable's value is unknown. */
export function assignVariable(scope: ShellScope, name: string, values: readonly VariableValue[] | undefined): void {
  scope.values.set(name, values && isWithinLimits(values) ? values : undefined);
}

/** Above this number, the ends of a loop are alike. */
const MOST_EXITS = 64;

/** Notes the state in which a command ends a loop or a function. */
export function noteExit(scope: ShellScope, exits: EarlyExits | undefined): void {
  if (!exits || exits.ends.length >= MOST_EXITS) return;
  const values: ShellScope["values"] = new Map();
  for (let at: ShellScope | undefined = scope; at && at !== exits.base.parent; at = at.parent)
    for (const [name, value] of at.values) if (!values.has(name)) values.set(name, value);
  const { parent: _, ...end } = scope;
  exits.ends.push({ ...end, values, ...(exits.base.parent && { parent: exits.base.parent }) });
}

/** Restores the values that names had before a function made them local. */
export function restoreLocals(scope: ShellScope, locals: NonNullable<ShellScope["locals"]>): void {
  for (const [name, values] of locals)
    if (values === undefined) scope.values.delete(name);
    else scope.values.set(name, values ?? undefined);
}
