import { type Node, type ParseError, parseTree, printParseErrorCode } from "jsonc-parser";
import type { Flaw } from "../core/setup.ts";

/** What a host takes in its JSON beyond the standard. */
export interface Allows {
  comments: boolean;
  trailingComma: boolean;
  bom: boolean;
}

/** Offsets stay those of the text: a BOM counts as a character. */
const withoutBom = (text: string) => text.replace(/^\ufeff/, " ");

/** The document as a tree, for a check of what stands in it; nothing where it does not parse. */
export function jsonTree(text: string): Node | undefined {
  const errors: ParseError[] = [];
  const root = parseTree(withoutBom(text), errors, { allowTrailingComma: true });
  return errors.length === 0 ? root : undefined;
}

/** Why a host would not read the text: the first thing that it stumbles over, since all that follows may come from that. */
export function jsonFlaws(text: string, allows: Allows): Flaw[] {
  if (text.startsWith("\ufeff") && !allows.bom)
    return [{ offset: 0, message: "a byte order mark (BOM); save the file as UTF-8 without one" }];
  const errors: ParseError[] = [];
  const plain = withoutBom(text);
  const root = parseTree(plain, errors, { allowTrailingComma: allows.trailingComma, disallowComments: !allows.comments });
  const [first] = errors.sort((one, other) => one.offset - other.offset);
  if (first) return [flawOf(plain, first)];
  return root?.type === "object" ? [] : [{ offset: 0, message: "no object; the file has to be one, in braces" }];
}

function flawOf(text: string, { error, offset }: ParseError): Flaw {
  const name = printParseErrorCode(error);
  if (name === "InvalidCommentToken") return { offset, message: "a comment; remove it" };
  const comma = /,\s*$/.exec(text.slice(0, offset));
  if (comma && /^[}\]]/.test(text.slice(offset))) return { offset: comma.index, message: "a trailing comma; remove it" };
  const words = name.replace(/(?!^)([A-Z])/g, (letter) => ` ${letter.toLowerCase()}`);
  return { offset, message: `no JSON from here on (${words.toLowerCase()}); mend the syntax` };
}

/** A string that must be a pattern, as JavaScript and a host's own word for "all" read it. */
export function isPattern(matcher: string): boolean {
  if (matcher === "*") return true;
  try {
    return new RegExp(matcher) instanceof RegExp;
  } catch {
    return false;
  }
}
