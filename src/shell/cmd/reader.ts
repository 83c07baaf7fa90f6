import { getSharedResult, mergeBranches, readForEachChoice } from "../words/choices.ts";
import type { Redirect } from "../command.ts";
import { emitCommand } from "../emit.ts";
import { checkScript, countSteps } from "../parser.ts";
import { assignVariable, createInnerScope, type ShellScope, copyFolder } from "../scope.ts";
import { readNested } from "../powershell/scanner.ts";
import { createCommand, createRedirect } from "../powershell/state.ts";
import { createCmdWord, expandToken, type CmdWord, hasSwitch, isSwitch, runCommand } from "./commands.ts";
import { splitTokens, type Token } from "./tokens.ts";
import { createText, joinText, splitPattern, type Text } from "../powershell/text-values.ts";
import { createWords, toPathWord } from "../powershell/words.ts";

interface TokenReader {
  list: readonly Token[];
  at: number;
  depth: number;
}

export function readCmd(text: string, scope: ShellScope): void {
  const { reader } = scope;
  reader.scriptDepth++;
  checkScript(text, reader);
  const tokens: TokenReader = { list: splitTokens(text), at: 0, depth: 0 };
  while (tokens.at < tokens.list.length) {
    const startIndex = tokens.at;
    readNested(tokens, () => readList(tokens, scope));
    // Skip an unmatched closing parenthesis.
    if (tokens.at === startIndex) tokens.at++;
  }
  reader.scriptDepth--;
}

const peek = ({ list, at }: TokenReader): Token | undefined => list[at];
const isOperator = (token: Token | undefined, ...texts: string[]) =>
  token?.type === "operator" && texts.includes(token.text);
/** Returns the literal text of a word token, without expanding variables. */
const getTokenText = (token: Token | undefined): string | undefined =>
  token?.type === "word" ? joinText(token.pieces).replaceAll('"', "").toLowerCase() : undefined;

/** Consumes the next token if it is one of the expected operators or words. */
function consumeNext(tokens: TokenReader, ...texts: string[]): boolean {
  const token = peek(tokens);
  const isExpected = isOperator(token, ...texts) || texts.includes(getTokenText(token) ?? "");
  if (isExpected) tokens.at++;
  return isExpected;
}

/** Reads commands up to a closing parenthesis or the end of the input. Returns the last command's output, if known. */
function readList(tokens: TokenReader, scope: ShellScope): string | undefined {
  let stdin: string | undefined;
  let isConditional = false;
  for (let token = peek(tokens); token && !isOperator(token, ")"); token = peek(tokens)) {
    countSteps(scope.reader);
    const startIndex = tokens.at;
    if (consumeNext(tokens, "&", "&&", "||", "|", "\n")) {
      if (!isOperator(token, "|")) stdin = undefined;
      isConditional = isOperator(token, "&&", "||");
      continue;
    }
    const at = isConditional ? createInnerScope(scope) : scope;
    stdin = readNextCommand(tokens, at, stdin);
    if (isConditional) mergeVariables(scope, [at], at);
    isConditional = false;
    if (tokens.at === startIndex) tokens.at++;
  }
  return stdin;
}

function readNextCommand(tokens: TokenReader, scope: ShellScope, stdin: string | undefined): string | undefined {
  if (consumeNext(tokens, "(")) {
    const groupOutput = readNested(tokens, () => readList(tokens, scope));
    if (!consumeNext(tokens, ")")) scope.reader.problem ??= "missing ')'";
    readCommand(tokens, scope, undefined, true);
    return groupOutput;
  }
  if (consumeNext(tokens, "if", "@if")) return void readIf(tokens, scope);
  if (consumeNext(tokens, "for", "@for")) return void readFor(tokens, scope);
  if (consumeNext(tokens, "else", "do")) return undefined;
  if (!/^@?(?:rem$|::)/.test(getTokenText(peek(tokens)) ?? "")) return readCommand(tokens, scope, stdin, false);
  while (peek(tokens) && !isOperator(peek(tokens), "\n")) tokens.at++;
  return undefined;
}

