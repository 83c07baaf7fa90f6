import type { Redirect } from "../command.ts";
import { emitCommand } from "../emit.ts";
import { changeFolder } from "../folder-steps.ts";
import { readNestedCommands } from "../nested-commands.ts";
import { getProgramName } from "../programs/index.ts";
import { assignVariable, createInnerScope, type ShellScope } from "../scope.ts";
import { unwrapCommand } from "../unwrap.ts";
import { CMD_RUN, splitArguments, stripOuterQuotes } from "../windows-arguments.ts";
import { toPosixCommand, toSlashes } from "../windows-programs.ts";
import type { Word } from "../word.ts";
import {
  getKnownText,
  joinText,
  joinTexts,
  type Text,
  toPathWord,
  toPathWords,
  toPlainWord,
} from "../powershell/values.ts";
import { expandPieces, type Token } from "./tokens.ts";

export interface GivenWord {
  text: Text;
  /** As programs get it: with its quotes; for another cmd.exe, with `!X!` as it stands. */
  quoted: (isForShell: boolean) => Text;
  raw: string;
  isQuoted: boolean;
}

export function expandToken(token: Extract<Token, { type: "word" }>, scope: ShellScope): GivenWord {
  const { pieces, quoted, raw, isQuoted } = token;
  const text = expandPieces(pieces, scope);
  return { text, quoted: (isForShell) => expandPieces(quoted, scope, isForShell), raw, isQuoted };
}

/** A word that the line does not have like this. */
export const createGiven = (text: Text, isQuoted = false): GivenWord => ({
  text,
  quoted: () => text,
  raw: joinText(text),
  isQuoted,
});

export const createCommand = (words: readonly Word[], { via, cwd, remote }: ShellScope) => ({
  words,
  via,
  env: {},
  cwd,
  more: false,
  remote,
  guessed: false,
});

const createWord = (text: string): Word => ({ text });
export const isSwitch = ({ raw }: GivenWord) => /^\/[A-Za-z?-]/.test(raw) && !/^\/[\w.-]+\//.test(raw);

/** Whether a switch is among words. */
export const hasSwitch = (words: readonly GivenWord[], letter: string): boolean =>
  words.some(({ raw, isQuoted }) => !isQuoted && raw[0] === "/" && raw[1]?.toLowerCase() === letter);

/** The switches that stand at the end of a word, `x/s/q`; in Git Bash `//s`. */
function splitSwitches(words: readonly GivenWord[]): GivenWord[] {
  return words.flatMap((word) => {
    const found = word.isQuoted ? null : /^([^/]*?)((?:\/{1,2}[A-Za-z](?::[^/]*)?)+)$/.exec(word.raw);
    if (!found) return [word];
    const [, before = "", switches = ""] = found;
    const split = switches.match(/\/[^/]+/g) ?? [];
    return [...(before === "" ? [] : [before]), ...split].map((text) => createGiven([{ text, live: false }]));
  });
}

/** What a builtin of cmd is called elsewhere, with the words that it becomes. */
type Builtin = (words: readonly GivenWord[], has: (letter: string) => boolean) => readonly (readonly Word[])[];

const toPaths = (words: readonly GivenWord[]): Word[] =>
  words.filter((word) => !isSwitch(word)).flatMap(({ text }) => toPathWords(text).map(toNullDevice));
/** Paths one by one, for programs that tell them apart by their place. */
const listPaths = (words: readonly GivenWord[]): Word[] =>
  words.filter((word) => !isSwitch(word)).map(({ text }) => toPathWord(text));
const toNullDevice = (word: Word): Word => (/^nul:?$/i.test(word.text) ? { text: "/dev/null" } : word);
const one =
  (...first: string[]): Builtin =>
  (words) => [[...first.map(createWord), ...toPaths(words)]];

/** A path's folder, without the last slash, and its last part. */
function splitPath(path: string): { folder: string; name: string } {
  const at = path.lastIndexOf("/");
  return { folder: path.slice(0, Math.max(at, 0)), name: path.slice(at + 1) };
}

const remove: Builtin = (words, has) => {
  // Of a folder, its files are deleted.
  const paths = toPaths(words).flatMap((path) =>
    /(?:^|\/)\.[^./]+$/.test(path.text) && path.dynamic === undefined
      ? [path, { text: `${path.text}/*`, dynamic: `${path.text}/*` }]
      : [path],
  );
  if (!has("s"))
    return [["rm", ...(has("f") || has("q") ? ["-f"] : []), ...(has("p") ? ["-i"] : [])].map(createWord).concat(paths)];
  return listPaths(words).flatMap((path): readonly (readonly Word[])[] => {
    // With /s, a name is that of files in all folders below.
    const { folder, name } = splitPath(path.text);
    const isPattern = /[*?]/.test(name) && !/^\.?\*(?:\.\*)?$/.test(name) && path.dynamic === path.text;
    const find = ["find", folder === "" ? "." : `${folder}/`, "-name", name, "-delete"].map(createWord);
    if (isPattern) return [find];
    const whole = [createWord("rm"), createWord("-r"), createWord("-f"), path];
    // A plain name may be a folder's, or that of files.
    return /^[\w-]+(?:\.[\w-]+)+$/.test(name) && path.dynamic === undefined ? [whole, find] : [whole];
  });
};

