import type { Redirect } from "../command.ts";
import { createShellError } from "../command.ts";
import { emitCommand } from "../emit.ts";
import { changeFolder } from "../folder-steps.ts";
import { readNestedCommands } from "../nested-commands.ts";
import { checkScript, countSteps } from "../parser.ts";
import { getProgramName } from "../programs/names.ts";
import { assignVariable, createInnerScope, type ShellScope } from "../scope.ts";
import { unwrapCommand } from "../unwrap.ts";
import { toPosixCommand, toSlashes } from "../windows-programs.ts";
import type { Word } from "../word.ts";
import { getKnownText, joinText, type Text, toPathWord, toPathWords, toPlainWord } from "../powershell/values.ts";
import { expandPieces, splitTokens, type Token } from "./tokens.ts";

/** A place in the tokens of a line. */
interface Tokens {
  list: readonly Token[];
  at: number;
  depth: number;
}

const DEEPEST = 100;

/** Reads a text as cmd.exe would run it. */
export function readCmd(text: string, scope: ShellScope): void {
  const { reader } = scope;
  reader.scriptDepth++;
  checkScript(text, reader);
  const tokens: Tokens = { list: splitTokens(text), at: 0, depth: 0 };
  while (tokens.at < tokens.list.length) {
    const before = tokens.at;
    readList(tokens, scope);
    // A bracket that nothing opened.
    if (tokens.at === before) tokens.at++;
  }
  reader.scriptDepth--;
}

const peek = ({ list, at }: Tokens): Token | undefined => list[at];
const isOperator = (token: Token | undefined, ...texts: string[]) =>
  token?.type === "operator" && texts.includes(token.text);
/** The letters of a word; variables have none. */
const getTokenText = ({ pieces }: Extract<Token, { type: "word" }>): string =>
  pieces
    .map(({ text }) => text)
    .join("")
    .toLowerCase();
const peekWord = (tokens: Tokens): string | undefined => {
  const token = peek(tokens);
  return token?.type === "word" ? getTokenText(token) : undefined;
};

/** Reads commands up to a closing bracket, or to the end; gives what the last of them surely prints. */
function readList(tokens: Tokens, scope: ShellScope): string | undefined {
  if (++tokens.depth > DEEPEST)
    throw createShellError(`the shell line is nested too deeply to be read (more than ${DEEPEST} levels); split it up`);
  let stdin: string | undefined;
  for (let token = peek(tokens); token && !isOperator(token, ")"); token = peek(tokens)) {
    countSteps(scope.reader);
    if (isOperator(token, "&", "&&", "||", "|", "\n")) {
      tokens.at++;
      if (!isOperator(token, "|")) stdin = undefined;
      continue;
    }
    const before = tokens.at;
    stdin = readOne(tokens, isOperator(token, "|") ? createInnerScope(scope) : scope, stdin);
    if (tokens.at === before) tokens.at++;
  }
  tokens.depth--;
  return stdin;
}

/** Reads one command or group; gives what it surely prints. */
function readOne(tokens: Tokens, scope: ShellScope, stdin: string | undefined): string | undefined {
  if (isOperator(peek(tokens), "(")) {
    tokens.at++;
    const printed = readList(tokens, scope);
    if (isOperator(peek(tokens), ")")) tokens.at++;
    else scope.reader.problem ??= "missing ')'";
    const redirects: Redirect[] = [];
    for (let token = peek(tokens); token?.type === "redirect"; token = peek(tokens)) {
      tokens.at++;
      redirects.push(readRedirect(token.operator, tokens, scope));
    }
    if (redirects.length > 0) emitCommand(createCommand([], scope), [], redirects, {}, scope);
    return printed;
  }
  const word = peekWord(tokens)?.replace(/^@/, "");
  if (word === "if") return void readIf(tokens, scope);
  if (word === "for") return void readFor(tokens, scope);
  if (word === "else" || word === "do") {
    tokens.at++;
    return undefined;
  }
  if (word === "rem" || word?.startsWith("::")) {
    while (peek(tokens) && !isOperator(peek(tokens), "\n")) tokens.at++;
    return undefined;
  }
  const { words, redirects } = takeCommand(tokens, scope);
  return runCommand(words, redirects, scope, stdin);
}

interface GivenWord {
  text: Text;
  /** The same with `!X!` as it stands. */
  undelayed?: Text;
  raw: string;
  isQuoted: boolean;
}

