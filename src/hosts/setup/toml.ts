import { type AST, getStaticTOMLValue, parseTOML } from "toml-eslint-parser";

/**
 * Parses TOML as Codex does [seen 0.169.0, 2026-11-28]: version 1.1, with or without a byte order mark, which is
 * replaced by a space to preserve offsets.
 * @throws ParseError
 */
export const parseTomlTree = (text: string): AST.TOMLProgram =>
  parseTOML(text.replace(/^\ufeff/, " "), { tomlVersion: "1.1" });

/**
 * Parses a TOML document to a value. Integers above 2^53 are rounded, and dates become `Date`s. `Bun.TOML` rejects such
 * integers, and its dates can't be cloned.
 * @throws ParseError
 */
export const parseTomlDocument = (text: string): Record<string, unknown> => getStaticTOMLValue(parseTomlTree(text));

/** Finds an integer that does not fit into the given number of bits. */
export function findOversizedInteger(node: AST.TOMLNode, bits: number): AST.TOMLNumberValue | undefined {
  if (node.type === "TOMLValue" && node.kind === "integer") {
    const limit = 2n ** BigInt(bits - 1);
    return node.bigint >= limit || node.bigint < -limit ? node : undefined;
  }
  const children: readonly AST.TOMLNode[] =
    "body" in node ? node.body : "elements" in node ? node.elements : node.type === "TOMLKeyValue" ? [node.value] : [];
  return children.map((child) => findOversizedInteger(child, bits)).find((integer) => integer !== undefined);
}
