import type { Command as Node } from "unbash";
import type { Redirect } from "./command.ts";
import {
  createAssignmentWord,
  applyAssignment,
  applyDeclaration,
  readDeclaredVariables,
  readAssignedText,
} from "./words/assignments.ts";
import { applyBuiltin } from "./builtins.ts";
import { callFunction } from "./function-calls.ts";
import { emitCommand, type OriginalCommand } from "./emit.ts";
import { predictOutput } from "./output.ts";
import { getWrapper, isShell } from "./programs/index.ts";
import { getProgramName } from "./programs/names.ts";
import { recordProgramCopies } from "./runs/renamed-programs.ts";
import { createInnerScope, type ShellScope } from "./scope.ts";
import { getCopiedDescriptor, getStdinText, isOutputRedirected, readRedirects } from "./files/redirects.ts";
import { readNestedCommands, readVariableCommands } from "./runs/nested-commands.ts";
import { type UnwrappedCommand, unwrapCommand } from "./runs/unwrap.ts";
import { getFileText, recordCopiedFiles, recordFileText, recordRedirectedOutput } from "./files/written-files.ts";
import { expandWord, mayUseDefault, toSegments } from "./words/words.ts";
import { createPrintedWord, getTexts, splitPrintedWords, type Word } from "./words/word.ts";

const CURRENT_SHELL_BUILTINS = new Set(["eval", "source", "."]);

type ReadCommand = OriginalCommand & Required<Pick<OriginalCommand, "redirects" | "env">>;

/** Reads a simple command. Returns the output that it would produce, if known. */
export function readSimpleCommand(node: Node, scope: ShellScope): string | undefined {
  // Redirections come first, since a word can read from a redirected file descriptor: `bash <(cat <&3) 3<<<x`.
  const redirects = readRedirects(node.redirects, scope);
  const words = readCommandWords(node, scope);
  const env: Record<string, string> = {};
  for (const item of node.prefix) {
    if (item.type !== "Assignment") continue;
    env[item.name] = readAssignedText(item, scope);
    if (words.length === 0) applyAssignment(item, scope);
  }
  const stdin = getStdinText(redirects, scope);
  const commandWords = { words, redirects, env, stdin };
  const { command, nestedOutput } = readOriginalCommand(commandWords, scope);
  if (!scope.appliesDefaults && hasDefaultExpansions(node, scope)) readWithDefaults(node, commandWords, scope);
  callAlias(node, scope);
  readUnclosedDocuments(node, scope);
  applyDeclaration(words[0]?.text ?? "", node.args, scope);
  const functionOutput = callFunction(words, scope, stdin);
  if (!functionOutput)
    applyBuiltin(command, scope, { stdin, separators: env.IFS, descriptor: getCopiedDescriptor(redirects) });
  if (words.at(-1)?.text === "exec") redirectShell(redirects, scope, stdin);
  recordProgramCopies(command.words, scope.reader);
  const lastWord = words.at(-1);
  // Commands run by these builtins share the current shell and have already set `$_`.
  if (!CURRENT_SHELL_BUILTINS.has(words[0]?.text ?? "")) scope.lastArgument = lastWord && toSegments(lastWord);
  return functionOutput
    ? forwardPredictedOutput(functionOutput.output, redirects, scope)
    : forwardPredictedOutput(predictCommandOutput(command, stdin, scope) ?? nestedOutput, redirects, scope);
}

/** Predicts a command's output, if possible, and records which files it copies. */
function predictCommandOutput(
  { words: [program, ...args] }: UnwrappedCommand,
  stdin: string | undefined,
  scope: ShellScope,
): string | undefined {
  const name = getProgramName(program?.text ?? "");
  recordCopiedFiles(name, args, stdin, scope);
  return program ? predictOutput(name, args, stdin, scope) : "";
}

/** Applies the redirections of `exec < x > y`. Without a program, they apply to the shell itself. */
function redirectShell(redirects: readonly Redirect[], scope: ShellScope, stdin: string | undefined): void {
  scope.stdin = stdin;
  const output = redirects.findLast(({ operator, fd = 1 }) => /^&?>/.test(operator) && fd === 1);
  if (output) scope.outputFile = output.operator === ">&" ? undefined : output.target;
}

/**
 * Returns the output that isn't redirected and so reaches the next command. Redirected output is recorded as the
 * contents of its file.
 */
