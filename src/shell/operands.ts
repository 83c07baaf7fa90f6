import { nameOf } from "./programs.ts";
import { type Access, type Use, useOf } from "./uses.ts";

/** A word of the arguments, or a part of one. */
export interface Piece {
  text: string;
  /** The same as in `Command.dynamic`. */
  dynamic?: string;
}

/** A word of a command that names a file, or may. */
export interface FileUse extends Piece {
  access: Access;
  /** The word as it is written, where `text` is made of more. */
  given?: string;
  /** Perhaps no file at all, or used in another way. */
  uncertain?: true;
  /** It is on another machine, or in a container. */
  remote?: true;
  /** If it is a folder, the files that are put into it. */
  takes?: readonly string[];
}

export const piece = (text: string, dynamic: string | undefined): Piece =>
  dynamic === undefined ? { text } : { text, dynamic };

/** The part of a word behind so many plain characters. */
export const behind = ({ text, dynamic }: Piece, length: number): Piece =>
  piece(text.slice(length), dynamic?.slice(length));

/** The files of a program that is looked up in the table, or of one that isn't known. */
export function used(program: string, words: readonly Piece[]): FileUse[] {
  const use = useOf(program);
  return use ? tabled(use, words) : words.flatMap(perhaps);
}

const has = (list: string | undefined, option: string) => list !== undefined && list.split(" ").includes(option);

/** The value of an option that stands in the same word: `--output=x`, `-ox`. */
export function attached(word: Piece, list: string | undefined): Piece | undefined {
  if (list === undefined) return undefined;
  const equals = word.text.startsWith("--") ? word.text.indexOf("=") : -1;
  if (equals > 0) return has(list, word.text.slice(0, equals)) ? behind(word, equals + 1) : undefined;
  return /^-[^-]./.test(word.text) && has(list, word.text.slice(0, 2)) ? behind(word, 2) : undefined;
}

/** The files in the arguments of a program, by what the table says of it. */
export function tabled(use: Use, words: readonly Piece[]): FileUse[] {
  const found: FileUse[] = [];
  const operands: Piece[] = [];
  const options: string[] = [];
  for (let at = 0; at < words.length; at++) {
    const word = words[at] as Piece;
    if (!/^-./.test(word.text)) operands.push(word);
    else if (word.text === "--") {
      operands.push(...words.slice(at + 1));
      break;
    } else {
      options.push(word.text);
      found.push(...valued(use, word, words[at + 1]));
      if ([use.text, use.reads, use.writes].some((list) => takesNext(list, word.text))) at++;
    }
  }
  const said = (names: readonly string[] | undefined) =>
    options.some((option) => names?.some((name) => stands(name, option)));
  const access = said(use.listing) ? "list" : said(use.inPlace) ? "write" : use.operands;
  if (access === undefined) return found;
  const files = operands.slice(said(use.script) ? 0 : use.skip);
  // `cp -t there a b`
  const into = use.last && found.find((one) => one.access === "write");
  if (into) into.takes = files.map(({ text }) => nameOf(text));
  const last = into ? undefined : use.last;
  files.forEach((word, at) => {
    if (use.own && at > 0) found.push(...perhaps(word));
    else if (last && at > 0 && at === files.length - 1)
      found.push({ ...word, access: last, takes: files.slice(0, -1).map(({ text }) => nameOf(text)) });
    else found.push({ ...word, access });
  });
  return found;
}

/** Whether an option of a list is the word, or the last letter in it: `-m` in `-am`. Then its value is the next word. */
export const takesNext = (list: string | undefined, word: string) =>
  has(list, word) || (/^-[A-Za-z]{2,}$/.test(word) && has(list, `-${word.at(-1)}`));

/** The files in an option's value. */
function valued(use: Use, word: Piece, next: Piece | undefined): FileUse[] {
  for (const [list, access] of [
    [use.reads, "read"],
    [use.writes, "write"],
  ] as const) {
    const value = takesNext(list, word.text) ? next : attached(word, list);
    if (value) return [{ ...value, access }];
  }
  const known = has(use.text, word.text.split("=")[0] as string) || attached(word, use.text) !== undefined;
  return known ? [] : perhaps(word);
}

/** Whether an option is in a word: `-i` in `-i`, `-i.bak` and `-ni`, `--in-place` in `--in-place=.bak`. */
const stands = (name: string, word: string) =>
  name.startsWith("--") ? word.split("=")[0] === name : new RegExp(`^-[A-Za-z]*${name[1]}`).test(word);

/** What may be files in a word of which nothing is known: itself, and what stands behind "=", "@", ":" and an option's letter. */
export function perhaps(word: Piece): FileUse[] {
  if (/^[a-z][a-z0-9+.-]+:\/\//i.test(word.text)) return [];
  const found: Piece[] = !word.text.startsWith("-")
    ? [word]
    : /^-[A-Za-z][./~]/.test(word.text)
      ? [behind(word, 2)]
      : [];
  for (const mark of "=@:") {
    const at = word.text.indexOf(mark) + 1;
    if (at > 0) found.push(piece(word.text.slice(at), word.dynamic?.slice(word.dynamic.indexOf(mark) + 1)));
  }
  return found.map((one) => ({ ...one, access: "write", uncertain: true }));
}
