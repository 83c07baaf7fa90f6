import type { AndOr, Case, Command as Node, For, PipelineNode, Select, Statement, While } from "unbash";
import {
  isSameFolder,
  hasEqualValues,
  listUsedNames,
  type Coverage,
  mergeBranches,
  readEachChoice,
} from "./words/choices.ts";
import type { Command } from "./command.ts";
import { markSteps } from "./files/folder-steps.ts";
import { getCommandKeys, readNewCommands } from "./runs/new-commands.ts";
import { listPipeSources, notePipeSources } from "./runs/pipe-sources.ts";
import {
  assignVariable,
  createInnerScope,
  type EarlyExits,
  getParameters,
  type ShellScope,
  takeFolder,
} from "./scope.ts";
import { hasDefault } from "./words/substitutions.ts";
import { isTest } from "./words/test-words.ts";
import { expandWord, toSegments } from "./words/words.ts";
import { getDescriptorFile, getFileText } from "./files/written-files.ts";

/** The scope of commands that may not run. */
const createBranch = (scope: ShellScope, changes: Partial<ShellScope> = {}) =>
  createInnerScope(scope, { ...changes, isConditional: true });

/** Reads a list of commands, or one of them; returns what it certainly prints. */
type ListReader = (list: readonly Statement[], scope: ShellScope) => string | undefined;
type NodeReader = (node: PipelineNode, scope: ShellScope) => string | undefined;

/** A loop over more words than this is read once, with an unknown word. */
const MOST_TURNS = 64;

/**
 * Commands after the first `&&` or `||` may or may not run. After `||` the command before it failed, so a `cd` there
 * had no effect.
 */
export function readAndOr(
  { commands: [first, ...others], operators }: AndOr,
  scope: ShellScope,
  readCommand: NodeReader,
): string | undefined {
  const start = { ...scope };
  const { steps } = scope;
  let output = readCommand(first as PipelineNode, scope);
  const rest = createBranch(scope);
  // Variables where all commands so far have succeeded, and where the last one has failed.
  let [reached, missed] = [createInnerScope(scope), createInnerScope(scope)];
  others.forEach((command, at) => {
    const before = { ...rest };
    const failed = operators[at] === "||";
    if (failed && !isSameFolder(before, start)) takeFolder(rest, at === 0 ? start : joinFolders(scope, start, before));
    rest.steps = failed ? steps : markSteps(before.steps, steps, { isSure: true });
    missed = joinVariables(scope, [missed, reached]);
    takeVariables(rest, failed ? missed : reached);
    const from = { ...rest };
    const printed = readCommand(command, rest);
    takeVariables(failed ? missed : reached, rest);
    if (failed) reached = joinVariables(scope, [missed, reached]);
    output = output === undefined || printed === undefined ? undefined : output + printed;
    if (failed) takeFolder(rest, isSameFolder(rest, from) ? before : joinFolders(scope, before, rest));
    if (failed) rest.steps = before.steps;
  });
  rest.steps = markSteps(rest.steps, steps, { isSure: false });
  // Behind a test, a `cd` may not run. It is assumed to succeed; `settleFolders` adds what runs if it can't.
  const isTested = operators[0] === "&&" && isTest(first as PipelineNode);
  const { cwd, folderChoice, previous, last } = rest;
  Object.assign(reached, { cwd, folderChoice, previous, steps: rest.steps });
  if (!isTested) takeFolder(missed, rest);
  mergeBranches(scope, [missed, reached], "complete");
  scope.steps = rest.steps;
  scope.last = last;
  return output;
}

const UNKNOWN_FOLDER = { cwd: undefined, folderChoice: undefined };

function takeVariables(scope: ShellScope, { values, parameters }: ShellScope): void {
  Object.assign(scope, { values, parameters });
}

/** One of two directories. */
function joinFolders(scope: ShellScope, one: ShellScope, other: ShellScope): ShellScope {
  const branches = [one, other].map(({ cwd, folderChoice, previous, steps }) =>
    createInnerScope(scope, { cwd, folderChoice, previous, steps }),
  );
  return joinVariables(scope, branches);
}

/** The variables of branches of which one has run. */
function joinVariables(scope: ShellScope, branches: readonly ShellScope[]): ShellScope {
  const joined = createInnerScope(scope);
  mergeBranches(joined, branches, "complete");
  return joined;
}

/** Reads branches of which one runs. */
export function readBranches(
  scope: ShellScope,
  coverage: Coverage,
  branches: readonly (readonly Statement[])[],
  readStatements: ListReader,
): void {
  const ends = branches.map((branch) => {
    const at = createBranch(scope);
    readStatements(branch, at);
    return at;
  });
  mergeBranches(scope, ends, coverage);
}

/** Reads the cases of which one runs, or none where no case takes everything; one may go on to the next. */
export function readCases(node: Case, scope: ShellScope, readStatements: ListReader): void {
  const { items } = node;
  const ends: ShellScope[] = [];
  for (const [at, { body }] of items.entries()) {
    const within = createBranch(scope);
    const before = items[at - 1]?.terminator ?? ";;";
    if (before !== ";;") mergeBranches(within, [ends[at - 1] as ShellScope], "partial");
    readStatements(body.commands, within);
    ends.push(within);
  }
  mergeBranches(scope, ends, hasDefault(node) ? "complete" : "partial");
}

