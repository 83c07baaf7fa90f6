import { getCommonResult, mergeBranches, readEachChoice } from "../choices.ts";
import type { Redirect } from "../command.ts";
import { createShellError } from "../command.ts";
import { emitCommand } from "../emit.ts";
import { checkScript, countSteps } from "../parser.ts";
import { assignVariable, createInnerScope, type ShellScope, takeFolder } from "../scope.ts";
import { createCommand } from "../powershell/state.ts";
import { joinText, type Text, toPathWord } from "../powershell/values.ts";
import { createGiven, expandToken, type GivenWord, hasSwitch, isSwitch, runCommand } from "./commands.ts";
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
  let isConditional = false;
  for (let token = peek(tokens); token && !isOperator(token, ")"); token = peek(tokens)) {
    countSteps(scope.reader);
    if (isOperator(token, "&", "&&", "||", "|", "\n")) {
      tokens.at++;
      if (!isOperator(token, "|")) stdin = undefined;
      isConditional = isOperator(token, "&&", "||");
      continue;
    }
    const before = tokens.at;
    const at = isConditional ? createInnerScope(scope) : scope;
    stdin = readOne(tokens, isOperator(token, "|") ? createInnerScope(scope) : at, stdin);
    if (isConditional) mergeVariables(scope, [at], true, at);
    isConditional = false;
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
    readWithEachChoice(tokens, scope, (at) => readGroupRedirects(tokens, at));
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
  return readWithEachChoice(tokens, scope, (at) => {
    const { words, redirects } = takeCommand(tokens, at);
    return runCommand(words, redirects, at, stdin);
  });
}

function readGroupRedirects(tokens: Tokens, scope: ShellScope): void {
  const redirects: Redirect[] = [];
  for (let token = peek(tokens); token?.type === "redirect"; token = peek(tokens)) {
    tokens.at++;
    redirects.push(readRedirect(token.operator, tokens, scope));
  }
  if (redirects.length > 0) emitCommand(createCommand([], scope), [], redirects, {}, scope);
}

/** Reads a command once for each combination of the values that its variables may have. */
function readWithEachChoice<T>(tokens: Tokens, scope: ShellScope, read: (at: ShellScope) => T): T | undefined {
  const start = tokens.at;
  const results = readEachChoice(
    scope,
    () => listUsedVariables(tokens),
    (at) => {
      tokens.at = start;
      return read(at);
    },
  );
  return getCommonResult(results);
}

/** The variables that the command here may expand. */
function listUsedVariables({ list, at }: Tokens): string[] {
  const found: string[] = [];
  for (let next = at; next < list.length && !isOperator(list[next], "&", "&&", "||", "|", "\n"); next++) {
    const token = list[next] as Token;
    for (const { variable } of token.type === "word" ? token.pieces : []) {
      const name = (variable?.split(":", 1)[0] ?? "").toUpperCase();
      if (variable !== undefined) found.push(variable, name, `env:${name}`);
    }
  }
  return found;
}

/** Merges what branches set; the directory is that of one of them. */
function mergeVariables(scope: ShellScope, branches: readonly ShellScope[], none: boolean, folder: ShellScope): void {
  const { cwd, folderChoice } = folder;
  mergeBranches(scope, branches, none);
  takeFolder(scope, { cwd, folderChoice });
}

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
  const [met, unmet] = [createInnerScope(scope), createInnerScope(scope)];
  readOne(tokens, met, undefined);
  const hasElse = peekWord(tokens) === "else";
  if (hasElse) {
    tokens.at++;
    readOne(tokens, unmet, undefined);
  }
  mergeBranches(scope, hasElse ? [met, unmet] : [met], !hasElse);
}

/** What a loop goes over. */
interface LoopSource {
  values: readonly (Text | undefined)[];
  /** It finds names of this pattern in all folders below. */
  below?: { folder: Text; name: string };
}

const createText = (text: string): Text => [{ text, live: false }];
const HERE = createText(".");
const UNKNOWN: LoopSource = { values: [undefined] };
/** More items of a loop than these are read as one. */
const MAX_ITEMS = 16;

/** Names in all folders below one. */
const findBelow = (folder: Text, name: string): LoopSource => ({
  values: ["/", "/*/"].map((step): Text => [...folder, { text: `${step}${name}`, live: false }]),
  below: { folder, name },
});

