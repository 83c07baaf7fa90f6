import type { ParsedScript } from "unbash";

/** One command of plain words. The expression is unambiguous, so it runs in linear time. */
const PLAIN = /^[\w./:@%+,][\w./:@%+,-]*(?: (?:[\w./:@%+,][\w./:@%+,-]*|-[\w./:@%+,=-]*))*$/;
/** Words with a special meaning at the start of a command. */
const RESERVED = new Set(
  "if then else elif fi for while until do done case esac in function select time coproc".split(" "),
);

/**
 * Builds the tree of a line that is one command of plain words, exactly as the parser would. Most lines are like that,
 * and the parser is not loaded for them.
 */
export function parsePlainCommand(text: string): ParsedScript | undefined {
  if (!PLAIN.test(text)) return undefined;
  let pos = 0;
  const [name, ...args] = text.split(" ").map((word) => {
    const at = pos;
    pos += word.length + 1;
    return { type: "Word" as const, text: word, value: word, pos: at, end: at + word.length };
  });
  if (!name || RESERVED.has(name.text)) return undefined;
  const span = { pos: 0, end: text.length };
  const command = { type: "Command" as const, ...span, name, prefix: [], suffix: args, args, redirects: [] };
  return {
    type: "Script",
    ...span,
    shebang: undefined,
    commands: [{ type: "Statement", ...span, command, background: undefined }],
  };
}
