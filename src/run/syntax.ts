import { type ParseError, parseTree, printParseErrorCode } from "jsonc-parser";

/** Where a text is no JSON with comments, counted from 1, and why not. Nothing: it is. */
export function syntaxError(text: string): { line: number; column: number; said: string } | undefined {
  const errors: ParseError[] = [];
  // A BOM is no letter of the first line.
  const plain = text.replace(/^\ufeff/, "");
  parseTree(plain, errors, { allowTrailingComma: true });
  const [first] = errors.sort((one, other) => one.offset - other.offset);
  if (!first) return undefined;
  const before = plain.slice(0, first.offset).split("\n");
  const said = printParseErrorCode(first.error)
    .replace(/(?<=[a-z])[A-Z]/g, (letter) => ` ${letter.toLowerCase()}`)
    .toLowerCase();
  return { line: before.length, column: (before.at(-1) as string).length + 1, said };
}
