import type {
  AndOr,
  CommandNode,
  CompoundList,
  For,
  Pipeline,
  PipelineNode,
  Select,
  Statement,
  SyntaxNode,
  TestExpression,
  Word as Source,
} from "unbash";
import { type Command, shellError } from "./command.ts";
import { emit } from "./emit.ts";
import { LONGEST, parse, step, substituted, unbash } from "./reader.ts";
import { assign, inner, merge, outermost, type Reader, type Scope } from "./scope.ts";
import { redirectsOf, textRead } from "./redirects.ts";
import { simple } from "./simple.ts";
import { expand, segments, single } from "./words.ts";
import type { Word } from "./word.ts";

/** What is left of a script behind a place that bash would not take is read this often. */
const MOST_RETRIES = 8;
const UNEXPECTED = /^unexpected token '([^]*)'$/;
/** A loop over more words than these is read once, without knowing the word. */
const MOST_TURNS = 64;

/** Levels of the tree: groups, loops, functions that call one another. */
const DEEPEST = 1000;

/** Reads a text as a shell would run it. */
export function script(text: string, scope: Scope): void {
  const { reader } = scope;
  reader.depth++;
  let rest = text;
  for (let retry = 0; retry <= MOST_RETRIES; retry++) {
    const tree = parse(rest, reader);
    statements(tree.commands, scope);
    const error = tree.errors?.find(({ message }) => UNEXPECTED.test(message));
    if (!error) break;
    rest = rest.slice(error.pos + (UNEXPECTED.exec(error.message)?.[1]?.length || 1));
  }
  reader.depth--;
}

/** Reads the functions that a line defines and does not call by their names. */
export function uncalled(scope: Scope): void {
  for (const definition of scope.functions.values()) if (!definition.called) definition.body(definition.scope);
}

/** Pieces of a line that isn't what bash would take. */
const MOST_PIECES = 200;

