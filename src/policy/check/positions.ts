import { findNodeAtLocation, parseTree } from "jsonc-parser";

/** Returns the line and column of a path in a document, both starting at 1. */
export type LocateInFile = (path: readonly (string | number)[]) => { line: number; column: number };

/**
 * Creates a function that finds the position of a key or item in JSON with comments. If the path is missing, it returns
 * the position of the nearest parent.
 */
export function createLocator(text: string): LocateInFile {
  // Don't count a byte order mark as a column.
  const plain = text.replace(/^\ufeff/, "");
  const root = parseTree(plain, [], { allowTrailingComma: true });
  return (path) => {
    let node = root;
    for (let length = path.length; root && length > 0; length--) {
      const match = findNodeAtLocation(root, path.slice(0, length));
      if (!match) continue;
      node = match.parent?.type === "property" ? match.parent : match;
      break;
    }
    const precedingLines = plain.slice(0, node?.offset ?? 0).split("\n");
    return { line: precedingLines.length, column: (precedingLines.at(-1) as string).length + 1 };
  };
}