const BUILTINS: Readonly<Record<string, Builtin>> = {
  del: remove,
  erase: remove,
  rd: (words, has) => [
    [
      createWord(has("s") ? "rm" : "rmdir"),
      ...(has("s") ? [createWord("-r"), createWord("-f")] : []),
      ...toPaths(words),
    ],
  ],
  md: one("mkdir"),
  type: one("cat"),
  dir: (words, has) => [[createWord("ls"), ...(has("s") ? [createWord("-R")] : []), ...toPaths(words)]],
  copy: (words) => [
    [createWord("cp"), ...splitSources(toPaths(words)), ...(toPaths(words).length === 1 ? [createWord(".")] : [])],
  ],
  move: (words) => [[createWord("mv"), ...toPaths(words)]],
  ren(words) {
    const [from, to] = listPaths(words);
    if (!from || !to) return [];
    const folder = from.text.slice(0, from.text.lastIndexOf("/") + 1);
    return [[createWord("mv"), from, from.dynamic === undefined ? createWord(folder + to.text) : to]];
  },
  mklink(words, has) {
    const [link, target] = listPaths(words);
    return link && target ? [["ln", ...(has("h") ? [] : ["-s"])].map(createWord).concat([target, link])] : [];
  },
  echo: (words) => [[createWord("echo"), ...words.map(({ text }) => toPlainWord(text))]],
  cls: one("true"),
  exit: one("true"),
  goto: one("true"),
  setlocal: one("true"),
  endlocal: one("true"),
  pause: one("true"),
  title: one("true"),
  ver: one("true"),
};
const SAME: Readonly<Record<string, string>> = { rmdir: "rd", mkdir: "md", rename: "ren" };

/** `copy a+b c` */
const splitSources = (paths: readonly Word[]): Word[] =>
  paths.flatMap((word) =>
    word.dynamic === undefined && word.text.includes("+") ? word.text.split("+").map(createWord) : [word],
  );

