import type {
  AndOr,
  Command as Node,
  CommandNode,
  CompoundList,
  For,
  Pipeline,
  PipelineNode,
  Select,
  Statement,
  SyntaxNode,
  TestExpression,
  While,
  Word as Source,
} from "unbash";
import { type Command, createShellError } from "./command.ts";
import { emitCommand } from "./emit.ts";
import { markSteps } from "./folder-steps.ts";
import { isForkBomb } from "./fork-bomb.ts";
import { listPipeSources, notePipeSources, takePipeSources } from "./pipe-sources.ts";
import { MAX_LINE_LENGTH, parseScript, countSteps, readSubstitution, loadParser } from "./parser.ts";
import {
  assignVariable,
  createInnerScope,
  mergeBranches,
  createLineScope,
  type ShellReader,
  type ShellScope,
} from "./scope.ts";
import { readRedirects, getStdinText } from "./redirects.ts";
import { readSimpleCommand } from "./simple-command.ts";
import { expandWord, toSegments, expandSingleWord } from "./words.ts";
import type { Word } from "./word.ts";

/** After a syntax error, the rest of a script is read up to this many times. */
const MOST_RETRIES = 8;
const UNEXPECTED = /^unexpected token '([^]*)'$/;
/** A loop over more words than this is read once, with an unknown word. */
const MOST_TURNS = 64;

/** Maximum depth of the tree: groups, loops, nested function calls. */
const DEEPEST = 1000;

/** Reads a text as a shell would run it. */
export function readScript(text: string, scope: ShellScope): void {
  const { reader } = scope;
  reader.scriptDepth++;
  let rest = text;
  for (let retry = 0; retry <= MOST_RETRIES; retry++) {
    const tree = parseScript(rest, reader);
    readStatements(tree.commands, scope);
    const error = tree.errors?.find(({ message }) => UNEXPECTED.test(message));
    if (!error) break;
    rest = rest.slice(error.pos + (UNEXPECTED.exec(error.message)?.[1]?.length || 1));
  }
  reader.scriptDepth--;
}

/** Reads the functions that a line defines and does not call by name. */
export function readUncalledFunctions(scope: ShellScope): void {
  for (const definition of scope.functions.values()) if (!definition.called) definition.body(definition.scope);
}

/** Maximum number of pieces of a line that bash would not accept. */
const MOST_PIECES = 200;

/**
 * Reads each piece of a line between separators, quoted or not, and adds commands that were not found before as
 * guesses.
 */
