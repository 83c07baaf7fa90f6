import type {
  AndOr,
  Command as Node,
  CommandNode,
  CompoundList,
  For,
  Function as FunctionNode,
  Pipeline,
  PipelineNode,
  Redirected,
  Redirection,
  Select,
  Statement,
  SyntaxNode,
} from "unbash";
import { listLoopInputLines, readAndOr, readBranches, readCases, readLoop, readWordLoop } from "./branches.ts";
import { getSharedResult, readForEachChoice } from "./words/choices.ts";
import { listNamesOfCommand, listUsedNames } from "./words/used-names.ts";
import { createShellError } from "./command.ts";
import { emitCommand } from "./emit.ts";
import { isForkBomb } from "./fork-bomb.ts";
import { getCommandKeys, readNewCommands } from "./runs/new-commands.ts";
import { slicePipeSources } from "./runs/pipe-sources.ts";
import { readWithChoices } from "./words/output-choices.ts";
import { MAX_LINE_LENGTH, parseScript, countSteps, readSubstitution, loadParser } from "./parser.ts";
import { assignVariable, createInnerScope, type FunctionDefinition, type ShellScope, copyFolder } from "./scope.ts";
import { isOutputRedirected, readRedirects, getStdinText } from "./files/redirects.ts";
import { readSimpleCommand } from "./simple-command.ts";
import { listTestWords } from "./words/test-words.ts";
import { getDescriptorFile, recordRedirectedOutput } from "./files/written-files.ts";

/** Maximum number of times to resume parsing after a syntax error. */
const MAX_PARSE_RETRIES = 8;
const UNEXPECTED_TOKEN = /^unexpected token '([^]*)'$/;

/** Maximum depth of the syntax tree: groups, loops and nested function calls. */
const MAX_NODE_DEPTH = 1000;

/** Reads a script as a shell would. Returns its output, if known. */
export function readScript(text: string, scope: ShellScope): string | undefined {
  const { reader } = scope;
  reader.scriptDepth++;
  let remainingText = text;
  let output: string | undefined;
  for (let retry = 0; retry <= MAX_PARSE_RETRIES; retry++) {
    const tree = parseScript(remainingText, reader);
    const scriptOutput = readStatements(tree.commands, scope);
    output = tree.errors === undefined ? scriptOutput : undefined;
    const error = tree.errors?.find(({ message }) => UNEXPECTED_TOKEN.test(message));
    if (!error) break;
    remainingText = remainingText.slice(error.pos + (UNEXPECTED_TOKEN.exec(error.message)?.[1]?.length || 1));
  }
  reader.scriptDepth--;
  return output;
}

/** Reads functions that the command line defines but never calls by name. */
export function readUncalledFunctions(scope: ShellScope): void {
  for (const definitions of scope.functions.values()) readUncalledDefinitions(definitions);
}

function readUncalledDefinitions(definitions: readonly FunctionDefinition[]): void {
  for (const definition of definitions) if (!definition.isCalled) definition.body(definition.scope);
}

/** Maximum number of definitions to keep for a function that several branches define. */
const MAX_DEFINITIONS = 4;

/** Maximum number of fragments to read from a command line that bash would reject. */
const MAX_FRAGMENTS = 200;

/**
 * Reads the text between separators, even quoted ones, as separate commands. Any command not found before is added as a
 * guess.
 */
