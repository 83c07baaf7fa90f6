import { findNodeAtLocation, getNodeValue, type Node, parseTree, visit } from "jsonc-parser";
import { type TextChange, applyChanges, type Editor, detectLineEnd, type DocumentPath } from "./editor.ts";

const getNodeEnd = ({ offset, length }: Node) => offset + length;
const isSpace = (char: string | undefined) => char !== undefined && " \t\r\n".includes(char);

/** Returns the start of the whitespace before an offset. */
function findWhitespaceStart(text: string, offset: number): number {
  let from = offset;
  while (isSpace(text[from - 1])) from--;
  return from;
}

/** Returns the indentation of the line at an offset. */
const getIndent = (text: string, offset: number) =>
  /^[ \t]*/.exec(text.slice(text.lastIndexOf("\n", offset - 1) + 1))?.[0] ?? "";
const isLineStart = (text: string, offset: number) =>
  text.slice(findWhitespaceStart(text, offset), offset).includes("\n");

/** Finds commas and the ends of line comments, which aren't in the syntax tree. */
function collectDelimiters(text: string) {
  const commas: number[] = [];
  const comments: number[] = [];
  visit(text, {
    onSeparator: (character, offset) => void (character === "," && commas.push(offset)),
    onComment: (offset, length) => void (text.startsWith("//", offset) && comments.push(offset + length)),
  });
  return { comma: (from: number, to: number) => commas.find((offset) => offset >= from && offset < to), comments };
}

/**
 * Detects the document's indentation unit and the indentation of a new child. `indent` is absent if the child belongs
 * on its container's line.
 */
function detectLayout(text: string, root: Node, container: Node): { unit: string; indent?: string; outer: string } {
  const [first] = root.children ?? [];
  const unit = (first && isLineStart(text, first.offset) && getIndent(text, first.offset)) || "  ";
  const outer = getIndent(text, container.offset);
  const last = container.children?.at(-1);
  const isSingleLine = !text.slice(container.offset, getNodeEnd(container)).includes("\n");
  const isCompact = first !== undefined && !text.slice(root.offset, getNodeEnd(root)).includes("\n");
  if (isCompact || (isSingleLine && last)) return { unit, outer };
  return { unit, outer, indent: last && isLineStart(text, last.offset) ? getIndent(text, last.offset) : outer + unit };
}

/**
 * Inserts a child at the end of an object or array. Edits the text directly and uses jsonc-parser only for the syntax
 * tree: the parser's own `modify` would reformat surrounding lines and delete comments next to removed values.
 */
function insertChild(
  text: string,
  root: Node,
  container: Node,
  { key, value }: { key?: string; value: unknown },
): string {
  const closeAt = getNodeEnd(container) - 1;
  const last = container.children?.at(-1);
  const { unit, indent, outer } = detectLayout(text, root, container);
  const eol = detectLineEnd(text);
  const colon = indent === undefined && !/":\s/.test(text) ? ":" : ": ";
  const name = key === undefined ? "" : JSON.stringify(key) + colon;
  const json =
    indent === undefined ? JSON.stringify(value) : JSON.stringify(value, null, unit).replaceAll("\n", eol + indent);
  const trailing = last && collectDelimiters(text).comma(getNodeEnd(last), closeAt) !== undefined;
  const gap = indent !== undefined ? eol + indent : last && colon === ": " ? " " : "";
  const closing = indent !== undefined && !text.slice(container.offset, closeAt).includes("\n") ? eol + outer : "";
  const space = findWhitespaceStart(text, closeAt);
  return applyChanges(text, [
    ...(last && !trailing ? [{ from: getNodeEnd(last), to: getNodeEnd(last), text: "," }] : []),
    { from: space, to: space, text: gap + name + json + (trailing ? "," : "") + closing },
  ]);
}

/** Removes a child of an object or array, but keeps the comments around it. */
function removeChild(text: string, container: Node, child: Node): string {
  const children = container.children ?? [];
  const index = children.indexOf(child);
  const [previous, next] = [children[index - 1], children[index + 1]];
  const { comma, comments } = collectDelimiters(text);
  const closeAt = getNodeEnd(container) - 1;
  const commaAfter = comma(getNodeEnd(child), next?.offset ?? closeAt);
  const ownComma = commaAfter ?? (previous && comma(getNodeEnd(previous), child.offset));
  const space = findWhitespaceStart(text, child.offset);
  const following = text.slice(getNodeEnd(child), next?.offset ?? closeAt).replace(",", "");
  // Don't let the text after the child become part of a line comment before it.
  const from = comments.includes(space) && !/^[ \t]*\r?\n/.test(following) ? child.offset : space;
  const isOnlyChild = children.length === 1 && from === container.offset + 1 && following.trim() === "";
  const changes: TextChange[] = [{ from, to: isOnlyChild ? closeAt : getNodeEnd(child), text: "" }];
  if (ownComma !== undefined && !isOnlyChild) changes.push({ from: ownComma, to: ownComma + 1, text: "" });
  return applyChanges(text, changes);
}

/** Creates an editor for JSON with or without comments. */
export function createJsonEditor(initial: string): Editor {
  let text = initial;
  const parseRoot = () => {
    const root = parseTree(text, [], { allowTrailingComma: true });
    if (!root) throw new Error("the document is empty");
    return root;
  };
  const findContainer = (root: Node, path: DocumentPath) =>
    path.length === 0 ? root : findNodeAtLocation(root, [...path]);
  return {
    get text() {
      return text;
    },
    value: () => getNodeValue(parseRoot()),
    set(path, value) {
      const root = parseRoot();
      const node = findNodeAtLocation(root, [...path]);
      if (node) {
        const { unit } = detectLayout(text, root, root);
        const indent = detectLineEnd(text) + getIndent(text, node.offset);
        text = applyChanges(text, [
          {
            from: node.offset,
            to: getNodeEnd(node),
            text: JSON.stringify(value, null, unit).replaceAll("\n", indent),
          },
        ]);
        return;
      }
      // Create missing parent objects as part of the inserted value.
      const depth = path.findIndex((_, length) => !findContainer(root, path.slice(0, length + 1)));
      const inner = path.slice(depth + 1).reduceRight<unknown>((all, key) => ({ [key]: all }), value);
      text = insertChild(text, root, findContainer(root, path.slice(0, depth)) as Node, {
        key: String(path[depth]),
        value: inner,
      });
    },
    append(path, value) {
      const root = parseRoot();
      text = insertChild(text, root, findContainer(root, path) as Node, { value });
    },
    isBare(path) {
      const node = findNodeAtLocation(parseRoot(), [...path]);
      const [name, value] = node?.parent?.type === "property" ? (node.parent.children ?? []) : [];
      return (
        value !== undefined &&
        name !== undefined &&
        /^\s*:\s*(\[\s*\]|\{\s*\})$/.test(text.slice(getNodeEnd(name), getNodeEnd(value)))
      );
    },
    remove(path) {
      const root = parseRoot();
      const node = findNodeAtLocation(root, [...path]);
      if (!node?.parent) return;
      const child = node.parent.type === "property" ? node.parent : node;
      text = removeChild(text, child.parent as Node, child);
    },
  };
}
