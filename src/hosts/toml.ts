import { ParseError, parseTOML } from "toml-eslint-parser";
import type * as v from "valibot";
import type { ConfigProblem } from "../protocol/host/install.ts";
import { listSchemaIssues } from "./json-problems.ts";

/** Why a host would not read a TOML document, or not as it stands; `drops`: what it does then. */
export function tomlFlaws(text: string, schema: v.GenericSchema, drops: string): ConfigProblem[] {
  try {
    parseTOML(text);
    return listSchemaIssues(schema, Bun.TOML.parse(text)).map(({ path, message }) => ({
      message: `${path.join(".")}: ${message}; ${drops}`,
    }));
  } catch (error) {
    return [
      { ...(error instanceof ParseError && { offset: error.index }), message: `no TOML: ${(error as Error).message}` },
    ];
  }
}
