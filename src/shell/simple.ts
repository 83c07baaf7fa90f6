import type { Command as Node } from "unbash";
import { assignmentWord, assignTo, declare, declared, givenBy } from "./assignments.ts";
import { effect } from "./effects.ts";
import { emit } from "./emit.ts";
import { printed } from "./output.ts";
import { nameOf } from "./programs/index.ts";
import { inner, restore, type Scope } from "./scope.ts";
import { redirectsOf, textRead, writesAway } from "./redirects.ts";
import { runsIn, runsInVariables } from "./scripts.ts";
import { type Unwrapped, unwrap } from "./unwrap.ts";
import { expand, segments } from "./words.ts";
import type { Word } from "./word.ts";

const IN_PLACE = new Set(["eval", "source", "."]);

/** Reads one simple command; returns what it surely prints. */
export function simple(node: Node, scope: Scope): string | undefined {
  const words = wordsOf(node, scope);
  const redirects = redirectsOf(node.redirects, scope);
  const env: Record<string, string> = {};
  for (const item of node.prefix) {
    if (item.type !== "Assignment") continue;
    env[item.name] = givenBy(item, scope);
    if (words.length === 0) assignTo(item, scope);
  }
  const stdin = textRead(redirects) ?? scope.stdin;
  const [first, ...guesses] = unwrap(words, scope);
  const command = first?.more && stdin !== undefined ? withArguments(first, stdin) : (first as Unwrapped);
  for (const one of [command, ...guesses]) {
    emit(one, words, redirects, env, scope, stdin);
    runsIn(one, scope, stdin);
    for (const variables of [env, one.env, declared(words)]) runsInVariables(variables, scope);
  }
  unclosed(node, scope);
  declare(words[0]?.text ?? "", node.args, scope);
  const isFunction = called(words, scope);
  if (!isFunction) effect(command, scope);
  const last = words.at(-1);
  // What these run in the same shell has left its own.
  if (!IN_PLACE.has(words[0]?.text ?? "")) scope.last = last && segments(last);
  return isFunction || writesAway(redirects)
    ? undefined
    : printed(nameOf(command.words[0]?.text ?? ""), command.words.slice(1), stdin);
}

function wordsOf({ name, args }: Node, scope: Scope): Word[] {
  const words = name ? expand(name, scope) : [];
  for (const arg of args) {
    if (arg.type === "Assignment") words.push(assignmentWord(arg, scope));
    else for (const word of expand(arg, scope)) words.push(word);
  }
  return words;
}

/** A here-document that never ends may be none (`let x=1<<2`): what stands behind it is read as commands as well. */
function unclosed(node: Node, scope: Scope): void {
  for (const redirect of node.redirects)
    if (redirect.type === "HereDoc" && !redirect.closing) scope.reader.script(redirect.body.text, inner(scope));
}

/** More pairs than these of a word with `{}` and a word that is read are left as they are, and longer ones. */
const MOST_PAIRS = 200;
const LONGEST_PAIR = 10_000;

/** The command with what it reads as further arguments, as xargs gives them. */
function withArguments(command: Unwrapped, stdin: string): Unwrapped {
  const read = stdin
    .split(/[\s\0]+/)
    .filter((text) => text !== "")
    .map((text) => (/[$`*?[]/.test(text) ? { text, dynamic: text } : { text }));
  const holes = command.words.reduce((count, { text }) => count + text.split("{}").length - 1, 0);
  const isLong = ({ text }: Word) => text.length > LONGEST_PAIR;
  if (holes * read.length > MOST_PAIRS || (holes > 0 && (read.some(isLong) || command.words.some(isLong))))
    return command;
  const words = command.words.flatMap((word) =>
    word.text.includes("{}")
      ? read.map(({ text, dynamic }) => ({
          text: word.text.replaceAll("{}", text),
          ...(dynamic && { dynamic: word.text.replaceAll("{}", dynamic) }),
        }))
      : [word],
  );
  return { ...command, words: holes > 0 ? words : [...words, ...read], more: false };
}

/** A function that calls itself is read this often. */
const MOST_RUNNING = 2;

/** Reads the body of a function that is called, with its arguments; false where it is none. */
function called([program, ...args]: readonly Word[], scope: Scope): boolean {
  const definition = program?.dynamic === undefined ? scope.functions.get(program?.text ?? "") : undefined;
  if (!definition) return false;
  if (definition.running === MOST_RUNNING) return true;
  definition.called = true;
  definition.running++;
  const locals: Scope["locals"] = new Map();
  const within: Scope = { ...scope, parameters: args.map(segments), locals };
  definition.body(within);
  restore(scope, locals);
  scope.cwd = within.cwd;
  definition.running--;
  return true;
}
