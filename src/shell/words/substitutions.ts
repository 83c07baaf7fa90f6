import type {
  Case,
  CommandExpansionPart,
  Command as Node,
  ProcessSubstitutionPart,
  Redirection,
  Statement,
  Word as Source,
} from "unbash";
import { changeFolder } from "../files/folder-steps.ts";
import { predictOutput } from "../output.ts";
import { countSteps, canRereadLine } from "../parser.ts";
import { createInnerScope, getVariableValues, joinSegments, type ShellScope, type VariableValue } from "../scope.ts";
import { splitWord } from "./values.ts";
import { createPrintedWord, getPrintedText, splitPrintedWords, type Word } from "./word.ts";
import { getDescriptorFile, getFileText } from "../files/written-files.ts";
import { trimTrailing } from "./text.ts";

/** Expands a word into the words it produces. */
type WordExpander = (word: Source, scope: ShellScope) => Word[];

const PREDICTABLE_COMMAND =
  /^(?:[$<]\(|`)\s*(?:echo|printf|true|false|:|which|command\s+-v|type\s+-[pP]|base64|xxd|pwd|cd|ls|find|fd|fdfind|cat|sed|gsed|tr|rev|cut|awk|gawk|mawk|head|tail|basename|realpath|readlink|dirname|git\s+rev-parse\s+--[\w-]+)(?=[\s)`])|^\$\(\s*</;

/**
 * Predicts the output of a substitution such as `$(echo x)` or `$(echo eA== | base64 -d)`, if that of every command in
 * it is predictable. Parts that are unknown until run time stay as written.
 */
export function predictSubstitution(
  part: CommandExpansionPart | ProcessSubstitutionPart,
  scope: ShellScope,
  expand: WordExpander,
): string | undefined {
  const chosenOutput = getVariableValues(scope, part.text)?.[0];
  if (chosenOutput) return joinSegments(chosenOutput);
  // Left to the caller: directory expressions such as `$(pwd)`.
  if (splitWord(part.text)[0]?.kind === "folder") return undefined;
  if (PREDICTABLE_COMMAND.test(part.text)) {
    // The script's characters are counted when its commands are read.
    countSteps(scope.reader);
    const statements = part.script?.commands ?? [];
    if (statements.some(({ background }) => background)) return undefined;
    const output = predictAll(listCommands(statements), createInnerScope(scope, { outputFolder: scope.cwd }), expand);
    if (output !== undefined) return output;
  }
  return mayPrintOutput(part.text, scope) ? readOutput(part.text, scope) : undefined;
}

const COMPOUND_COMMAND = /&&|[;{}\n]|^(?:[$<]\(|`)\s*(?:\\|"|'|\/|command|builtin|env|sudo|eval|(?:ba|z|da|k)?sh\s)/;
const PRINT_COMMAND = /\b(?:echo|printf|pwd|cat|ls|find|fd|basename|dirname|realpath|readlink|which)\b/;
const FIRST_SUBSTITUTION_WORD = /^(?:[$<]\(|`)\s*([\w.:-]+)/;

/**
 * Whether the output might be predictable even though the substitution is more than a simple command. Branches are
 * excluded, since they are handled as choices.
 */
const mayPrintOutput = (text: string, { functions }: ShellScope): boolean =>
  !BRANCH_SYNTAX.test(text) &&
  ((COMPOUND_COMMAND.test(text) && PRINT_COMMAND.test(text)) ||
    functions.has(FIRST_SUBSTITUTION_WORD.exec(text)?.[1] ?? ""));

/**
 * Reads a complete substitution and returns its output. The commands found are discarded, since they are read again
 * elsewhere.
 */
function readOutput(text: string, scope: ShellScope): string | undefined {
  const { reader } = scope;
  if (!canRereadLine(reader)) return undefined;
  const { isRepeating, problem } = reader;
  const firstIndex = reader.commands.length;
  reader.isRepeating = true;
  const script = text.startsWith("`") ? text.slice(1, -1).replace(/\\([`$\\])/g, "$1") : text.slice(2, -1);
  const output = reader.readScript(script, createInnerScope(scope, { outputFolder: scope.cwd }));
  reader.commands.length = firstIndex;
  Object.assign(reader, { isRepeating, problem });
  return output !== undefined && isPrintable(createPrintedWord(output), scope) ? output : undefined;
}

const listCommands = (statements: readonly Statement[]) => statements.map(({ command }) => command);

/** Predicts the combined output of commands that run one after another. */
function predictAll(commands: readonly PrintingNode[], scope: ShellScope, expand: WordExpander): string | undefined {
  let output = "";
  for (const command of commands) {
    const commandOutput = predictNode(command, scope, expand, undefined);
    if (commandOutput === undefined) return undefined;
    output += commandOutput;
  }
  return output;
}

/**
 * Lists the possible outputs of `$(a && echo x || echo y)`, `$(if …)` or `$(case …)`, one for each branch. An unknown
 * output is undefined. The list is empty if there are no branches.
 */
export function listPossibleOutputs(
  part: CommandExpansionPart,
  scope: ShellScope,
  expand: WordExpander,
): (string | undefined)[] {
  if (!BRANCH_SYNTAX.test(part.text)) return [];
  // The first access to `script` parses it.
  countSteps(scope.reader, 4);
  const { script } = part;
  const [statement, ...otherStatements] = script?.commands ?? [];
  const branches = statement && otherStatements.length === 0 ? listBranches(statement.command) : [];
  return branches.map((commands) => {
    countSteps(scope.reader);
    return predictAll(commands, createInnerScope(scope, { outputFolder: scope.cwd }), expand);
  });
}

const BRANCH_SYNTAX = /\|\||^(?:\$\(|`)\s*(?:if|case)\s/;

type PrintingNode = Statement["command"];

/** Lists the commands that can contribute to the output, grouped by branch. */
function listBranches(node: PrintingNode): PrintingNode[][] {
  switch (node.type) {
    case "AndOr": {
      const { commands, operators } = node;
      // Assume that a command before `&&` is a test and prints nothing.
      return operators.includes("||")
        ? commands.filter((_, at) => operators[at] !== "&&").map((command) => [command])
        : [];
    }
    case "If":
      return [node, ...node.elif]
        .map(({ then }) => listCommands(then.commands))
        .concat([node.else ? listCommands(node.else.commands) : []]);
    case "Case": {
      const bodies = node.items.map(({ body }) => listCommands(body.commands));
      return hasDefault(node) ? bodies : [...bodies, []];
    }
    default:
      return [];
  }
}

/** Whether a `case` statement has the pattern `*`, so that one of its branches always runs. */
export const hasDefault = ({ items }: Case): boolean =>
  items.some(({ pattern }) => pattern.some(({ text }) => text === "*"));

/** Substitutions that print only names that are unknown until run time. */
const UNKNOWN_NAMES_SUBSTITUTION = /^\$\((?:ls [^()`]*|git rev-parse --show-toplevel)\)/;

/** Whether a word is free of substitutions, other than those that only print names. */
const isPrintable = (word: Word, { reader }: ShellScope): boolean =>
  word.dynamic === undefined ||
  !/`|\$\(/.test(getPrintedText(word).replace(UNKNOWN_NAMES_SUBSTITUTION, "")) ||
  reader.foundFiles.has(word.dynamic);

function predictNode(
  node: Statement["command"],
  scope: ShellScope,
  expand: WordExpander,
  input: string | undefined,
): string | undefined {
  let output: string | undefined;
  switch (node.type) {
    case "Command":
      return predictCommand(node, scope, expand, input);
    case "Pipeline":
      for (const [at, stage] of node.commands.entries()) {
        output = predictNode(stage, scope, expand, output);
        if (output === undefined || node.operators[at] === "|&") return undefined;
      }
      return output;
    case "AndOr":
      return node.operators.includes("||") ? undefined : predictAll(node.commands, scope, expand);
    default:
      return undefined;
  }
}

function predictCommand(
  { name, args, prefix, redirects }: Node,
  scope: ShellScope,
  expand: WordExpander,
  input: string | undefined,
): string | undefined {
  const inputRedirects = redirects.filter(
    (redirect) => redirect.type === "HereDoc" || !(redirect.operator === ">" && redirect.target?.text === "/dev/null"),
  );
  if (prefix.some(({ type }) => type !== "Redirect") || inputRedirects.length > 1) return undefined;
  const words = args.flatMap((word) =>
    word.type === "Word" ? expand(word, scope) : [{ text: word.text, dynamic: word.text }],
  );
  const isCopy = name?.text === "cat" && words.length === 0;
  const stdin = inputRedirects[0]
    ? predictStdin(inputRedirects[0], scope, expand)
    : (input ?? (isCopy ? scope.stdin : undefined));
  if ((inputRedirects[0] && stdin === undefined) || !words.every((word) => isPrintable(word, scope))) return undefined;
  if (name?.text === "cd") {
    changeFolder(scope, words);
    return "";
  }
  return name ? predictOutput(name.text, words, stdin, scope) : stdin;
}

/** Returns the text that a redirection feeds to stdin, if known. */
function predictStdin(redirect: Redirection, scope: ShellScope, expand: WordExpander): string | undefined {
  if (redirect.type === "HereDoc") return redirect.body.parts ? undefined : redirect.body.text;
  const { operator, target } = redirect;
  const [word, ...otherWords] = target && /^<(?:<<|&)?$/.test(operator) ? expand(target, scope) : [];
  if (!word || otherWords.length > 0 || !isPrintable(word, scope)) return undefined;
  if (operator === "<&") return getFileText(getDescriptorFile(word.text), scope.reader);
  return operator === "<" ? getFileText(word.text, scope.reader) : `${word.text}\n`;
}

/** Converts a command's output to the value of its substitution. */
export function toPrintedValue(output: string, { isWhole }: { isWhole: boolean }): VariableValue {
  const text = trimTrailing(output, "\n");
  if (!/[$`*?[]/.test(text)) return [{ text, isDynamic: false }];
  // Of several names printed by a search, use only the last one, which starts with a dot.
  const [, name] = (isWhole && /^(?:[\w.*?-]{1,60}\n){1,8}(\.[\w.*?-]{1,60})$/.exec(text)) || [];
  if (name !== undefined) return [{ text: name, isDynamic: true }];
  // If a listed name is the whole word, it is more likely a file than a directory.
  if (isWhole) return [{ text: text.replace(/(?<!^)\n\$\(ls [^()]*\)$/, ""), isDynamic: true }];
  return splitPrintedWords(text).flatMap(({ text: word, dynamic }, at) => [
    ...(at > 0 ? [{ text: " ", isDynamic: false }] : []),
    { text: word, isDynamic: dynamic !== undefined },
  ]);
}