/** Reads each piece of a line between separators, quotes or not, for commands that were not found: they are guesses. */
export function piecemeal(line: string, { reader }: Scope): void {
  const seen = new Set(reader.commands.map(({ words }) => words.join("\0")));
  for (const piece of line.split(/[;&|\n()`]+/, MOST_PIECES)) {
    const first = reader.commands.length;
    script(piece, outermost(reader));
    for (const command of reader.commands.splice(first))
      if (!seen.has(command.words.join("\0"))) reader.commands.push({ ...command, guessed: true });
  }
}

/** Reads a list; returns what it surely prints. */
function statements(list: readonly Statement[], scope: Scope): string | undefined {
  let output: string | undefined = "";
  for (const { command, background } of list) {
    const printed = run(command, background ? inner(scope) : scope);
    output = output === undefined || printed === undefined ? undefined : output + printed;
  }
  return output && output.length > LONGEST ? undefined : output;
}

/** Reads one node; returns what it surely prints. */
function run(node: PipelineNode | AndOr | CommandNode | CompoundList, scope: Scope): string | undefined {
  const { reader } = scope;
  step(reader);
  if (++reader.nested > DEEPEST)
    throw shellError(`the shell line is nested too deeply to be read (more than ${DEEPEST} levels); split it up`);
  let output: string | undefined;
  if (node.type === "Command") {
    output = simple(node, scope);
    for (const part of [...node.prefix, ...(node.name ? [node.name] : []), ...node.suffix])
      if (part.type !== "Word" || part.parts) substitutions(part, scope);
  } else output = grouped(node, scope);
  reader.nested--;
  return output;
}

/** Reads what commands are put together by; returns what they surely print, where all of them are run. */
function grouped(
  node: Exclude<PipelineNode | AndOr | CommandNode | CompoundList, { type: "Command" }>,
  scope: Scope,
): string | undefined {
  switch (node.type) {
    case "Pipeline":
      return pipeline(node, scope);
    case "AndOr":
      return andOr(node, scope);
    case "CompoundList":
      return statements(node.commands, scope);
    case "BraceGroup":
      return statements(node.body.commands, scope);
    case "Subshell":
      return statements(node.body.commands, inner(scope));
    default:
      compound(node, scope);
  }
  return undefined;
}

type Grouped = "Command" | "Pipeline" | "AndOr" | "CompoundList" | "BraceGroup" | "Subshell";

function compound(node: Exclude<CommandNode | AndOr | CompoundList, { type: Grouped }>, scope: Scope): void {
  switch (node.type) {
    case "Redirected": {
      const redirects = redirectsOf(node.redirects, scope);
      emit(bare(scope), [], redirects, {}, scope);
      for (const redirect of node.redirects) substitutions(redirect, scope);
      const within = { ...scope, stdin: textRead(redirects) ?? scope.stdin };
      run(node.command, within);
      Object.assign(scope, { cwd: within.cwd, parameters: within.parameters, last: within.last });
      return;
    }
    case "If":
      statements(node.clause.commands, scope);
      return either(scope, node.else === undefined, [
        node.then.commands,
        ...node.elif.map(({ clause, then }) => [...clause.commands, ...then.commands]),
        ...(node.else ? [node.else.commands] : []),
      ]);
    case "While":
      return loop(scope, [...node.clause.commands, ...node.body.commands]);
    case "ArithmeticFor":
      substitutions(node, scope, node.body);
      return loop(scope, node.body.commands);
    case "For":
    case "Select":
      return turns(node, scope);
    case "Case": {
      substitutions(node.word, scope);
      for (const { pattern } of node.items) for (const word of pattern) substitutions(word, scope);
      const bodies = node.items.map(({ body }) => body.commands);
      return either(scope, true, bodies);
    }
    case "Function": {
      const { body } = node;
      // The one of that name before it may be another branch's.
      const before = scope.functions.get(node.name.value);
      if (before && !before.called) before.body(before.scope);
      const definition = {
        // In itself it has other arguments; what is the same is known.
        body: (at: Scope) =>
          definition.running > 1
            ? once(at.reader, keysOf(at.reader.commands), () => run(body, at))
            : void run(body, at),
        scope: inner(scope, { parameters: undefined }),
        called: false,
        running: 0,
      };
      scope.functions.set(node.name.value, definition);
      return;
    }
    case "Coproc":
      run(node.body, inner(scope));
      return;
    case "TestCommand": {
      const words = [{ text: "[[" }, ...tested(node.expression, scope), { text: "]]" }];
      emit({ ...bare(scope), words }, words, [], {}, scope);
      return substitutions(node, scope);
    }
    case "ArithmeticCommand":
      return substitutions(node, scope);
  }
}

const bare = ({ via, cwd, remote }: Scope) => ({ words: [], via, env: {}, cwd, more: false, remote, guessed: false });

/** The scripts inside a node's words, `$(…)` and `<(…)`, without those below the node left out. */
function substitutions(node: SyntaxNode, scope: Scope, without?: SyntaxNode): void {
  // A list of its own: a long sum is a deep tree.
  const left = [node];
  for (let at = left.pop(); at; at = left.pop()) {
    if (at.type === "CommandExpansion" || at.type === "ProcessSubstitution" || at.type === "ArithmeticCommandExpansion")
      statements(substituted(at.text, at.script, scope.reader), inner(scope));
    else {
      const found: SyntaxNode[] = [];
      unbash().forEachChild(
        at,
        (child) => void (child !== without && (child.type !== "Word" || child.parts) && found.push(child)),
      );
      for (let last = found.pop(); last; last = found.pop()) left.push(last);
    }
  }
}

function pipeline({ commands }: Pipeline, scope: Scope): string | undefined {
  if (commands.length === 1) return run(commands[0] as CommandNode, scope);
  let { stdin } = scope;
  for (const command of commands) stdin = run(command, inner(scope, { stdin }));
  return stdin;
}

/** What stands behind the first `&&` or `||` may be run or not; behind `||` what is before it failed, so a `cd` there was none. */
function andOr({ commands: [first, ...others], operators }: AndOr, scope: Scope): string | undefined {
  const start = scope.cwd;
  let output = run(first as PipelineNode, scope);
  const rest = inner(scope);
  others.forEach((command, at) => {
    const before = rest.cwd;
    const failed = operators[at] === "||";
    if (failed && before !== start) rest.cwd = at === 0 ? start : undefined;
    const from = rest.cwd;
    const printed = run(command, rest);
    output = failed || output === undefined || printed === undefined ? undefined : output + printed;
    if (failed) rest.cwd = rest.cwd === from ? before : undefined;
  });
  merge(scope, [rest], true);
  // A `cd` is taken to succeed.
  scope.cwd = rest.cwd;
  scope.last = rest.last;
  return output;
}

/** Branches of which one is run, or none. */
function either(scope: Scope, none: boolean, branches: readonly (readonly Statement[])[]): void {
  const ends = branches.map((branch) => {
    const at = inner(scope);
    statements(branch, at);
    return at;
  });
  merge(scope, ends, none);
}

/** A body that runs any number of times: twice shows what it leaves for the next turn. Where it goes elsewhere, no folder in it is sure. */
function loop(scope: Scope, body: readonly Statement[]): void {
  const { cwd, reader } = scope;
  const at = inner(scope, { last: undefined });
  const first = reader.commands.length;
  statements(body, at);
  if (at.cwd !== cwd) {
    for (let i = first; i < reader.commands.length; i++) {
      const { cwd: _, ...command } = reader.commands[i] as (typeof reader.commands)[number];
      reader.commands[i] = command;
    }
    at.cwd = undefined;
  }
  if (at.values.size > 0) once(reader, keysOf(reader.commands.slice(first)), () => statements(body, at));
  merge(scope, [at], true);
}

/** A command as it is compared; a function may be called hundreds of times, and each time all commands are. */
function keyOf(command: Command): string {
  let key = keys.get(command);
  if (key === undefined) keys.set(command, (key = JSON.stringify(command)));
  return key;
}
const keys = new WeakMap<Command, string>();
const keysOf = (commands: readonly Command[]) => new Set(commands.map(keyOf));

/** Reads something again, and keeps only what was not found yet. */
function once(reader: Reader, seen: Set<string>, read: () => void): void {
  const first = reader.commands.length;
  read();
  for (const command of reader.commands.splice(first)) {
    const key = keyOf(command);
    if (!seen.has(key)) reader.commands.push(command);
    seen.add(key);
  }
}

/** A loop over words: read once for each of them, as long as they are known. */
function turns(node: For | Select, scope: Scope): void {
  for (const word of node.wordlist ?? []) substitutions(word, scope);
  const name = node.name.value;
  const words = node.wordlist ? node.wordlist.flatMap((word) => expand(word, scope).map(segments)) : scope.parameters;
  const { reader } = scope;
  const body = node.body.commands;
  if (!words || words.length > MOST_TURNS || words.length === 0) {
    assign(scope, name, undefined);
    return loop(scope, body);
  }
  const seen = new Set<string>();
  for (const word of words) {
    assign(scope, name, [word]);
    once(reader, seen, () => statements(body, scope));
  }
}

/** The words of `[[ … ]]`, in order. */
function tested(node: TestExpression, scope: Scope): Word[] {
  const word = (source: Source) => single(source, scope);
  switch (node.type) {
    case "TestUnary":
      return [{ text: node.operator }, word(node.operand)];
    case "TestBinary":
      return [word(node.left), { text: node.operator }, word(node.right)];
    case "TestLogical":
      return node.operands.flatMap((operand, at) => [
        ...(at > 0 ? [{ text: node.operator }] : []),
        ...tested(operand, scope),
      ]);
    case "TestNot":
      return [...node.negations.map(() => ({ text: "!" })), ...tested(node.operand, scope)];
    case "TestGroup":
      return [{ text: "(" }, ...tested(node.expression, scope), { text: ")" }];
  }
}
