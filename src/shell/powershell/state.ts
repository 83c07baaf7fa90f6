import { emitCommand } from "../emit.ts";
import { readVariableCommands } from "../nested-commands.ts";
import { assignVariable, type ShellScope } from "../scope.ts";
import type { Word } from "../word.ts";
import type { GivenArgument } from "./binding.ts";
import type { FunctionBody, Script } from "./syntax.ts";
import { joinText, type Text, type Value } from "./values.ts";

/** A function that the line defines. */
export interface FunctionState {
  definition: FunctionBody;
  scope: ShellScope;
  isCalled: boolean;
  running: number;
}

/** What reads scripts and bodies; expressions and commands hold some. */
export interface Engine {
  readPowerShell: (text: string, scope: ShellScope) => void;
  readScript: (script: Script, scope: ShellScope, isShown: boolean) => Value;
  /** What double quotes make of a text. */
  expandText: (text: string, scope: ShellScope) => Text;
  runDefinition: (
    definition: FunctionBody,
    args: readonly GivenArgument[] | undefined,
    scope: ShellScope,
    outer: ShellScope,
  ) => Value;
  /** `item` is what is piped into it. */
  callFunction: (
    called: FunctionState,
    args: readonly GivenArgument[] | undefined,
    scope: ShellScope,
    item?: Text,
  ) => Value;
}

/** What PowerShell knows by name, in all scripts of a line, and what reads them. */
interface NamedState {
  engine: Engine;
  functions: Map<string, FunctionState>;
  aliases: Map<string, string>;
  tables: Map<string, ReadonlyMap<string, Value>>;
  /** Blocks of code that variables hold. */
  blocks: Map<string, FunctionBody>;
}

const states = new WeakMap<ShellScope["reader"], NamedState>();
/** What is known in a line; it begins with the first script. */
export function createState({ reader }: ShellScope, engine: Engine): void {
  if (!states.has(reader))
    states.set(reader, { engine, functions: new Map(), aliases: new Map(), tables: new Map(), blocks: new Map() });
}

export const getState = ({ reader }: ShellScope): NamedState => states.get(reader) as NamedState;
export const getEngine = (scope: ShellScope): Engine => getState(scope).engine;

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

/** Sets variables of the environment, as `NAME=value` does in other shells. */
export function assignEnvironment(env: Readonly<Record<string, Text>>, scope: ShellScope): void {
  const texts: Record<string, string> = {};
  for (const name in env) {
    const value = env[name] as Text;
    texts[name] = joinText(value);
    assignVariable(scope, `env:${name}`, [value]);
    assignVariable(scope, name, [value]);
  }
  emitCommand(createCommand([], scope), [], [], texts, scope);
  readVariableCommands(texts, scope);
}
