import type { WordSegment } from "../scope.ts";

/** A segment of a value. `isBare` marks unquoted text. */
export interface Segment extends WordSegment {
  isBare?: true;
}
/** A string, which may contain unknown parts. Dynamic segments use POSIX syntax: `$HOME`, `$(…)`. */
export type Text = readonly Segment[];
/** Value of an expression. Undefined if unknown. */
export type Value = readonly Text[] | undefined;

export const createText = (text: string): Text => [{ text, isDynamic: false }];
export const createDynamicText = (text: string): Text => [{ text, isDynamic: true }];
export const createUnknownValue = (source: string): Text =>
  createDynamicText(`$(${source.slice(0, 200).replace(/[()`\\$]/g, " ")})`);

export const joinText = (text: Text): string =>
  text.length === 1 ? (text[0] as Segment).text : text.map((segment) => segment.text).join("");
export const isKnown = (text: Text): boolean => text.every(({ isDynamic }) => !isDynamic);
/** Returns the string if all of it is known. */
export const getKnownText = (text: Text | undefined): string | undefined =>
  text && isKnown(text) ? joinText(text) : undefined;

/** Returns a reference to an assigned variable whose value is unknown but not empty. */
export const createAssignedVariable = (name: string): Text =>
  /^\w+$/.test(name) ? createDynamicText(`\${${name}:?}`) : createUnknownValue(name);

export function joinTexts(texts: readonly Text[], separator: string): Text {
  if (texts.length === 1) return texts[0] as Text;
  return texts.flatMap((text, at) =>
    at > 0 && separator !== "" ? [{ text: separator, isDynamic: false }, ...text] : text,
  );
}

export const findLastPart = (path: string): number => Math.max(path.lastIndexOf("/"), path.lastIndexOf("\\")) + 1;

/** Splits a path such as `dir\*.log` into its directory and name pattern. */
export function splitPattern(text: Text): { folder: Text; name?: string } {
  const lastSegment = text.at(-1);
  const at = findLastPart(lastSegment?.text ?? "");
  const name = lastSegment?.text.slice(at) ?? "";
  if (!lastSegment || lastSegment.isDynamic || !/[*?[]/.test(name)) return { folder: text };
  // The root of a drive keeps its slash, and so does a variable that may be empty.
  const folderText = lastSegment.text.slice(0, at);
  const isDriveRoot =
    text.length === 1 ? /^(?:[A-Za-z]:)?[\\/]$/.test(folderText) : text.length === 2 && /^[\\/]$/.test(folderText);
  const folder = [...text.slice(0, -1), ...createText(isDriveRoot ? folderText : folderText.slice(0, -1))].filter(
    (segment) => segment.text !== "",
  );
  return { folder: folder.length === 0 ? createText(".") : folder, name };
}
