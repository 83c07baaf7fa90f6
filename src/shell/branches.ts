import type { AndOr, Case, Command as Node, For, PipelineNode, Select, Statement, While } from "unbash";
import {
  isSameFolder,
  hasEqualValues,
  type BranchCoverage,
  mergeBranches,
  readForEachChoice,
} from "./words/choices.ts";
import { listUsedNames } from "./words/used-names.ts";
import type { Command } from "./command.ts";
import { markFolderSteps } from "./files/folder-steps.ts";
import { getCommandKeys, readNewCommands } from "./runs/new-commands.ts";
import { listPipeSources, recordPipeSources } from "./runs/pipe-sources.ts";
import {
  assignVariable,
  createInnerScope,
  type EarlyExits,
  getParameters,
  type ShellScope,
  copyFolder,
} from "./scope.ts";
import { hasDefault } from "./words/substitutions.ts";
import { isTest } from "./words/test-words.ts";
import { expandWord, toSegments } from "./words/words.ts";
import { getDescriptorFile, getFileText } from "./files/written-files.ts";

/** Creates a scope for commands that might not run. */
const createBranch = (scope: ShellScope, changes: Partial<ShellScope> = {}) =>
  createInnerScope(scope, { ...changes, isConditional: true });

/** Reads a list of commands and returns their output, if known. */
type ListReader = (list: readonly Statement[], scope: ShellScope) => string | undefined;
type NodeReader = (node: PipelineNode, scope: ShellScope) => string | undefined;

/**
 * Maximum number of iterations to read one by one. A loop with more iterations is read once, with its variable unknown.
 */
const MAX_ITERATIONS = 64;

/**
 * Reads commands joined by `&&` and `||`. Commands after the first operator might not run. A command after `||` runs
 * only if the previous one failed, so a `cd` in the previous one had no effect.
 */
export function readAndOr(
  { commands: [firstCommand, ...otherCommands], operators }: AndOr,
  scope: ShellScope,
  readCommand: NodeReader,
): string | undefined {
  const start = { ...scope };
  const { steps } = scope;
  let output = readCommand(firstCommand as PipelineNode, scope);
  const laterScope = createBranch(scope);
  // `succeededScope` is the state when every command so far has succeeded; `failedScope` is the state when the last one
  // failed.
  let [succeededScope, failedScope] = [createInnerScope(scope), createInnerScope(scope)];
  otherCommands.forEach((command, at) => {
    const previousScope = { ...laterScope };
    const isAfterFailure = operators[at] === "||";
    if (isAfterFailure && !isSameFolder(previousScope, start))
      copyFolder(laterScope, at === 0 ? start : mergeFolders(scope, start, previousScope));
    laterScope.steps = isAfterFailure ? steps : markFolderSteps(previousScope.steps, steps, { requiresSuccess: true });
    failedScope = mergeVariables(scope, [failedScope, succeededScope]);
    copyVariables(laterScope, isAfterFailure ? failedScope : succeededScope);
    const initialScope = { ...laterScope };
    const commandOutput = readCommand(command, laterScope);
    copyVariables(isAfterFailure ? failedScope : succeededScope, laterScope);
    if (isAfterFailure) succeededScope = mergeVariables(scope, [failedScope, succeededScope]);
    output = output === undefined || commandOutput === undefined ? undefined : output + commandOutput;
    if (isAfterFailure)
      copyFolder(
        laterScope,
        isSameFolder(laterScope, initialScope) ? previousScope : mergeFolders(scope, previousScope, laterScope),
      );
    if (isAfterFailure) laterScope.steps = previousScope.steps;
  });
  laterScope.steps = markFolderSteps(laterScope.steps, steps, { requiresSuccess: false });
  // A `cd` after a test might not run. After any other command, it's assumed to run and succeed; `addFailedCdCommands`
  // later adds the commands that would run if its directory is missing.
  const isTested = operators[0] === "&&" && isTest(firstCommand as PipelineNode);
  const { cwd, folderChoice, previousFolder, lastArgument } = laterScope;
  Object.assign(succeededScope, { cwd, folderChoice, previousFolder, steps: laterScope.steps });
  if (!isTested) copyFolder(failedScope, laterScope);
  mergeBranches(scope, [failedScope, succeededScope], "complete");
  scope.steps = laterScope.steps;
  scope.lastArgument = lastArgument;
  return output;
}

