import type { Assignment, Command as Node, Word as Source } from "unbash";
import { assign, type Scope, type Value, valuesOf } from "./scope.ts";
import { expand, segments, valueOf } from "./words.ts";
import type { Word } from "./word.ts";

const textOf = (value: Value) => value.map(({ text }) => text).join("");

/** What an assignment gives, as a command sees it in its environment. */
export const givenBy = ({ name, value, text }: Assignment, scope: Scope): string =>
  value.type === "Word" ? textOf(valueOf(value, scope)) : text.slice(name.length + 1);

/** `NAME=value` among the arguments, as `export` and its kind take it. */
export function assignmentWord(node: Assignment, scope: Scope): Word {
  if (node.value.type !== "Word" || node.index) return { text: node.text, dynamic: node.text };
  const value = valueOf(node.value, scope);
  const text = `${node.name}${node.append ? "+" : ""}=${textOf(value)}`;
  return value.some(({ live }) => live) ? { text, dynamic: text } : { text };
}

/** Notes what an assignment leaves in a variable. */
export function assignTo({ name, value, append, index }: Assignment, scope: Scope): void {
  const before = append ? (valuesOf(scope, name) ?? undefined) : [];
  if (index || !before) return assign(scope, name, undefined);
  if (value.type === "ArrayValue") return assign(scope, name, [...before, ...itemsOf(value.elements, scope)]);
  const [first = [], ...others] = before;
  assign(scope, name, [[...first, ...valueOf(value, scope)], ...others]);
}

const DECLARING = /^(?:export|readonly|(local|declare|typeset))$/;

/** Notes what `export`, `local` and their kind assign, and which names a function has to itself. */
export function declare(program: string, args: Node["args"], scope: Scope): void {
  const found = DECLARING.exec(program);
  if (!found) return;
  const locals = found[1] && !args.some(({ text }) => /^-\w*g/.test(text)) ? scope.locals : undefined;
  for (const arg of args) {
    const [, name, gives] = /^([A-Za-z_]\w*)(\+?=)?/.exec(arg.type === "Word" ? arg.value : `${arg.name}=`) ?? [];
    if (!name) continue;
    if (locals && !locals.has(name)) locals.set(name, valuesOf(scope, name));
    if (arg.type === "Assignment") assignTo(arg, scope);
    else if (gives || locals) assign(scope, name, undefined);
  }
}

const NONE = {};

/** The variables that a command sets for those behind it: `export NAME=value`. */
export function declared([program, ...args]: readonly Word[]): Readonly<Record<string, string>> {
  if (!DECLARING.test(program?.text ?? "")) return NONE;
  const found: Record<string, string> = {};
  for (const { text } of args) {
    const at = text.indexOf("=");
    if (at > 0) found[text.slice(0, at)] = text.slice(at + 1);
  }
  return found;
}

const itemsOf = (elements: readonly Source[], scope: Scope): Value[] =>
  elements.flatMap((element) => expand(element, scope).map(segments));