const expandToken = ({ pieces, raw, isQuoted }: Extract<Token, { type: "word" }>, scope: ShellScope): GivenWord => ({
  text: expandPieces(pieces, scope),
  ...(raw.includes("!") && { undelayed: expandPieces(pieces, scope, true) }),
  raw,
  isQuoted,
});

/** Takes the words and redirections of one command. */
function takeCommand(tokens: Tokens, scope: ShellScope): { words: GivenWord[]; redirects: Redirect[] } {
  const words: GivenWord[] = [];
  const redirects: Redirect[] = [];
  let open = 0;
  for (let token = peek(tokens); token; token = peek(tokens)) {
    if (token.type === "operator") {
      // A bracket behind a command's name is a letter of its arguments.
      if (token.text === "(" && words.length > 0) open++;
      else if (token.text === ")" && open > 0) open--;
      else break;
      tokens.at++;
      continue;
    }
    tokens.at++;
    if (token.type === "word") words.push(expandToken(token, scope));
    else redirects.push(readRedirect(token.operator, tokens, scope));
  }
  return { words, redirects };
}

function readRedirect(operator: string, tokens: Tokens, scope: ShellScope): Redirect {
  const [, stream = "", mark = ">", copied] = /^(\d?)(>>?|<)(?:&(\d))?$/.exec(operator) ?? [];
  const fd = stream !== "" && stream !== "1" ? { fd: Number(stream) } : {};
  if (copied !== undefined) return { operator: ">&", target: copied, ...fd };
  const token = peek(tokens);
  if (token?.type !== "word") return { operator: mark as ">", target: "", ...fd };
  tokens.at++;
  const word = toPathWord(expandPieces(token.pieces, scope), true);
  const isNull = /^(?:.*\/)?nul:?$/i.test(word.text);
  return {
    operator: mark as ">",
    target: isNull ? "/dev/null" : word.text,
    ...fd,
    ...(word.dynamic !== undefined && { dynamic: word.dynamic }),
  };
}

/** `if [/i] [not] exist x …`, `if a==b … else …` */
function readIf(tokens: Tokens, scope: ShellScope): void {
  tokens.at++;
  while (peekWord(tokens) === "/i" || peekWord(tokens) === "not") tokens.at++;
  const test = peekWord(tokens);
  if (test !== undefined && /^(?:exist|defined|errorlevel|cmdextversion)$/.test(test)) tokens.at += 2;
  else {
    const first = peek(tokens);
    tokens.at++;
    const isJoined = first?.type === "word" && /==./.test(getTokenText(first));
    const next = peekWord(tokens);
    if (!isJoined && next !== undefined && /^(?:==.*|equ|neq|lss|leq|gtr|geq)$/.test(next))
      tokens.at += next.length > 2 && next.startsWith("==") ? 1 : 2;
    else if (!isJoined && first?.type === "word" && getTokenText(first).endsWith("==")) tokens.at++;
  }
  readOne(tokens, createInnerScope(scope), undefined);
  if (peekWord(tokens) === "else") {
    tokens.at++;
    readOne(tokens, createInnerScope(scope), undefined);
  }
}

const HERE: Text = [{ text: ".", live: false }];
/** More items of a loop than these are read as one. */
const MAX_ITEMS = 16;

