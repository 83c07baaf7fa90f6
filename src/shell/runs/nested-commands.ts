import { emitCommand } from "../emit.ts";
import { readFdArguments } from "../files/fd-arguments.ts";
import { fillVariables, listEvaluatedStrings } from "../code/evaluated-code.ts";
import { resolveCdTarget } from "../files/folder.ts";
import { findGitRuns } from "./git-runs.ts";
import { isExcludedTest, readFindArguments } from "../programs/find-arguments.ts";
import { isShell, lookUpProgram, getWrapper, toTableCase } from "../programs/index.ts";
import { skipOptions, readOptionsAt } from "../programs/options.ts";
import { createInnerScope, getVariableValues, joinSegments, type ShellScope, type VariableValue } from "../scope.ts";
import { isLocalHost } from "./local-host.ts";
import { createNameTable } from "../words/name-table.ts";
import type { NestedRun, RunReader } from "./nested-run.ts";
import { addAlias, findAliasRuns } from "./renamed-programs.ts";
import { findNestedRuns } from "./find-nested-runs.ts";
import { type UnwrappedCommand, unwrapCommand } from "./unwrap.ts";
import { listVariableCommands } from "./command-variables.ts";
import { readProgramWord } from "../programs/names.ts";
import { isPowerShellLine } from "./shell-detection.ts";
import { WINDOWS_RUNNERS } from "./windows-runners.ts";
import { getTexts, joinTexts, type Word } from "../words/word.ts";
import {
  findPackageScripts,
  findWrittenScript,
  getFileText,
  listWrittenFiles,
  STDIN_FILE,
  withUnknownFile,
} from "../files/written-files.ts";
import { unwrapHereDocument, createShell, readChildScript, getProgramOptions } from "./child-shells.ts";

/** Builtins that run a script in the current shell, where its assignments and directory changes stay in effect. */
const CURRENT_SHELL_BUILTINS = createNameTable<
  (args: readonly Word[], scope: ShellScope, stdin: string | undefined) => string
>({
  eval: (args) => unwrapHereDocument(joinTexts(args[0]?.text === "--" ? args.slice(1) : args)),
  "source .": ([file], { reader }, stdin) => {
    // Without an argument, fish's `source` reads stdin.
    const name = file?.text ?? "-";
    return (STDIN_FILE.test(name) ? stdin : getFileText(name, reader)) ?? "";
  },
});

/** Reads the commands nested in a command. Returns the output of a nested script, if known. */
export function readNestedCommands(
  command: UnwrappedCommand,
  scope: ShellScope,
  stdin: string | undefined,
): string | undefined {
  const [program, ...args] = command.words;
  const script = findWrittenScript(command.words, scope.reader, stdin);
  if (script)
    withUnknownFile(script.path, scope, () =>
      readInnerCommand(script.words, createInnerScope(scope, { cwd: command.cwd }), script.text, true),
    );
  const { name: writtenName, pattern } = program ? readProgramWord(program) : {};
  if (writtenName === undefined || pattern !== undefined) return undefined;
  const name = toTableCase(writtenName);
  if (lookUpProgram(name)?.language) readFilledCode(name, command, scope, stdin);
  const getText = CURRENT_SHELL_BUILTINS.get(name);
  if (getText) {
    const text = getText(args, scope, stdin);
    return withUnknownFile(args[0]?.text ?? "", scope, () => scope.reader.readScript(text, scope));
  }
  const runner = isShell(name) ? createShell(name) : getRunner(name);
  const runs = isShell(name) ? [] : listNestedRuns(name, command, scope, stdin);
  if (!runner && runs.length === 0) return undefined;
  const { via, cwd, remote, more } = command;
  const runScope = createInnerScope(scope, {
    via: [...via, name],
    cwd,
    remote,
    parameters: more ? undefined : [],
    lastArgument: undefined,
    stdin,
  });
  for (const variable in command.env)
    runScope.values.set(variable, [toEnvironmentValue(command.env[variable] as string)]);
  const output = runner?.(args, runScope, stdin, readInnerCommand);
  for (const run of runs) readNestedRun(run, runScope);
  return output || undefined;
}

/**
 * Reads a program's code again with environment variables such as `os.environ["X"]` filled in. If there are none to
 * fill in, reads the string literals that the code evaluates.
 */
