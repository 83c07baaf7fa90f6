import { getValueAt } from "../../../protocol/object.ts";
import { stringify } from "smol-toml";
import { type AST, parseTOML } from "toml-eslint-parser";
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

/** Formats an element of an array of tables, with nested tables: `[[a.b]]`, its values, `[[a.b.c]]`, … */
function formatTables(path: DocumentPath, element: Record<string, unknown>): string[] {
  const header = `[[${path.map(formatKey).join(".")}]]`;
  const plain = Object.entries(element).filter(([, value]) => !isTableArray(value));
  const nested = Object.entries(element).filter(([, value]) => isTableArray(value)) as [
    string,
    Record<string, unknown>[],
  ][];
  const lines = plain.map(([key, value]) => stringify({ [key]: value }).trim());
  return [
    header,
    ...lines,
    ...nested.flatMap(([key, items]) => items.flatMap((item) => formatTables([...path, key], item))),
  ];
}

/** Creates an editor for a TOML document. New values go into their table, new tables to the end. */
export function createTomlEditor(initial: string): Editor {
  let text = initial;
  const nodes = () => parseTOML(text).body[0].body;
  const tablesOf = () => nodes().filter((node): node is TomlTable => node.type === "TOMLTable");
  const line = (key: string | number, value: unknown) => stringify({ [key]: value }).trim();

  /** Finds the value of a key, wherever it is written. */
  function valueAt(path: DocumentPath): AST.TOMLKeyValue | undefined {
    const keysOf = (pair: AST.TOMLKeyValue) =>
      pair.key.keys.map((key) => (key.type === "TOMLBare" ? key.name : key.value));
    const pairs = nodes().flatMap((node) =>
      node.type === "TOMLTable"
        ? node.body.map((pair) => ({ pair, path: [...node.resolvedKey, ...keysOf(pair)] }))
        : [{ pair: node, path: keysOf(node) }],
    );
    return pairs.find((found) => isSamePath(found.path, path))?.pair;
  }

  function addBlock(lines: readonly string[]): void {
    const eol = detectLineEnd(text);
    const gap = text === "" ? "" : text.endsWith("\n") ? eol : eol + eol;
    text += gap + lines.join(eol) + eol;
  }

  /** Removes a piece of text with the empty lines in front of it, and the rest of its last line. */
  function cut(from: number, to: number): void {
    const before = text.slice(0, from).trimEnd();
    const kept = /^[ \t]*\r?\n/.exec(text.slice(before.length))?.[0].length ?? 0;
    const rest = /^[^\n]*\n?/.exec(text.slice(to))?.[0].length ?? 0;
    text = applyChanges(text, [
      { from: before && before.length + kept <= from ? before.length + kept : from, to: to + rest, text: "" },
    ]);
  }

  return {
    get text() {
      return text;
    },
    value: () => Bun.TOML.parse(text),
    set(path, value) {
      if (isTableArray(value)) return value.forEach((element) => addBlock(formatTables(path, element)));
      const parent = path.slice(0, -1);
      const key = path.at(-1) as string;
      const pair = valueAt(path);
      const table = tablesOf().find(({ resolvedKey }) => isSamePath(resolvedKey, parent));
      if (pair)
        text = applyChanges(text, [
          { from: pair.value.range[0], to: pair.value.range[1], text: line(key, value).slice(line(key, 0).length - 1) },
        ]);
      else if (table) {
        const from = table.range[1] + (/^[^\r\n]*/.exec(text.slice(table.range[1]))?.[0].length ?? 0);
        text = applyChanges(text, [{ from, to: from, text: detectLineEnd(text) + line(key, value) }]);
      } else addBlock([`[${parent.map(formatKey).join(".")}]`, line(key, value)]);
    },
    isBare: (path) => {
      const found = getValueAt(Bun.TOML.parse(text), path);
      return typeof found === "object" && found !== null && Object.keys(found).length === 0;
    },
    append(path, value) {
      const pair = valueAt(path);
      if (pair && (getValueAt(Bun.TOML.parse(text), path) as unknown[]).length > 0) {
        throw new Error(
          `${path.join(".")} is written as an inline array, which no table can be added to; write its elements as [[${path.join(".")}]]`,
        );
      }
      // An empty array means the same as no array.
      if (pair) this.remove(path);
      addBlock(formatTables(path, value as Record<string, unknown>));
    },
    remove(path) {
      const inside = tablesOf().filter((table) => isTableUnder(table, path));
      for (const { range } of inside.toReversed()) cut(range[0], range[1]);
      const pair = inside.length === 0 ? valueAt(path) : undefined;
      if (pair) {
        const from = text.lastIndexOf("\n", pair.range[0] - 1) + 1;
        text = applyChanges(text, [
          { from, to: pair.range[1] + (/^[^\n]*\n?/.exec(text.slice(pair.range[1]))?.[0].length ?? 0), text: "" },
        ]);
        // Remove a header that has become empty, next to tables that imply it.
        const around = tablesOf().filter((table) => isTableUnder(table, path.slice(0, -1)));
        const bare = around.find(
          ({ resolvedKey, body }) => isSamePath(resolvedKey, path.slice(0, -1)) && body.length === 0,
        );
        if (bare && around.length > 1) cut(bare.range[0], bare.range[1]);
      } else if (inside.length === 0) {
        throw new Error(
          `${path.join(".")} is in a form that can't be edited here (an inline table); remove it by hand`,
        );
      }
    },
  };
}
