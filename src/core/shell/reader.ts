import type { ParsedScript } from "unbash";
import { type Command, shellError } from "./command.ts";
import { plainTree } from "./plain.ts";

/** Characters of a line. Linux starts no program with a longer argument, so no `bash -c` has a longer one. */
export const LONGEST = 131_072;
/** Characters that are read in all: the line's, and again those of scripts within scripts and of variables' values. */
const MOST_READ = 2 * LONGEST;
/** Commands, words and their parts; a loop over known words is read once for each. */
const MOST_STEPS = 6_000;
/** Steps of starting on a script within a script. */
const SCRIPT = 20;
/** Scripts within scripts: `sh -c "sh -c …"`. */
const DEEPEST = 24;
/** Separators, and here-documents that begin in one row: what the parser's time grows with. */
const MOST_SEPARATORS = 10_000;
const MOST_DOCUMENTS = 200;
const MOST_MARKS = 4_000;
/** A `$$` with a brace behind it: for each of them unbash 6.0.4 looks for the brace's end again. */
const MOST_PIDS = 50;

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
  cwd: string | undefined;
  /** Positional parameters, where they are known. */
  parameters: readonly Value[] | undefined;
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
  for (let at: Scope | undefined = scope; at; at = at.parent) if (at.values.has(name)) return at.values.get(name) ?? null;
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

const areSame = (a: readonly Value[] | undefined, b: readonly Value[] | undefined): boolean =>
  a === b ||
  (a !== undefined &&
    a.length === b?.length &&
    a.every((value, at) => {
      const other = b[at] as Value;
      return (
        value.length === other.length && value.every(({ text, live }, piece) => text === other[piece]?.text && live === other[piece]?.live)
      );
    }));

/** Takes over what branches left of which one is run, or none: what all of them agree in is known. */
export function merge(scope: Scope, branches: readonly Scope[], none: boolean): void {
  const all = none ? [scope, ...branches] : branches;
  const [first] = all;
  scope.cwd = all.every(({ cwd }) => cwd === first?.cwd) ? first?.cwd : undefined;
  scope.parameters = all.every(({ parameters }) => parameters === first?.parameters) ? first?.parameters : undefined;
  const names = new Set(branches.flatMap(({ values }) => [...values.keys()]));
  for (const name of names) {
    // Where the line did not assign it before, it is taken to be assigned now.
    const found = all.map((branch) => valuesOf(branch, name)).filter((values) => values !== undefined);
    const same = found.every((values) => areSame(values ?? undefined, found[0] ?? undefined));
    scope.values.set(name, same ? (found[0] ?? undefined) : undefined);
  }
}

/** Counts steps of the reading. */
export function step(reader: Reader, steps = 1): void {
  reader.steps += steps;
  if (reader.steps > MOST_STEPS)
    throw shellError(`the shell line has too many commands and words to be read (more than ${MOST_STEPS} steps); split it up`);
}

/** Counts text that is read. */
export function charge(reader: Reader, characters: number): void {
  reader.read += characters;
  if (reader.read > MOST_READ)
    throw shellError(`the shell line is nested too deeply to be read (more than ${MOST_READ} characters in all); split it up`);
}

const SEPARATORS = [";", "&", "|", "\n"];

/** A text without its first here-documents, roughly: they may be large, and cost little to read. */
function withoutDocuments(text: string): string {
  let rest = "";
  let from = 0;
  let count = 0;
  for (const { 0: operator, 2: word, index } of text.matchAll(/<<-?[ \t]*(["']?)(\w+)\1/g)) {
    if (index < from) continue;
    if (++count > MOST_DOCUMENTS) break;
    const end = text.indexOf(`\n${word}`, index + operator.length);
    if (end < 0) continue;
    rest += text.slice(from, index);
    from = end;
  }
  return rest + text.slice(from);
}

/** Whether a text has more than so many of some marks. */
function exceeds(text: string, marks: readonly string[], most: number): boolean {
  let count = 0;
  for (const mark of marks) for (let at = text.indexOf(mark); at >= 0; at = text.indexOf(mark, at + 1)) if (++count > most) return true;
  return false;
}

const tooMany = (what: string, most: number) =>
  shellError(`the shell line has too many ${what} to be read (more than ${most}); split it up`);

/** Refuses a script that would take the parser longer than a call may take. */
function check(text: string, depth: number): void {
  if (depth > DEEPEST)
    throw shellError(`the shell line is nested too deeply to be read (more than ${DEEPEST} scripts in one another); split it up`);
  if (text.length > LONGEST)
    throw shellError(`the shell line is too long to be read (${text.length} characters; at most ${LONGEST}); put it into a file`);
  if (exceeds(text, ["<<"], MOST_MARKS)) throw tooMany("here-documents", MOST_MARKS);
  for (const row of text.includes("<<") ? text.split("\n") : [])
    if (row.length > MOST_DOCUMENTS && exceeds(row, ["<<"], MOST_DOCUMENTS)) throw tooMany("here-documents in a row", MOST_DOCUMENTS);
  if (text.includes("{") && exceeds(text, ["$$"], MOST_PIDS)) throw tooMany('"$$" beside braces', MOST_PIDS);
  const several = exceeds(text, SEPARATORS, MOST_SEPARATORS);
  if (several && (exceeds(text, SEPARATORS, 4 * MOST_SEPARATORS) || exceeds(withoutDocuments(text), SEPARATORS, MOST_SEPARATORS)))
    throw tooMany("commands", MOST_SEPARATORS);
}

/** The parser. It is loaded here, since most calls need none. */
export const unbash = (): Parser => (parser ??= require("unbash") as Parser);
type Parser = typeof import("unbash");
let parser: Parser | undefined;

/** The tree of a script. */
export function parse(text: string, reader: Reader): ParsedScript {
  check(text, reader.depth);
  charge(reader, text.length);
  step(reader, SCRIPT);
  const plain = plainTree(text);
  if (plain) return plain;
  const tree = unbash().parse(text);
  note(tree, reader);
  return tree;
}

/** The statements of a script inside a word. */
export function substituted(text: string, script: ParsedScript | undefined, reader: Reader): ParsedScript["commands"] {
  charge(reader, text.length);
  step(reader, SCRIPT);
  if (script) note(script, reader);
  return script?.commands ?? [];
}

/** Notes what the parser says against a script. */
function note({ errors }: ParsedScript, reader: Reader): void {
  for (const { message } of errors ?? []) {
    if (message.startsWith("maximum")) throw shellError(`the shell line is nested too deeply to be read (${message}); split it up`);
    reader.problem ??= message;
  }
}