function readFilledCode(name: string, command: UnwrappedCommand, scope: ShellScope, stdin: string | undefined): void {
  const { words, env, cwd, via } = command;
  const codeScope = createInnerScope(scope, { cwd, via });
  const getValue = (variable: string) => {
    const value = Object.hasOwn(env, variable) ? env[variable] : getPlainValue(variable, scope);
    // The value can contain the variable's own name, which must not be filled in again.
    if (value !== undefined) codeScope.values.set(variable, undefined);
    return value;
  };
  const fillCode = (code: string) => fillVariables(code, name.endsWith("awk") ? '"' : "'", getValue);
  const filledWords = words.map((word, at) => (at === 0 ? word : { ...word, text: fillCode(word.text) }));
  const input = stdin && fillCode(stdin);
  if (input !== stdin || filledWords.some(({ text }, at) => text !== words[at]?.text))
    return readInnerCommand(filledWords, codeScope, input, true);
  const evaluatedCodes = words.map(({ text }) => listEvaluatedStrings(text));
  const inputCodes = stdin ? listEvaluatedStrings(stdin) : [];
  // Read each evaluated string without the others.
  const otherWords = words.filter((_, at) => evaluatedCodes[at]?.length === 0);
  const otherInput = inputCodes.length === 0 ? stdin : undefined;
  for (const [at, codes] of evaluatedCodes.entries()) {
    const keptWords = words.filter((word, index) => index === at || otherWords.includes(word));
    for (const text of codes)
      readInnerCommand(keptWords.with(keptWords.indexOf(words[at] as Word), { text }), codeScope, otherInput, true);
  }
  for (const code of inputCodes) readInnerCommand(otherWords, codeScope, code, true);
}

/** Returns the value of a variable unless part of it is unknown until run time. */
function getPlainValue(name: string, scope: ShellScope): string | undefined {
  const [value] = getVariableValues(scope, name) ?? [];
  return value?.some(({ isDynamic }) => isDynamic) ? undefined : value && joinSegments(value);
}

