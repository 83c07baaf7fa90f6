import { unescapeText } from "./strings.ts";

/** Where code reads a variable of the environment, by the name in one of the groups. */
const VARIABLE =
  /\{\s{0,3}(\w{1,60})\s{0,3}\}\s{0,3}=\s{0,3}(?:process|Bun)\.env\b(?![.[])|(?:\b(?:os\.)?environ|\b(?:process|Bun|Deno)\.env|\bENV(?:IRON)?|\$_(?:ENV|SERVER))\s{0,3}(?:\[\s{0,3}|\.(?:get|fetch)\(\s{0,3})["'](\w{1,60})["'](?:\s{0,3},[^()[\]]{0,60})?[\])]|\b(?:os\.)?(?:getenv|get_env)\(\s{0,3}["'](\w{1,60})["'](?:\s{0,3},[^()[\]]{0,60})?\)|\b(?:process|Bun)\.env\.(\w{1,60})|\$ENV\{["']?(\w{1,60})["']?\}/g;

/** Where code evaluates a string of its own as code. */
const EVALUATION =
  /\b(?:exec|eval|(?:instance|class|module)_eval|runIn\w{1,20}Context|Function|assert)[\s(]{1,4}(["'`])((?:(?!\1)[^\\]|\\[^])*)\1/g;
const MOST_EVALUATED = 16;

/** The quotes of strings in code: awk knows only double ones, and elsewhere nothing is filled in between single ones. */
type CodeQuote = '"' | "'";

function quoteString(text: string, quote: CodeQuote): string {
  return `${quote}${text.replace(/[\\"'\n]/g, (sign) => (sign === "\n" ? "\\n" : `\\${sign}`))}${quote}`;
}

/** Longer values in all are not put into code. */
const MOST_FILLED = 20_000;

/** Code with the values of the variables of the environment that it reads, as far as they are known. */
export function fillVariables(code: string, quote: CodeQuote, getValue: (name: string) => string | undefined): string {
  let left = MOST_FILLED;
  return code.replace(VARIABLE, (all: string, ...groups: (string | undefined)[]) => {
    const [taken, ...others] = groups;
    const value = getValue(taken ?? others.slice(0, 4).find((name) => name !== undefined) ?? "");
    left -= value?.length ?? 0;
    if (value === undefined || left < 0) return all;
    return `${taken === undefined ? "" : `${taken} = `}${quoteString(value, quote)}`;
  });
}

/** The strings that code evaluates: `exec("import os")`. */
export const listEvaluated = (code: string): string[] =>
  [...code.matchAll(EVALUATION).take(MOST_EVALUATED)].map(([, , text = ""]) => unescapeText(text));
