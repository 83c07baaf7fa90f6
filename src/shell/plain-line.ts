import type { AndOr, Command, ParsedScript, Pipeline, PipelineNode, Redirect, Statement, Word, WordPart } from "unbash";

/** Matches a redirection operator, the start of an unquoted or quoted word, or an operator between commands. */
const TOKEN = /[ \t]*(?:(\d*)(>>|>&|[<>])(?![<>&|(])|(?=([\w./:@%+,='"-]))|(&&|\|\||[;|\n])|$)/y;
const UNQUOTED_PART = /[\w./:@%+,=-]+/y;
const DOUBLE_QUOTED_PART = /"[^"$`\\]*"/y;
const SINGLE_QUOTED_PART = /'[^']*'/y;

/**
 * Returns the end of the word that starts at `start`, or undefined if any part of it needs the real parser. The parts
 * are matched one at a time because a combined pattern would take quadratic time.
 */
function findWordEnd(text: string, start: number): number | undefined {
  let at = start;
  for (;;) {
    const character = text[at];
    const part = character === "'" ? SINGLE_QUOTED_PART : character === '"' ? DOUBLE_QUOTED_PART : UNQUOTED_PART;
    part.lastIndex = at;
    if (!part.test(text)) return part === UNQUOTED_PART && at > start ? at : undefined;
    at = part.lastIndex;
  }
}

const QUOTED_OR_PLAIN_PART = /'[^']*'|"[^"]*"|[^'"]+/g;
/** Words with a special meaning at the start of a command. */
const RESERVED_WORDS = new Set(
  "if then else elif fi for while until do done case esac in function select time coproc".split(" "),
);

/** Creates a word node. Returns undefined if the text may be an assignment. */
function createWord(text: string, pos: number): Word | undefined {
  const end = pos + text.length;
  const isOption = text.startsWith("-");
  if (!text.includes("'") && !text.includes('"'))
    return !isOption && text.includes("=") ? undefined : { type: "Word", text, value: text, pos, end };
  const parts: WordPart[] = [];
  let value = "";
  let at = pos;
  for (const part of text.match(QUOTED_OR_PLAIN_PART) ?? []) {
    const quotedText = part.slice(1, -1);
    const span = { pos: at, end: (at += part.length), text: part };
    if (part.startsWith("'")) parts.push({ type: "SingleQuoted", value: quotedText, ...span });
    else if (part.startsWith('"')) {
      const literal = { type: "Literal" as const, pos: span.pos + 1, end: at - 1, value: quotedText, text: quotedText };
      parts.push({ type: "DoubleQuoted", ...span, parts: [literal] });
    } else {
      if (!isOption && part.includes("=")) return undefined;
      parts.push({ type: "Literal", value: part, ...span });
    }
    value += /^['"]/.test(part) ? quotedText : part;
  }
  return { type: "Word", text, value, pos, end, parts };
}

/** A command that is still being parsed. */
type PartialCommand = {
  -readonly [Key in keyof Command]: Command[Key] extends readonly (infer Item)[] ? Item[] : Command[Key];
};

/** A command line that is still being parsed, with its current list, pipeline and command. */
interface PartialLine {
  text: string;
  statements: Statement[];
  pipelines: PipelineNode[];
  operators: ("&&" | "||")[];
  pipedCommands: Command[];
  pipes: "|"[];
  command: PartialCommand | undefined;
}

const getSpan = (nodes: readonly PipelineNode[]) => ({
  pos: (nodes[0] as PipelineNode).pos,
  end: (nodes.at(-1) as PipelineNode).end,
});

function endPipeline(line: PartialLine): void {
  const { pipedCommands, pipes } = line;
  const join = (): Pipeline => ({
    type: "Pipeline",
    ...getSpan(pipedCommands),
    prefixes: [],
    commands: pipedCommands,
    operators: pipes,
  });
  line.pipelines.push(pipedCommands.length === 1 ? (pipedCommands[0] as Command) : join());
  line.pipedCommands = [];
  line.pipes = [];
}

function endStatement(line: PartialLine): void {
  endPipeline(line);
  const { pipelines, operators } = line;
  const join = (): AndOr => ({ type: "AndOr", ...getSpan(pipelines), commands: pipelines, operators });
  const command = pipelines.length === 1 ? (pipelines[0] as PipelineNode) : join();
  line.statements.push({ type: "Statement", ...getSpan(pipelines), command, background: undefined });
  line.pipelines = [];
  line.operators = [];
}

/** Ends a command at an operator or at the end of the input. Returns false if the syntax needs the real parser. */
function endCommand(line: PartialLine, operator: string | undefined): boolean {
  const { command, pipedCommands, pipes, operators } = line;
  if (!command) return operator === undefined ? pipes.length + operators.length === 0 : operator === "\n";
  pipedCommands.push(command);
  line.command = undefined;
  if (operator === "|") pipes.push(operator);
  else if (operator === "&&" || operator === "||") {
    endPipeline(line);
    operators.push(operator);
  } else endStatement(line);
  return true;
}

/** Reads a word, starting at the end of the last token. */
function readWord(text: string): Word | undefined {
  const start = TOKEN.lastIndex;
  const end = findWordEnd(text, start);
  const word = end === undefined ? undefined : createWord(text.slice(start, end), start);
  TOKEN.lastIndex = word?.end ?? 0;
  return word;
}

/** Adds a word to the current command or to a new one. Returns false if the syntax needs the real parser. */
function addWord(line: PartialLine): boolean {
  const { command } = line;
  const word = readWord(line.text);
  if (!word || (!command && RESERVED_WORDS.has(word.text))) return false;
  const { pos, end } = word;
  if (command) {
    command.suffix.push(word);
    command.args.push(word);
    command.end = end;
  } else line.command = { type: "Command", pos, prefix: [], name: word, suffix: [], args: [], redirects: [], end };
  return true;
}

function addRedirect({ text, command }: PartialLine, [match, digits = "", operator = ""]: RegExpExecArray): boolean {
  const length = digits.length + operator.length;
  const pos = TOKEN.lastIndex - length;
  const target = TOKEN.exec(text)?.[3] === undefined ? undefined : readWord(text);
  // A file descriptor must be a separate token: in `x2>y`, the word is x2.
  if (!command || !target || (digits !== "" && match.length === length)) return false;
  const descriptor = { type: "FileDescriptor" as const, pos, end: pos + digits.length, value: Number(digits) };
  const redirect: Redirect = {
    type: "Redirect",
    pos,
    end: target.end,
    operator: operator as Redirect["operator"],
    descriptor: digits === "" ? undefined : descriptor,
    target,
  };
  command.suffix.push(redirect);
  command.redirects.push(redirect);
  command.end = target.end;
  return true;
}

/**
 * Builds the syntax tree of a command line that contains only plain words, quotes, redirections and operators. The
 * result is identical to the parser's tree. Most command lines are this simple and don't need the parser.
 */
export function parsePlainLine(text: string): ParsedScript | undefined {
  const statements: Statement[] = [];
  const line: PartialLine = {
    text,
    statements,
    pipelines: [],
    operators: [],
    pipedCommands: [],
    pipes: [],
    command: undefined,
  };
  TOKEN.lastIndex = 0;
  for (;;) {
    const token = TOKEN.exec(text);
    if (!token) return undefined;
    const [, , redirectOperator, isWord, operator] = token;
    if (redirectOperator !== undefined || isWord !== undefined) {
      if (!(isWord === undefined ? addRedirect(line, token) : addWord(line))) return undefined;
    } else if (!endCommand(line, operator)) return undefined;
    else if (operator === undefined) break;
  }
  return statements.length === 0
    ? undefined
    : { type: "Script", pos: 0, end: text.length, shebang: undefined, commands: statements };
}