/** Reads a command, or the redirections after a group, once per combination of variable values. */
function readCommand(tokens: TokenReader, scope: ShellScope, stdin: string | undefined, isGroup: boolean) {
  const start = tokens.at;
  const results = readForEachChoice(
    scope,
    () => listUsedVariables(tokens),
    (at) => {
      tokens.at = start;
      const { words, redirects } = consumeCommand(tokens, at, isGroup);
      return runCommand(words, redirects, at, stdin);
    },
  );
  return getSharedResult(results);
}

function listUsedVariables({ list, at }: TokenReader): string[] {
  const names: string[] = [];
  for (let index = at; index < list.length && !isOperator(list[index], "&", "&&", "||", "|", "\n"); index++) {
    const token = list[index] as Token;
    for (const { variable } of token.type === "word" ? token.pieces : []) {
      const name = (variable?.split(":", 1)[0] ?? "").toUpperCase();
      if (variable !== undefined) names.push(variable, name, `env:${name}`);
    }
  }
  return names;
}

/** Merges the variables of alternative branches, but takes the directory from the scope `folder`. */
function mergeVariables(scope: ShellScope, branches: readonly ShellScope[], folder: ShellScope): void {
  const { cwd, folderChoice } = folder;
  mergeBranches(scope, branches, "partial");
  copyFolder(scope, { cwd, folderChoice });
}

/** Consumes the words and redirections of a command. Only redirections may follow a group. */
function consumeCommand(tokens: TokenReader, scope: ShellScope, isGroup: boolean) {
  const words: CmdWord[] = [];
  const redirects: Redirect[] = [];
  let openParentheses = 0;
  for (let token = peek(tokens); token; token = peek(tokens)) {
    // A parenthesis after the command name is a literal character.
    if (isOperator(token, "(") && words.length > 0) openParentheses++;
    else if (isOperator(token, ")") && openParentheses > 0) openParentheses--;
    else if (token.type === "operator" || (token.type === "word" && isGroup)) break;
    tokens.at++;
    if (token.type === "word") words.push(expandToken(token, scope));
    else if (token.type === "redirect") redirects.push(readRedirect(token.operator, tokens, scope));
  }
  return { words, redirects };
}

function readRedirect(operator: string, tokens: TokenReader, scope: ShellScope): Redirect {
  const token = peek(tokens);
  const hasFile = token?.type === "word" && !operator.includes("&");
  if (hasFile) tokens.at++;
  return createRedirect(operator, hasFile ? expandToken(token, scope).text : []);
}

/** Reads an `if` statement after the keyword: `[/i] [not] exist x …`, `a==b … else …`. */
function readIf(tokens: TokenReader, scope: ShellScope): void {
  while (consumeNext(tokens, "/i", "not"));
  if (consumeNext(tokens, "exist", "defined", "errorlevel", "cmdextversion")) tokens.at++;
  else {
    const [firstWord = "", secondWord = ""] = tokens.list
      .slice(tokens.at, tokens.at + 2)
      .map((token) => (token.type === "word" ? token.raw : ""));
    // cmd.exe treats `==` as a word separator, like a space.
    if (firstWord.includes("==")) tokens.at += firstWord.endsWith("==") ? 2 : 1;
    else tokens.at += /^(?:equ|neq|lss|leq|gtr|geq)$/i.test(secondWord) ? 3 : 2;
  }
  const [met, unmet] = [createInnerScope(scope), createInnerScope(scope)];
  readNextCommand(tokens, met, undefined);
  const hasElse = consumeNext(tokens, "else");
  if (hasElse) readNextCommand(tokens, unmet, undefined);
  mergeBranches(scope, hasElse ? [met, unmet] : [met], hasElse ? "complete" : "partial");
}

interface LoopItems {
  values: readonly (Text | undefined)[];
  /** Start directory and file name of a search through all subdirectories. */
  search?: { folder: Text; name: string };
}

const UNKNOWN_LOOP_ITEMS: LoopItems = { values: [undefined] };
const MAX_ITEMS = 16;

const createSubfolderSearch = (folder: Text, name: string): LoopItems => ({
  values: ["/", "/*/"].map((step) => [...folder, ...createText(`${step}${name}`)]),
  search: { folder, name },
});

