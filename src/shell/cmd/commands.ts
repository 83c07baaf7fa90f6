import type { Redirect } from "../command.ts";
import { changeFolder } from "../files/folder-steps.ts";
import { assignVariable, createInnerScope, type ShellScope } from "../scope.ts";
import { CMD_RUN_SWITCH, splitArguments, stripOuterQuotes } from "../files/windows-arguments.ts";
import { useForwardSlashes } from "../runs/windows-programs.ts";
import type { Word } from "../words/word.ts";
import { recordRedirectedOutput } from "../files/written-files.ts";
import { emitProgramCall } from "../powershell/programs.ts";
import { assignEnvironment, emitEquivalent } from "../powershell/state.ts";
import { expandPieces, type CmdWordPiece, type Token } from "./tokens.ts";
import { createText, findLastPart, getKnownText, joinText, type Text } from "../powershell/text-values.ts";
import { createWord, toDriveRoot, toPathWord, toPathWords, toPlainWord } from "../powershell/words.ts";

export interface CmdWord {
  text: Text;
  /** Pieces of the word with quotes intact, as a program would receive them. */
  pieces: readonly CmdWordPiece[];
  raw: string;
  isQuoted: boolean;
}

export function expandToken(token: Extract<Token, { type: "word" }>, scope: ShellScope): CmdWord {
  const { pieces, raw, isQuoted } = token;
  // In `\"a b\"`, the backslashes were meant for an outer shell: remove them along with the quotes.
  const quote = /^\\"[^]+\\"$/.test(raw) ? /\\?"/g : /"/g;
  const text = expandPieces(pieces, scope).map((piece) => ({ ...piece, text: piece.text.replace(quote, "") }));
  return { text, pieces, raw, isQuoted };
}

export const createCmdWord = (text: Text, { isQuoted = false } = {}): CmdWord => ({
  text,
  pieces: text,
  raw: joinText(text),
  isQuoted,
});

export const isSwitch = ({ raw }: CmdWord) => /^\/[A-Za-z?-]/.test(raw) && !/^\/[\w.-]+\//.test(raw);

export const hasSwitch = (words: readonly CmdWord[], letter: string): boolean =>
  words.some(({ raw, isQuoted }) => !isQuoted && raw[0] === "/" && raw[1]?.toLowerCase() === letter);

/** Splits off cmd.exe switches at the end of a word, such as `x/s/q`. Git Bash writes `//s`. */
function splitSwitches(word: CmdWord): CmdWord[] {
  const match = word.isQuoted ? null : /^([^/]*?)((?:\/{1,2}[A-Za-z](?::[^/]*)?)+)$/.exec(word.raw);
  if (!match) return [word];
  const [, path = "", switches = ""] = match;
  const parts = [path, ...(switches.match(/\/[^/]+/g) ?? [])].filter((text) => text !== "");
  return parts.map((text) => createCmdWord(createText(text)));
}

const listOperands = (words: readonly CmdWord[]): Text[] =>
  words.filter((word) => !isSwitch(word)).map(({ text }) => text);
const toPathArguments = (words: readonly CmdWord[]): Word[] =>
  listOperands(words)
    .flatMap((text) => toPathWords(text))
    .map((word) => (/^nul:?$/i.test(word.text) ? createWord("/dev/null") : word));
/** Returns each path as a separate word, for programs whose arguments are positional. */
const listPaths = (words: readonly CmdWord[]): Word[] => listOperands(words).map((text) => toPathWord(text));

const toCommand = (program: string, words: readonly Word[]): Word[] => [
  ...program.split(" ").map(createWord),
  ...words,
];

/** Translates `del /s`, which deletes matching files in all subdirectories. */
function translateRecursiveDelete(path: Word): (readonly Word[])[] {
  const at = path.text.lastIndexOf("/") + 1;
  const name = path.text.slice(at);
  const find = toCommand("find", [path.text.slice(0, at) || ".", "-name", name, "-delete"].map(createWord));
  const isPattern = /[*?]/.test(name) && !/^\.?\*(?:\.\*)?$/.test(name) && path.dynamic === path.text;
  if (isPattern) return [find];
  const removal = toCommand("rm -r -f", [path]);
  // The name in the path may be a directory name or a file name.
  return /^[\w-]+(?:\.[\w-]+)+$/.test(name) && path.dynamic === undefined ? [removal, find] : [removal];
}

type Builtin = (words: readonly CmdWord[], hasLetter: (letter: string) => boolean) => readonly (readonly Word[])[];

