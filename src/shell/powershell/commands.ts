import type { Redirect } from "../command.ts";
import { emitCommand } from "../emit.ts";
import { getProgramName } from "../programs/names.ts";
import { assignVariable, createInnerScope, type ShellScope } from "../scope.ts";
import type { Word } from "../word.ts";
import { type BoundArguments, bindArguments, type GivenArgument, readArguments } from "./binding.ts";
import { lookUpCmdlet, parseParameters } from "./cmdlets.ts";
import type { EmitOptions, Flow, GivenCommand } from "./cmdlet-call.ts";
import { presentCmdlet } from "./equivalents.ts";
import { evaluate } from "./evaluate.ts";
import { emitProgram, isUnixPath, normalizeName } from "./programs.ts";
import { blocks, createCommand, createRedirect, type FunctionState, getState, type RunOptions } from "./state.ts";
import type { CommandElement, FunctionBody, Redirection } from "./syntax.ts";
import { createText, createUnknown, getKnownText, joinText, type Text, type Value } from "./texts.ts";
import { getVariableKey } from "./variables.ts";
import { createWord, createWords, toProgramWord } from "./words.ts";

export const readRedirects = (redirects: readonly Redirection[], scope: ShellScope): Redirect[] =>
  redirects.map(({ operator, target }): Redirect => {
    const value = target?.items[0] && evaluate(target.items[0], scope);
    const [text = value ? createText("/dev/null") : createUnknown(target?.source ?? "")] = value ?? [];
    return createRedirect(operator, text);
  });

/** Reads a command of a pipeline; gives what it passes on. */
export function readCommand({ name: called, args: source, ...element }: CommandElement, scope: ShellScope, flow: Flow) {
  const [item] = called.items;
  const value = item && item.type !== "block" ? evaluate(item, scope) : undefined;
  const block = item?.type === "block" ? item.definition : value && blocks.get(value);
  if (block) {
    const changes = element.call === "." ? { values: scope.values } : {};
    return passOn(runBody(block, readArguments(source, scope), scope, { changes }));
  }
  const [name = createUnknown(called.source)] = value ?? [];
  const redirects = readRedirects(element.redirects, scope);
  const args = readArguments(source, scope);
  const words = args.map(({ texts, source: text }): Word => {
    const [first] = texts;
    return texts.length === 1 && first ? toProgramWord(first) : createWord(texts.map(joinText).join(",") || text);
  });
  return callByName({ name, args, given: [toProgramWord(name), ...words], redirects, scope, flow });
}

const passOn = (values?: Value): Flow => ({ isPiped: true, values });

function callByName(command: GivenCommand): Flow {
  const { name, args, given, scope, flow } = command;
  const known = getKnownText(name);
  if (known === undefined) return runProgram(command);
  const { aliases, functions } = getState(scope);
  const alias = aliases.get(normalizeName(known));
  const key = normalizeName(alias ?? known);
  const called = functions.get(key);
  if (called) {
    emitCommand(createCommand(listProgramWords(command), scope), given, command.redirects, {}, scope);
    return passOn(callFunction(called, args, scope, flow.isPiped ? flow.values : undefined));
  }
  const cmdlet = /\.(?:exe|cmd|bat)$/i.test(known) ? undefined : lookUpCmdlet(key);
  const bound = cmdlet && bindArguments(cmdlet, args);
  if (!bound || (cmdlet.unixNames.includes(key) && isProgramCall(key, args, bound)))
    return runProgram(alias === undefined ? command : { ...command, name: createText(alias) });
  const emit = (words: readonly (string | Word)[], { stdin, more = false }: EmitOptions = {}) =>
    emitCommand({ ...createCommand(createWords(words), scope), more }, given, command.redirects, {}, scope, stdin);
  const found = presentCmdlet({ ...command, cmdlet, bound, emit });
  if (!SCRIPT_BLOCK_USERS.has(cmdlet.by ?? ""))
    for (const definition of bound.blocks) runBody(definition, [], scope, { changes: {} });
  return found;
}

/** Presenters that run the blocks themselves. */
const SCRIPT_BLOCK_USERS = new Set(["invoke", "each", "choose"]);

/** Calls of a function in itself are read up to this depth. */
const MOST_RUNNING = 2;

/** Reads the body of a function that is called; without arguments, none is known. */
export function callFunction(
  called: FunctionState,
  args: readonly GivenArgument[] | undefined,
  scope: ShellScope,
  items?: Value,
): Value {
  if (called.running === MOST_RUNNING) return undefined;
  called.isCalled = true;
  called.running++;
  const value = runBody(called.definition, args, scope, { items, changes: {} });
  called.running--;
  return value;
}