/** Reads the input of a `for /f` loop: a command's output, the contents of files, or a string. */
function readLoopSource(items: readonly CmdWord[], isBackquoted: boolean, scope: ShellScope): LoopItems {
  const source = items.map(({ raw }) => raw).join(" ");
  const [, quote, quotedText] = /^(['`])([^]*)\1$/.exec(source) ?? [];
  const innerScope = createInnerScope(scope);
  if (quotedText !== undefined && (quote === "`") === isBackquoted) {
    const command = quotedText.replace(/\^([^])/g, "$1");
    readCmd(command, innerScope);
    return readListing(command, scope);
  }
  const files = items.filter(({ isQuoted }) => isBackquoted || !isQuoted);
  if (quotedText === undefined && files.length > 0)
    runCommand([createCmdWord(createText("type")), ...files], [], innerScope, undefined);
  return UNKNOWN_LOOP_ITEMS;
}

/** Returns the names printed by `dir /b` or the paths printed by `dir /b /s`. */
function readListing(command: string, scope: ShellScope): LoopItems {
  const tokens = splitTokens(command).filter((token) => token.type !== "redirect");
  const words = tokens.flatMap((token) => (token.type === "word" ? expandToken(token, scope) : []));
  const [program, ...args] = words;
  if (words.length < tokens.length || program?.raw.toLowerCase() !== "dir") return UNKNOWN_LOOP_ITEMS;
  const [path = createText("*")] = args.filter((word) => !isSwitch(word)).map(({ text }) => text);
  const { folder, name = "*" } = splitPattern(path);
  return hasSwitch(args, "s") ? createSubfolderSearch(folder, name) : { values: [createText(name)] };
}

/** Reads a `for` statement after the keyword: `[/d] [/r x] [/l] [/f "…"] %i in (…) do …`. */
function readFor(tokens: TokenReader, scope: ShellScope): void {
  const options: string[] = [];
  let name: string | undefined;
  let root: Text = createText(".");
  for (let token = peek(tokens); token?.type === "word" && !consumeNext(tokens, "in"); token = peek(tokens)) {
    const variableMatch = /^%%?([A-Za-z])$/.exec(token.raw);
    if (variableMatch) name = variableMatch[1];
    else if (options.at(-1) === "/r") root = expandToken(token, scope).text;
    else options.push(getTokenText(token) ?? "");
    tokens.at++;
  }
  const sources = listLoopSources(options, takeLoopItems(tokens, scope), root, scope);
  consumeNext(tokens, "do");
  const firstIndex = scope.reader.commands.length;
  const start = tokens.at;
  const finalScopes = sources
    .flatMap(({ values }) => values)
    .map((value) => {
      tokens.at = start;
      const at = createInnerScope(scope);
      if (name !== undefined) assignVariable(at, `%${name}`, value && [value]);
      readNextCommand(tokens, at, undefined);
      if (name !== undefined) at.values.delete(`%${name}`);
      return at;
    });
  mergeVariables(scope, finalScopes, { ...scope });
  // If a command deletes each matching file, the loop is read a second time as the equivalent `find … -delete`.
  const isRemoving = scope.reader.commands.slice(firstIndex).some(({ program }) => program === "rm");
  for (const { search } of isRemoving ? sources : []) {
    const words = search ? createWords(["find", toPathWord(search.folder), "-name", search.name, "-delete"]) : [];
    if (search) emitCommand(createCommand(words, scope), { words }, scope);
  }
}

function takeLoopItems(tokens: TokenReader, scope: ShellScope): CmdWord[] {
  const items: CmdWord[] = [];
  if (!consumeNext(tokens, "(")) return items;
  for (let token = peek(tokens); token && !consumeNext(tokens, ")"); token = peek(tokens)) {
    if (token.type === "word") items.push(expandToken(token, scope));
    tokens.at++;
  }
  return items;
}

function listLoopSources(
  options: readonly string[],
  items: readonly CmdWord[],
  root: Text,
  scope: ShellScope,
): LoopItems[] {
  const isBackquoted = options.some((option) => option.includes("usebackq"));
  if (options.includes("/f")) return [readLoopSource(items, isBackquoted, scope)];
  if (options.includes("/l") || items.length === 0 || items.length > MAX_ITEMS) return [UNKNOWN_LOOP_ITEMS];
  return options.includes("/r")
    ? items.map(({ text }) => createSubfolderSearch(root, joinText(text)))
    : [{ values: items.map(({ text }) => text) }];
}
