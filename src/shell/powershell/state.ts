import type { Redirect } from "../command.ts";
import { emitCommand } from "../emit.ts";
import { readVariableCommands } from "../runs/nested-commands.ts";
import { assignVariable, type ShellScope } from "../scope.ts";
import type { Word } from "../words/word.ts";
import { noteCopiedFiles } from "../files/written-files.ts";
import type { Listing } from "./listing.ts";
import type { FunctionBody, Script } from "./syntax.ts";
import { joinText, type Text, type Value } from "./texts.ts";
import { toLiteralPathWord } from "./words.ts";

export interface FunctionState {
  definition: FunctionBody;
  scope: ShellScope;
  isCalled: boolean;
  running: number;
}

/** What PowerShell knows by name, in all scripts of a line. */
interface LineState {
  /** Expressions and commands hold scripts. `isShown`: what statements give is printed. */
  readScript: (script: Script, scope: ShellScope, isShown: boolean) => Value;
  functions: Map<string, FunctionState>;
  aliases: Map<string, string>;
  /** The files that variables hold, by their keys: `$old = Get-ChildItem …`. */
  listings: Map<string, Listing | undefined>;
}

const states = new WeakMap<ShellScope["reader"], LineState>();
export function createState({ reader }: ShellScope, readScript: LineState["readScript"]): void {
  if (!states.has(reader))
    states.set(reader, { readScript, functions: new Map(), aliases: new Map(), listings: new Map() });
}
export const getState = ({ reader }: ShellScope): LineState => states.get(reader) as LineState;

/** What the values of a table are by their keys, and the code of a block, by the value that holds it. */
export const tables = new WeakMap<readonly Text[], ReadonlyMap<string, Value>>();
export const blocks = new WeakMap<readonly Text[], FunctionBody>();

/** Adds a command that does the same as one of a shell of Windows; notes what it writes to files. */
export function emitEquivalent(
  words: readonly Word[],
  { given, redirects, scope, stdin, more = false }: EquivalentOptions,
): void {
  emitCommand({ ...createCommand(words, scope), more }, { words: given, redirects, stdin }, scope);
  noteCopiedFiles(words[0]?.text ?? "", words.slice(1), stdin, scope);
}

interface EquivalentOptions {
  /** The words as the line has them. */
  given: readonly Word[];
  redirects: readonly Redirect[];
  scope: ShellScope;
  stdin?: string | undefined;
  more?: boolean | undefined;
}

/** A command as it stands, without wrappers. */
export const createCommand = (words: readonly Word[], { via, cwd, remote }: ShellScope) => ({
  words,
  via,
  env: {},
  cwd,
  more: false,
  remote,
  guessed: false,
});

export function createRedirect(operator: string, file: Text): Redirect {
  const [, stream = "", mark = ">", copied] = /^([\d*]?)(>>?|<)(?:&(\d))?$/.exec(operator) ?? [];
  const fd = /^\d$/.test(stream) && stream !== "1" ? { fd: Number(stream) } : {};
  if (copied !== undefined) return { operator: ">&", target: copied, ...fd };
  const { text, dynamic } = toLiteralPathWord(file);
  return {
    operator: (stream === "*" ? `&${mark}` : mark) as Redirect["operator"],
    target: /^(?:.*\/)?nul:?$/i.test(text) ? "/dev/null" : text,
    ...fd,
    ...(dynamic !== undefined && { dynamic }),
  };
}

/** Sets a variable of the environment, as `NAME=value` does in other shells. */
export function assignEnvironment(
  given: string,
  value: Text,
  scope: ShellScope,
  redirects: readonly Redirect[] = [],
): void {
  const name = given.toUpperCase();
  for (const key of [`env:${name}`, name]) assignVariable(scope, key, [value]);
  const env = { [name]: joinText(value) };
  emitCommand(createCommand([], scope), { words: [], redirects, env }, scope);
  readVariableCommands(env, scope);
}
