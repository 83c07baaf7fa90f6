import {
  type Scanner,
  descend,
  isDash,
  isDoubleQuote,
  isNewline,
  isSingleQuote,
  noteProblem,
  peek,
  skipBlanks,
} from "./scanner.ts";
import { readArgument, readBlock, readExpression, readParameters, skipTypeNames } from "./expressions.ts";
import type {
  Argument,
  CommandElement,
  Control,
  FunctionBody,
  PipelineElement,
  Redirection,
  Script,
  Statement,
} from "./syntax.ts";

/** Parses a text; `problem` says what PowerShell would not take. */
export function parsePowerShell(text: string): { script: Script; problem?: string } {
  const scanner: Scanner = { text, at: 0, depth: 0, readScript: readStatements };
  const script: Statement[] = [];
  while (scanner.at < text.length) {
    script.push(...readStatements(scanner, ""));
    // What a bracket closes that was never opened.
    if (scanner.at < text.length) {
      noteProblem(scanner, `unexpected token '${peek(scanner)}'`);
      scanner.at++;
    }
  }
  return { script, ...(scanner.problem !== undefined && { problem: scanner.problem }) };
}

/** Reads statements up to a closing bracket, which is taken; with "", up to any, or of a table's entry up to its end. */
function readStatements(scanner: Scanner, close: string): Statement[] {
  const found: Statement[] = [];
  const isEntry = close === "" && scanner.depth > 0;
  for (;;) {
    if (isEntry) {
      skipBlanks(scanner);
      if (found.length > 0 || isNewline(peek(scanner))) return found;
    } else skipSeparators(scanner);
    const letter = peek(scanner);
    if (letter === "" || ")}]".includes(letter)) {
      if (close === "") return found;
      if (letter === close) {
        scanner.at++;
        return found;
      }
      noteProblem(scanner, letter === "" ? `missing '${close}'` : `unexpected token '${letter}'`);
      // Another bracket is somebody else's, unless none is open.
      if (letter === "" || letter !== "]") return found;
      scanner.at++;
      continue;
    }
    const before = scanner.at;
    found.push(descend(scanner, () => readStatement(scanner)));
    skipBlanks(scanner);
    if (scanner.at === before) {
      noteProblem(scanner, `unexpected token '${letter}'`);
      scanner.at++;
    }
  }
}

function skipSeparators(scanner: Scanner): void {
  for (;;) {
    skipBlanks(scanner, true);
    const letter = peek(scanner);
    if (letter === ";" || (letter === "&" && peek(scanner, 1) === "&")) scanner.at += letter === ";" ? 1 : 2;
    else return;
  }
}

/** The bare word at the scanner, in small letters. */
function peekWord({ text, at }: Scanner): string {
  let end = at;
  while (/[\w:]/.test(text[end] ?? "")) end++;
  return text.slice(at, end).toLowerCase();
}

/** Reads a statement, without what separates it from the next. */
function readStatement(scanner: Scanner): Statement {
  // A label: `:outer foreach …`
  if (peek(scanner) === ":" && /\w/.test(peek(scanner, 1))) {
    scanner.at++;
    scanner.at += peekWord(scanner).length;
    skipBlanks(scanner, true);
  }
  skipTypeNames(scanner, () => peekWord(scanner) === "param");
  return readKeyword(scanner, peekWord(scanner)) ?? readChain(scanner);
}

const EXITS = new Set(["return", "throw", "exit", "break", "continue"]);
/** Keywords that conditions and blocks follow, each with the letters of which one has to come next. */
const CONTROLS: Readonly<Record<string, string>> = {
  if: "(",
  while: "(",
  for: "(",
  foreach: "(-",
  switch: "(-",
  do: "{",
  try: "{",
  trap: "{[",
  ...Object.fromEntries(
    "begin process end dynamicparam clean data parallel sequence inlinescript".split(" ").map((word) => [word, "{"]),
  ),
};
/** What may come behind a block of such a statement. */
const CONTINUATIONS: Readonly<Record<string, readonly string[]>> = {
  if: ["elseif", "else"],
  do: ["while", "until"],
  try: ["catch", "finally"],
};