const UNKNOWN_FOLDER = { cwd: undefined, folderChoice: undefined };

function copyVariables(scope: ShellScope, { values, parameters }: ShellScope): void {
  Object.assign(scope, { values, parameters });
}

/** Creates a scope whose working directory is either of two directories. */
function mergeFolders(scope: ShellScope, firstScope: ShellScope, secondScope: ShellScope): ShellScope {
  const branches = [firstScope, secondScope].map(({ cwd, folderChoice, previousFolder, steps }) =>
    createInnerScope(scope, { cwd, folderChoice, previousFolder, steps }),
  );
  return mergeVariables(scope, branches);
}

/** Merges the variables of alternative branches. */
function mergeVariables(scope: ShellScope, branches: readonly ShellScope[]): ShellScope {
  const mergedScope = createInnerScope(scope);
  mergeBranches(mergedScope, branches, "complete");
  return mergedScope;
}

/** Reads alternative branches, exactly one of which runs. */
export function readBranches(
  scope: ShellScope,
  coverage: BranchCoverage,
  branches: readonly (readonly Statement[])[],
  readStatements: ListReader,
): void {
  const finalScopes = branches.map((branch) => {
    const at = createBranch(scope);
    readStatements(branch, at);
    return at;
  });
  mergeBranches(scope, finalScopes, coverage);
}

/**
 * Reads the branches of a `case` statement. At most one of them runs, unless it ends in `;&` and falls through to the
 * next. If no pattern matches, none of them runs.
 */
export function readCases(node: Case, scope: ShellScope, readStatements: ListReader): void {
  const { items } = node;
  const finalScopes: ShellScope[] = [];
  for (const [at, { body }] of items.entries()) {
    const branchScope = createBranch(scope);
    const terminator = items[at - 1]?.terminator ?? ";;";
    if (terminator !== ";;") mergeBranches(branchScope, [finalScopes[at - 1] as ShellScope], "partial");
    readStatements(body.commands, branchScope);
    finalScopes.push(branchScope);
  }
  mergeBranches(scope, finalScopes, hasDefault(node) ? "complete" : "partial");
}

/**
 * Reads a loop body that may run any number of times. If the first pass changes variables, a second pass starts from
 * the resulting state. If the body changes directory, the working directory is unknown throughout the loop.
 */
export function readLoop(
  scope: ShellScope,
  body: readonly Statement[],
  readStatements: ListReader,
  lines: readonly (string | undefined)[] = [],
): void {
  const { reader } = scope;
  const [line, ...otherLines] = lines;
  const at = createBranch(scope, { lastArgument: undefined, ...(lines.length > 0 && { stdin: line }) });
  const exits: EarlyExits = { owner: at, states: [] };
  at.loopExits = exits;
  const firstIndex = reader.commands.length;
  readStatements(body, at);
  for (const stdin of otherLines) {
    Object.assign(at, { stdin });
    readNewCommands(reader, getCommandKeys(reader.commands.slice(firstIndex)), () => readStatements(body, at));
  }
  if (!isSameFolder(at, scope)) {
    for (let i = firstIndex; i < reader.commands.length; i++) {
      const knownCommand = reader.commands[i] as Command;
      const { cwd: _, ...command } = knownCommand;
      recordPipeSources(command, listPipeSources(knownCommand));
      reader.commands[i] = command;
    }
    copyFolder(at, UNKNOWN_FOLDER);
  }
  if (at.values.size === 0) return mergeLoop(scope, [at, ...exits.states]);
  const scopeAfterOnePass = { ...at, values: new Map(at.values) };
  if (lines.length > 0) at.stdin = lines.at(-1);
  readNewCommands(reader, getCommandKeys(reader.commands.slice(firstIndex)), () => readStatements(body, at));
  const changedNames = [...at.values.keys()].filter((name) => !hasEqualValues(name, scopeAfterOnePass, at));
  if (changedNames.length === 0) return mergeLoop(scope, [at, ...exits.states]);
  const scopeAfterMorePasses = createInnerScope(at, { values: new Map(changedNames.map((name) => [name, undefined])) });
  mergeLoop(scope, [scopeAfterOnePass, at, scopeAfterMorePasses, ...exits.states]);
}

