import { type AST, parseTOML } from "toml-eslint-parser";

type Node = AST.TOMLTable | AST.TOMLKeyValue;

const getNodeKeys = (node: Node): readonly (string | number)[] =>
  node.type === "TOMLTable"
    ? node.resolvedKey
    : node.key.keys.map((key) => (key.type === "TOMLBare" ? key.name : key.value));

function getInnerNodes(node: Node): readonly Node[] {
  if (node.type === "TOMLTable") return node.body;
  return node.value.type === "TOMLInlineTable" ? node.value.body : [];
}

function findLineInNodes(nodes: readonly Node[], path: readonly string[]): number | undefined {
  for (const node of nodes) {
    const keys = getNodeKeys(node);
    if (keys.some((key, at) => key !== path[at])) continue;
    const rest = path.slice(keys.length);
    const found = rest.length === 0 ? node.loc.start.line : findLineInNodes(getInnerNodes(node), rest);
    if (found !== undefined) return found;
  }
  return undefined;
}

/** Returns the line of a TOML document that sets a key, in any notation. */
export const findLine = (text: string, path: readonly string[]): number | undefined =>
  findLineInNodes(parseTOML(text).body[0].body, path);
