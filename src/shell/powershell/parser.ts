import { readArgument, readBlock, readExpression, readParameters } from "./expressions.ts";
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
import {
  readNested,
  END_OF_LINE,
  matchesAt,
  recordProblem,
  peek,
  readItems,
  readScript,
  type Scanner,
  skipBlanks,
  skipNewlines,
  takeMatch,
} from "./scanner.ts";
import { toWord } from "./strings.ts";

/** Parses a script. `problem` describes a syntax error that PowerShell would report. */
export function parsePowerShell(text: string): { script: Script; problem?: string } {
  const scanner: Scanner = { text, at: 0, depth: 0, readStatement };
  const script = readScript(scanner, "");
  return { script, ...(scanner.problem !== undefined && { problem: scanner.problem }) };
}

function readStatement(scanner: Scanner): Statement {
  // A label precedes the loop: `:outer foreach …`.
  if (takeMatch(scanner, /:\w+/y) !== "") skipNewlines(scanner);
  return readKeyword(scanner) ?? readChain(scanner);
}

/**
 * Keywords that introduce a condition or block, with the character that must follow the keyword. `foreach-object` is a
 * command, not a keyword.
 */
const CONTROL_KEYWORD =
  /^(?:(?:if|while|for|foreach|switch) ?\(|(?:foreach|switch) -|trap ?\[|(?:do|try|trap|begin|process|end|dynamicparam|clean|data|parallel|sequence|inlinescript) ?\{)$/;
const EXIT_KEYWORD = /(?:return|throw|exit|break|continue)(?![^\s;}"'$()@[&|])/iy;

function readKeyword(scanner: Scanner): Statement | undefined {
  const start = scanner.at;
  const keyword = takeMatch(scanner, EXIT_KEYWORD);
  if (keyword !== "") {
    skipBlanks(scanner);
    const isWholeStatement = matchesAt(scanner, END_OF_LINE) || matchesAt(scanner, /[;})|]/y);
    return isWholeStatement ? { type: "control", keyword, conditions: [], bodies: [] } : readChain(scanner);
  }
  const word = takeMatch(scanner, /[\w:]+/y).toLowerCase();
  const end = scanner.at;
  skipNewlines(scanner);
  const keywordText = `${word}${scanner.at > end ? " " : ""}${peek(scanner)}`;
  if (CONTROL_KEYWORD.test(keywordText)) return parseControl(scanner, word);
  if (/^param ?\($/.test(keywordText)) return { type: "parameters", parameters: readParameters(scanner) };
  const functionStatement = /^(?:function|filter|workflow)$/.test(word) ? readFunction(scanner) : undefined;
  if (!functionStatement) scanner.at = start;
  return functionStatement;
}

function parseControl(scanner: Scanner, keyword: string): Statement {
  const control: Control = { type: "control", keyword, conditions: [], bodies: [] };
  for (let word = keyword; word !== "";) {
    if (word === "else") control.isComplete = true;
    readHead(scanner, word, control);
    if (word === "until" || (word === "while" && keyword === "do")) break;
    if (word === "switch") readCases(scanner, control);
    else control.bodies.push(readBody(scanner).body);
    const { at } = scanner;
    skipNewlines(scanner);
    const nextKeyword = keyword === "do" ? /(?:while|until)\b/iy : /(?:elseif|else|catch|finally)\b/iy;
    word = takeMatch(scanner, nextKeyword).toLowerCase();
    if (word === "") scanner.at = at;
  }
  return control;
}

/**
 * Reads everything between a keyword and its block: options, the types after `catch`, a condition, or the list of a
 * loop.
 */
function readHead(scanner: Scanner, word: string, control: Control): void {
  skipNewlines(scanner);
  for (
    let option = takeMatch(scanner, STATEMENT_OPTION);
    option !== "";
    option = takeMatch(scanner, STATEMENT_OPTION)
  ) {
    skipNewlines(scanner);
    const value = /^.[ft]/i.test(option) ? readArgument(scanner) : undefined;
    if (value && /^.f/i.test(option)) control.conditions.push(createFileReading(value));
    skipNewlines(scanner);
  }
  while (takeMatch(scanner, /\[[^\]]*(?:\]|$)|,/y) !== "") skipNewlines(scanner);
  const loopHeader = word === "foreach" ? takeMatch(scanner, /\(\s*\$\{?[\w:]+\}?\s+in\b/iy) : "";
  if (loopHeader !== "" || takeMatch(scanner, /\(/y) !== "") {
    const script = readNested(scanner, () => readScript(scanner, ")"));
    if (loopHeader === "") control.conditions.push(script);
    else [control.name, control.list] = [loopHeader.replace(/\s+in$|[^\w:]+/gi, ""), script];
  } else if (/^(?:elseif|while|until)$/.test(word)) recordProblem(scanner, "missing '('");
}

/** Options of `switch` and `foreach`. `-file` and `-throttlelimit` take a value. */
const STATEMENT_OPTION = /[-\u2013-\u2015]\w+/y;

function readBody(scanner: Scanner): FunctionBody {
  skipNewlines(scanner);
  if (peek(scanner) === "{") return readBlock(scanner);
  recordProblem(scanner, "missing '{'");
  return { parameters: [], body: [] };
}

/** Returns the `Get-Content` call equivalent to `switch -file`. */
function createFileReading(file: Argument): Script {
  const name: Argument = { items: [toWord("Get-Content")], source: "" };
  return [{ type: "pipeline", elements: [{ type: "command", call: "", name, args: [file], redirects: [] }] }];
}

function readCases(scanner: Scanner, { conditions, bodies }: Control): void {
  skipNewlines(scanner);
  if (takeMatch(scanner, /\{/y) === "") return recordProblem(scanner, "missing '{'");
  const readCase = () => {
    if (peek(scanner) === "{") conditions.push(readBody(scanner).body);
    else readArgument(scanner);
    bodies.push(readBody(scanner).body);
  };
  readNested(scanner, () => readItems(scanner, "}", ";", readCase));
}

function readFunction(scanner: Scanner): Statement | undefined {
  const name = takeMatch(scanner, /[\w:.?%-]+/y).toLowerCase();
  skipNewlines(scanner);
  if (name === "" || !matchesAt(scanner, /[({]/y)) return undefined;
  const parameters = peek(scanner) === "(" ? readParameters(scanner) : [];
  const definition = readBody(scanner);
  return {
    type: "function",
    name: name.replace(/^(?:global|script|local|private):/, ""),
    definition: parameters.length > 0 ? { ...definition, parameters } : definition,
  };
}

/** Reads pipelines joined by `&&` or `||`. A pipeline after `||` might not run. */
function readChain(scanner: Scanner): Statement {
  const bodies: Script[] = [[readPipeline(scanner)]];
  for (;;) {
    skipBlanks(scanner);
    const operator = takeMatch(scanner, /&&|\|\|/y);
    if (operator === "") break;
    skipNewlines(scanner);
    const body = [readKeyword(scanner) ?? readPipeline(scanner)];
    const choice: Control = { type: "control", keyword: "if", conditions: [], bodies: [body] };
    bodies.push(operator === "&&" ? body : [choice]);
  }
  // A trailing `&` runs the pipeline in the background.
  takeMatch(scanner, /&/y);
  const [[firstStatement]] = bodies as [[Statement]];
  return bodies.length === 1 ? firstStatement : { type: "control", keyword: "&&", conditions: [], bodies };
}

function readPipeline(scanner: Scanner): Statement {
  const elements: PipelineElement[] = [];
  for (;;) {
    const element = readElement(scanner);
    skipBlanks(scanner);
    if (element.type === "expression" && elements.length === 0) {
      const operator = takeMatch(scanner, /(?:[-+*/%]|\?\?)?=(?!=)/y);
      if (operator !== "") {
        skipNewlines(scanner);
        const value = readNested(scanner, () => readStatement(scanner));
        return { type: "assignment", target: element.of, operator, value };
      }
    }
    elements.push(element);
    const { at } = scanner;
    // The next line may start with a pipe.
    skipNewlines(scanner);
    if (takeMatch(scanner, /\|(?!\|)/y) === "") {
      scanner.at = at;
      return { type: "pipeline", elements };
    }
    skipNewlines(scanner);
    if (matchesAt(scanner, /[)}|;]|$/y)) {
      recordProblem(scanner, "empty pipe element");
      return { type: "pipeline", elements };
    }
  }
}

const EXPRESSION =
  /['"\u2018-\u201E$([{!+,-]|@[({"'\u2018-\u201E]|\d+(?:\.\d+)?(?:[kmgtp]b|[ld])?(?=$|[\s;|)},.+*/%-])|$/iy;

function readElement(scanner: Scanner): PipelineElement {
  skipBlanks(scanner);
  const call = takeMatch(scanner, /&(?!&)|\.(?=[\s"'$({&])/y);
  if (call !== "") {
    skipNewlines(scanner);
    return readCommand(scanner, call);
  }
  if (!matchesAt(scanner, EXPRESSION)) return readCommand(scanner, "");
  const of = readExpression(scanner);
  const redirects: Redirection[] = [];
  for (;;) {
    skipBlanks(scanner);
    const redirect = readRedirection(scanner);
    if (!redirect) return { type: "expression", of, redirects };
    redirects.push(redirect);
  }
}

function readRedirection(scanner: Scanner): Redirection | undefined {
  const operator = takeMatch(scanner, /[1-6*]?>>?(?:&[12])?|</y);
  if (operator === "") return undefined;
  if (operator.includes("&")) return { operator };
  skipBlanks(scanner);
  const target = readArgument(scanner);
  if (target.source === "") recordProblem(scanner, "redirection without a target file");
  return { operator, target };
}

function readCommand(scanner: Scanner, call: string): CommandElement {
  const name = readArgument(scanner);
  const args: Argument[] = [];
  const redirects: Redirection[] = [];
  for (;;) {
    skipBlanks(scanner);
    if (matchesAt(scanner, END_OF_LINE) || matchesAt(scanner, /[;|)}&]/y)) break;
    if (takeMatch(scanner, /--%/y) !== "") {
      args.push(...readVerbatim(scanner));
      break;
    }
    const redirect = readRedirection(scanner);
    if (redirect) redirects.push(redirect);
    else {
      const arg = readArgument(scanner);
      args.push(arg);
      if (arg.source === "") scanner.at++;
    }
  }
  return { type: "command", call, name, args, redirects };
}

/** Reads the words after `--%`, which PowerShell passes on unparsed. */
function readVerbatim(scanner: Scanner): Argument[] {
  const words: readonly string[] = takeMatch(scanner, /[^\r\n|]+/y).match(/(?:[^\s"]|"[^"]*"?)+/g) ?? [];
  return words.map((source): Argument => ({ items: [toWord(source.replaceAll('"', ""))], source }));
}
