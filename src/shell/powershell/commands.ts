import type { Redirect } from "../command.ts";
import { emitCommand } from "../emit.ts";
import { getProgramName } from "../programs/names.ts";
import type { ShellScope } from "../scope.ts";
import type { Word } from "../words/word.ts";
import { type BoundArguments, bindArguments, type CmdletArgument } from "./parameter-binding.ts";
import { callFunction, runFunctionBody } from "./function-bodies.ts";
import { lookUpCmdlet } from "./cmdlets.ts";
import type { EmitOptions, PipelineFlow, CommandCall } from "./cmdlet-call.ts";
import { translateCmdlet } from "./equivalents.ts";
import { evaluateExpression } from "./evaluate.ts";
import { emitProgramCall, isUnixPath, normalizeName } from "./programs.ts";
import { blocksByValue, createCommand, createRedirect, emitEquivalent, getLineState, tablesByValue } from "./state.ts";
import type { Argument, CommandElement, Redirection } from "./syntax.ts";
import { createText, createUnknownValue, getKnownText, joinText, type Value } from "./text-values.ts";
import { createWord, createWords, toProgramWord } from "./words.ts";
import { recordRedirectedOutput } from "../files/written-files.ts";

export const readRedirects = (redirects: readonly Redirection[], scope: ShellScope): Redirect[] =>
  redirects.map(({ operator, target }): Redirect => {
    const value = target?.items[0] && evaluateExpression(target.items[0], scope);
    const [text = value ? createText("/dev/null") : createUnknownValue(target?.source ?? "")] = value ?? [];
    return createRedirect(operator, text);
  });

/** Records the values that a redirection writes to files. */
export function recordWrittenValues(redirects: readonly Redirect[], values: Value, scope: ShellScope): void {
  if (redirects.length > 0 && values) recordRedirectedOutput(redirects, `${values.map(joinText).join("\n")}\n`, scope);
}

/** Reads one command of a pipeline. Returns the data passed to the next command. */
export function readCommand(
  { name: nameText, args: source, ...element }: CommandElement,
  scope: ShellScope,
  flow: PipelineFlow,
) {
  const [item] = nameText.items;
  const value = item && item.type !== "block" ? evaluateExpression(item, scope) : undefined;
  const block = item?.type === "block" ? item.definition : value && blocksByValue.get(value);
  if (block) {
    const changes = element.call === "." ? { values: scope.values } : {};
    return createPipelineFlow(runFunctionBody(block, readArguments(source, scope), scope, { changes }));
  }
  const [name = createUnknownValue(nameText.source)] = value ?? [];
  const redirects = readRedirects(element.redirects, scope);
  const args = readArguments(source, scope);
  const words = args.map(({ texts, source: text }): Word => {
    const [firstText] = texts;
    return texts.length === 1 && firstText
      ? toProgramWord(firstText)
      : createWord(texts.map(joinText).join(",") || text);
  });
  return runCommandByName({ name, args, originalWords: [toProgramWord(name), ...words], redirects, scope, flow });
}

const createPipelineFlow = (values?: Value): PipelineFlow => ({ isPiped: true, values });

function runCommandByName(command: CommandCall): PipelineFlow {
  const { name, args, originalWords, scope, flow } = command;
  const knownName = getKnownText(name);
  if (knownName === undefined) return runProgram(command);
  const { aliases, functions } = getLineState(scope);
  const alias = aliases.get(normalizeName(knownName));
  const key = normalizeName(alias ?? knownName);
  const calledFunction = functions.get(key);
  if (calledFunction) {
    emitCommand(
      createCommand(listProgramWords(command), scope),
      { words: originalWords, redirects: command.redirects },
      scope,
    );
    return createPipelineFlow(callFunction(calledFunction, args, scope, flow.isPiped ? flow.values : undefined));
  }
  const cmdlet = /\.(?:exe|cmd|bat)$/i.test(knownName) ? undefined : lookUpCmdlet(key);
  const boundArguments = cmdlet && bindArguments(cmdlet, args);
  if (!boundArguments || (cmdlet.unixNames.includes(key) && isProgramCall(key, args, boundArguments)))
    return runProgram(alias === undefined ? command : { ...command, name: createText(alias) });
  const { redirects } = command;
  const emitWords = (words: readonly (string | Word)[], options: EmitOptions = {}) =>
    emitEquivalent(createWords(words), { ...options, originalWords, redirects, scope });
  const output = translateCmdlet({ ...command, cmdlet, boundArguments, emit: emitWords });
  recordWrittenValues(redirects, output.values, scope);
  if (!SCRIPT_BLOCK_TRANSLATORS.has(cmdlet.translator ?? ""))
    for (const definition of boundArguments.blocks) runFunctionBody(definition, [], scope, { changes: {} });
  return output;
}

