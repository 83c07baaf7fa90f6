import { listJoinedStrings } from "../code/constants.ts";
import type { Command } from "../command.ts";
import { listOptionValues } from "./operands.ts";
import { lookUpProgram } from "../programs/index.ts";
import { getOptionTable } from "../programs/options.ts";
import { matchAt } from "../words/text.ts";

/** A file that a sed or awk script reads or writes. */
export interface ScriptFile {
  text: string;
  access: "read" | "write";
}

/** Address that precedes a sed command. */
const SED_ADDRESS = /[\s;{}!,~+\d$0]+|\/(?:[^/\\\n]|\\[^])*\/[IM]*|\\([^\n])(?:(?!\1)[^\\\n]|\\[^])*\1[IM]*/y;
const SED_SUBSTITUTION =
  /s([^\n\\])((?:(?!\1)[^\\\n]|\\[^])*)\1((?:(?!\1)[^\\\n]|\\[^])*)\1([gpimIMe\d]*)(w\s*([^\n]+))?/y;
const SED_TRANSLITERATION = /y([^\n\\])((?:(?!\1)[^\\\n]|\\[^])*)\1((?:(?!\1)[^\\\n]|\\[^])*)\1/y;
/** sed commands whose file name, text or label extends to the end of the line. */
const SED_LINE_COMMAND = /([rRwW])[ \t]*([^\n]+)|[aic:btT#e][^\n]*/y;

/** Lists files used by the sed commands `r`, `R`, `w` and `W`, and by the `w` flag of `s`. */
function listSedFiles(script: string): ScriptFile[] {
  const scriptFiles: ScriptFile[] = [];
  for (let at = 0; at < script.length;) {
    const addressMatch = matchAt(SED_ADDRESS, script, at) ?? matchAt(SED_TRANSLITERATION, script, at);
    const substitution = addressMatch ? null : matchAt(SED_SUBSTITUTION, script, at);
    const line = addressMatch || substitution ? null : matchAt(SED_LINE_COMMAND, script, at);
    if (substitution?.[6] !== undefined) scriptFiles.push({ text: substitution[6].trim(), access: "write" });
    if (line?.[2] !== undefined)
      scriptFiles.push({ text: line[2].trim(), access: line[1]?.toLowerCase() === "r" ? "read" : "write" });
    const match = addressMatch ?? substitution ?? line;
    // sed rejects an unterminated expression, so nothing after it runs.
    if (!match && /[sy/\\]/.test(script[at] as string)) break;
    at += match?.[0].length || 1;
  }
  return scriptFiles;
}

const AWK_STRING = /\\[^]|"((?:[^"\\\n]|\\.)*)"/g;
/** Awk code that reads a file whose name appears in the code. */
const AWK_FILE_READ = /\bgetline\b[^;}\n|]{0,99}<|\bARGV\s*\[/;

/**
 * Lists the files in `getline < "x"` and `ARGV[1] = "x"`. If awk code contains either form, every string in the code is
 * listed.
 */
function listAwkFiles(code: string): ScriptFile[] {
  if (!AWK_FILE_READ.test(code)) return [];
  const texts = [...code.matchAll(AWK_STRING)].map(([, text = ""]) => text);
  return [...texts, ...listJoinedStrings(code)].map((text) => ({ text, access: "read" }));
}

/** Lists the files used by sed and awk scripts in a command. */
export function listScriptFiles({ program, args }: Pick<Command, "program" | "args">): readonly ScriptFile[] {
  const list = /^g?sed$/.test(program) ? listSedFiles : /^[gmn]?awk$/.test(program) ? listAwkFiles : undefined;
  return list ? listScripts(program, args).flatMap(list) : [];
}

/**
 * Lists the scripts in a program's arguments: the values of options that take code, or the first operand if there are
 * no such options.
 */
function listScripts(program: string, args: readonly string[]): readonly string[] {
  const table = getOptionTable(lookUpProgram(program));
  const words = args.map((text) => ({ text }));
  const scripts = listOptionValues(words, table, "code").map(({ text }) => text);
  if (scripts.length > 0) return scripts;
  const firstOperand = args.find((text, at) => !/^-./.test(text) && !/^-[vF]$/.test(args[at - 1] ?? ""));
  return firstOperand === undefined ? [] : [firstOperand];
}