export function readFragments(line: string, scope: ShellScope): void {
  const { reader } = scope;
  const seenCommands = new Set(reader.commands.map(({ words }) => words.join("\0")));
  for (const piece of line.split(/[;&|\n()`]+|\s[{}](?![^\s'"])/, MAX_FRAGMENTS)) {
    const firstIndex = reader.commands.length;
    readScript(piece, createInnerScope(scope));
    for (const command of reader.commands.splice(firstIndex))
      if (!seenCommands.has(command.words.join("\0"))) reader.commands.push({ ...command, guessed: true });
  }
}

/** Reads a list of statements. Returns their output, if known. */
function readStatements(list: readonly Statement[], scope: ShellScope): string | undefined {
  let output: string | undefined = "";
  for (const { command, background } of list) {
    const commandOutput = readNode(command, background ? createInnerScope(scope) : scope);
    output = output === undefined || commandOutput === undefined ? undefined : output + commandOutput;
  }
  return output && output.length > MAX_LINE_LENGTH ? undefined : output;
}

/** Reads the statement lists of a compound command. Returns their combined output if all of it is known. */
function collectOutput(readLists: (readList: typeof readStatements) => void): string | undefined {
  let output: string | undefined = "";
  readLists((list, scope) => {
    const listOutput = readStatements(list, scope);
    output = output === undefined || listOutput === undefined ? undefined : output + listOutput;
    return listOutput;
  });
  return output;
}

/**
 * Reads a syntax node. Returns its output, if known; for a node with branches, that is the output of all branches
 * joined.
 */
function readNode(node: ReadableNode, scope: ShellScope): string | undefined {
  const { reader } = scope;
  countSteps(reader);
  if (++reader.nodeDepth > MAX_NODE_DEPTH)
    throw createShellError(
      `the command line is nested too deeply to parse (more than ${MAX_NODE_DEPTH} levels); split it into several commands`,
    );
  const output =
    node.type === "Command"
      ? getSharedResult(readWithChoices(node, scope, (at) => readCommand(node, at)))
      : (READERS[node.type] as (node: ReadableNode, scope: ShellScope) => string | undefined)(node, scope);
  reader.nodeDepth--;
  return output;
}

function readCommand(node: Node, scope: ShellScope): string | undefined {
  const output = readSimpleCommand(node, scope);
  for (const part of [...node.prefix, ...(node.name ? [node.name] : []), ...node.suffix])
    if (mayContainScript(part)) readSubstitutions(part, scope);
  return output;
}

type ReadableNode = PipelineNode | AndOr | CommandNode | CompoundList;
type NodeReader<T extends ReadableNode> = (node: T, scope: ShellScope) => string | undefined | void;

/**
 * Readers for nodes that contain other nodes. Each returns the node's output if all of its commands are certain to run.
 */
const READERS: { [T in Exclude<ReadableNode["type"], "Command">]: NodeReader<Extract<ReadableNode, { type: T }>> } = {
  Pipeline: readPipeline,
  AndOr: (node, scope) => readAndOr(node, scope, readNode),
  CompoundList: (node, scope) => readStatements(node.commands, scope),
  BraceGroup: (node, scope) => readStatements(node.body.commands, scope),
  Subshell: (node, scope) => readStatements(node.body.commands, createInnerScope(scope)),
  Redirected: readRedirected,
  If({ clause, then, elif, else: otherwise }, scope) {
    readStatements(clause.commands, scope);
    const branches = [
      then.commands,
      ...elif.map((branch) => [...branch.clause.commands, ...branch.then.commands]),
      ...(otherwise ? [otherwise.commands] : []),
    ];
    return collectOutput((readStatementList) =>
      readBranches(scope, otherwise ? "complete" : "partial", branches, readStatementList),
    );
  },
  While(node, scope) {
    const body = [...node.clause.commands, ...node.body.commands];
    return collectOutput((readStatementList) =>
      readLoop(scope, body, readStatementList, listLoopInputLines(node, scope)),
    );
  },
  ArithmeticFor(node, scope) {
    readSubstitutions(node, scope, node.body);
    return collectOutput((readStatementList) => readLoop(scope, node.body.commands, readStatementList));
  },
  For: readLoopOverWords,
  Select: readLoopOverWords,
  Case(node, scope) {
    readSubstitutions(node.word, scope);
    for (const { pattern } of node.items) for (const word of pattern) readSubstitutions(word, scope);
    return collectOutput((readStatementList) => readCases(node, scope, readStatementList));
  },
  Function: defineFunction,
  Coproc({ body, name }, scope) {
    const output = readNode(body, createInnerScope(scope));
    if (output === undefined) return;
    scope.reader.fileTexts.set(getDescriptorFile(COPROC_DESCRIPTOR), output);
    const value = [{ text: COPROC_DESCRIPTOR, isDynamic: false }];
    assignVariable(scope, name?.value ?? "COPROC", [value]);
  },
  TestCommand(node, scope) {
    const words = [{ text: "[[" }, ...listTestWords(node.expression, scope), { text: "]]" }];
    emitCommand({ ...createEmptyCommand(scope), words }, { words }, scope);
    readSubstitutions(node, scope);
    return "";
  },
  ArithmeticCommand(node, scope) {
    readSubstitutions(node, scope);
    return "";
  },
};

/**
 * Assumed number of the file descriptor that reads from a coprocess. The first item of the coprocess array contains it.
 */
const COPROC_DESCRIPTOR = "63";

function readRedirected({ command, redirects }: Redirected, scope: ShellScope): string | undefined {
  const listNames = () => listUsedNames(redirects, scope);
  const texts = readForEachChoice(scope, listNames, (at) => readGroupRedirects(redirects, at));
  // If stdin depends on a choice, a loop reads the lines of every alternative.
  const text = texts.includes(undefined) ? undefined : [...new Set(texts)].join("");
  const groupScope = { ...scope, stdin: text };
  const output = readNode(command, groupScope);
  const redirectList = output === undefined ? [] : readRedirects(redirects, scope);
  if (output !== undefined) recordRedirectedOutput(redirectList, output, scope);
  copyFolder(scope, groupScope);
  Object.assign(scope, { parameters: groupScope.parameters, lastArgument: groupScope.lastArgument });
  return isOutputRedirected(redirectList) ? undefined : output;
}

function readLoopOverWords(node: For | Select, scope: ShellScope): string | undefined {
  for (const word of node.wordlist ?? []) readSubstitutions(word, scope);
  return collectOutput((readStatementList) => readWordLoop(node, scope, readStatementList));
}

function defineFunction(node: FunctionNode, scope: ShellScope): void {
  const { body } = node;
  const name = node.name.value;
  if (isForkBomb(node)) scope.reader.forkBomb = name;
  const earlierDefinitions = scope.functions.get(name) ?? [];
  const keptDefinitions = scope.isConditional ? earlierDefinitions.slice(1 - MAX_DEFINITIONS) : [];
  readUncalledDefinitions(earlierDefinitions.filter((definition) => !keptDefinitions.includes(definition)));
  const definition: FunctionDefinition = {
    // The arguments of a recursive call differ, so the body is read again, but only new commands are added.
    body: (at: ShellScope) =>
      definition.callDepth > 1
        ? void readNewCommands(at.reader, getCommandKeys(at.reader.commands), () => readNode(body, at))
        : readNode(body, at),
    scope: createInnerScope(scope, { parameters: undefined }),
    isCalled: false,
    callDepth: 0,
  };
  scope.functions.set(name, [...keptDefinitions, definition]);
}

/** Reads a group's redirections. Returns the text on its stdin, if known. */
function readGroupRedirects(nodes: readonly Redirection[], scope: ShellScope): string | undefined {
  const redirects = readRedirects(nodes, scope);
  emitCommand(createEmptyCommand(scope), { words: [], redirects }, scope);
  for (const redirect of nodes) readSubstitutions(redirect, scope);
  return getStdinText(redirects, scope);
}

/** Whether part of a command could contain a script. Most parts are plain words and quotes. */
function mayContainScript(part: Node["suffix"][number] | Node["prefix"][number]): boolean {
  if (part.type !== "Word" && part.type !== "Redirect") return true;
  const parts = part.type === "Word" ? part.parts : part.target?.parts;
  if (part.type === "Redirect" && part.descriptor !== undefined && part.descriptor.type !== "FileDescriptor")
    return true;
  for (const wordPart of parts ?? []) {
    if (wordPart.type === "Literal" || wordPart.type === "SingleQuoted") continue;
    if (wordPart.type !== "DoubleQuoted") return true;
    for (const { type } of wordPart.parts) if (type !== "Literal") return true;
  }
  return false;
}

const createEmptyCommand = ({ via, cwd, remote }: ShellScope) => ({
  words: [],
  via,
  env: {},
  cwd,
  more: false,
  remote,
  guessed: false,
});

/** Reads the scripts inside a node's words, such as `$(…)` and `<(…)`, except within `excludedNode`. */
function readSubstitutions(node: SyntaxNode, scope: ShellScope, excludedNode?: SyntaxNode): void {
  // An explicit stack, since a long arithmetic expression forms a deep tree.
  const pendingNodes = [node];
  for (let at = pendingNodes.pop(); at; at = pendingNodes.pop()) {
    if (at.type === "CommandExpansion" || at.type === "ProcessSubstitution" || at.type === "ArithmeticCommandExpansion")
      readStatements(readSubstitution(at.text, at.script, scope.reader), createInnerScope(scope));
    else {
      const childNodes: SyntaxNode[] = [];
      loadParser().forEachChild(
        at,
        (child) => void (child !== excludedNode && (child.type !== "Word" || child.parts) && childNodes.push(child)),
      );
      for (let childNode = childNodes.pop(); childNode; childNode = childNodes.pop()) pendingNodes.push(childNode);
    }
  }
}

/** Reads `time -f x rm y` as a call of the program `time`: the shell keyword doesn't have options such as `-f`. */
function readTimeAsProgram(node: CommandNode, { prefixes }: Pipeline): CommandNode {
  const time = prefixes.at(-1);
  if (time?.type !== "Time" || node.type !== "Command" || !node.name?.text.startsWith("-")) return node;
  const { name, prefix, redirects } = node;
  const { pos, keywordEnd } = time;
  return {
    type: "Command",
    pos,
    end: node.end,
    prefix,
    redirects,
    name: { type: "Word", text: "time", value: "time", pos, end: keywordEnd },
    suffix: [name, ...node.suffix],
    args: [name, ...node.args],
  };
}

function readPipeline(pipeline: Pipeline, scope: ShellScope): string | undefined {
  const [firstCommand, ...otherCommands] = pipeline.commands;
  if (!firstCommand) return undefined;
  const commands = [readTimeAsProgram(firstCommand, pipeline), ...otherCommands];
  if (otherCommands.length === 0) return readNode(commands[0] as CommandNode, scope);
  const listNames = () =>
    commands.flatMap((command) => (command.type === "Command" ? listNamesOfCommand(command, scope) : []));
  return getSharedResult(readForEachChoice(scope, listNames, (at) => readPiped(commands, at)));
}

function readPiped(commands: readonly CommandNode[], scope: ShellScope): string | undefined {
  let { stdin, sources } = scope;
  const { reader } = scope;
  for (const command of commands) {
    const firstIndex = reader.commands.length;
    stdin = readNode(command, createInnerScope(scope, { stdin, outputFolder: scope.cwd, ...(sources && { sources }) }));
    sources = slicePipeSources(reader.commands, firstIndex);
  }
  return stdin;
}