/**
 * Reads the body of a loop, which runs any number of times: a second pass shows what the first one leaves for it. If
 * the body changes directory, none of its directories is certain.
 */
export function readLoop(
  scope: ShellScope,
  body: readonly Statement[],
  readStatements: ListReader,
  lines: readonly (string | undefined)[] = [],
): void {
  const { reader } = scope;
  const [line, ...others] = lines;
  const at = createBranch(scope, { last: undefined, ...(lines.length > 0 && { stdin: line }) });
  const exits: EarlyExits = { base: at, ends: [] };
  at.loopExits = exits;
  const first = reader.commands.length;
  readStatements(body, at);
  for (const stdin of others) {
    Object.assign(at, { stdin });
    readNewCommands(reader, getCommandKeys(reader.commands.slice(first)), () => readStatements(body, at));
  }
  if (!isSameFolder(at, scope)) {
    for (let i = first; i < reader.commands.length; i++) {
      const known = reader.commands[i] as Command;
      const { cwd: _, ...command } = known;
      notePipeSources(command, listPipeSources(known));
      reader.commands[i] = command;
    }
    takeFolder(at, UNKNOWN_FOLDER);
  }
  if (at.values.size === 0) return mergeLoop(scope, [at, ...exits.ends]);
  const once = { ...at, values: new Map(at.values) };
  if (lines.length > 0) at.stdin = lines.at(-1);
  readNewCommands(reader, getCommandKeys(reader.commands.slice(first)), () => readStatements(body, at));
  const changing = [...at.values.keys()].filter((name) => !hasEqualValues(name, once, at));
  if (changing.length === 0) return mergeLoop(scope, [at, ...exits.ends]);
  const later = createInnerScope(at, { values: new Map(changing.map((name) => [name, undefined])) });
  mergeLoop(scope, [once, at, later, ...exits.ends]);
}

/** Merges what a loop leaves after some of its turns; if it changes directory, that is unknown. */
function mergeLoop(scope: ShellScope, ends: readonly ShellScope[]): void {
  const isMoved = ends.some((end) => !isSameFolder(end, scope));
  mergeBranches(scope, ends, "partial");
  if (isMoved) takeFolder(scope, UNKNOWN_FOLDER);
}

/** A loop with more text, for all the lines that it reads together, is read once, with an unknown line. */
const LONGEST_TURNS = 3_000;
/** Above this length of all turns' input, a turn gets its own line only. */
const MOST_LEFT = 100_000;

/** The rest of the input in each turn of a loop, `while read x`: undefined for a turn whose line is unknown. */
export function listReadLines(
  { clause, body, pos, end }: While,
  { stdin, reader }: ShellScope,
): readonly (string | undefined)[] {
  const read = [...clause.commands, ...body.commands]
    .map(({ command }) => command)
    .find((command) => command.type === "Command" && command.name?.text === "read");
  const descriptor = read?.type === "Command" ? getReadDescriptor(read) : undefined;
  const text = descriptor === undefined ? stdin : getFileText(getDescriptorFile(descriptor), reader);
  if (!read || text === undefined) return [];
  const starts = [...text.matchAll(/[^\n\0]+/g)].map(({ index }) => index);
  const isLong = starts.length > MOST_TURNS || starts.length * (end - pos) > LONGEST_TURNS;
  if (isLong) return [undefined];
  if (descriptor !== undefined) return starts.map(() => stdin);
  const isLarge = starts.length * text.length > MOST_LEFT;
  return starts.map((start) => (isLarge ? text.slice(start).split(/[\n\0]/, 1)[0] : text.slice(start)));
}

/** The descriptor that a `read` is told to read: `read -u 3 x`, `read x <&3`. */
function getReadDescriptor({ args, redirects }: Node): string | undefined {
  const texts = args.map(({ text }) => text);
  const copied = redirects.find((one) => one.type === "Redirect" && one.operator === "<&");
  return (
    (copied?.type === "Redirect" ? copied.target?.text : undefined) ??
    /(?:^| )-\w*u ?(\d+)(?= |$)/.exec(texts.join(" "))?.[1]
  );
}

/** Reads a loop over words, once for each word as long as they are known. */
export function readWordLoop(node: For | Select, scope: ShellScope, readStatements: ListReader): void {
  const { wordlist } = node;
  readEachChoice(
    scope,
    () => (wordlist ? listUsedNames(wordlist, scope) : ["@"]),
    (at) => readTurns(node, at, readStatements),
  );
}

function readTurns(node: For | Select, scope: ShellScope, readStatements: ListReader): void {
  const name = node.name.value;
  const words = node.wordlist
    ? node.wordlist.flatMap((word) => expandWord(word, scope).map(toSegments))
    : getParameters(scope);
  const { reader } = scope;
  const body = node.body.commands;
  if (!words || words.length > MOST_TURNS || words.length === 0) {
    assignVariable(scope, name, undefined);
    return readLoop(scope, body, readStatements);
  }
  const seen = new Set<string>();
  const { loopExits: outer } = scope;
  const exits: EarlyExits = { base: scope, ends: [] };
  scope.loopExits = exits;
  for (const word of words) {
    assignVariable(scope, name, [word]);
    readNewCommands(reader, seen, () => readStatements(body, scope));
  }
  scope.loopExits = outer;
  if (exits.ends.length > 0)
    mergeBranches(scope, [...exits.ends, { ...scope, values: new Map(scope.values) }], "complete");
}