function forwardPredictedOutput(
  output: string | undefined,
  redirects: readonly Redirect[],
  scope: ShellScope,
): string | undefined {
  if (!isOutputRedirected(redirects)) {
    if (output && scope.outputFile !== undefined) recordFileText(scope.outputFile, output, scope);
    return output;
  }
  if (output !== undefined) recordRedirectedOutput(redirects, output, scope);
  return undefined;
}

/**
 * Adds a command and the commands nested in it to the result. Returns the command, and the nested commands' output, if
 * known.
 */
function readOriginalCommand(
  readCommand: ReadCommand,
  scope: ShellScope,
): { command: UnwrappedCommand; nestedOutput: string | undefined } {
  const { words, env, stdin } = readCommand;
  const readings = unwrapCommand(words, scope).flatMap((reading) => {
    const argumentText = reading.more ? (findArgumentText(words, scope) ?? stdin) : undefined;
    return argumentText === undefined
      ? [reading]
      : listXargsCommands(normalizePlaceholders(reading, words), argumentText, scope);
  });
  const command = readings[0] as UnwrappedCommand;
  let nestedOutput: string | undefined;
  for (const unwrapped of readings) {
    emitCommand(scope.appliesDefaults ? { ...unwrapped, guessed: true } : unwrapped, readCommand, scope);
    const output = readNestedCommands({ ...unwrapped, env: { ...env, ...unwrapped.env } }, scope, stdin);
    nestedOutput ??= output;
    readCommandForFoundFiles(unwrapped, scope);
    for (const variables of [env, unwrapped.env, readDeclaredVariables(words)]) readVariableCommands(variables, scope);
  }
  return { command, nestedOutput };
}

/** Returns the contents of the file that `xargs` takes its arguments from, if known: `xargs -a <(echo x)`. */
function findArgumentText(words: readonly Word[], { reader }: ShellScope): string | undefined {
  if (reader.fileTexts.size === 0) return undefined;
  const files = words.map(({ text }) => getFileText(text.replace(/^(?:-a|--arg-file=)/, ""), reader));
  return files.find((text) => text !== undefined);
}

/**
 * Reads `rm $(find x)` as `find x -exec rm {} +`. This also covers `find x | xargs rm`, once the arguments from stdin
 * have been appended.
 */
function readCommandForFoundFiles(command: UnwrappedCommand, scope: ShellScope): void {
  const { foundFiles } = scope.reader;
  const foundName = foundFiles.size === 0 ? undefined : command.words.find(({ text }) => foundFiles.has(text))?.text;
  if (foundName === undefined || command.words[0]?.text === foundName) return;
  const run = command.words.map((word) => (foundFiles.has(word.text) ? { text: "{}" } : word));
  const findWords = foundFiles.get(foundName) as readonly Word[];
  const words = [{ text: "find" }, ...findWords, { text: "-exec" }, ...run, { text: "+" }];
  const find = { ...command, words, more: false, guessed: true };
  emitCommand(find, { words }, scope);
  readNestedCommands(find, scope, undefined);
}

const hasDefaultExpansions = ({ name, args, redirects }: Node, scope: ShellScope): boolean =>
  (name !== undefined && mayUseDefault(name.text, scope)) ||
  args.some(({ text }) => mayUseDefault(text, scope)) ||
  redirects.some((redirect) => redirect.type !== "HereDoc" && mayUseDefault(redirect.target?.text ?? "", scope));

/** Reads a command again with the defaults of its variables applied, unless that doesn't change the command. */
function readWithDefaults(node: Node, originalCommand: ReadCommand, scope: ShellScope): void {
  const defaultsScope = createInnerScope(scope, { appliesDefaults: true });
  const words = readCommandWords(node, defaultsScope);
  const redirects = readRedirects(node.redirects, defaultsScope);
  const isSame =
    words.length === originalCommand.words.length &&
    words.every(({ text }, at) => text === originalCommand.words[at]?.text) &&
    redirects.every(({ target }, at) => target === originalCommand.redirects[at]?.target);
  if (!isSame)
    readOriginalCommand(
      { words, redirects, env: originalCommand.env, stdin: getStdinText(redirects, scope) },
      defaultsScope,
    );
}

function readCommandWords({ name, args }: Node, scope: ShellScope): Word[] {
  const words = name ? expandWord(name, scope) : [];
  for (const arg of args) {
    if (arg.type === "Assignment") words.push(createAssignmentWord(arg, scope));
    else for (const word of expandWord(arg, scope)) words.push(word);
  }
  return words;
}

/** Reads an unclosed here-document as commands, since its `<<` might be a different operator, as in `let x=1<<2`. */
function readUnclosedDocuments(node: Node, scope: ShellScope): void {
  for (const redirect of node.redirects)
    if (redirect.type === "HereDoc" && !redirect.closing)
      scope.reader.readScript(redirect.body.text, createInnerScope(scope));
}