/** What `for /f` reads: a command's output, files, or a text. */
function readLoopSource(items: readonly GivenWord[], isBackquoted: boolean, scope: ShellScope): LoopSource {
  const source = items.map(({ raw }) => raw).join(" ");
  const [, quote, found] = /^(['`])([^]*)\1$/.exec(source) ?? [];
  const inner = createInnerScope(scope);
  if (found !== undefined && (quote === "`") === isBackquoted) {
    const command = found.replace(/\^([^])/g, "$1");
    readCmd(command, inner);
    return readListing(command, scope);
  }
  const files = items.filter(({ isQuoted }) => isBackquoted || !isQuoted);
  if (found === undefined && files.length > 0)
    runCommand([createGiven(createText("type")), ...files], [], inner, undefined);
  return UNKNOWN;
}

/** The names that `dir /b` prints, or the paths that `dir /b /s` does. */
function readListing(command: string, scope: ShellScope): LoopSource {
  const tokens = splitTokens(command).filter((token) => token.type !== "redirect");
  const words = tokens.flatMap((token) => (token.type === "word" ? expandToken(token, scope) : []));
  const [program, ...args] = words;
  if (words.length < tokens.length || program?.raw.toLowerCase() !== "dir") return UNKNOWN;
  const [path = createText("*")] = args.filter((word) => !isSwitch(word)).map(({ text }) => text);
  const { folder, name } = splitPattern(path);
  return hasSwitch(args, "s") ? findBelow(folder, name) : { values: [createText(name)] };
}

/** The folder and the pattern of `folder\*.log`. */
function splitPattern(path: Text): { folder: Text; name: string } {
  const last = path.at(-1)?.text ?? "";
  const at = Math.max(last.lastIndexOf("\\"), last.lastIndexOf("/")) + 1;
  const [folder, name] = [last.slice(0, at), last.slice(at)];
  if (!/[*?]/.test(name)) return { folder: path, name: "*" };
  const before: Text = [...path.slice(0, -1), ...(folder === "" ? [] : createText(folder))];
  return { folder: before.length === 0 ? HERE : before, name };
}

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
  const items = takeLoopItems(tokens, scope);
  if (peekWord(tokens) === "do") tokens.at++;
  const sources = listLoopSources(options, items, root ?? HERE, scope);
  const first = scope.reader.commands.length;
  const start = tokens.at;
  const ends: ShellScope[] = [];
  for (const value of sources.flatMap(({ values }) => values)) {
    tokens.at = start;
    const at = createInnerScope(scope);
    if (name !== undefined) assignVariable(at, `%${name}`, value && [value]);
    readOne(tokens, at, undefined);
    if (name !== undefined) at.values.delete(`%${name}`);
    ends.push(at);
  }
  mergeVariables(scope, ends, true, { ...scope });
  const isRemoving = scope.reader.commands.slice(first).some(({ program }) => program === "rm");
  for (const { below } of sources) if (below && isRemoving) emitSearch(below.folder, below.name, scope);
}

function takeLoopItems(tokens: Tokens, scope: ShellScope): GivenWord[] {
  const items: GivenWord[] = [];
  if (!isOperator(peek(tokens), "(")) return items;
  tokens.at++;
  for (let token = peek(tokens); token && !isOperator(token, ")"); token = peek(tokens)) {
    if (token.type === "word") items.push(expandToken(token, scope));
    tokens.at++;
  }
  tokens.at++;
  return items;
}

function listLoopSources(
  options: readonly string[],
  items: readonly GivenWord[],
  root: Text,
  scope: ShellScope,
): LoopSource[] {
  const isBackquoted = options.some((option) => option.includes("usebackq"));
  if (options.includes("/f")) return [readLoopSource(items, isBackquoted, scope)];
  if (options.includes("/l") || items.length === 0 || items.length > MAX_ITEMS) return [UNKNOWN];
  return options.includes("/r")
    ? items.map(({ text }) => findBelow(root, joinText(text)))
    : [{ values: items.map(({ text }) => text) }];
}

/** What deletes each file that a loop finds deletes them all. */
function emitSearch(folder: Text, name: string, scope: ShellScope): void {
  const words = [{ text: "find" }, toPathWord(folder), ...["-name", name, "-delete"].map((text) => ({ text }))];
  emitCommand(createCommand(words, scope), words, [], {}, scope);
}
