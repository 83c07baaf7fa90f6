import type { Redirect } from "../command.ts";
import { emitCommand } from "../emit.ts";
import { getProgramName } from "../programs/names.ts";
import { createInnerScope, type ShellScope } from "../scope.ts";
import type { Word } from "../word.ts";
import { type BoundArguments, bindArguments, type GivenArgument, readArguments } from "./binding.ts";
import { isUnixName, type Cmdlet, lookUpCmdlet } from "./cmdlets.ts";
import type { EmitOptions, Flow } from "./cmdlet-call.ts";
import { presentCmdlet } from "./equivalents.ts";
import { evaluate } from "./evaluate.ts";
import { emitProgram, isUnixPath, normalizeName } from "./programs.ts";
import { createCommand, getEngine, getState } from "./state.ts";
import type { CommandElement, Expression, FunctionBody, Redirection } from "./syntax.ts";
import {
  createText,
  createUnknown,
  getKnownText,
  getVariableKey,
  joinText,
  type Text,
  toPathWord,
  toProgramWord,
} from "./values.ts";

/** A function runs for each of so many items that are piped into it; for more of them once. */
const MOST_ITEMS = 16;
const NOTHING: Flow = { isPiped: true, values: undefined };
const NULL = "/dev/null";

/** Reads the files that a command is redirected to. */
export function readRedirects(redirects: readonly Redirection[], scope: ShellScope): Redirect[] {
  return redirects.map(({ operator, target }): Redirect => {
    const [, stream = "", mark = ">", copied] = /^([1-6*]?)(>>?|<)(?:&([12]))?$/.exec(operator) ?? [];
    const fd = /^\d$/.test(stream) && stream !== "1" ? { fd: Number(stream) } : {};
    if (copied !== undefined) return { operator: ">&", target: copied, ...fd };
    const value = target?.items[0] && evaluate(target.items[0], scope);
    const [text = value ? createText(NULL) : createUnknown(target?.source ?? "")] = value ?? [];
    const word = toPathWord(text, true);
    return {
      operator: (stream === "*" ? `&${mark}` : mark) as Redirect["operator"],
      target: word.text,
      ...fd,
      ...(word.dynamic !== undefined && { dynamic: word.dynamic }),
    };
  });
}

/** Reads a command of a pipeline; gives what it passes on. */
export function readCommand(command: CommandElement, scope: ShellScope, flow: Flow): Flow {
  const { name: given, call } = command;
  const [item] = given.items;
  const block = item?.type === "block" ? item.definition : getBlock(item, scope);
  if (block) {
    const args = readArguments(command.args, scope);
    return {
      isPiped: true,
      values: getEngine(scope).runDefinition(
        block,
        args,
        createInnerScope(scope, call === "." ? { values: scope.values } : {}),
        scope,
      ),
    };
  }
  const value = item && evaluate(item, scope);
  const [name = createUnknown(given.source)] = value ?? [];
  const known = getKnownText(name);
  const redirects = readRedirects(command.redirects, scope);
  const args = readArguments(command.args, scope);
  if (known === undefined) return runProgram(name, args, redirects, scope, flow);
  const state = getState(scope);
  let key = normalizeName(known);
  const alias = state.aliases.get(key);
  if (alias !== undefined) key = normalizeName(alias);
  const called = state.functions.get(key);
  if (called) {
    runProgram(name, args, redirects, scope, flow, true);
    const items = flow.isPiped && flow.values && flow.values.length <= MOST_ITEMS ? flow.values : [undefined];
    const found = items.map((item) => getEngine(scope).callFunction(called, args, scope, item));
    return { isPiped: true, values: found.length === 1 ? found[0] : undefined };
  }
  const cmdlet = /\.(?:exe|cmd|bat)$/i.test(known) ? undefined : lookUpCmdlet(key);
  const bound = cmdlet && bindArguments(cmdlet, args);
  if (cmdlet && bound && !isProgramCall(key, args, bound))
    return callCmdlet(cmdlet, bound, { name, args, redirects, scope, flow });
  return runProgram(alias === undefined ? name : createText(alias), args, redirects, scope, flow);
}

/** The block that a variable holds. */
const getBlock = (of: Expression | undefined, scope: ShellScope): FunctionBody | undefined =>
  of?.type === "variable" ? getState(scope).blocks.get(getVariableKey(of.name)) : undefined;

