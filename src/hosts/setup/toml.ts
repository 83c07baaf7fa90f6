import { type AST, getStaticTOMLValue, parseTOML } from "toml-eslint-parser";

/**
 * Parses TOML as Codex does [seen 0.169.0, 2026-11-28]: version 1.1, with or without a byte order mark. The mark counts
 * as a character, so that offsets stay those of the text.
 * @throws ParseError
 */
export const parseTomlTree = (text: string): AST.TOMLProgram =>
  parseTOML(text.replace(/^\ufeff/, " "), { tomlVersion: "1.1" });

/**
 * Returns the value of a TOML document. Integers above 2^53 are rounded, and dates are `Date`s: `Bun.TOML` refuses the
 * former, and its values for the latter can't be copied.
 * @throws ParseError
 */
export const parseTomlDocument = (text: string): Record<string, unknown> => getStaticTOMLValue(parseTomlTree(text));

/** Finds an integer that does not fit into this many bits; without one, undefined. */
export function findHugeInteger(node: AST.TOMLNode, bits: number): AST.TOMLNumberValue | undefined {
  if (node.type === "TOMLValue" && node.kind === "integer") {
    const limit = 2n ** BigInt(bits - 1);
    return node.bigint >= limit || node.bigint < -limit ? node : undefined;
  }
  const inner: readonly AST.TOMLNode[] =
    "body" in node ? node.body : "elements" in node ? node.elements : node.type === "TOMLKeyValue" ? [node.value] : [];
  return inner.map((one) => findHugeInteger(one, bits)).find((found) => found !== undefined);
}