/** Merges the possible final states of a loop. If any of them changed directory, the merged directory is unknown. */
function mergeLoop(scope: ShellScope, finalScopes: readonly ShellScope[]): void {
  const isMoved = finalScopes.some((end) => !isSameFolder(end, scope));
  mergeBranches(scope, finalScopes, "partial");
  if (isMoved) copyFolder(scope, UNKNOWN_FOLDER);
}

/**
 * Maximum loop size: the length of the loop's source text times the number of input lines. A larger loop is read once,
 * with its input unknown.
 */
const MAX_LOOP_SIZE = 3_000;
/** Once the total input exceeds this length, each iteration gets only its own line instead of all remaining input. */
const MAX_INPUT_LENGTH = 100_000;

/**
 * Returns the input that remains at the start of each iteration of a `while read x` loop, or undefined where it's
 * unknown.
 */
export function listLoopInputLines(
  { clause, body, pos, end }: While,
  { stdin, reader }: ShellScope,
): readonly (string | undefined)[] {
  const readBuiltin = [...clause.commands, ...body.commands]
    .map(({ command }) => command)
    .find((command) => command.type === "Command" && command.name?.text === "read");
  const descriptor = readBuiltin?.type === "Command" ? getReadDescriptor(readBuiltin) : undefined;
  const text = descriptor === undefined ? stdin : getFileText(getDescriptorFile(descriptor), reader);
  if (!readBuiltin || text === undefined) return [];
  const lineStarts = [...text.matchAll(/[^\n\0]+/g)].map(({ index }) => index);
  const isLong = lineStarts.length > MAX_ITERATIONS || lineStarts.length * (end - pos) > MAX_LOOP_SIZE;
  if (isLong) return [undefined];
  if (descriptor !== undefined) return lineStarts.map(() => stdin);
  const isLarge = lineStarts.length * text.length > MAX_INPUT_LENGTH;
  return lineStarts.map((start) => (isLarge ? text.slice(start).split(/[\n\0]/, 1)[0] : text.slice(start)));
}

/** Returns the file descriptor that `read` uses: 3 for `read -u 3 x` or `read x <&3`. */
function getReadDescriptor({ args, redirects }: Node): string | undefined {
  const texts = args.map(({ text }) => text);
  const copyRedirect = redirects.find((redirect) => redirect.type === "Redirect" && redirect.operator === "<&");
  return (
    (copyRedirect?.type === "Redirect" ? copyRedirect.target?.text : undefined) ??
    /(?:^| )-\w*u ?(\d+)(?= |$)/.exec(texts.join(" "))?.[1]
  );
}

/** Reads a loop over words: once per word if the words are known. */
export function readWordLoop(node: For | Select, scope: ShellScope, readStatements: ListReader): void {
  const { wordlist } = node;
  readForEachChoice(
    scope,
    () => (wordlist ? listUsedNames(wordlist, scope) : ["@"]),
    (at) => readIterations(node, at, readStatements),
  );
}

function readIterations(node: For | Select, scope: ShellScope, readStatements: ListReader): void {
  const name = node.name.value;
  const words = node.wordlist
    ? node.wordlist.flatMap((word) => expandWord(word, scope).map(toSegments))
    : getParameters(scope);
  const { reader } = scope;
  const body = node.body.commands;
  if (!words || words.length > MAX_ITERATIONS || words.length === 0) {
    assignVariable(scope, name, undefined);
    return readLoop(scope, body, readStatements);
  }
  const seenCommands = new Set<string>();
  const { loopExits: outerExits } = scope;
  const exits: EarlyExits = { owner: scope, states: [] };
  scope.loopExits = exits;
  for (const word of words) {
    assignVariable(scope, name, [word]);
    readNewCommands(reader, seenCommands, () => readStatements(body, scope));
  }
  scope.loopExits = outerExits;
  if (exits.states.length > 0)
    mergeBranches(scope, [...exits.states, { ...scope, values: new Map(scope.values) }], "complete");
}