/** Whether a name that is also a Unix program's is called as that: `rm -rf x`, `curl -s x`. */
function isProgramCall(name: string, args: readonly GivenArgument[], { unknown, common }: BoundArguments): boolean {
  if (!isUnixName(name)) return false;
  const options = args.flatMap((arg) =>
    arg.type === "values" && joinText(arg.texts[0] ?? []).startsWith("-") ? joinText(arg.texts[0] as Text) : [],
  );
  if (/^(?:curl|wget)$/.test(name))
    return !options.some((option) => /^-(?:uri|outf|inf|meth|useb|head|body|cred)/i.test(option));
  return (
    unknown.length > 0 ||
    common.some((option) => option.length < 3) ||
    options.some((option) => /^-\d|^--/.test(option))
  );
}

/** The words of a command as the line has them, without quotes. */
const listGivenWords = (name: Text, args: readonly GivenArgument[]): Word[] => [
  toProgramWord(name),
  ...args.map((arg): Word => {
    if (arg.type !== "values") return { text: arg.source };
    return arg.texts.length === 1 ? toProgramWord(arg.texts[0] as Text) : { text: arg.texts.map(joinText).join(",") };
  }),
];

interface CommandParts {
  name: Text;
  args: readonly GivenArgument[];
  redirects: readonly Redirect[];
  scope: ShellScope;
  flow: Flow;
}

function callCmdlet(cmdlet: Cmdlet, bound: BoundArguments, { name, args, redirects, scope, flow }: CommandParts): Flow {
  const given = listGivenWords(name, args);
  const emit = (words: readonly Word[], { stdin, more = false }: EmitOptions = {}) =>
    emitCommand({ ...createCommand(words, scope), more }, given, redirects, {}, scope, stdin);
  const found = presentCmdlet({ cmdlet, name: cmdlet.names[0] as string, bound, scope, flow, given, redirects, emit });
  if (!SCRIPT_BLOCK_USERS.has(cmdlet.by ?? ""))
    for (const { definition } of bound.blocks)
      getEngine(scope).runDefinition(definition, [], createInnerScope(scope), scope);
  return found;
}
/** Presenters that run the blocks themselves. */
const SCRIPT_BLOCK_USERS = new Set(["invoke", "each", "choose"]);

/** Programs that read what is in a block themselves, as text. */
const isPowerShell = (name: string) => /^(?:pwsh|powershell)$/.test(name);

function runProgram(
  name: Text,
  args: readonly GivenArgument[],
  redirects: readonly Redirect[],
  scope: ShellScope,
  flow: Flow,
  isFunction = false,
): Flow {
  const given = listGivenWords(name, args);
  const key = getKnownText(name);
  const program = key === undefined ? undefined : normalizeName(getProgramName(key));
  const words: Word[] = [
    program === undefined ? toProgramWord(name) : { text: isUnixPath(key as string) ? (key as string) : program },
  ];
  for (const arg of args) {
    if (arg.type === "values") {
      // Several values of a list are several words, but an option's are one.
      words.push(...arg.texts.map(toProgramWord));
      continue;
    }
    words.push({ text: arg.source });
  }
  if (isFunction) {
    emitCommand(createCommand(words, scope), given, redirects, {}, scope);
    return NOTHING;
  }
  if (program !== undefined && CMDLET_NAME.test(program)) emitUnknownCmdlet(words, given, redirects, scope, flow);
  else emitProgram(words, given, redirects, scope, getPipedText(flow));
  if (!isPowerShell(program ?? ""))
    for (const arg of args)
      if (arg.type === "block") getEngine(scope).runDefinition(arg.definition, [], createInnerScope(scope), scope);
  return NOTHING;
}

/** The text that is piped into a program, if it is known. */
function getPipedText({ isPiped, values, listing }: Flow): string | undefined {
  return isPiped && values && values.length > 0 && !listing ? `${values.map(joinText).join("\n")}\n` : undefined;
}

/** The form of a cmdlet's name. */
const CMDLET_NAME = /^[a-z]+-[a-z]\w*$/;

/**
 * Adds a cmdlet that the table does not have, with its name and its options in small letters; one that is only to say
 * what it would do (`-WhatIf`) is `echo`.
 */
function emitUnknownCmdlet(
  [program, ...args]: readonly Word[],
  given: readonly Word[],
  redirects: readonly Redirect[],
  scope: ShellScope,
  flow: Flow,
): void {
  const isIdle = args.some(({ text }) => /^-wh?a?t?i?f?(?::true)?$/i.test(text) && text.length > 2);
  const words = args.map((word) => (/^-[A-Za-z]/.test(word.text) ? { text: word.text.toLowerCase() } : word));
  const first = isIdle ? { text: "echo" } : (program as Word);
  emitCommand({ ...createCommand([first, ...words], scope), more: flow.isPiped }, given, redirects, {}, scope);
}
