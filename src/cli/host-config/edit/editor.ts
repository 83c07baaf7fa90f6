/** Where a value stands in a document. */
export type Path = readonly (string | number)[];

/** A document that is changed piece by piece; all that is not touched keeps its bytes. */
export interface Editor {
  readonly text: string;
  /** The document as it is now. */
  value: () => unknown;
  /** Puts a value at a path; missing objects on the way are made. */
  set: (path: Path, value: unknown) => void;
  /** Adds to the array at a path. */
  append: (path: Path, value: unknown) => void;
  /** Takes away what is at a path. */
  remove: (path: Path) => void;
  /** Whether there is an empty list or object at a path, and no comment in it. */
  isBare: (path: Path) => boolean;
}

/** A piece of text that takes the place of another. */
export interface Change {
  from: number;
  to: number;
  text: string;
}

/** A text with changes made, which don't overlap; those at one place in their order. */
export const changed = (text: string, changes: readonly Change[]): string =>
  [...changes]
    .reverse()
    .toSorted((a, b) => b.from - a.from)
    .reduce((all, { from, to, text: piece }) => all.slice(0, from) + piece + all.slice(to), text);

/** What is at a path of a value. */
export const at = (value: unknown, path: Path): unknown =>
  path.reduce<unknown>(
    (found, key) =>
      typeof found === "object" && found !== null ? (found as Record<string | number, unknown>)[key] : undefined,
    value,
  );

/** How a text ends its lines. */
export const lineEnd = (text: string): string => (/\r\n/.test(text) ? "\r\n" : "\n");
