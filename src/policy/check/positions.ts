import { findNodeAtLocation, parseTree } from "jsonc-parser";

/** Where something stands in a file, as `FILE:LINE:COLUMN`; line and column are counted from 1. */
export type LocateInFile = (path: readonly (string | number)[]) => { line: number; column: number };

/** Finds the places of keys and items in JSON with comments; for one that is not there, what it would be in. */
export function createLocator(text: string): LocateInFile {
  // A BOM does not count as a column.
  const plain = text.replace(/^\ufeff/, "");
  const root = parseTree(plain, [], { allowTrailingComma: true });
  return (path) => {
    let node = root;
    for (let length = path.length; root && length > 0; length--) {
      const found = findNodeAtLocation(root, path.slice(0, length));
      if (!found) continue;
      node = found.parent?.type === "property" ? found.parent : found;
      break;
    }
    const before = plain.slice(0, node?.offset ?? 0).split("\n");
    return { line: before.length, column: (before.at(-1) as string).length + 1 };
  };
}
