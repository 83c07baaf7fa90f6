import type { ParsedScript } from "unbash";

/** One command of plain words. Each letter fits in one way only, so that no line takes long. */
const PLAIN = /^[\w./:@%+,][\w./:@%+,-]*(?: (?:[\w./:@%+,][\w./:@%+,-]*|-[\w./:@%+,=-]*))*$/;
/** Words that mean something of their own where a command begins. */
const RESERVED = new Set(
  "if then else elif fi for while until do done case esac in function select time coproc".split(" "),
);

/** The tree of a line that is one command of plain words, as the parser makes it: most lines need no more, and it isn't loaded then. */
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
