/** The path of a value in a document. */
export type DocumentPath = readonly (string | number)[];

/** A document that is edited piece by piece; everything else keeps its bytes. */
export interface Editor {
  readonly text: string;
  /** Returns the current value of the document. */
  value: () => unknown;
  /** Sets the value at a path; missing objects on the way are created. */
  set: (path: DocumentPath, value: unknown) => void;
  /** Appends to the array at a path. */
  append: (path: DocumentPath, value: unknown) => void;
  /** Removes the value at a path. */
  remove: (path: DocumentPath) => void;
  /** Whether the value at a path is an empty list or object, without a comment in it. */
  isBare: (path: DocumentPath) => boolean;
}

/** Shows a document that is a `hooks` object as one that has it. */
export function nestInHooks(editor: Editor): Editor {
  const inside = ([, ...path]: DocumentPath): DocumentPath => path;
  return {
    get text() {
      return editor.text;
    },
    value: () => ({ hooks: editor.value() }),
    set: (path, value) => editor.set(inside(path), value),
    append: (path, value) => editor.append(inside(path), value),
    remove: (path) => editor.remove(inside(path)),
    isBare: (path) => editor.isBare(inside(path)),
  };
}

/** A replacement for a piece of text. */
export interface TextChange {
  from: number;
  to: number;
  text: string;
}

/** Applies changes that don't overlap; changes at the same offset are applied in their order. */
export const applyChanges = (text: string, changes: readonly TextChange[]): string =>
  [...changes]
    .reverse()
    .toSorted((a, b) => b.from - a.from)
    .reduce((all, { from, to, text: piece }) => all.slice(0, from) + piece + all.slice(to), text);

export const detectLineEnd = (text: string): string => (/\r\n/.test(text) ? "\r\n" : "\n");