/** Converts a string to a variable value. If the shell could expand it, it is marked as dynamic. */
const toEnvironmentValue = (text: string): VariableValue => [{ text, isDynamic: /^~|[$`]/.test(text) }];

const getRunner = (name: string): RunReader | undefined => RUNNERS.get(name) ?? WINDOWS_RUNNERS.get(name.toLowerCase());

function listNestedRuns(
  name: string,
  { words, env }: UnwrappedCommand,
  scope: ShellScope,
  stdin: string | undefined,
): NestedRun[] {
  const args = words.slice(1);
  const isGit = name === "git";
  const isKnown = isGit || getRunner(name) !== undefined || getWrapper(name) !== undefined;
  const programRuns = isGit ? findGitRuns(args, env, scope) : findAliasRuns(name, args, scope.reader);
  return [
    ...findNestedRuns(name, args, stdin, { isKnown }),
    ...programRuns,
    ...findPackageScripts(name, args, scope.reader),
  ];
}

/** Reads a command found in a program's arguments, stdin or variables. */
function readNestedRun(run: NestedRun, scope: ShellScope): void {
  const at = createInnerScope(scope, {
    stdin: undefined,
    ...(run.remote && { remote: true, cwd: undefined }),
    ...(run.mountedRun && { cwd: run.mountedRun.folder && resolveCdTarget(scope.cwd, [run.mountedRun.folder]) }),
  });
  const { problem } = scope.reader;
  if ("words" in run) readInnerCommand(run.words, at, run.readsStdin ? scope.stdin : undefined, run.guessed);
  else readChildScript(run.text, at);
  if (run.isForeign) scope.reader.problem = problem;
}

/** Reads the commands in a command's environment variables, such as `PAGER`. */
export function readVariableCommands(env: Readonly<Record<string, string>>, scope: ShellScope): void {
  for (const [name, text] of listVariableCommands(env))
    readNestedRun({ text, isForeign: true }, createInnerScope(scope, { via: [...scope.via, name] }));
}

/** Reads a command that is part of another command's arguments. */
function readInnerCommand(words: readonly Word[], scope: ShellScope, stdin?: string, isGuess?: true): void {
  if (words.length === 0) return;
  for (const unwrapped of unwrapCommand(words, scope)) {
    emitCommand(isGuess ? { ...unwrapped, guessed: isGuess } : unwrapped, { words, stdin }, scope);
    readNestedCommands(unwrapped, scope, stdin);
  }
}

const FOUND_FILE_PLACEHOLDER = { text: "{}", dynamic: "{}" };

/** Marks words with `{}` as dynamic: the matching files are unknown until run time. */
const markPlaceholdersDynamic = (words: readonly Word[]): Word[] =>
  words.map((word) => (word.text.includes("{}") ? { text: word.text, dynamic: word.text } : word));

/** Reads the commands in `find … -exec rm {} ;`. */
const readFind: RunReader = (args, scope) => {
  const { steps } = readFindArguments(getTexts(args));
  const names = steps.flatMap(({ kind, values }, at) => (kind === "name" && !isExcludedTest(steps, at) ? values : []));
  const writtenFiles = listWrittenFiles(names.length > 0 ? names : ["*"], scope.reader);
  for (const { kind, at, values } of steps) {
    if (kind !== "run") continue;
    const words = args.slice(at + 1, at + 1 + values.length);
    readInnerCommand(markPlaceholdersDynamic(words), scope);
    for (const name of writtenFiles)
      readInnerCommand(
        words.map(({ text }) => ({ text: text.replaceAll("{}", name) })),
        scope,
        undefined,
        true,
      );
  }
};

/** Reads `fd x -x rm` as the equivalent `find` command. Without a placeholder, fd appends the matching files. */
const readFd: RunReader = (args, scope) => {
  const { search, runs } = readFdArguments(args);
  for (const run of runs) {
    const markedRun = markPlaceholdersDynamic(run);
    const words = markedRun.some(({ text }) => text.includes("{}"))
      ? markedRun
      : [...markedRun, FOUND_FILE_PLACEHOLDER];
    readInnerCommand([{ text: "find" }, ...search, { text: "-exec" }, ...words, { text: ";" }], scope, undefined, true);
  }
};

/** A Windows command line: a cmd.exe command with a switch or drive after it. */
const WINDOWS_LINE = /\b(?:rd|rmdir|del|erase|format|move|cmd|diskpart)\b[^\n]{0,200}(?:\s\/[A-Za-z]\b|\b[A-Za-z]:)/i;

/** Creates a reader for `ssh host words…`. ssh joins the words into a script for the remote shell. */
const createSsh =
  (program: string): RunReader =>
  (args, scope, stdin) => {
    const texts = getTexts(args);
    const table = getProgramOptions(program);
    const host = skipOptions(texts, 0, table);
    const at = skipOptions(texts, host + 1, table);
    const remoteScope = isLocalHost(texts[host] ?? "")
      ? { ...scope, cwd: "~" }
      : { ...scope, remote: true, cwd: undefined };
    const text = at < args.length ? joinTexts(args.slice(at)) : stdin;
    if (text === undefined) return;
    readChildScript(text, { ...remoteScope, stdin: at < args.length ? stdin : undefined });
    if (WINDOWS_LINE.test(text)) scope.reader.readForeign("cmd", text, createInnerScope(remoteScope));
    if (isPowerShellLine(text)) scope.reader.readForeign("powershell", text, createInnerScope(remoteScope));
  };

/** Reads `parallel rm {} ::: a b` as a single command that receives all values. */
const readParallel: RunReader = (args, scope, stdin) => {
  const texts = getTexts(args);
  const start = skipOptions(texts, 0, getProgramOptions("parallel"));
  const separatorIndex = texts.findIndex((text) => /^:{3,4}\+?$/.test(text));
  const values = (separatorIndex < 0 ? stdin : joinTexts(args.slice(separatorIndex + 1)))?.trim().replace(/\n/g, " ");
  const text = joinTexts(args.slice(start, separatorIndex < 0 ? undefined : separatorIndex));
  if (text !== "" || values)
    readChildScript(
      /\{\}/.test(text) && values
        ? text.split("{}").slice(0, MAX_PLACEHOLDERS).join(values)
        : `${text} ${values ?? ""}`,
      scope,
    );
};
const MAX_PLACEHOLDERS = 4;

/** Reads `env -S 'rm -rf' x`, where `env` splits the string into words. */
const readEnv: RunReader = (args, scope) => {
  const texts = getTexts(args);
  const table = getProgramOptions("env");
  for (let at = 0; /^-./.test(texts[at] ?? "") && texts[at] !== "--";) {
    const option = readOptionsAt(texts, at, table).at(-1);
    at += option?.words ?? 1;
    if (option?.value === undefined || !/^(?:-S|--split-string)$/.test(option.name)) continue;
    return readChildScript([option.value, ...texts.slice(at)].join(" "), scope);
  }
};

const RUNNERS = createNameTable<RunReader>({
  find: readFind,
  "fd fdfind": readFd,
  "ssh slogin dbclient plink": createSsh("ssh"),
  autossh: createSsh("autossh"),
  parallel: readParallel,
  env: readEnv,
  // A trap runs later, in a directory that isn't known yet.
  trap: (args, scope) => {
    const text = args.find(({ text: word }) => word !== "--");
    if (text) readChildScript(text.text, { ...scope, cwd: undefined });
  },
  alias: (args, scope) => {
    const definitions = args.map(({ text }) => [text, text.indexOf("=")] as const);
    for (const [text, at] of definitions) readChildScript(text.slice(at + 1), { ...scope, cwd: undefined });
    for (const [text, at] of definitions) if (at > 0) addAlias(text.slice(0, at), text.slice(at + 1), scope.reader);
  },
});
