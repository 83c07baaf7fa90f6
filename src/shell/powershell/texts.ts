import type { WordSegment } from "../scope.ts";

/** A piece of a value; `isBare` is text of a word without quotes. */
export interface Segment extends WordSegment {
  isBare?: true;
}
/** One text, as far as it is known: what is live stands as a POSIX shell would write it, `$HOME`, `$(…)`. */
export type Text = readonly Segment[];
/** What an expression gives; undefined if that is unknown. */
export type Value = readonly Text[] | undefined;

export const createText = (text: string): Text => [{ text, live: false }];
export const createLiveText = (text: string): Text => [{ text, live: true }];
export const createUnknown = (source: string): Text =>
  createLiveText(`$(${source.slice(0, 200).replace(/[()`\\$]/g, " ")})`);

export const joinText = (text: Text): string =>
  text.length === 1 ? (text[0] as Segment).text : text.map((segment) => segment.text).join("");
export const isKnown = (text: Text): boolean => text.every(({ live }) => !live);
/** The text if all of it is known. */
export const getKnownText = (text: Text | undefined): string | undefined =>
  text && isKnown(text) ? joinText(text) : undefined;

/** The value of a variable that the line sets, to whatever it is: it is not empty. */
export const createAssigned = (name: string): Text =>
  /^\w+$/.test(name) ? createLiveText(`\${${name}:?}`) : createUnknown(name);

export function joinTexts(texts: readonly Text[], between: string): Text {
  if (texts.length === 1) return texts[0] as Text;
  return texts.flatMap((text, at) => (at > 0 && between !== "" ? [{ text: between, live: false }, ...text] : text));
}

export const findLastPart = (path: string): number => Math.max(path.lastIndexOf("/"), path.lastIndexOf("\\")) + 1;

/** The folder and the pattern of `folder\*.log`. */
export function splitPattern(text: Text): { folder: Text; name?: string } {
  const last = text.at(-1);
  const at = findLastPart(last?.text ?? "");
  const name = last?.text.slice(at) ?? "";
  if (!last || last.live || !/[*?[]/.test(name)) return { folder: text };
  // The top of a drive keeps its slash, and so does a variable that may be empty.
  const rest = last.text.slice(0, at);
  const isTop = text.length === 1 ? /^(?:[A-Za-z]:)?[\\/]$/.test(rest) : text.length === 2 && /^[\\/]$/.test(rest);
  const folder = [...text.slice(0, -1), ...createText(isTop ? rest : rest.slice(0, -1))].filter(
    (one) => one.text !== "",
  );
  return { folder: folder.length === 0 ? createText(".") : folder, name };
}