/** What `for /f` reads: a command's output, files, or a text. */
function readLoopSource(items: readonly GivenWord[], isBackquoted: boolean, scope: ShellScope): void {
  const source = items.map(({ raw }) => raw).join(" ");
  const [, quote, command] = /^(['`])([^]*)\1$/.exec(source) ?? [];
  const inner = createInnerScope(scope);
  if (command !== undefined && (quote === "`") === isBackquoted)
    return readCmd(command.replace(/\^([^])/g, "$1"), inner);
  const files = items.filter(({ isQuoted }) => isBackquoted || !isQuoted);
  if (command === undefined && files.length > 0) runCommand([CAT, ...files], [], inner, undefined);
}
const CAT: GivenWord = { text: [{ text: "type", live: false }], raw: "type", isQuoted: false };

/** `for [/d] [/r x] [/l] [/f "…"] %i in (…) do …` */
function readFor(tokens: Tokens, scope: ShellScope): void {
  tokens.at++;
  const options: string[] = [];
  let name: string | undefined;
  let root: Text | undefined;
  for (let token = peek(tokens); token?.type === "word" && peekWord(tokens) !== "in"; token = peek(tokens)) {
    const found = /^%%?([A-Za-z])$/.exec(token.raw);
    if (found) name = found[1];
    else if (options.at(-1) === "/r") root = expandPieces(token.pieces, scope);
    else options.push(getTokenText(token));
    tokens.at++;
  }
  if (peekWord(tokens) === "in") tokens.at++;
  const items: GivenWord[] = [];
  if (isOperator(peek(tokens), "(")) {
    tokens.at++;
    for (let token = peek(tokens); token && !isOperator(token, ")"); token = peek(tokens)) {
      if (token.type === "word") items.push(expandToken(token, scope));
      tokens.at++;
    }
    tokens.at++;
  }
  if (peekWord(tokens) === "do") tokens.at++;
  if (options.includes("/f"))
    readLoopSource(
      items,
      options.some((option) => option.includes("usebackq")),
      scope,
    );
  const isKnown = !options.some((option) => option === "/f" || option === "/l") && items.length <= MAX_ITEMS;
  // Below other folders, too.
  const deep = options.includes("/r") ? ["/", "/*/"] : undefined;
  const values: (Text | undefined)[] =
    !isKnown || items.length === 0
      ? [undefined]
      : items.flatMap(({ text }) =>
          deep ? deep.map((step): Text => [...(root ?? HERE), { text: step, live: false }, ...text]) : [text],
        );
  const start = tokens.at;
  for (const value of values) {
    tokens.at = start;
    const at = createInnerScope(scope);
    if (name !== undefined) assignVariable(at, `%${name}`, value && [value]);
    readOne(tokens, at, undefined);
  }
}

const createCommand = (words: readonly Word[], { via, cwd, remote }: ShellScope) => ({
  words,
  via,
  env: {},
  cwd,
  more: false,
  remote,
  guessed: false,
});

const createWord = (text: string): Word => ({ text });
const isSwitch = ({ raw }: GivenWord) => /^\/[A-Za-z?-]/.test(raw) && !/^\/[\w.-]+\//.test(raw);

/** The switches that stand at the end of a word: `x/s/q`. */
function splitSwitches(words: readonly GivenWord[]): GivenWord[] {
  return words.flatMap((word) => {
    const found = word.isQuoted ? null : /^([^/]*?)((?:\/[A-Za-z](?::[^/]*)?)+)$/.exec(word.raw);
    if (!found) return [word];
    const [, before = "", switches = ""] = found;
    const split = switches.match(/\/[^/]+/g) ?? [];
    return [
      ...(before === "" ? [] : [{ ...word, text: [{ text: before, live: false }], raw: before }]),
      ...split.map((one) => ({ text: [{ text: one, live: false }], raw: one, isQuoted: false })),
    ];
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
  return glued.length === 0 ? { key } : { key, glued: { text: glued, raw: joinText(glued), isQuoted } };
}

/** Adds a command of cmd's to the result, by the name that rules know; gives what it surely prints. */
function runCommand(
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
  const has = (letter: string) =>
    args.some(({ raw, isQuoted }) => !isQuoted && new RegExp(`^/${letter}`, "i").test(raw));
  if (has("\\?")) {
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
    const program = args.findIndex((word, at) => !isSwitch(word) && !(at === 0 && word.isQuoted));
    // `/d folder` and the like have a value behind them.
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
  const isShell = /^@?(?:.*[\\/])?cmd(?:\.exe)?$/i.test(joinText((given[0] as GivenWord).text));
  const [first, ...rest] = given.map(({ text, undelayed }) => toPlainWord((isShell && undelayed) || text));
  const program = (first as Word).text.replace(/^@/, "");
  const isPath = program.startsWith("/");
  const words = toPosixCommand([
    {
      text: isPath
        ? program
        : getProgramName(program)
            .toLowerCase()
            .replace(/\.(?:cmd|bat|com)$/, ""),
    },
    ...rest.map(keepHome),
  ]);
  for (const one of unwrapCommand(words, scope)) {
    emitCommand(one, line, redirects, {}, scope, stdin);
    readNestedCommands(one, scope, stdin);
  }
  return undefined;
}

/** A path that begins with a variable has slashes, as other shells have it. */
const keepHome = (word: Word): Word => (word.dynamic === undefined ? word : toSlashes(word));
