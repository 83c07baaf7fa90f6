import type { Word as Source, WordPart } from "unbash";
import { expandBraces } from "./braces.ts";
import { parseScript, countSteps } from "../parser.ts";
import type { ShellReader, ShellScope } from "../scope.ts";

/** Characters with a special meaning in a word. */
export const SPECIAL_CHARACTER = /[\\'"$`~*?[{(]/;

/** Words of at least this length have their special characters counted as steps before parsing. */
const MIN_COUNTED_LENGTH = 1000;

export function getWordParts(word: Source, reader: ShellReader): readonly WordPart[] {
  if (word.text.length > MIN_COUNTED_LENGTH) countSteps(reader, (word.text.match(/[\\'"$`*?[{]/g)?.length ?? 0) >> 2);
  const parts = word.parts ?? [{ type: "Literal", text: word.text, value: word.value, pos: word.pos, end: word.end }];
  countSteps(reader, word.parts ? 2 + parts.length : 1);
  return parts;
}

/** Lists the words that a brace expansion produces, each as a list of parts. */
export function listBraceAlternatives(word: Source, scope: ShellScope): (readonly WordPart[])[] {
  const parts = getWordParts(word, scope.reader);
  if (!parts.some(({ type }) => type === "BraceExpansion")) return [parts];
  const texts = expandBraces(word.text);
  if (!texts) return [parts];
  return texts.map((text) => {
    if (!SPECIAL_CHARACTER.test(text)) return [{ type: "Literal", text, value: text, pos: 0, end: text.length }];
    const command = parseScript(`: ${text}`, scope.reader).commands[0]?.command;
    const argument = command?.type === "Command" ? command.args[0] : undefined;
    return argument?.type === "Word" ? getWordParts(argument, scope.reader) : [];
  });
}