const BUILTINS: Readonly<Record<string, Builtin>> = {
  del(words, hasLetter) {
    if (hasLetter("s")) return listPaths(words).flatMap(translateRecursiveDelete);
    // Deleting a directory deletes the files in it.
    const isFolder = ({ text, dynamic }: Word) => /(?:^|\/)\.[^./]+$/.test(text) && dynamic === undefined;
    const paths = toPathArguments(words).flatMap((path) =>
      isFolder(path) ? [path, { text: `${path.text}/*`, dynamic: `${path.text}/*` }] : [path],
    );
    return [toCommand(`rm${hasLetter("f") || hasLetter("q") ? " -f" : ""}${hasLetter("p") ? " -i" : ""}`, paths)];
  },
  rd: (words, hasLetter) => [toCommand(hasLetter("s") ? "rm -r -f" : "rmdir", toPathArguments(words))],
  md: (words) => [toCommand("mkdir", toPathArguments(words))],
  type: (words) => [toCommand("cat", toPathArguments(words))],
  dir: (words, hasLetter) => [toCommand(hasLetter("s") ? "ls -R" : "ls", toPathArguments(words))],
  copy(words) {
    // `copy a+b c` concatenates files.
    const paths = toPathArguments(words).flatMap((word) =>
      word.dynamic === undefined && word.text.includes("+") ? word.text.split("+").map(createWord) : [word],
    );
    return [toCommand("cp", listOperands(words).length === 1 ? [...paths, createWord(".")] : paths)];
  },
  move: (words) => [toCommand("mv", toPathArguments(words))],
  ren(words) {
    const [source, destination] = listPaths(words);
    if (!source || !destination) return [];
    const folder = source.text.slice(0, findLastPart(source.text));
    return [
      toCommand("mv", [source, source.dynamic === undefined ? createWord(folder + destination.text) : destination]),
    ];
  },
  mklink(words, hasLetter) {
    const [link, target] = listPaths(words);
    return link && target ? [toCommand(hasLetter("h") ? "ln" : "ln -s", [target, link])] : [];
  },
  echo: (words) => [
    toCommand(
      "echo",
      words.map(({ text }) => toPlainWord(text)),
    ),
  ],
};
const NOOP_BUILTIN = /^(?:cls|exit|goto|setlocal|endlocal|pause|title|ver)$/;
const SPECIAL_BUILTIN = /^(?:cd|pushd|popd|set|call|start)$/;
const BUILTIN_ALIASES: Readonly<Record<string, string>> = {
  erase: "del",
  rmdir: "rd",
  mkdir: "md",
  rename: "ren",
  chdir: "cd",
};

/**
 * Splits a first word such as `del/s/q`, `cd\`, `echo.x`, `type=x` or `@echo` into the builtin's name and the text
 * right after it.
 */