/** The builtin that a word calls, and what stands behind its name: `del/s/q`, `cd\`, `echo.x`, `type=x`, `@echo`. */
function splitName({ text, isQuoted }: GivenWord): { key: string; glued?: GivenWord } | undefined {
  const known = getKnownText(text);
  const [head, ...others] = known === undefined ? text : [{ text: known, live: false }];
  const [, letters = "", mark = "", rest = ""] =
    /^@?([A-Za-z]+)(?:([/\\.:=([+])(.*))?$/s.exec(head?.live ? "" : (head?.text ?? "")) ?? [];
  const key = SAME[letters.toLowerCase()] ?? letters.toLowerCase();
  const isBuiltin = Object.hasOwn(BUILTINS, key) || /^(?:cd|chdir|pushd|popd|set|call|start)$/.test(key);
  if (!isBuiltin || (others.length > 0 && mark === "")) return undefined;
  if (others.length === 0 && mark === "." && /^(?:exe|cmd|bat|com)$/i.test(rest)) return undefined;
  // Of `echo.x` the dot is no letter of the text.
  const kept = mark === "=" || key === "echo" ? rest : mark + rest;
  const glued: Text = [...(kept === "" ? [] : [{ text: kept, live: false }]), ...others];
  return glued.length === 0 ? { key } : { key, glued: createGiven(glued, isQuoted) };
}

/** Adds a command of cmd's to the result, by the name that rules know; gives what it surely prints. */
export function runCommand(
  given: readonly GivenWord[],
  redirects: readonly Redirect[],
  scope: ShellScope,
  stdin: string | undefined,
): string | undefined {
  const [first, ...rest] = given;
  if (!first) {
    if (redirects.length > 0) emitCommand(createCommand([], scope), [], redirects, {}, scope, stdin);
    return undefined;
  }
  const called = splitName(first);
  const line = given.map(({ text }) => ({ text: joinText(text) }));
  const emit = (words: readonly Word[]) => emitCommand(createCommand(words, scope), line, redirects, {}, scope, stdin);
  if (!called && getKnownText(first.text) === undefined) {
    emit(given.map(({ text }) => toPlainWord(text)));
    return undefined;
  }
  if (!called) return runProgram(given, redirects, scope, stdin);
  const { key, glued } = called;
  const args = splitSwitches(glued ? [glued, ...rest] : rest);
  const has = (letter: string) => hasSwitch(args, letter);
  if (has("?")) {
    emit([createWord("help"), createWord(key)]);
    return undefined;
  }
  if (key === "cd" || key === "chdir" || key === "pushd") {
    const words = toPaths(args);
    emit([createWord(key === "pushd" ? key : "cd"), ...words]);
    const [to] = words;
    if (to) changeFolder(scope, [/^[A-Za-z]:$/.test(to.text) ? createWord(`${to.text}/`) : to]);
    return undefined;
  }
  if (key === "popd") {
    emit([createWord("popd")]);
    scope.cwd = undefined;
    return undefined;
  }
  if (key === "set") return void setVariable(given, rest, redirects, scope);
  if (key === "call")
    return runCommand(rest, redirects, createInnerScope(scope, { via: [...scope.via, "call"] }), stdin);
  if (key === "start") {
    // The first text in quotes is a title, and `/d folder` and the like have a value behind them.
    const title = args.findIndex(({ isQuoted }) => isQuoted);
    const isValue = (at: number) => /^\/(?:d|node|affinity|machine)$/i.test(args[at - 1]?.raw ?? "");
    const isSkipped = (word: GivenWord, at: number) => isSwitch(word) || at === title || isValue(at);
    const program = args.findIndex((word, at) => !isSkipped(word, at));
    if (program >= 0)
      runCommand(args.slice(program), redirects, createInnerScope(scope, { via: [...scope.via, "start"] }), stdin);
    return undefined;
  }
  for (const words of (BUILTINS[key] as Builtin)(args, has)) emit(words);
  return key === "echo" ? `${rest.map(({ raw }) => raw).join(" ")}\n` : undefined;
}

/** `set X=y`; `set`, which prints all; `set X`, which prints what begins so. */
function setVariable(
  given: readonly GivenWord[],
  rest: readonly GivenWord[],
  redirects: readonly Redirect[],
  scope: ShellScope,
): void {
  const line = given.map(({ text }) => ({ text: joinText(text) }));
  const [first] = rest;
  if (first && /^\/[ap]$/i.test(first.raw)) {
    const name = /^"?([A-Za-z_]\w*)/.exec(rest[1]?.raw ?? "")?.[1];
    if (name !== undefined) assignVariable(scope, `env:${name.toUpperCase()}`, undefined);
    // `set /p X=<file` reads its first row.
    const program = /p/i.test(first.raw) ? "read" : "true";
    emitCommand(
      createCommand([program, ...(name === undefined ? [] : [name])].map(createWord), scope),
      line,
      redirects,
      {},
      scope,
    );
    return;
  }
  const text: Text = rest.flatMap((word, at) => (at > 0 ? [{ text: " ", live: false }, ...word.text] : word.text));
  const [head] = text;
  const equals = head && !head.live ? head.text.indexOf("=") : -1;
  if (head === undefined || equals < 0) {
    // What begins with so few letters may be anything.
    const name = joinText(text).trim().length > 3 ? joinText(text).trim() : "";
    emitCommand(
      createCommand([createWord("printenv"), ...(name === "" ? [] : [createWord(name.toUpperCase())])], scope),
      line,
      redirects,
      {},
      scope,
    );
    return;
  }
  const name = head.text.slice(0, equals).trim().toUpperCase();
  const value: Text = [{ ...head, text: head.text.slice(equals + 1) }, ...text.slice(1)];
  assignVariable(scope, `env:${name}`, [value]);
  assignVariable(scope, name, [value]);
  emitCommand(createCommand([], scope), [], redirects, { [name]: joinText(value) }, scope);
}

/** Adds a program with its words, and what it runs itself. */
function runProgram(
  given: readonly GivenWord[],
  redirects: readonly Redirect[],
  scope: ShellScope,
  stdin: string | undefined,
): undefined {
  const line = given.map(({ text }) => ({ text: joinText(text) }));
  const program = joinText((given[0] as GivenWord).text).replace(/^@/, "");
  const isPath = program.startsWith("/");
  const words = toPosixCommand([
    {
      text: isPath
        ? program
        : getProgramName(program)
            .toLowerCase()
            .replace(/\.(?:cmd|bat|com)$/, ""),
    },
    ...listProgramArguments(given, /^(?:.*[\\/])?cmd(?:\.exe)?$/i.test(program)),
  ]);
  for (const one of unwrapCommand(words, scope)) {
    emitCommand(one, line, redirects, {}, scope, stdin);
    readNestedCommands(one, scope, stdin);
  }
  return undefined;
}

/** The words behind a program, as it splits them; another cmd.exe gets all behind `/c` as one text. */
function listProgramArguments([, ...rest]: readonly GivenWord[], isShell: boolean): Word[] {
  const run = isShell ? rest.findIndex(({ raw }) => CMD_RUN.test(raw)) : -1;
  const split = run < 0 ? rest : rest.slice(0, run);
  const line = joinTexts(
    split.map(({ quoted }) => quoted(false)),
    " ",
  );
  const words = splitArguments(line).map((word) => keepHome(toPlainWord(word)));
  if (run < 0) return words;
  const command = rest.slice(run).map(({ quoted }) => joinText(quoted(true)));
  return [...words, createWord("/c"), createWord(stripOuterQuotes(command.join(" ").replace(CMD_RUN, "")))];
}

/** A path that begins with a variable has slashes, as other shells have it. */
const keepHome = (word: Word): Word => (word.dynamic === undefined ? word : toSlashes(word));
