import { ParseError, parseTOML } from "toml-eslint-parser";
import type * as v from "valibot";
import type { ConfigProblem } from "../../protocol/host/install.ts";
import { listSchemaIssues } from "./json-problems.ts";

/** Lists the reasons why a host would reject a TOML document, or parts of it; `drops`: the consequence. */
export function findTomlProblems(text: string, schema: v.GenericSchema, drops: string): ConfigProblem[] {
  try {
    parseTOML(text);
    return listSchemaIssues(schema, Bun.TOML.parse(text)).map(({ path, message }) => ({
      message: `${path.join(".")}: ${message}; ${drops}`,
    }));
  } catch (error) {
    return [
      {
        ...(error instanceof ParseError && { offset: error.index }),
        message: `not valid TOML: ${(error as Error).message}`,
      },
    ];
  }
}
