import { emitCommand } from "./emit.ts";
import { readFdArguments } from "./fd-arguments.ts";
import { resolveCdTarget } from "./folder.ts";
import { findGitRuns, noteGitSetting } from "./git-runs.ts";
import { readFindArguments } from "./programs/find-arguments.ts";
import { isShell, lookUpProgram, getWrapper, toTableCase } from "./programs/index.ts";
import { skipOptions, readOptionsAt, getOptionTable, type ReadOption } from "./programs/options.ts";
import { createInnerScope, type ShellScope } from "./scope.ts";
import { isLocalHost } from "./local-host.ts";
import type { NestedRun, WindowsRunReader } from "./nested-run.ts";
import { addAlias, findAliasRuns } from "./renamed-programs.ts";
import { findNestedRuns } from "./find-nested-runs.ts";
import { translateScript } from "./other-shells.ts";
import { type UnwrappedCommand, unwrapCommand } from "./unwrap.ts";
import { listVariableCommands } from "./command-variables.ts";
import { toSegments } from "./words.ts";
import { readProgramWord } from "./programs/names.ts";
import { getWindowsRunner } from "./windows-runners.ts";
import type { Word } from "./word.ts";

/** Reads the commands that a program itself runs, from its arguments and stdin, in a scope. */
type NestedCommandReader = (args: readonly Word[], scope: ShellScope, stdin: string | undefined) => void;

const getTexts = (words: readonly Word[]): string[] => words.map(({ text }) => text);
const getProgramOptions = (program: string) => getOptionTable(lookUpProgram(program));
const joinTexts = (words: readonly Word[]) => getTexts(words).join(" ");
/** Reads a text as a separate shell would. Its parameters are known unless more arguments are added at run time. */
const readChildScript = (text: string, scope: ShellScope, parameters: readonly Word[] = []) =>
  scope.reader.readScript(text, { ...scope, parameters: scope.parameters && parameters.map(toSegments) });

/** Reads the commands that a command itself runs. */
export function readNestedCommands(command: UnwrappedCommand, scope: ShellScope, stdin: string | undefined): void {
  const [program, ...args] = command.words;
  const { name: written, pattern } = program ? readProgramWord(program) : {};
  if (written === undefined || pattern !== undefined) return;
  const name = toTableCase(written);
  // Runs in the same shell: its assignments and `cd` last.
  if (name === "eval") {
    const text = joinTexts(args[0]?.text === "--" ? args.slice(1) : args);
    return scope.reader.readScript(unwrapHereDocument(text), scope);
  }
  if (name === "source" || name === ".") {
    // In fish it reads stdin.
    const file = args[0]?.text ?? "-";
    return scope.reader.readScript((READ.test(file) ? stdin : scope.reader.substitutionOutputs.get(file)) ?? "", scope);
  }
  const isOfShell = isShell(name);
  const isGit = name === "git";
  if (isGit) noteGitSetting(args, scope);
  const runner: WindowsRunReader | undefined = isOfShell
    ? createShell(name)
    : Object.hasOwn(RUNNERS, name)
      ? RUNNERS[name]
      : getWindowsRunner(name);
  const isKnown = isGit || runner !== undefined || getWrapper(name) !== undefined;
  const runs = isOfShell
    ? []
    : [
        ...findNestedRuns(name, args, stdin, isKnown),
        ...(isGit ? findGitRuns(args, command.env, scope) : findAliasRuns(name, args, scope.reader)),
      ];
  if (!runner && runs.length === 0) return;
  const { via, cwd, remote, more } = command;
  const within = createInnerScope(scope, {
    via: [...via, name],
    cwd,
    remote,
    parameters: more ? undefined : [],
    last: undefined,
    stdin,
  });
  runner?.(args, within, stdin, readInnerCommand);
  for (const run of runs) readNestedRun(run, within);
}

/** Reads a nested run that a table describes. */
function readNestedRun(run: NestedRun, scope: ShellScope): void {
  const at = createInnerScope(scope, {
    stdin: undefined,
    ...(run.remote && { remote: true, cwd: undefined }),
    ...(run.mounted && { cwd: run.mounted.folder && resolveCdTarget(scope.cwd, [run.mounted.folder]) }),
  });
  const { problem } = scope.reader;
  if ("words" in run) readInnerCommand(run.words, at, run.readsStdin ? scope.stdin : undefined, run.guessed);
  else readChildScript(run.text, at);
  if (run.foreign) scope.reader.problem = problem;
}