/** Reads a statement that begins with a keyword; undefined if the word is none here. */
function readKeyword(scanner: Scanner, word: string): Statement | undefined {
  const start = scanner.at;
  const opens = (letters: string) => {
    scanner.at = start + word.length;
    skipBlanks(scanner, true);
    // `foreach-object` is a command, `foreach -parallel` isn't.
    const next = peek(scanner);
    const isOpen = next !== "" && letters.includes(next) && (next !== "-" || scanner.at > start + word.length);
    if (!isOpen) scanner.at = start;
    return isOpen;
  };
  if (Object.hasOwn(CONTROLS, word)) return opens(CONTROLS[word] as string) ? readControl(scanner, word) : undefined;
  if (word === "param") return opens("(") ? { type: "parameters", parameters: readParameters(scanner) } : undefined;
  if (/^(?:function|filter|workflow)$/.test(word)) return readFunction(scanner, word);
  if (!EXITS.has(word) || !/^(?:$|[\s;}"'$()@[&|])/.test(scanner.text[start + word.length] ?? "")) return undefined;
  scanner.at = start + word.length;
  skipBlanks(scanner);
  const next = peek(scanner);
  return next === "" || isNewline(next) || ";})|".includes(next)
    ? { type: "control", keyword: word, conditions: [], bodies: [] }
    : readChain(scanner);
}

/** Reads the conditions and the blocks of a statement, behind its keyword. */
function readControl(scanner: Scanner, keyword: string): Statement {
  const control: Control = { type: "control", keyword, conditions: [], bodies: [] };
  for (let word: string | undefined = keyword; word !== undefined;) {
    if (word === "else") control.isComplete = true;
    readHead(scanner, word, control);
    if (word === "until" || (word === "while" && keyword === "do")) break;
    if (word === "switch") readCases(scanner, control);
    else control.bodies.push(readBody(scanner));
    word = CONTINUATIONS[keyword]?.find((one) => takeWord(scanner, one));
  }
  return control;
}

/** Reads what stands before a block: a condition, options, the types that `catch` names. */
function readHead(scanner: Scanner, word: string, control: Control): void {
  const file = skipOptions(scanner);
  if (file && word === "switch") control.conditions.push(toReading(file));
  while (peek(scanner) === "[" || peek(scanner) === ",") {
    const end = scanner.text.indexOf("]", scanner.at);
    scanner.at = end < 0 ? scanner.text.length : end + 1;
    skipBlanks(scanner, true);
  }
  if (word === "foreach") readForeachList(scanner, control);
  else if (peek(scanner) === "(") {
    scanner.at++;
    control.conditions.push(descend(scanner, () => readStatements(scanner, ")")));
  } else if (/^(?:elseif|while|until)$/.test(word)) noteProblem(scanner, "missing '('");
}

function readBody(scanner: Scanner): Script {
  skipBlanks(scanner, true);
  if (peek(scanner) === "{") return readBlock(scanner).body;
  noteProblem(scanner, "missing '{'");
  return [];
}

/** Goes on behind line breaks if this word follows. */
function takeWord(scanner: Scanner, word: string): boolean {
  const start = scanner.at;
  skipBlanks(scanner, true);
  if (peekWord(scanner) !== word) {
    scanner.at = start;
    return false;
  }
  scanner.at += word.length;
  return true;
}

/** Skips `-file path`, `-throttlelimit 5` and the like; gives what `-file` names. */
function skipOptions(scanner: Scanner): Argument | undefined {
  let file: Argument | undefined;
  skipBlanks(scanner, true);
  while (isDash(peek(scanner))) {
    const from = scanner.at;
    while (isDash(peek(scanner)) || /\w/.test(peek(scanner))) scanner.at++;
    const isFile = /^f/i.test(scanner.text.slice(from + 1, scanner.at));
    skipBlanks(scanner, true);
    if ((isFile && peek(scanner) === "(") || /["'$\w./\\]/.test(peek(scanner))) {
      const before = scanner.at;
      const value = readArgument(scanner);
      if (isFile) file = value;
      if (scanner.at === before) scanner.at++;
      skipBlanks(scanner, true);
    }
  }
  return file;
}

/** What `switch -file` does first: `Get-Content`. */
function toReading(file: Argument): Script {
  const name: Argument = { items: [{ type: "word", pieces: [{ type: "text", text: "Get-Content" }] }], source: "" };
  return [{ type: "pipeline", elements: [{ type: "command", name, args: [file], redirects: [] }] }];
}

function readForeachList(scanner: Scanner, control: Control): void {
  if (peek(scanner) === "(") scanner.at++;
  skipBlanks(scanner, true);
  const variable = readExpression(scanner);
  if (!takeWord(scanner, "in")) noteProblem(scanner, "missing 'in'");
  control.list = descend(scanner, () => readStatements(scanner, ")"));
  control.name = variable.type === "variable" ? variable.name : "";
}

/** Reads the cases of a `switch`. */
function readCases(scanner: Scanner, { conditions, bodies }: Control): void {
  skipBlanks(scanner, true);
  if (peek(scanner) !== "{") return noteProblem(scanner, "missing '{'");
  scanner.at++;
  descend(scanner, () => {
    for (;;) {
      skipSeparators(scanner);
      const letter = peek(scanner);
      if (letter === "}" || letter === "") {
        if (letter === "") noteProblem(scanner, "missing '}'");
        scanner.at++;
        return;
      }
      const before = scanner.at;
      if (letter === "{") conditions.push(readBody(scanner));
      else readArgument(scanner);
      bodies.push(readBody(scanner));
      if (scanner.at === before) scanner.at++;
    }
  });
}

function readFunction(scanner: Scanner, word: string): Statement | undefined {
  const start = scanner.at;
  scanner.at += word.length;
  skipBlanks(scanner, true);
  const from = scanner.at;
  while (/[\w:.?%-]/.test(peek(scanner))) scanner.at++;
  const name = scanner.text.slice(from, scanner.at).replace(/^(?:global|script|local|private):/i, "");
  skipBlanks(scanner, true);
  if (name === "" || (peek(scanner) !== "(" && peek(scanner) !== "{")) {
    scanner.at = start;
    return undefined;
  }
  const parameters = peek(scanner) === "(" ? readParameters(scanner) : [];
  skipBlanks(scanner, true);
  const definition: FunctionBody = peek(scanner) === "{" ? readBlock(scanner) : { parameters, body: readBody(scanner) };
  return {
    type: "function",
    name: name.toLowerCase(),
    definition: parameters.length > 0 ? { ...definition, parameters } : definition,
  };
}

/** Reads pipelines that `&&` and `||` join, or an assignment. */
function readChain(scanner: Scanner): Statement {
  const first = readPipeline(scanner);
  const rest: { operator: "&&" | "||"; statement: Statement }[] = [];
  for (;;) {
    skipBlanks(scanner);
    const operator = scanner.text.slice(scanner.at, scanner.at + 2);
    if (operator !== "&&" && operator !== "||") break;
    scanner.at += 2;
    skipBlanks(scanner, true);
    const before = scanner.at;
    rest.push({ operator, statement: readKeyword(scanner, peekWord(scanner)) ?? readPipeline(scanner) });
    if (scanner.at === before) break;
  }
  // In the background.
  if (peek(scanner) === "&") scanner.at++;
  return rest.length === 0 ? first : { type: "chain", first, rest };
}

const ASSIGNMENT = /^(?:[-+*/%]|\?\?)?=(?!=)/;

function readPipeline(scanner: Scanner): Statement {
  const elements: PipelineElement[] = [];
  for (;;) {
    const element = readElement(scanner);
    skipBlanks(scanner);
    if (element.type === "expression" && elements.length === 0) {
      const [operator] = ASSIGNMENT.exec(scanner.text.slice(scanner.at, scanner.at + 4)) ?? [];
      if (operator !== undefined) {
        scanner.at += operator.length;
        skipBlanks(scanner, true);
        return {
          type: "assignment",
          target: element.of,
          operator,
          value: descend(scanner, () => readStatement(scanner)),
        };
      }
    }
    elements.push(element);
    // A pipe may begin the next row.
    if (peek(scanner) !== "|") skipToPipe(scanner);
    if (peek(scanner) !== "|" || peek(scanner, 1) === "|") return { type: "pipeline", elements };
    scanner.at++;
    skipBlanks(scanner, true);
    if (peek(scanner) === "" || ")}|;".includes(peek(scanner))) {
      noteProblem(scanner, "an empty pipe element");
      return { type: "pipeline", elements };
    }
  }
}

function skipToPipe(scanner: Scanner): void {
  if (!isNewline(peek(scanner))) return;
  const start = scanner.at;
  skipBlanks(scanner, true);
  if (peek(scanner) !== "|" || peek(scanner, 1) === "|") scanner.at = start;
}

/** Whether an expression begins here, not a command. */
function startsExpression(scanner: Scanner): boolean {
  const letter = peek(scanner);
  if (letter === "" || isSingleQuote(letter) || isDoubleQuote(letter) || "$([{!".includes(letter)) return true;
  if (letter === "@") return /[({"'\u2018-\u201E]/.test(peek(scanner, 1));
  if (letter === "+" || letter === "-" || letter === ",") return true;
  return /^\d+(?:\.\d+)?(?:[kmgtp]b|[ld])?(?=$|[\s;|)},.+*/%-])/i.test(scanner.text.slice(scanner.at, scanner.at + 30));
}

function readElement(scanner: Scanner): PipelineElement {
  skipBlanks(scanner);
  const letter = peek(scanner);
  const isCall =
    (letter === "&" && peek(scanner, 1) !== "&") || (letter === "." && /[\s"'$({&]/.test(peek(scanner, 1)));
  if (isCall) {
    scanner.at++;
    skipBlanks(scanner, true);
    return readCommand(scanner, letter as "&" | ".");
  }
  if (!startsExpression(scanner)) return readCommand(scanner);
  const of = readExpression(scanner);
  const redirects: Redirection[] = [];
  for (;;) {
    skipBlanks(scanner);
    const redirect = readRedirection(scanner);
    if (!redirect) return { type: "expression", of, redirects };
    redirects.push(redirect);
  }
}

const REDIRECTION = /^(?:[1-6*]?>>?(?:&[12])?|<)/;

function readRedirection(scanner: Scanner): Redirection | undefined {
  const letter = peek(scanner);
  if (!/[1-6*><]/.test(letter)) return undefined;
  const [operator] = REDIRECTION.exec(scanner.text.slice(scanner.at, scanner.at + 5)) ?? [];
  if (operator === undefined) return undefined;
  scanner.at += operator.length;
  if (operator.includes("&")) return { operator };
  skipBlanks(scanner);
  const before = scanner.at;
  const target = readArgument(scanner);
  if (scanner.at === before) noteProblem(scanner, "a redirection without a file");
  return { operator, target };
}

function readCommand(scanner: Scanner, call?: "&" | "."): CommandElement {
  const name = readArgument(scanner);
  const args: Argument[] = [];
  const redirects: Redirection[] = [];
  for (;;) {
    skipBlanks(scanner);
    const letter = peek(scanner);
    if (letter === "" || isNewline(letter) || ";|)}&".includes(letter)) break;
    if (scanner.text.startsWith("--%", scanner.at)) {
      args.push(...readVerbatim(scanner));
      break;
    }
    const redirect = readRedirection(scanner);
    if (redirect) {
      redirects.push(redirect);
      continue;
    }
    const before = scanner.at;
    args.push(readArgument(scanner));
    if (scanner.at === before) scanner.at++;
  }
  return { type: "command", ...(call && { call }), name, args, redirects };
}

/** Reads the words behind `--%`, which PowerShell leaves as they are. */
function readVerbatim(scanner: Scanner): Argument[] {
  scanner.at += 3;
  const from = scanner.at;
  while (peek(scanner) !== "" && !isNewline(peek(scanner)) && peek(scanner) !== "|") scanner.at++;
  const words: readonly string[] = scanner.text.slice(from, scanner.at).match(/(?:[^\s"]|"[^"]*"?)+/g) ?? [];
  return words.map((source): Argument => ({
    items: [{ type: "word", pieces: [{ type: "text", text: source.replaceAll('"', "") }] }],
    source,
  }));
}