function splitName({ text, isQuoted }: CmdWord): { key: string; attachedWords: readonly CmdWord[] } | undefined {
  const knownText = getKnownText(text);
  const [firstSegment, ...otherSegments] = knownText === undefined ? text : createText(knownText);
  if (!firstSegment || firstSegment.isDynamic) return undefined;
  const [, builtinName = "", separator = "", attachedText = ""] =
    /^@?([A-Za-z]+)(?:([/\\.:=([+])(.*))?$/s.exec(firstSegment.text) ?? [];
  const key = BUILTIN_ALIASES[builtinName.toLowerCase()] ?? builtinName.toLowerCase();
  if (!Object.hasOwn(BUILTINS, key) && !NOOP_BUILTIN.test(key) && !SPECIAL_BUILTIN.test(key)) return undefined;
  const isFile = otherSegments.length === 0 && separator === "." && /^(?:exe|cmd|bat|com)$/i.test(attachedText);
  if (isFile || (otherSegments.length > 0 && separator === "")) return undefined;
  // `echo.x` prints `x` without the dot.
  const argumentText = separator === "=" || key === "echo" ? attachedText : separator + attachedText;
  const segments = [...createText(argumentText), ...otherSegments].filter((segment) => segment.text !== "");
  return { key, attachedWords: segments.length === 0 ? [] : [createCmdWord(segments, { isQuoted })] };
}

/** Adds a cmd.exe command to the result under its POSIX name and returns its output, if known. */
export function runCommand(
  commandWords: readonly CmdWord[],
  redirects: readonly Redirect[],
  scope: ShellScope,
  stdin: string | undefined,
): string | undefined {
  const [firstWord, ...argumentWords] = commandWords;
  const line = commandWords.map(({ text }) => createWord(joinText(text)));
  const emitWords = (words: readonly Word[]) => emitEquivalent(words, { originalWords: line, redirects, scope, stdin });
  const builtin = firstWord && splitName(firstWord);
  if (!builtin) {
    if (firstWord && getKnownText(firstWord.text) !== undefined)
      emitProgramCall(listProgramWords(commandWords, scope), { words: line, redirects, stdin }, scope);
    else if (firstWord || redirects.length > 0) emitWords(commandWords.map(({ text }) => toPlainWord(text)));
    return undefined;
  }
  const { key, attachedWords } = builtin;
  const args = [...attachedWords, ...argumentWords].flatMap(splitSwitches);
  const createCallScope = () => createInnerScope(scope, { via: [...scope.via, key] });
  if (hasSwitch(args, "?")) emitWords(toCommand(`help ${key}`, []));
  else if (/^(?:cd|pushd|popd)$/.test(key)) enterFolder(key, toPathArguments(args).map(toDriveRoot), scope, emitWords);
  else if (key === "set") setVariable(argumentWords, redirects, scope, emitWords);
  else if (key === "call") return runCommand(argumentWords, redirects, createCallScope(), stdin);
  else if (key === "start") runCommand(args.slice(findStartedProgram(args)), redirects, createCallScope(), stdin);
  else if (NOOP_BUILTIN.test(key)) emitWords(toCommand("true", toPathArguments(args)));
  else for (const words of (BUILTINS[key] as Builtin)(args, (letter) => hasSwitch(args, letter))) emitWords(words);
  if (key !== "echo") return undefined;
  const output = `${argumentWords.map(({ raw }) => raw).join(" ")}\n`;
  recordRedirectedOutput(redirects, output, scope);
  return output;
}

function enterFolder(
  key: string,
  words: readonly Word[],
  scope: ShellScope,
  emitWords: (words: readonly Word[]) => void,
) {
  emitWords([createWord(key), ...words]);
  const [target] = words;
  if (key === "popd") scope.cwd = undefined;
  else if (target) changeFolder(scope, [target]);
}

/** Returns the index of the program in the arguments of `start`. A quoted first argument is the window title. */
function findStartedProgram(args: readonly CmdWord[]): number {
  const title = args.findIndex(({ isQuoted }) => isQuoted);
  const isValue = (at: number) => /^\/(?:d|node|affinity|machine)$/i.test(args[at - 1]?.raw ?? "");
  const programIndex = args.findIndex((word, at) => !isSwitch(word) && at !== title && !isValue(at));
  return programIndex < 0 ? args.length : programIndex;
}

/**
 * Reads `set X=y`, `set` and `set X`. `set` prints all variables, and `set X` prints the variables with the prefix X.
 */
function setVariable(
  argumentWords: readonly CmdWord[],
  redirects: readonly Redirect[],
  scope: ShellScope,
  emitWords: (words: readonly Word[]) => void,
): void {
  const [firstWord] = argumentWords;
  if (firstWord && /^\/[ap]$/i.test(firstWord.raw)) {
    const [, name] = /^"?([A-Za-z_]\w*)/.exec(argumentWords[1]?.raw ?? "") ?? [];
    if (name !== undefined) assignVariable(scope, `env:${name.toUpperCase()}`, undefined);
    // `set /p X=<file` reads the first line of a file.
    return emitWords(
      toCommand(/p/i.test(firstWord.raw) ? "read" : "true", name === undefined ? [] : [createWord(name)]),
    );
  }
  const text = argumentWords.flatMap((word, at): Text => (at > 0 ? [...createText(" "), ...word.text] : word.text));
  const [head] = text;
  const equals = head && !head.isDynamic ? head.text.indexOf("=") : -1;
  if (head === undefined || equals < 0) {
    // With a short prefix, `set` may print any variable.
    const name = joinText(text).trim().toUpperCase();
    return emitWords(toCommand("printenv", name.length > 3 ? [createWord(name)] : []));
  }
  const value: Text = [{ ...head, text: head.text.slice(equals + 1) }, ...text.slice(1)];
  assignEnvironment(head.text.slice(0, equals).trim(), value, scope, redirects);
}

/**
 * Lists a program and its arguments, split the way the program itself would split them. A nested cmd.exe receives
 * everything after `/c` as a single string.
 */
function listProgramWords([programWord, ...argumentWords]: readonly CmdWord[], scope: ShellScope): Word[] {
  const program = joinText(programWord?.text ?? []).replace(/^@/, "");
  const isShell = /^(?:.*[\\/])?cmd(?:\.exe)?$/i.test(program);
  const run = isShell ? argumentWords.findIndex(({ raw }) => CMD_RUN_SWITCH.test(raw)) : -1;
  const ownArguments = run < 0 ? argumentWords : argumentWords.slice(0, run);
  const line = ownArguments.flatMap(({ pieces }) => [...createText(" "), ...expandPieces(pieces, scope)]);
  // In a path that starts with a variable, turn backslashes into slashes.
  const words = splitArguments(line)
    .map(toPlainWord)
    .map((word) => (word.dynamic === undefined ? word : useForwardSlashes(word)));
  if (run < 0) return [createWord(program), ...words];
  // The nested cmd.exe expands `!X!`.
  const command = argumentWords
    .slice(run)
    .map(({ pieces }) => joinText(expandPieces(pieces, scope, { keepsDelayed: true })));
  const text = stripOuterQuotes(command.join(" ").replace(CMD_RUN_SWITCH, ""));
  return [createWord(program), ...words, createWord("/c"), createWord(text)];
}
