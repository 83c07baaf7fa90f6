import { getValueAt } from "../../../protocol/object.ts";
import { stringify } from "smol-toml";
import type { AST } from "toml-eslint-parser";
import { parseTomlDocument, parseTomlTree } from "../../../hosts/setup/toml.ts";
import { applyChanges, type Editor, detectLineEnd, type DocumentPath } from "./editor.ts";

type TomlTable = AST.TOMLTable;
const isSamePath = (a: DocumentPath, b: DocumentPath) =>
  a.length === b.length && a.every((key, index) => key === b[index]);
const isTableUnder = (table: TomlTable, path: DocumentPath) =>
  isSamePath(table.resolvedKey.slice(0, path.length), path);

/** Formats a key for a TOML header. */
const formatKey = (key: string | number) => (/^[\w-]+$/.test(String(key)) ? String(key) : JSON.stringify(key));
const isTableArray = (value: unknown): value is Record<string, unknown>[] =>
  Array.isArray(value) && value.length > 0 && value.every((item) => typeof item === "object" && item !== null);

/** Formats one element of an array of tables, including nested tables: `[[a.b]]`, its values, `[[a.b.c]]`, … */
function formatTables(path: DocumentPath, element: Record<string, unknown>): string[] {
  const header = `[[${path.map(formatKey).join(".")}]]`;
  const plain = Object.entries(element).filter(([, value]) => !isTableArray(value));
  const nestedTables = Object.entries(element).filter(([, value]) => isTableArray(value)) as [
    string,
    Record<string, unknown>[],
  ][];
  const lines = plain.map(([key, value]) => stringify({ [key]: value }).trim());
  return [
    header,
    ...lines,
    ...nestedTables.flatMap(([key, items]) => items.flatMap((item) => formatTables([...path, key], item))),
  ];
}

const parseNodes = (text: string) => parseTomlTree(text).body[0].body;
const listTables = (text: string) => parseNodes(text).filter((node): node is TomlTable => node.type === "TOMLTable");
const formatPair = (key: string | number, value: unknown) => stringify({ [key]: value }).trim();

/** Finds a key-value pair, whichever TOML notation it uses. */
function findPair(text: string, path: DocumentPath): AST.TOMLKeyValue | undefined {
  const getKeyNames = (pair: AST.TOMLKeyValue) =>
    pair.key.keys.map((key) => (key.type === "TOMLBare" ? key.name : key.value));
  const pairs = parseNodes(text).flatMap((node) =>
    node.type === "TOMLTable"
      ? node.body.map((pair) => ({ pair, path: [...node.resolvedKey, ...getKeyNames(pair)] }))
      : [{ pair: node, path: getKeyNames(node) }],
  );
  return pairs.find((candidate) => isSamePath(candidate.path, path))?.pair;
}

function addBlock(text: string, lines: readonly string[]): string {
  const eol = detectLineEnd(text);
  const gap = text === "" ? "" : text.endsWith("\n") ? eol : eol + eol;
  return text + gap + lines.join(eol) + eol;
}

/** Removes a range, the blank lines before it, and the rest of its last line. */
function removeRange(text: string, [from, to]: readonly [number, number]): string {
  const preceding = text.slice(0, from).trimEnd();
  const lineBreakLength = /^[ \t]*\r?\n/.exec(text.slice(preceding.length))?.[0].length ?? 0;
  const lineRestLength = /^[^\n]*\n?/.exec(text.slice(to))?.[0].length ?? 0;
  return applyChanges(text, [
    {
      from: preceding && preceding.length + lineBreakLength <= from ? preceding.length + lineBreakLength : from,
      to: to + lineRestLength,
      text: "",
    },
  ]);
}

/** Writes a value: replaces the existing value, or adds the value to an existing or new table. */
function writeValue(text: string, path: DocumentPath, value: unknown): string {
  const parent = path.slice(0, -1);
  const key = path.at(-1) as string;
  const pair = findPair(text, path);
  if (pair) {
    const valueText = formatPair(key, value).slice(formatPair(key, 0).length - 1);
    return applyChanges(text, [{ from: pair.value.range[0], to: pair.value.range[1], text: valueText }]);
  }
  const table = listTables(text).find(({ resolvedKey }) => isSamePath(resolvedKey, parent));
  if (!table) return addBlock(text, [`[${parent.map(formatKey).join(".")}]`, formatPair(key, value)]);
  const from = table.range[1] + (/^[^\r\n]*/.exec(text.slice(table.range[1]))?.[0].length ?? 0);
  return applyChanges(text, [{ from, to: from, text: detectLineEnd(text) + formatPair(key, value) }]);
}

/** Removes a key's line. If the table is then empty and other tables imply it, also removes its header. */
function removePair(text: string, path: DocumentPath, pair: AST.TOMLKeyValue): string {
  const parent = path.slice(0, -1);
  const from = text.lastIndexOf("\n", pair.range[0] - 1) + 1;
  const to = pair.range[1] + (/^[^\n]*\n?/.exec(text.slice(pair.range[1]))?.[0].length ?? 0);
  const remainingText = applyChanges(text, [{ from, to, text: "" }]);
  const parentTables = listTables(remainingText).filter((table) => isTableUnder(table, parent));
  const emptyTable = parentTables.find(({ resolvedKey, body }) => isSamePath(resolvedKey, parent) && body.length === 0);
  return emptyTable && parentTables.length > 1 ? removeRange(remainingText, emptyTable.range) : remainingText;
}

/**
 * Removes the value at a path.
 * @throws Error for a value inside an inline table.
 */
function removeValue(text: string, path: DocumentPath): string {
  const tables = listTables(text).filter((table) => isTableUnder(table, path));
  if (tables.length > 0)
    return tables.toReversed().reduce((remainingText, { range }) => removeRange(remainingText, range), text);
  const pair = findPair(text, path);
  if (pair) return removePair(text, path, pair);
  throw new Error(`${path.join(".")} is an inline table, which can't be edited automatically; remove it manually`);
}

/** Creates an editor for TOML. New values go into their table, and new tables at the end of the document. */
export function createTomlEditor(initial: string): Editor {
  let text = initial;
  return {
    get text() {
      return text;
    },
    value: () => parseTomlDocument(text),
    set(path, value) {
      if (!isTableArray(value)) text = writeValue(text, path, value);
      else for (const element of value) text = addBlock(text, formatTables(path, element));
    },
    isBare: (path) => {
      const current = getValueAt(parseTomlDocument(text), path);
      return typeof current === "object" && current !== null && Object.keys(current).length === 0;
    },
    append(path, value) {
      const isWritten = findPair(text, path) !== undefined;
      if (isWritten && (getValueAt(parseTomlDocument(text), path) as unknown[]).length > 0) {
        throw new Error(
          `${path.join(".")} is an inline array, which can't be extended with tables; write its elements as [[${path.join(".")}]]`,
        );
      }
      // An empty array is equivalent to a missing array.
      if (isWritten) text = removeValue(text, path);
      text = addBlock(text, formatTables(path, value as Record<string, unknown>));
    },
    remove(path) {
      text = removeValue(text, path);
    },
  };
}