export function readPieces(line: string, { reader }: ShellScope): void {
  const seen = new Set(reader.commands.map(({ words }) => words.join("\0")));
  for (const piece of line.split(/[;&|\n()`]+|\s[{}](?![^\s'"])/, MOST_PIECES)) {
    const first = reader.commands.length;
    readScript(piece, createLineScope(reader));
    for (const command of reader.commands.splice(first))
      if (!seen.has(command.words.join("\0"))) reader.commands.push({ ...command, guessed: true });
  }
}

/** Reads a list; returns what it certainly prints. */
function readStatements(list: readonly Statement[], scope: ShellScope): string | undefined {
  let output: string | undefined = "";
  for (const { command, background } of list) {
    const printed = readNode(command, background ? createInnerScope(scope) : scope);
    output = output === undefined || printed === undefined ? undefined : output + printed;
  }
  return output && output.length > MAX_LINE_LENGTH ? undefined : output;
}

/** Reads one node; returns what it certainly prints. */
function readNode(node: PipelineNode | AndOr | CommandNode | CompoundList, scope: ShellScope): string | undefined {
  const { reader } = scope;
  countSteps(reader);
  if (++reader.nodeDepth > DEEPEST)
    throw createShellError(`the shell line is nested too deeply to be read (more than ${DEEPEST} levels); split it up`);
  let output: string | undefined;
  if (node.type === "Command") {
    output = readSimpleCommand(node, scope);
    for (const part of [...node.prefix, ...(node.name ? [node.name] : []), ...node.suffix])
      if (mayHoldScript(part)) readSubstitutions(part, scope);
  } else output = readGroup(node, scope);
  reader.nodeDepth--;
  return output;
}

/** Reads a pipeline, list or group; returns what it certainly prints if all of its commands run. */
function readGroup(
  node: Exclude<PipelineNode | AndOr | CommandNode | CompoundList, { type: "Command" }>,
  scope: ShellScope,
): string | undefined {
  switch (node.type) {
    case "Pipeline":
      return readPipeline(node, scope);
    case "AndOr":
      return readAndOr(node, scope);
    case "CompoundList":
      return readStatements(node.commands, scope);
    case "BraceGroup":
      return readStatements(node.body.commands, scope);
    case "Subshell":
      return readStatements(node.body.commands, createInnerScope(scope));
    default:
      readCompound(node, scope);
  }
  return undefined;
}

type GroupedNodeType = "Command" | "Pipeline" | "AndOr" | "CompoundList" | "BraceGroup" | "Subshell";

function readCompound(
  node: Exclude<CommandNode | AndOr | CompoundList, { type: GroupedNodeType }>,
  scope: ShellScope,
): void {
  switch (node.type) {
    case "Redirected": {
      const redirects = readRedirects(node.redirects, scope);
      emitCommand(createEmptyCommand(scope), [], redirects, {}, scope);
      for (const redirect of node.redirects) readSubstitutions(redirect, scope);
      const within = { ...scope, stdin: getStdinText(redirects, scope) ?? scope.stdin };
      readNode(node.command, within);
      Object.assign(scope, { cwd: within.cwd, parameters: within.parameters, last: within.last });
      return;
    }
    case "If":
      readStatements(node.clause.commands, scope);
      return readBranches(scope, node.else === undefined, [
        node.then.commands,
        ...node.elif.map(({ clause, then }) => [...clause.commands, ...then.commands]),
        ...(node.else ? [node.else.commands] : []),
      ]);
    case "While":
      return readLoop(scope, [...node.clause.commands, ...node.body.commands], listReadLines(node, scope));
    case "ArithmeticFor":
      readSubstitutions(node, scope, node.body);
      return readLoop(scope, node.body.commands);
    case "For":
    case "Select":
      return readWordLoop(node, scope);
    case "Case": {
      readSubstitutions(node.word, scope);
      for (const { pattern } of node.items) for (const word of pattern) readSubstitutions(word, scope);
      const bodies = node.items.map(({ body }) => body.commands);
      return readBranches(scope, true, bodies);
    }
    case "Function": {
      const { body } = node;
      if (isForkBomb(node)) scope.reader.forkBomb = node.name.value;
      // A definition of the same name may belong to another branch.
      const before = scope.functions.get(node.name.value);
      if (before && !before.called) before.body(before.scope);
      const definition = {
        // Called from its own body it has other arguments; commands that come out the same are not repeated.
        body: (at: ShellScope) =>
          definition.running > 1
            ? readNewCommands(at.reader, getCommandKeys(at.reader.commands), () => readNode(body, at))
            : void readNode(body, at),
        scope: createInnerScope(scope, { parameters: undefined }),
        called: false,
        running: 0,
      };
      scope.functions.set(node.name.value, definition);
      return;
    }
    case "Coproc":
      readNode(node.body, createInnerScope(scope));
      return;
    case "TestCommand": {
      const words = [{ text: "[[" }, ...listTestWords(node.expression, scope), { text: "]]" }];
      emitCommand({ ...createEmptyCommand(scope), words }, words, [], {}, scope);
      return readSubstitutions(node, scope);
    }
    case "ArithmeticCommand":
      return readSubstitutions(node, scope);
  }
}

/** Whether there may be a script in a part of a command. Most are plain words and quotes. */
function mayHoldScript(part: Node["suffix"][number] | Node["prefix"][number]): boolean {
  if (part.type !== "Word" && part.type !== "Redirect") return true;
  const parts = part.type === "Word" ? part.parts : part.target?.parts;
  if (part.type === "Redirect" && part.descriptor !== undefined && part.descriptor.type !== "FileDescriptor")
    return true;
  for (const one of parts ?? []) {
    if (one.type === "Literal" || one.type === "SingleQuoted") continue;
    if (one.type !== "DoubleQuoted") return true;
    for (const { type } of one.parts) if (type !== "Literal") return true;
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

/** Reads the scripts inside a node's words, `$(…)` and `<(…)`, except those below `without`. */
function readSubstitutions(node: SyntaxNode, scope: ShellScope, without?: SyntaxNode): void {
  // An explicit stack, since a long arithmetic expression is a deep tree.
  const left = [node];
  for (let at = left.pop(); at; at = left.pop()) {
    if (at.type === "CommandExpansion" || at.type === "ProcessSubstitution" || at.type === "ArithmeticCommandExpansion")
      readStatements(readSubstitution(at.text, at.script, scope.reader), createInnerScope(scope));
    else {
      const found: SyntaxNode[] = [];
      loadParser().forEachChild(
        at,
        (child) => void (child !== without && (child.type !== "Word" || child.parts) && found.push(child)),
      );
      for (let last = found.pop(); last; last = found.pop()) left.push(last);
    }
  }
}

/** `time -f x rm y` runs the program: the keyword has no such options. */
function restoreTime(node: CommandNode, { prefixes }: Pipeline): CommandNode {
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
  const [first, ...others] = pipeline.commands;
  if (!first) return undefined;
  const commands = [restoreTime(first, pipeline), ...others];
  if (others.length === 0) return readNode(commands[0] as CommandNode, scope);
  let { stdin, sources } = scope;
  const { reader } = scope;
  for (const command of commands) {
    const first = reader.commands.length;
    stdin = readNode(command, createInnerScope(scope, { stdin, base: scope.cwd, ...(sources && { sources }) }));
    sources = takePipeSources(reader.commands, first);
  }
  return stdin;
}

/**
 * Commands after the first `&&` or `||` may or may not run. After `||` the command before it failed, so a `cd` there
 * had no effect.
 */
function readAndOr({ commands: [first, ...others], operators }: AndOr, scope: ShellScope): string | undefined {
  const { cwd: start, steps } = scope;
  let output = readNode(first as PipelineNode, scope);
  const rest = createInnerScope(scope);
  others.forEach((command, at) => {
    const before = rest.cwd;
    const failed = operators[at] === "||";
    if (failed && before !== start) rest.cwd = at === 0 ? start : undefined;
    const tried = rest.steps;
    rest.steps = failed ? steps : markSteps(tried, steps, true);
    const from = rest.cwd;
    const printed = readNode(command, rest);
    output = failed || output === undefined || printed === undefined ? undefined : output + printed;
    if (failed) rest.cwd = rest.cwd === from ? before : undefined;
    if (failed) rest.steps = tried;
  });
  mergeBranches(scope, [rest], true);
  // A `cd` is assumed to succeed; `settleFolders` adds what runs if it can't.
  scope.cwd = rest.cwd;
  scope.steps = markSteps(rest.steps, steps, false);
  scope.last = rest.last;
  return output;
}

/** Reads branches of which one runs, or possibly none. */
function readBranches(scope: ShellScope, none: boolean, branches: readonly (readonly Statement[])[]): void {
  const ends = branches.map((branch) => {
    const at = createInnerScope(scope);
    readStatements(branch, at);
    return at;
  });
  mergeBranches(scope, ends, none);
}

/**
 * Reads the body of a loop, which runs any number of times: a second pass shows what the first one leaves for it. If
 * the body changes directory, none of its directories is certain.
 */
function readLoop(scope: ShellScope, body: readonly Statement[], lines: readonly (string | undefined)[] = []): void {
  const { cwd, reader } = scope;
  const [line, ...others] = lines;
  const at = createInnerScope(scope, { last: undefined, ...(lines.length > 0 && { stdin: line }) });
  const first = reader.commands.length;
  readStatements(body, at);
  for (const stdin of others) {
    Object.assign(at, { stdin });
    readNewCommands(reader, getCommandKeys(reader.commands.slice(first)), () => readStatements(body, at));
  }
  if (at.cwd !== cwd) {
    for (let i = first; i < reader.commands.length; i++) {
      const known = reader.commands[i] as Command;
      const { cwd: _, ...command } = known;
      notePipeSources(command, listPipeSources(known));
      reader.commands[i] = command;
    }
    at.cwd = undefined;
  }
  if (at.values.size > 0)
    readNewCommands(reader, getCommandKeys(reader.commands.slice(first)), () => readStatements(body, at));
  mergeBranches(scope, [at], true);
}

/** A loop with more text, for all the lines that it reads together, is read once, with an unknown line. */
const LONGEST_TURNS = 3_000;

/** The lines that a loop reads one after another, `while read x`: undefined for one whose line is unknown. */
function listReadLines({ clause, body, pos, end }: While, { stdin }: ShellScope): readonly (string | undefined)[] {
  const reads = (list: CompoundList) =>
    list.commands.some(({ command }) => command.type === "Command" && command.name?.text === "read");
  if (stdin === undefined || !(reads(clause) || reads(body))) return [];
  const lines = stdin.split(/[\n\0]/).filter((line) => line !== "");
  return lines.length > MOST_TURNS || lines.length * (end - pos) > LONGEST_TURNS ? [undefined] : lines;
}

/** A command as a key, cached: a function may be called hundreds of times, and all commands are compared each time. */
function getCommandKey(command: Command): string {
  let key = commandKeys.get(command);
  if (key === undefined) commandKeys.set(command, (key = JSON.stringify(command)));
  return key;
}
const commandKeys = new WeakMap<Command, string>();
const getCommandKeys = (commands: readonly Command[]) => new Set(commands.map(getCommandKey));

/** Reads something again, and keeps only commands that were not found before. */
function readNewCommands(reader: ShellReader, seen: Set<string>, read: () => void): void {
  const first = reader.commands.length;
  read();
  for (const command of reader.commands.splice(first)) {
    const key = getCommandKey(command);
    if (!seen.has(key)) reader.commands.push(command);
    seen.add(key);
  }
}

/** Reads a loop over words, once for each word as long as they are known. */
function readWordLoop(node: For | Select, scope: ShellScope): void {
  for (const word of node.wordlist ?? []) readSubstitutions(word, scope);
  const name = node.name.value;
  const words = node.wordlist
    ? node.wordlist.flatMap((word) => expandWord(word, scope).map(toSegments))
    : scope.parameters;
  const { reader } = scope;
  const body = node.body.commands;
  if (!words || words.length > MOST_TURNS || words.length === 0) {
    assignVariable(scope, name, undefined);
    return readLoop(scope, body);
  }
  const seen = new Set<string>();
  for (const word of words) {
    assignVariable(scope, name, [word]);
    readNewCommands(reader, seen, () => readStatements(body, scope));
  }
}

/** The words of `[[ … ]]`, in order. */
function listTestWords(node: TestExpression, scope: ShellScope): Word[] {
  const word = (source: Source) => expandSingleWord(source, scope);
  switch (node.type) {
    case "TestUnary":
      return [{ text: node.operator }, word(node.operand)];
    case "TestBinary":
      return [word(node.left), { text: node.operator }, word(node.right)];
    case "TestLogical":
      return node.operands.flatMap((operand, at) => [
        ...(at > 0 ? [{ text: node.operator }] : []),
        ...listTestWords(operand, scope),
      ]);
    case "TestNot":
      return [...node.negations.map(() => ({ text: "!" })), ...listTestWords(node.operand, scope)];
    case "TestGroup":
      return [{ text: "(" }, ...listTestWords(node.expression, scope), { text: ")" }];
  }
}