/** A body runs for each of so many items; for more of them once. */
const MOST_ITEMS = 16;

/** Runs a body; without arguments, none is known. What its runs give is joined. */
export function runBody(
  { parameters, body }: FunctionBody,
  args: readonly GivenArgument[] | undefined,
  scope: ShellScope,
  { items, changes }: RunOptions,
): Value {
  const at = changes ? createInnerScope(scope, changes) : scope;
  if (parameters.length > 0 || args === undefined || args.length > 0) bindParameters(parameters, args, at);
  const found = (items && items.length <= MOST_ITEMS ? items : [undefined]).map((item) => {
    if (items) for (const key of ["_", "psitem", "input"]) assignVariable(at, key, item && [item]);
    return getState(scope).readScript(body, at, true);
  });
  if (!at.remote) scope.cwd = at.cwd;
  return found.includes(undefined) ? undefined : (found as Text[][]).flat();
}

function bindParameters(
  parameters: FunctionBody["parameters"],
  args: readonly GivenArgument[] | undefined,
  scope: ShellScope,
): void {
  const listed = parseParameters(parameters.map(({ name }, at) => `${name}:${at}`).join(" "));
  const values = args && bindArguments({ parameters: listed }, args).values;
  // Without parameters, options count among `$args`.
  const rest = args?.filter(({ isOption, block, entries }) => !block && !entries && !(isOption && listed.length > 0));
  assignVariable(
    scope,
    "args",
    rest?.flatMap(({ texts }) => texts),
  );
  for (const { name, value } of parameters) {
    const given = values?.get(name) ?? (args && value ? evaluate(value, scope) : undefined);
    assignVariable(scope, getVariableKey(name), given);
  }
}

/** Whether a name that is also a Unix program's is called as that: `rm -rf x`, `curl -s x`. */
function isProgramCall(name: string, args: readonly GivenArgument[], { unknown, common }: BoundArguments): boolean {
  const options = args.map(({ texts: [text = []] }) => joinText(text)).filter((text) => text.startsWith("-"));
  if (/^(?:curl|wget)$/.test(name))
    return !options.some((option) => /^-(?:uri|outf|inf|meth|useb|head|body|cred)/i.test(option));
  const isOther = options.some((option) => /^-\d|^--/.test(option));
  return isOther || unknown.length > 0 || common.some((option) => option.length < 3);
}

/** The words of a program: several values of a list are several words. */
function listProgramWords({ name, args }: GivenCommand): Word[] {
  const key = getKnownText(name);
  const program = key === undefined || isUnixPath(key) ? key : normalizeName(getProgramName(key));
  const first = program === undefined ? toProgramWord(name) : createWord(program);
  return [first, ...args.flatMap(({ texts }) => texts.map(toProgramWord))];
}

const CMDLET_NAME = /^[a-z]+-[a-z]\w*$/;

function runProgram(command: GivenCommand): Flow {
  const { args, given, redirects, scope, flow } = command;
  const words = listProgramWords(command);
  const [{ text: program, dynamic }] = words as [Word];
  if (dynamic === undefined && CMDLET_NAME.test(program)) emitUnknownCmdlet(command, words);
  else {
    const isText = flow.isPiped && flow.values && flow.values.length > 0 && !flow.listing;
    const stdin = isText ? `${flow.values?.map(joinText).join("\n")}\n` : undefined;
    emitProgram(words, given, redirects, scope, stdin);
  }
  // PowerShell itself reads what is in a block, as text.
  if (!/^(?:.*\/)?(?:pwsh|powershell)$/.test(program))
    for (const { block } of args) if (block) runBody(block, [], scope, { changes: {} });
  return passOn();
}

/**
 * Adds a cmdlet that the table does not have, with its name and its options in small letters; one that is only to say
 * what it would do (`-WhatIf`) is `echo`.
 */
function emitUnknownCmdlet({ given, redirects, scope, flow }: GivenCommand, [program, ...args]: readonly Word[]): void {
  const isIdle = args.some(({ text }) => /^-wh?a?t?i?f?(?::true)?$/i.test(text) && text.length > 2);
  const words = args.map((word) => (/^-[A-Za-z]/.test(word.text) ? createWord(word.text.toLowerCase()) : word));
  const all = [isIdle ? createWord("echo") : (program as Word), ...words];
  emitCommand({ ...createCommand(all, scope), more: flow.isPiped }, given, redirects, {}, scope);
}
