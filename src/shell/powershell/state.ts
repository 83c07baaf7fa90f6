import type { Redirect } from "../command.ts";
import { emitCommand } from "../emit.ts";
import { readVariableCommands } from "../runs/nested-commands.ts";
import { assignVariable, type ShellScope } from "../scope.ts";
import type { Word } from "../words/word.ts";
import { recordCopiedFiles } from "../files/written-files.ts";
import type { FileListing } from "./file-listing.ts";
import type { FunctionBody, Script } from "./syntax.ts";
import { joinText, type Text, type Value } from "./text-values.ts";
import { toLiteralPathWord } from "./words.ts";

export interface FunctionState {
  definition: FunctionBody;
  scope: ShellScope;
  isCalled: boolean;
  callDepth: number;
}

/** PowerShell definitions shared by all scripts in a command line. */
interface LineState {
  /** Reads a script inside an expression or command. If `isShown` is true, the values of its statements are printed. */
  readScript: (script: Script, scope: ShellScope, isShown: boolean) => Value;
  functions: Map<string, FunctionState>;
  aliases: Map<string, string>;
  /** File listings stored in variables: `$old = Get-ChildItem …`. */
  listings: Map<string, FileListing | undefined>;
}

const statesByReader = new WeakMap<ShellScope["reader"], LineState>();
export function createLineState({ reader }: ShellScope, readScript: LineState["readScript"]): void {
  if (!statesByReader.has(reader))
    statesByReader.set(reader, { readScript, functions: new Map(), aliases: new Map(), listings: new Map() });
}
export const getLineState = ({ reader }: ShellScope): LineState => statesByReader.get(reader) as LineState;

/** Hashtable entries and script blocks. The key is the value that represents the hashtable or block in expressions. */
export const tablesByValue = new WeakMap<readonly Text[], ReadonlyMap<string, Value>>();
export const blocksByValue = new WeakMap<readonly Text[], FunctionBody>();

/** Adds the POSIX equivalent of a Windows command and records the text that the command writes to files. */
export function emitEquivalent(
  words: readonly Word[],
  { originalWords, redirects, scope, stdin, more = false }: EquivalentOptions,
): void {
  emitCommand({ ...createCommand(words, scope), more }, { words: originalWords, redirects, stdin }, scope);
  recordCopiedFiles(words[0]?.text ?? "", words.slice(1), stdin, scope);
}

interface EquivalentOptions {
  /** Words as written in the command. */
  originalWords: readonly Word[];
  redirects: readonly Redirect[];
  scope: ShellScope;
  stdin?: string | undefined;
  more?: boolean | undefined;
}

/** Creates a command from its words without removing wrappers. */
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
  const [, stream = "", direction = ">", copiedStream] = /^([\d*]?)(>>?|<)(?:&(\d))?$/.exec(operator) ?? [];
  const fd = /^\d$/.test(stream) && stream !== "1" ? { fd: Number(stream) } : {};
  if (copiedStream !== undefined) return { operator: ">&", target: copiedStream, ...fd };
  const { text, dynamic } = toLiteralPathWord(file);
  return {
    operator: (stream === "*" ? `&${direction}` : direction) as Redirect["operator"],
    target: /^(?:.*\/)?nul:?$/i.test(text) ? "/dev/null" : text,
    ...fd,
    ...(dynamic !== undefined && { dynamic }),
  };
}

/** Sets an environment variable, as `NAME=value` does in other shells. */
export function assignEnvironment(
  variableName: string,
  value: Text,
  scope: ShellScope,
  redirects: readonly Redirect[] = [],
): void {
  const name = variableName.toUpperCase();
  for (const key of [`env:${name}`, name]) assignVariable(scope, key, [value]);
  const env = { [name]: joinText(value) };
  emitCommand(createCommand([], scope), { words: [], redirects, env }, scope);
  readVariableCommands(env, scope);
}