/** Translators that read script block arguments themselves. */
const SCRIPT_BLOCK_TRANSLATORS = new Set(["invokeCommand", "runForEach", "filterItems"]);

/**
 * Whether a name that belongs to both a cmdlet and a Unix program is used with Unix options: `rm -rf x`, `curl -s x`.
 */
function isProgramCall(
  name: string,
  args: readonly CmdletArgument[],
  { unknownOptions, commonOptions }: BoundArguments,
): boolean {
  const options = args.map(({ texts: [text = []] }) => joinText(text)).filter((text) => text.startsWith("-"));
  if (/^(?:curl|wget)$/.test(name))
    return !options.some((option) => /^-(?:uri|outf|inf|meth|useb|head|body|cred)/i.test(option));
  const hasUnixOption = options.some((option) => /^-\d|^--/.test(option));
  return hasUnixOption || unknownOptions.length > 0 || commonOptions.some((option) => option.length < 3);
}

function listProgramWords({ name, args }: CommandCall): Word[] {
  const key = getKnownText(name);
  const program = key === undefined || isUnixPath(key) ? key : normalizeName(getProgramName(key));
  const programWord = program === undefined ? toProgramWord(name) : createWord(program);
  return [programWord, ...args.flatMap(({ texts }) => texts.map(toProgramWord))];
}

const CMDLET_NAME = /^[a-z]+-[a-z]\w*$/;

function runProgram(command: CommandCall): PipelineFlow {
  const { args, originalWords, redirects, scope, flow } = command;
  const words = listProgramWords(command);
  const [{ text: program, dynamic }] = words as [Word];
  if (dynamic === undefined && CMDLET_NAME.test(program)) emitUnknownCmdlet(command, words);
  else {
    const isText = flow.isPiped && flow.values && flow.values.length > 0 && !flow.listing;
    const stdin = isText ? `${flow.values?.map(joinText).join("\n")}\n` : undefined;
    emitProgramCall(words, { words: originalWords, redirects, stdin }, scope);
  }
  // A nested PowerShell receives its script block as text, so don't read the block here.
  if (!/^(?:.*\/)?(?:pwsh|powershell)$/.test(program))
    for (const { block } of args) if (block) runFunctionBody(block, [], scope, { changes: {} });
  return createPipelineFlow();
}

/**
 * Adds a cmdlet that is missing from the table, with its name and options in lowercase. A call with `-WhatIf` only
 * prints what it would do, so it's added as `echo`.
 */
function emitUnknownCmdlet(
  { originalWords, redirects, scope, flow }: CommandCall,
  [program, ...args]: readonly Word[],
): void {
  const isIdle = args.some(({ text }) => /^-wh?a?t?i?f?(?::true)?$/i.test(text) && text.length > 2);
  const words = args.map((word) => (/^-[A-Za-z]/.test(word.text) ? createWord(word.text.toLowerCase()) : word));
  const allWords = [isIdle ? createWord("echo") : (program as Word), ...words];
  emitCommand({ ...createCommand(allWords, scope), more: flow.isPiped }, { words: originalWords, redirects }, scope);
}

const readArguments = (args: readonly Argument[], scope: ShellScope): CmdletArgument[] =>
  args.flatMap((arg) => readArgument(arg, scope));

function readArgument({ items, source }: Argument, scope: ShellScope): CmdletArgument[] {
  const [firstItem] = items;
  const argument = { source, texts: [createText(source)], isOption: false };
  if (items.length !== 1 || !firstItem)
    return [
      { ...argument, texts: items.flatMap((item) => evaluateExpression(item, scope) ?? [createUnknownValue("item")]) },
    ];
  if (firstItem.type === "block") return [{ ...argument, block: firstItem.definition }];
  const texts = evaluateExpression(firstItem, scope) ?? [createUnknownValue(source)];
  const [piece] = firstItem.type === "word" ? firstItem.pieces : [];
  const isOption = piece?.type === "text" && piece.isBare === true && /^-[A-Za-z_?]/.test(piece.text);
  if (firstItem.type !== "splat") return [{ ...argument, texts, isOption, block: blocksByValue.get(texts) }];
  const entries = tablesByValue.get(texts);
  // `@args` forwards the arguments of the function call, including options.
  return entries
    ? [{ ...argument, entries }]
    : texts.map((text) => ({ ...argument, texts: [text], isOption: /^-[A-Za-z]/.test(joinText(text)) }));
}
