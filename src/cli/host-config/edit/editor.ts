/** Where a value stands in a document. */
export type DocumentPath = readonly (string | number)[];

/** A document that is changed piece by piece; all that is not touched keeps its bytes. */
export interface Editor {
  readonly text: string;
  /** The document as it is now. */
  value: () => unknown;
  /** Puts a value at a path; missing objects on the way are made. */
  set: (path: DocumentPath, value: unknown) => void;
  /** Adds to the array at a path. */
  append: (path: DocumentPath, value: unknown) => void;
  /** Takes away what is at a path. */
  remove: (path: DocumentPath) => void;
  /** Whether there is an empty list or object at a path, and no comment in it. */
  isBare: (path: DocumentPath) => boolean;
}

/** A piece of text that takes the place of another. */
export interface TextChange {
  from: number;
  to: number;
  text: string;
}

/** A text with changes made, which don't overlap; those at one place in their order. */
export const applyChanges = (text: string, changes: readonly TextChange[]): string =>
  [...changes]
    .reverse()
    .toSorted((a, b) => b.from - a.from)
    .reduce((all, { from, to, text: piece }) => all.slice(0, from) + piece + all.slice(to), text);

/** What is at a path of a value. */
export const getValueAt = (value: unknown, path: DocumentPath): unknown =>
  path.reduce<unknown>(
    (found, key) =>
      typeof found === "object" && found !== null ? (found as Record<string | number, unknown>)[key] : undefined,
    value,
  );

/** How a text ends its lines. */
export const detectLineEnd = (text: string): string => (/\r\n/.test(text) ? "\r\n" : "\n");
