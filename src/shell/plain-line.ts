import type { AndOr, Command, ParsedScript, Pipeline, PipelineNode, Redirect, Statement, Word, WordPart } from "unbash";

/** A redirection's operator, the beginning of a word of plain characters and quotes, or what stands between commands. */
const TOKEN = /[ \t]*(?:(\d*)(>>|>&|[<>])(?![<>&|(])|(?=([\w./:@%+,='"-]))|(&&|\|\||[;|\n])|$)/y;
const PLAIN_PART = /[\w./:@%+,=-]+/y;
const DOUBLE_QUOTED_PART = /"[^"$`\\]*"/y;
const SINGLE_QUOTED_PART = /'[^']*'/y;

/**
 * Where the word ends that begins here; undefined if a part of it is not plain. Part by part: to repeat a group of all
 * three takes the engine quadratic time.
 */
function findWordEnd(text: string, start: number): number | undefined {
  let at = start;
  for (;;) {
    const sign = text[at];
    const part = sign === "'" ? SINGLE_QUOTED_PART : sign === '"' ? DOUBLE_QUOTED_PART : PLAIN_PART;
    part.lastIndex = at;
    if (!part.test(text)) return part === PLAIN_PART && at > start ? at : undefined;
    at = part.lastIndex;
  }
}

const WORD_PART = /'[^']*'|"[^"]*"|[^'"]+/g;
/** Words with a special meaning at the start of a command. */
const RESERVED = new Set(
  "if then else elif fi for while until do done case esac in function select time coproc".split(" "),
);

/** A word; undefined if it may be an assignment. */
function createWord(text: string, pos: number): Word | undefined {
  const end = pos + text.length;
  const isOption = text.startsWith("-");
  if (!text.includes("'") && !text.includes('"'))
    return !isOption && text.includes("=") ? undefined : { type: "Word", text, value: text, pos, end };
  const parts: WordPart[] = [];
  let value = "";
  let at = pos;
  for (const part of text.match(WORD_PART) ?? []) {
    const inner = part.slice(1, -1);
    const span = { pos: at, end: (at += part.length), text: part };
    if (part.startsWith("'")) parts.push({ type: "SingleQuoted", value: inner, ...span });
    else if (part.startsWith('"')) {
      const literal = { type: "Literal" as const, pos: span.pos + 1, end: at - 1, value: inner, text: inner };
      parts.push({ type: "DoubleQuoted", ...span, parts: [literal] });
    } else {
      if (!isOption && part.includes("=")) return undefined;
      parts.push({ type: "Literal", value: part, ...span });
    }
    value += /^['"]/.test(part) ? inner : part;
  }
  return { type: "Word", text, value, pos, end, parts };
}

/** A command as it is read, word by word. */
interface OpenCommand {
  name: Word;
  suffix: (Word | Redirect)[];
  args: Word[];
  redirects: Redirect[];
  end: number;
}

/**
 * Builds the tree of a line that is made of plain words, quotes, plain redirections and what connects commands, exactly
 * as the parser would. Most lines are like that, and the parser is not loaded for them.
 */
export function parsePlainLine(text: string): ParsedScript | undefined {
  const statements: Statement[] = [];
  /** The commands of the current pipeline, the pipelines of the current list, and what connects them. */
  let piped: Command[] = [];
  let listed: PipelineNode[] = [];
  let pipes: ("|" | "|&")[] = [];
  let operators: ("&&" | "||")[] = [];
  let command: OpenCommand | undefined;
  const endPipeline = () => {
    const [first] = piped as [Command];
    const { end } = piped.at(-1) as Command;
    const pipeline: Pipeline = {
      type: "Pipeline",
      pos: first.pos,
      end,
      prefixes: [],
      commands: piped,
      operators: pipes,
    };
    listed.push(piped.length === 1 ? first : pipeline);
    [piped, pipes] = [[], []];
  };
  const endStatement = () => {
    endPipeline();
    const [{ pos }] = listed as [PipelineNode];
    const { end } = listed.at(-1) as PipelineNode;
    const list: AndOr = { type: "AndOr", pos, end, commands: listed, operators };
    const whole = listed.length === 1 ? (listed[0] as PipelineNode) : list;
    statements.push({ type: "Statement", pos, end, command: whole, background: undefined });
    [listed, operators] = [[], []];
  };
  TOKEN.lastIndex = 0;
  for (;;) {
    const token = TOKEN.exec(text);
    if (!token) return undefined;
    const [all, descriptor, redirected, isWord, operator] = token;
    const end = TOKEN.lastIndex;
    if (redirected !== undefined) {
      const pos = end - redirected.length - (descriptor as string).length;
      const target = TOKEN.exec(text)?.[3] === undefined ? undefined : findWordEnd(text, TOKEN.lastIndex);
      const node = target === undefined ? undefined : createWord(text.slice(TOKEN.lastIndex, target), TOKEN.lastIndex);
      TOKEN.lastIndex = target ?? 0;
      // A descriptor stands by itself: `x2>y` is the word x2.
      if (!command || !node || (descriptor !== "" && all.length === end - pos)) return undefined;
      const redirect: Redirect = {
        type: "Redirect",
        pos,
        end: node.end,
        operator: redirected as Redirect["operator"],
        descriptor:
          descriptor === ""
            ? undefined
            : { type: "FileDescriptor", pos, end: pos + (descriptor as string).length, value: Number(descriptor) },
        target: node,
      };
      command.suffix.push(redirect);
      command.redirects.push(redirect);
      command.end = node.end;
    } else if (isWord !== undefined) {
      const wordEnd = findWordEnd(text, end);
      const word = text.slice(end, wordEnd);
      const node = wordEnd === undefined ? undefined : createWord(word, end);
      if (!node || (!command && RESERVED.has(word))) return undefined;
      TOKEN.lastIndex = node.end;
      if (command) {
        command.suffix.push(node);
        command.args.push(node);
        command.end = node.end;
      } else command = { name: node, suffix: [], args: [], redirects: [], end: node.end };
    } else {
      const isOpen = pipes.length > 0 || operators.length > 0;
      if (command) {
        const { name } = command;
        piped.push({ type: "Command", pos: name.pos, prefix: [], ...command });
        command = undefined;
      } else if (operator === undefined ? isOpen : operator !== "\n") return undefined;
      else if (operator === "\n") continue;
      if (operator === "|") pipes.push(operator);
      else if (operator === "&&" || operator === "||") {
        endPipeline();
        operators.push(operator);
      } else if (piped.length > 0) endStatement();
      if (operator === undefined)
        return statements.length === 0
          ? undefined
          : { type: "Script", pos: 0, end: text.length, shebang: undefined, commands: statements };
    }
  }
}