/** Reads the commands in variables that are set for a command. */
export function readVariableCommands(env: Readonly<Record<string, string>>, scope: ShellScope): void {
  for (const [name, text] of listVariableCommands(env))
    readNestedRun({ text, foreign: true }, createInnerScope(scope, { via: [...scope.via, name] }));
}

/** Script paths that mean stdin. */
const READ = /^(?:-|\/dev\/(?:stdin|fd\/0)|\/proc\/self\/fd\/0)$/;

/** The text of a word that is only a here-document: `$(cat <<'E' …)`. */
const unwrapHereDocument = (text: string): string =>
  /^\$\(\s*cat\s*<<-?\s*(["']?)(\w+)\1[ \t]*\n([^]*\n)\t*\2\s*\)$/.exec(text)?.[3] ?? text;

/** Reads a command that starts inside another command's words. */
function readInnerCommand(words: readonly Word[], scope: ShellScope, stdin?: string, guessed?: true): void {
  if (words.length === 0) return;
  for (const one of unwrapCommand(words, scope)) {
    emitCommand(guessed ? { ...one, guessed } : one, words, [], {}, scope, stdin);
    readNestedCommands(one, scope, stdin);
  }
}

/** A shell runs the text after `-c`, that of an option in its table, or what it reads. */
const createShell =
  (shell: string): NestedCommandReader =>
  (args, scope, stdin) => {
    const table = getProgramOptions(shell);
    const texts = getTexts(args);
    /** The same text once more in the words of bash, where they differ. */
    const readText = (text: string, at: ShellScope, parameters: readonly Word[] = []) => {
      readChildScript(unwrapHereDocument(text), at, parameters);
      const translated = translateScript(shell, text);
      if (translated !== undefined) readChildScript(translated, at, parameters);
    };
    let at = 0;
    let given = false;
    const options: ReadOption[] = [];
    for (; /^[-+]./.test(texts[at] ?? "") && texts[at] !== "--";) {
      const read = readOptionsAt(texts, at, table);
      const isMinus = texts[at]?.startsWith("-") === true;
      given ||= isMinus && read.some(({ name }) => name === "-c" && table.get(name) === "none");
      for (const option of read) options.push(isMinus ? option : { ...option, name: `+${option.name.slice(1)}` });
      // `bash -c'rm x'`: no cluster of options has a space in it.
      const [cluster] = (given && /^-[^\Wc]*c/.exec(texts[at] as string)) || [];
      const glued = cluster === undefined ? "" : (texts[at] as string).slice(cluster.length);
      if (/\s/.test(glued)) readChildScript(glued, scope);
      at += read.at(-1)?.words ?? 1;
    }
    if (isUnexecuted(options)) return;
    const values = options.filter(({ name, value }) => value !== undefined && table.get(name) === "shell");
    for (const { value } of values) readText(value as string, scope);
    if (values.some(({ name }) => isTextOption(name))) return;
    const reads = options.some(({ name }) => name === "-s");
    if (texts[at] === "--") at++;
    if (given) {
      const name = args[at + 1];
      if (name) scope.values.set("0", [toSegments(name)]);
      return readText(texts[at] ?? "", scope, args.slice(at + 2));
    }
    const file = texts[at] ?? "-";
    const text = reads || READ.test(file) ? stdin : scope.reader.substitutionOutputs.get(file);
    if (text !== undefined)
      readChildScript(text, text === stdin ? { ...scope, stdin: undefined } : scope, args.slice(reads ? at : at + 1));
  };

/** Whether a shell with the option runs nothing else. */
const isTextOption = (name: string) => /^(?:-c|--commands?)$/.test(name);

/**
 * Whether a shell only checks the syntax of what it reads: `bash -n`, unless `+n` comes behind it. An interactive one
 * runs it all the same.
 */
function isUnexecuted(options: readonly ReadOption[]): boolean {
  let isChecked = false;
  for (const { name, value } of options) {
    if (/^[-+]i$/.test(name)) return false;
    // zsh also knows what takes it back: `-o exec`, `--exec`.
    if (name === "--exec" || (/^[-+]o$/.test(name) && value === "exec")) return false;
    if (/^[-+]n$/.test(name) || (/^[-+]o$/.test(name) && value === "noexec")) isChecked = name.startsWith("-");
  }
  return isChecked;
}

const FOUND = { text: "{}", dynamic: "{}" };

/** The files found are only known at run time. */
const markPlaceholders = (words: readonly Word[]): Word[] =>
  words.map((word) => (word.text.includes("{}") ? { text: word.text, dynamic: word.text } : word));

/** `find … -exec rm {} ;` */
const find: NestedCommandReader = (args, scope) => {
  for (const { kind, at, values } of readFindArguments(getTexts(args)).steps)
    if (kind === "run") readInnerCommand(markPlaceholders(args.slice(at + 1, at + 1 + values.length)), scope);
};

/** `fd x -x rm` appends the files found by itself; it is read as what `find` does. */
const fd: NestedCommandReader = (args, scope) => {
  const { search, runs } = readFdArguments(args);
  for (const run of runs) {
    const marked = markPlaceholders(run);
    const words = marked.some(({ text }) => text.includes("{}")) ? marked : [...marked, FOUND];
    readInnerCommand([{ text: "find" }, ...search, { text: "-exec" }, ...words, { text: ";" }], scope, undefined, true);
  }
};

/** A line that a machine with Windows would take: a switch or a drive behind a word of cmd.exe. */
const WINDOWS_LINE = /\b(?:rd|rmdir|del|erase|format|move|cmd|diskpart)\b[^\n]{0,200}(?:\s\/[A-Za-z]\b|\b[A-Za-z]:)/i;

/** `ssh host words…`: the words are joined to a script for the remote shell. */
const createSsh =
  (program: string): NestedCommandReader =>
  (args, scope, stdin) => {
    const texts = getTexts(args);
    const table = getProgramOptions(program);
    const host = skipOptions(texts, 0, table);
    const at = skipOptions(texts, host + 1, table);
    const there = isLocalHost(texts[host] ?? "") ? { ...scope, cwd: "~" } : { ...scope, remote: true, cwd: undefined };
    if (at < args.length) {
      const text = joinTexts(args.slice(at));
      readChildScript(text, there);
      if (WINDOWS_LINE.test(text)) scope.reader.readForeign("cmd", text, createInnerScope(there));
    } else if (stdin !== undefined) readChildScript(stdin, { ...there, stdin: undefined });
  };

/** `parallel rm {} ::: a b`, read as if one run got all values. */
const parallel: NestedCommandReader = (args, scope, stdin) => {
  const texts = getTexts(args);
  const start = skipOptions(texts, 0, getProgramOptions("parallel"));
  const mark = texts.findIndex((text) => /^:{3,4}\+?$/.test(text));
  const values = (mark < 0 ? stdin : joinTexts(args.slice(mark + 1)))?.trim().replace(/\n/g, " ");
  const text = joinTexts(args.slice(start, mark < 0 ? undefined : mark));
  if (text !== "" || values)
    readChildScript(
      /\{\}/.test(text) && values ? text.split("{}").slice(0, MOST_HOLES).join(values) : `${text} ${values ?? ""}`,
      scope,
    );
};
const MOST_HOLES = 4;

/** `env -S 'rm -rf' x`: a text that is split into words. */
const env: NestedCommandReader = (args, scope) => {
  const texts = getTexts(args);
  const table = getProgramOptions("env");
  for (let at = 0; /^-./.test(texts[at] ?? "") && texts[at] !== "--";) {
    const option = readOptionsAt(texts, at, table).at(-1);
    at += option?.words ?? 1;
    if (option?.value === undefined || !/^(?:-S|--split-string)$/.test(option.name)) continue;
    return readChildScript([option.value, ...texts.slice(at)].join(" "), scope);
  }
};

const RUNNERS: Readonly<Record<string, NestedCommandReader>> = {
  find,
  fd,
  fdfind: fd,
  ssh: createSsh("ssh"),
  slogin: createSsh("ssh"),
  autossh: createSsh("autossh"),
  dbclient: createSsh("ssh"),
  plink: createSsh("ssh"),
  parallel,
  env,
  // Traps run later, in whatever directory the shell is in by then.
  trap: ([text], scope) => text && readChildScript(text.text, { ...scope, cwd: undefined }),
  alias: (args, scope) => {
    for (const { text } of args) readChildScript(text.slice(text.indexOf("=") + 1), { ...scope, cwd: undefined });
    for (const { text } of args) {
      const at = text.indexOf("=");
      if (at > 0) addAlias(text.slice(0, at), text.slice(at + 1), scope.reader);
    }
  },
};
