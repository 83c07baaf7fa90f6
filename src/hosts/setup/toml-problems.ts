import { ParseError, getStaticTOMLValue } from "toml-eslint-parser";
import type * as v from "valibot";
import type { ConfigProblem } from "../../protocol/host/install.ts";
import { listSchemaIssues } from "./json-problems.ts";
import { findOversizedInteger, parseTomlTree } from "./toml.ts";

interface TomlReading {
  /** How much the host ignores because of a problem. See `ConfigProblem`. */
  extent?: ConfigProblem["extent"];
  /** Size of integers in bits. Defaults to 64. */
  bits?: number;
}

/** Lists the reasons why a host would reject a TOML document or parts of it. */
export function findTomlProblems(
  text: string,
  schema: v.GenericSchema,
  consequence: string,
  { extent, bits = 64 }: TomlReading = {},
): ConfigProblem[] {
  try {
    const tree = parseTomlTree(text);
    const hugeInteger = findOversizedInteger(tree, bits);
    if (hugeInteger)
      return [
        {
          offset: hugeInteger.range[0],
          message: `${hugeInteger.number} is an integer that does not fit into ${bits} bits; ${consequence}`,
          extent,
        },
      ];
    return listSchemaIssues(schema, getStaticTOMLValue(tree)).map(({ path, message }) => ({
      message: `${path.join(".")}: ${message}; ${consequence}`,
      path,
      extent,
    }));
  } catch (error) {
    return [
      {
        ...(error instanceof ParseError && { offset: error.index }),
        message: `not valid TOML: ${(error as Error).message}`,
        extent,
      },
    ];
  }
}
