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
import { shellError } from "./command.ts";
import { emit } from "./emit.ts";
import { assign, inner, parse, type Scope, step, substituted, unbash } from "./reader.ts";
import { redirectsOf, textRead } from "./redirects.ts";
import { simple } from "./simple.ts";
import { expand, segments, single, type Word } from "./words.ts";

/** What is left of a script behind a place that bash would not take is read this often. */
const MOST_RETRIES = 8;
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
    const error = tree.errors?.find(({ message }) => message.startsWith("unexpected token"));
    if (!error) break;
    rest = rest.slice(error.pos + 1);
  }
  reader.depth--;
}

/** Reads the functions that a line defines and does not call by their names. */
export function uncalled(scope: Scope): void {
  for (const definition of scope.functions.values()) if (!definition.called) definition.body(definition.scope);
}

function statements(list: readonly Statement[], scope: Scope): void {
  for (const { command, background } of list) run(command, background ? inner(scope) : scope);
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
    substitutions(node, scope);
  } else if (node.type === "Pipeline") output = pipeline(node, scope);
  else compound(node, scope);
  reader.nested--;
  return output;
}

function compound(node: Exclude<CommandNode | AndOr | CompoundList, { type: "Command" }>, scope: Scope): void {
  switch (node.type) {
    case "AndOr":
      return andOr(node, scope);
    case "CompoundList":
      return statements(node.commands, scope);
    case "BraceGroup":
      return statements(node.body.commands, scope);
    case "Subshell":
      return statements(node.body.commands, inner(scope));
    case "Redirected": {
      const redirects = redirectsOf(node.redirects, scope);
      emit(bare(scope), [], redirects, {}, scope);
      for (const redirect of node.redirects) substitutions(redirect, scope);
      const within = { ...scope, stdin: textRead(redirects) ?? scope.stdin };
      run(node.command, within);
      scope.cwd = within.cwd;
      return;
    }
    case "If":
      statements(node.clause.commands, scope);
      return either(scope, node.else === undefined, [
        () => statements(node.then.commands, scope),
        ...node.elif.map(
          ({ clause, then }) =>
            () =>
              statements([...clause.commands, ...then.commands], scope),
        ),
        ...(node.else ? [() => statements(node.else?.commands ?? [], scope)] : []),
      ]);
    case "While":
      return loop(scope, () => statements([...node.clause.commands, ...node.body.commands], scope));
    case "ArithmeticFor":
      substitutions(node, scope, node.body);
      return loop(scope, () => statements(node.body.commands, scope));
    case "For":
    case "Select":
      return turns(node, scope);
    case "Case":
      substitutions(node.word, scope);
      for (const { pattern } of node.items) for (const word of pattern) substitutions(word, scope);
      return either(
        scope,
        true,
        node.items.map(
          ({ body }) =>
            () =>
              statements(body.commands, scope),
        ),
      );
    case "Function": {
      const { body } = node;
      const definition = {
        body: (at: Scope) => void run(body, at),
        scope: inner(scope, { parameters: undefined }),
        called: false,
        running: false,
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
      unbash().forEachChild(at, (child) => void (child !== without && (child.type !== "Word" || child.parts) && found.push(child)));
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

/** What stands behind `||` runs where the command before it failed: a `cd` in it did not happen. */
function andOr({ commands, operators }: AndOr, scope: Scope): void {
  const start = scope.cwd;
  const sure = scope.conditional;
  commands.forEach((command, at) => {
    const before = scope.cwd;
    const failed = operators[at - 1] === "||";
    scope.conditional ||= at > 0;
    if (failed && before !== start) scope.cwd = at === 1 ? start : undefined;
    const from = scope.cwd;
    run(command, scope);
    if (failed) scope.cwd = scope.cwd === from ? before : undefined;
  });
  scope.conditional = sure;
}

/** Branches of which one is run, or none. */
function either(scope: Scope, none: boolean, branches: readonly (() => void)[]): void {
  const start = scope.cwd;
  const ends = new Set(none ? [start] : []);
  for (const branch of branches) {
    scope.cwd = start;
    perhaps(scope, branch);
    ends.add(scope.cwd);
  }
  scope.cwd = ends.size === 1 ? [...ends][0] : undefined;
}

function perhaps(scope: Scope, branch: () => void): void {
  const before = scope.conditional;
  scope.conditional = true;
  branch();
  scope.conditional = before;
}

/** A body that runs any number of times: where it goes elsewhere, no folder in it is sure. */
function loop(scope: Scope, body: () => void): void {
  const { cwd, reader } = scope;
  const first = reader.commands.length;
  perhaps(scope, body);
  if (scope.cwd === cwd) return;
  scope.cwd = undefined;
  for (let at = first; at < reader.commands.length; at++) {
    const { cwd: _, ...command } = reader.commands[at] as (typeof reader.commands)[number];
    reader.commands[at] = command;
  }
}

/** A loop over words: read once for each of them, as long as they are known. */
function turns(node: For | Select, scope: Scope): void {
  for (const word of node.wordlist ?? []) substitutions(word, scope);
  const name = node.name.value;
  const words = node.wordlist ? node.wordlist.flatMap((word) => expand(word, scope).map(segments)) : scope.parameters;
  if (!words || words.length > MOST_TURNS || words.length === 0) {
    assign(scope, name, undefined);
    return loop(scope, () => statements(node.body.commands, scope));
  }
  const { reader } = scope;
  const seen = new Set<string>();
  for (const word of words) {
    const first = reader.commands.length;
    scope.values.set(name, [word]);
    statements(node.body.commands, scope);
    const found = reader.commands.splice(first).filter((command) => {
      const key = JSON.stringify(command);
      return !seen.has(key) && seen.add(key);
    });
    reader.commands.push(...found);
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
      return node.operands.flatMap((operand, at) => [...(at > 0 ? [{ text: node.operator }] : []), ...tested(operand, scope)]);
    case "TestNot":
      return [...node.negations.map(() => ({ text: "!" })), ...tested(node.operand, scope)];
    case "TestGroup":
      return [{ text: "(" }, ...tested(node.expression, scope), { text: ")" }];
  }
}