/**
 * Maximum number of combinations of `{}` with an argument from stdin, and maximum length of a word to combine. Beyond
 * that, the command is left as it is.
 */
const MAX_PAIRS = 200;
const MAX_PAIR_LENGTH = 10_000;

/** Replaces xargs' own placeholder with `{}`: the % in `xargs -I% rm %`. */
function normalizePlaceholders(command: UnwrappedCommand, originalWords: readonly Word[]): UnwrappedCommand {
  const texts = getTexts(originalWords);
  const at = texts.findIndex((text) => /^(?:-[IJ]|--replace=)/.test(text));
  const placeholder = at < 0 ? "" : (texts[at] as string).replace(/^(?:-[IJ]|--replace=)/, "") || (texts[at + 1] ?? "");
  if (
    placeholder === "" ||
    placeholder === "{}" ||
    !texts.slice(0, at).some((text) => getProgramName(text).endsWith("xargs"))
  )
    return command;
  const replacePlaceholder = (text: string) => text.replaceAll(placeholder, "{}");
  const words = command.words.map(({ text, dynamic }) => ({
    text: replacePlaceholder(text),
    ...(dynamic && { dynamic: replacePlaceholder(dynamic) }),
  }));
  return { ...command, words };
}

/** Lists the commands that xargs builds from its input. Wrappers such as `env` in `xargs env` are removed. */
function listXargsCommands(command: UnwrappedCommand, stdin: string, scope: ShellScope): UnwrappedCommand[] {
  const lines = stdin.split(/[\n\0]/).filter((line) => line.trim() !== "");
  const program = getProgramName(command.words[0]?.text ?? "");
  const hasHoles = command.words.some(({ text }) => text.includes("{}"));
  // A shell takes each input line as a complete script: `xargs -0 sh -c`.
  const inputWords = hasHoles || isShell(program) ? lines.map(createPrintedWord) : splitPrintedWords(stdin);
  const fullCommand = appendArguments(command, inputWords, scope);
  if (!getWrapper(program)) return [fullCommand];
  return unwrapCommand(fullCommand.words, scope).map((unwrapped) => ({
    ...fullCommand,
    ...unwrapped,
    via: [...fullCommand.via, ...unwrapped.via],
  }));
}

/** Adds the input words to a command's arguments, in place of `{}` or at the end. */
function appendArguments(command: UnwrappedCommand, inputWords: readonly Word[], scope: ShellScope): UnwrappedCommand {
  const placeholderCount = command.words.reduce((count, { text }) => count + text.split("{}").length - 1, 0);
  const isLong = ({ text }: Word) => text.length > MAX_PAIR_LENGTH;
  if (
    placeholderCount * inputWords.length > MAX_PAIRS ||
    (placeholderCount > 0 && (inputWords.some(isLong) || command.words.some(isLong)))
  )
    return command;
  const words = command.words.flatMap((word) =>
    word.text.includes("{}")
      ? inputWords.map(({ text, dynamic }) => ({
          text: word.text.replaceAll("{}", text),
          ...(dynamic && { dynamic: word.text.replaceAll("{}", dynamic) }),
        }))
      : [word],
  );
  // Which files `find` matches is unknown until run time.
  const hasMoreArguments = inputWords.some(({ text }) => scope.reader.foundFiles.has(text));
  return { ...command, words: placeholderCount > 0 ? words : [...words, ...inputWords], more: hasMoreArguments };
}

/** Replaces an alias with its definition. If the definition ends in a space, the next word can be an alias too. */
function expandAlias(body: string, words: readonly string[], { reader }: ShellScope): string {
  let mayBeAlias = /\s$/.test(body);
  const expandedWords = words.map((word) => {
    const text = mayBeAlias ? reader.aliases.get(word)?.at(-1) : undefined;
    mayBeAlias = text !== undefined && /\s$/.test(text);
    return text ?? word;
  });
  return [body, ...expandedWords].join(" ");
}

/** Reads an alias's definition, followed by the arguments it is called with. */
function callAlias({ name, args }: Node, scope: ShellScope): void {
  const { aliases } = scope.reader;
  const bodies = name && aliases.get(name.text);
  if (!name || bodies === undefined) return;
  // Within its own definition, an alias isn't expanded again.
  aliases.delete(name.text);
  for (const body of bodies) scope.reader.readScript(expandAlias(body, getTexts(args), scope), scope);
  aliases.set(name.text, bodies);
}
