import { hasForeignExpansions, mayCallForeignShell } from "../_plain-line.ts";
import { FOREIGN_ALIASES, FOREIGN_CMDLETS } from "./foreign-names.build.ts";

/** The program that a name in small letters stands for, in lines of PowerShell and cmd.exe; undefined for others. */
export function getForeignProgram(name: string, isForeign: () => boolean): string | undefined {
  const key = name.replace(/\.exe$/, "");
  const find = (names: string) => {
    const at = names.indexOf(`|${key}=`);
    return at < 0 ? undefined : names.slice(at + key.length + 2, names.indexOf("|", at + 1));
  };
  const known = find(FOREIGN_CMDLETS);
  if (known !== undefined || name.includes("-")) return known;
  const found = find(FOREIGN_ALIASES);
  return found !== undefined && isForeign() ? found : undefined;
}

/** Whether the shell of a line may be another one than bash. */
const isForeignShell = (shell: string | undefined): boolean =>
  shell === undefined ? process.platform === "win32" : shell !== "bash";

/** Whether a line, in small letters, is one that PowerShell or cmd.exe may run. */
export const mayBeForeign = (plain: string, shell: string | undefined): boolean =>
  isForeignShell(shell) ||
  plain.includes(" -rec") ||
  plain.includes(" -fo") ||
  plain.includes("powershell") ||
  plain.includes("pwsh") ||
  plain.includes("cmd") ||
  plain.includes("$env:") ||
  plain.includes("-object") ||
  /[\s\w*]\/[a-z](?=$|[\s/&|)])/.test(plain);

/** Whether a line of such a shell, or one that hands a text to it, may put its words together before they are any. */
export const hasForeignHiddenWords = (line: string, shell: string | undefined): boolean =>
  line.includes("]::") ||
  ((isForeignShell(shell) || mayCallForeignShell(line)) && hasForeignExpansions(line)) ||
  (mayCallForeignShell(line) &&
    /\biex\b|(?:cmd(?:\.exe)?|comspec[%}]?)["']?\s[^\n]{0,300}\/[ckr]["'\w]|invoke-expression|(?:powershell|pwsh)(?:\.exe)?["']?\s[^\n]{0,300}[-/\u2013-\u2015]e|comobject/i.test(
      line,
    ));
