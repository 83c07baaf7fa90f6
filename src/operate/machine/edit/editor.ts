/** Path to a value in a document: a list of keys and indexes. */
export type DocumentPath = readonly (string | number)[];

/** An editor that changes individual values and preserves all other bytes. */
export interface Editor {
  readonly text: string;
  value: () => unknown;
  /** Sets the value at a path. Missing objects are created. */
  set: (path: DocumentPath, value: unknown) => void;
  append: (path: DocumentPath, value: unknown) => void;
  remove: (path: DocumentPath) => void;
  /** Returns whether the value at a path is an empty list or object that contains no comments. */
  isBare: (path: DocumentPath) => boolean;
}

/** Wraps the editor of a file that contains a bare `hooks` object, so that the object appears under a `hooks` key. */
export function nestInHooks(editor: Editor): Editor {
  const toInnerPath = ([, ...path]: DocumentPath): DocumentPath => path;
  return {
    get text() {
      return editor.text;
    },
    value: () => ({ hooks: editor.value() }),
    set: (path, value) => editor.set(toInnerPath(path), value),
    append: (path, value) => editor.append(toInnerPath(path), value),
    remove: (path) => editor.remove(toInnerPath(path)),
    isBare: (path) => editor.isBare(toInnerPath(path)),
  };
}

/** A replacement of a range of text. */
export interface TextChange {
  from: number;
  to: number;
  text: string;
}

/** Applies changes that don't overlap. Changes at the same offset are applied in order. */
export const applyChanges = (text: string, changes: readonly TextChange[]): string =>
  [...changes]
    .reverse()
    .toSorted((a, b) => b.from - a.from)
    .reduce((all, { from, to, text: piece }) => all.slice(0, from) + piece + all.slice(to), text);

export const detectLineEnd = (text: string): string => (/\r\n/.test(text) ? "\r\n" : "\n");
