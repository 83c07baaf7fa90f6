import { type ParseError, parseTree, printParseErrorCode } from "jsonc-parser";

/**
 * @param label what the message calls the text
 * @throws Error that contains the column and, for multi-line text, the line.
 */
function parseJson(text: string, label: string): unknown {
  try {
    return JSON.parse(text.charCodeAt(0) === 0xfeff ? text.slice(1) : text);
  } catch (error) {
    if (text.trim() === "") throw new Error(`${label} is empty; pass a JSON object`);
    const errors: ParseError[] = [];
    parseTree(text, errors, { disallowComments: true, allowEmptyContent: false });
    const [first] = errors;
    if (!first) throw new Error(`${label} is not valid JSON (${(error as Error).message})`);
    const linesBefore = text.slice(0, first.offset).split("\n");
    const description = printParseErrorCode(first.error)
      .replace(/(?<=[a-z])[A-Z]/g, (letter) => ` ${letter.toLowerCase()}`)
      .toLowerCase();
    const line = text.trimEnd().includes("\n") ? `line ${linesBefore.length}, ` : "";
    throw new Error(
      `${label} is not valid JSON: ${line}column ${(linesBefore.at(-1) as string).length + 1}: ${description}`,
    );
  }
}

/** @throws Error if the text isn't a JSON object. */
export function parseJsonObject(text: string, label: string): Record<string, unknown> {
  const value = parseJson(text, label);
  if (typeof value !== "object" || value === null || Array.isArray(value))
    throw new Error(`${label} is not a JSON object`);
  return value as Record<string, unknown>;
}

export function isJsonObject(text: string): boolean {
  try {
    parseJsonObject(text, "");
    return true;
  } catch {
    return false;
  }
}
