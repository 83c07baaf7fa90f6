import { unescapeText } from "./strings.ts";

/** Matches code that reads an environment variable, and captures the variable's name. */
const ENVIRONMENT_VARIABLE =
  /\{\s{0,3}(\w{1,60})\s{0,3}\}\s{0,3}=\s{0,3}(?:process|Bun)\.env\b(?![.[])|(?:\b(?:os\.)?environ|\b(?:process|Bun|Deno)\.env|\bENV(?:IRON)?|\$_(?:ENV|SERVER))\s{0,3}(?:\[\s{0,3}|\.(?:get|fetch)\(\s{0,3})["'](\w{1,60})["'](?:\s{0,3},[^()[\]]{0,60})?[\])]|\b(?:os\.)?(?:getenv|get_env)\(\s{0,3}["'](\w{1,60})["'](?:\s{0,3},[^()[\]]{0,60})?\)|\b(?:process|Bun)\.env\.(\w{1,60})|\$ENV\{["']?(\w{1,60})["']?\}/g;

/** A call that evaluates a string literal as code. */
const EVALUATION_CALL =
  /\b(?:exec|eval|(?:instance|class|module)_eval|runIn\w{1,20}Context|Function|assert)[\s(]{1,4}(["'`])((?:(?!\1)[^\\]|\\[^])*)\1/g;
const MAX_EVALUATED_STRINGS = 16;

/**
 * Quote character for generated code. Awk only has double quotes; in other languages, single quotes prevent
 * interpolation.
 */
type CodeQuoteMark = '"' | "'";

function quoteString(text: string, quote: CodeQuoteMark): string {
  return `${quote}${text.replace(/[\\"'\n]/g, (character) => (character === "\n" ? "\\n" : `\\${character}`))}${quote}`;
}

/** Maximum total length of the inserted variable values. */
const MAX_FILLED_LENGTH = 20_000;

/** Replaces environment variables in code with their known values. */
export function fillVariables(
  code: string,
  quote: CodeQuoteMark,
  getValue: (name: string) => string | undefined,
): string {
  let remainingLength = MAX_FILLED_LENGTH;
  return code.replace(ENVIRONMENT_VARIABLE, (match: string, ...groups: (string | undefined)[]) => {
    const [variableName, ...otherGroups] = groups;
    const value = getValue(variableName ?? otherGroups.slice(0, 4).find((name) => name !== undefined) ?? "");
    remainingLength -= value?.length ?? 0;
    if (value === undefined || remainingLength < 0) return match;
    return `${variableName === undefined ? "" : `${variableName} = `}${quoteString(value, quote)}`;
  });
}

/** Lists the string literals that code evaluates: `exec("import os")`. */
export const listEvaluatedStrings = (code: string): string[] =>
  [...code.matchAll(EVALUATION_CALL).take(MAX_EVALUATED_STRINGS)].map(([, , text = ""]) => unescapeText(text));
