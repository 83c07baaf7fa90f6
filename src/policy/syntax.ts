import { type ParseError, parseTree, printParseErrorCode } from "jsonc-parser";

/**
 * Finds the first syntax error in JSON with comments. Lines and columns start at 1. Returns undefined if there isn't
 * one.
 */
export function findSyntaxError(text: string): { line: number; column: number; message: string } | undefined {
  const errors: ParseError[] = [];
  // Don't count a byte order mark as a column.
  const plain = text.replace(/^\ufeff/, "");
  parseTree(plain, errors, { allowTrailingComma: true });
  const [first] = errors.sort((one, other) => one.offset - other.offset);
  if (!first) return undefined;
  const precedingLines = plain.slice(0, first.offset).split("\n");
  const description = printParseErrorCode(first.error)
    .replace(/(?<=[a-z])[A-Z]/g, (letter) => ` ${letter.toLowerCase()}`)
    .toLowerCase();
  return { line: precedingLines.length, column: (precedingLines.at(-1) as string).length + 1, message: description };
}
