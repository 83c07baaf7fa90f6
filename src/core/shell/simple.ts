import type { Assignment, Command as Node, Redirection, Word as Source } from "unbash";
import type { Redirect } from "./command.ts";
import { emit } from "./emit.ts";
import { folderAfter } from "./folder.ts";
import { printed } from "./output.ts";
import { nameOf } from "./programs.ts";
import { assign, type Scope, type Value, valuesOf } from "./reader.ts";
import { runsIn } from "./scripts.ts";
import { type Unwrapped, unwrap } from "./unwrap.ts";
import { documentText, expand, single, valueOf, type Word } from "./words.ts";

/** Reads one simple command; returns what it surely prints. */
export function simple(node: Node, scope: Scope): string | undefined {
  const words: Word[] = [];
  if (node.name) words.push(...expand(node.name, scope));
  for (const arg of node.args) words.push(...(arg.type === "Word" ? expand(arg, scope) : [assignmentWord(arg, scope)]));
  const assignments = node.prefix.filter((item) => item.type === "Assignment");
  const redirects = node.redirects.map((redirect) => redirectOf(redirect, scope));
  const env: Record<string, string> = {};
  for (const item of assignments)
    env[item.name] = item.value.type === "Word" ? textOf(valueOf(item.value, scope)) : item.text.slice(item.name.length + 1);
  const stdin = textRead(redirects) ?? scope.stdin;
  if (words.length === 0) {
    for (const item of assignments) assignTo(item, scope);
    const bare = { words, via: scope.via, env, cwd: scope.cwd, more: false, remote: scope.remote, guessed: false };
    if (redirects.length > 0 || assignments.length > 0) emit(bare, words, redirects, env, scope);
    return undefined;
  }
  const [first, ...guesses] = unwrap(words, scope);
  const command = first as Unwrapped;
  const whole = command.more && stdin !== undefined ? withArguments(command, stdin) : command;
  emit(whole, words, redirects, env, scope);
  for (const guess of guesses) emit(guess, words.slice(words.length - guess.words.length), redirects, env, scope);
  for (const one of [whole, ...guesses]) runsIn(one, scope, stdin);
  declare(node, words, scope);
  if (!call(words, scope)) effect(whole, scope);
  const writes = redirects.some(({ operator, fd }) => operator.includes(">") && (fd ?? 1) === 1);
  return writes ? undefined : printed(nameOf(whole.words[0]?.text ?? ""), whole.words.slice(1), stdin);
}

const textOf = (value: Value) => value.map(({ text }) => text).join("");

/** `NAME=value` among the arguments, as `export` and its kind take it. */
function assignmentWord(node: Assignment, scope: Scope): Word {
  if (node.value.type !== "Word" || node.index) return { text: node.text, dynamic: node.text };
  const value = valueOf(node.value, scope);
  const text = `${node.name}${node.append ? "+" : ""}=${textOf(value)}`;
  return value.some(({ live }) => live) ? { text, dynamic: text } : { text };
}

function assignTo(node: Assignment, scope: Scope): void {
  const { name, value, append, index } = node;
  const values = value.type === "Word" ? [valueOf(value, scope)] : items(value.elements, scope);
  const before = append ? valuesOf(scope, name) : [];
  if (index || !before) return assign(scope, name, undefined);
  if (value.type === "ArrayValue") return assign(scope, name, [...before, ...values]);
  assign(scope, name, before.length > 0 ? [[...(before[0] as Value), ...(values[0] as Value)], ...before.slice(1)] : values);
}

const items = (elements: readonly Source[], scope: Scope): Value[] =>
  elements.flatMap((element) =>
    expand(element, scope).map(({ text, dynamic }) => [{ text: dynamic ?? text, live: dynamic !== undefined }]),
  );

export function redirectOf(node: Redirection, scope: Scope): Redirect {
  const fd = node.descriptor?.type === "FileDescriptor" ? { fd: node.descriptor.value } : {};
  if (node.type === "HereDoc") {
    const { operator, delimiter, body } = node;
    const text = body.parts ? documentText(body.parts, scope).text : body.text;
    return { operator, target: delimiter?.value ?? "", ...fd, text: operator === "<<-" ? text.replace(/^\t+/gm, "") : text };
  }
  const target = node.target ? single(node.target, scope) : { text: "" };
  return { operator: node.operator, target: target.text, ...fd, ...(target.dynamic !== undefined && { dynamic: target.dynamic }) };
}

/** The text that redirections give a command to read. */
export function textRead(redirects: readonly Redirect[]): string | undefined {
  const last = redirects.findLast(({ operator, fd }) => operator.startsWith("<") && operator !== "<&" && (fd ?? 0) === 0);
  return last?.operator === "<<<" ? (last.dynamic === undefined ? last.target : undefined) : last?.text;
}

/** The command with what it reads as further arguments, as xargs gives them. */
function withArguments(command: Unwrapped, stdin: string): Unwrapped {
  const replaced = command.words.some(({ text }) => text.includes("{}"));
  const read = stdin
    .split(/[\s\0]+/)
    .filter((text) => text !== "")
    .map((text) => ({ text }));
  if (!replaced) return { ...command, words: [...command.words, ...read], more: false };
  return {
    ...command,
    words: command.words.flatMap((word) =>
      word.text.includes("{}") ? read.map(({ text }) => ({ text: word.text.replaceAll("{}", text) })) : [word],
    ),
    more: false,
  };
}

/** Reads the body of a function that is called, with its arguments; false where it is none. */
function call([program, ...args]: readonly Word[], scope: Scope): boolean {
  const definition = program?.dynamic === undefined ? scope.functions.get(program?.text ?? "") : undefined;
  if (!definition || definition.running) return definition !== undefined;
  Object.assign(definition, { called: true, running: true });
  const within = { ...scope, parameters: args.map(({ text, dynamic }) => [{ text: dynamic ?? text, live: dynamic !== undefined }]) };
  definition.body(within);
  scope.cwd = within.cwd;
  definition.running = false;
  return true;
}

const DECLARING = new Set(["export", "local", "declare", "typeset", "readonly"]);

function declare(node: Node, words: readonly Word[], scope: Scope): void {
  if (!DECLARING.has(words[0]?.text ?? "")) return;
  for (const arg of node.args) if (arg.type === "Assignment") assignTo(arg, scope);
}

/** What builtins change for the commands behind them. */
function effect({ words, via, guessed }: Unwrapped, scope: Scope): void {
  const [program, ...args] = words;
  if (!program || guessed || via.length > scope.via.length + 1) return;
  switch (program.text) {
    case "cd":
    case "pushd":
      scope.cwd = folderAfter(scope.cwd, args);
      return;
    case "popd":
      scope.cwd = undefined;
      return;
    case "set": {
      const at = args.findIndex(({ text }) => text === "--");
      if (at >= 0 || (args[0] && !/^[-+]/.test(args[0].text)))
        scope.parameters = args.slice(at + 1).map(({ text, dynamic }) => [{ text: dynamic ?? text, live: dynamic !== undefined }]);
      return;
    }
    case "shift":
      scope.parameters = args.length === 0 ? scope.parameters?.slice(1) : undefined;
      return;
    case "read":
    case "mapfile":
    case "readarray":
    case "unset":
    case "getopts":
    case "printf":
      for (const { text } of args) if (/^[A-Za-z_]\w*$/.test(text) && valuesOf(scope, text) !== undefined) assign(scope, text, undefined);
  }
}
