/** What a line says of variables. */
export interface Variables {
  /** The value of a variable of the environment; undefined for one that is not set, and `null` for one that is not known. */
  getValue: (name: string) => string | null | undefined;
  /** The values that the line gives; `null` for one that is not certain. */
  assigned: Map<string, string | null>;
  /** The names of those that it expands. */
  expanded: string[];
}

export const createVariables = (getValue: Variables["getValue"]): Variables => ({
  getValue,
  assigned: new Map(),
  expanded: [],
});

/** Variables that decide how a shell reads a line, or where it looks. */
const READING_VARIABLES = "|IFS|HOME|PWD|OLDPWD|CDPATH|BASH_ENV|ENV|GLOBIGNORE|FIGNORE|SHELLOPTS|BASHOPTS|";
/** Variables that a shell sets itself. */
const SHELL_VARIABLES = "|IFS|OLDPWD|_|";
/** What stands before a variable of PowerShell's, `$env:X`, or is one. */
const POWERSHELL_VARIABLES = "|env|psitem|true|false|null|";

/** Stands in a word where only the shell knows what it expands to. */
export const UNKNOWN = "\0";
const EQUALS = 61;

/** Whether a character may be in a name. */
export const isName = (code: number): boolean =>
  (code >= 97 && code <= 122) || (code >= 65 && code <= 90) || code === 95 || (code >= 48 && code <= 57);

/** The variable that a word sets, as the beginning of a command or behind `export`. */
export function getAssignedName(word: string): string | undefined {
  let end = 0;
  while (isName(word.charCodeAt(end)) && (end > 0 || word.charCodeAt(0) > 57)) end++;
  return end > 0 && word.charCodeAt(end) === EQUALS ? word.slice(0, end) : undefined;
}

/** Notes the variables that words may set. One that is set twice, or only under a condition, is not certain. */
export function assignVariables(
  { assigned }: Variables,
  words: readonly string[],
  reading: "certain" | "possible",
): void {
  for (const word of words) {
    const name = getAssignedName(word);
    if (name === undefined) continue;
    const value = word.slice(name.length + 1);
    assigned.set(name, reading === "certain" && !assigned.has(name) && !value.includes(UNKNOWN) ? value : null);
  }
}

/** Whether a line sets a variable that decides how it is read. */
export function decidesReading({ assigned }: Variables): boolean {
  for (const name of assigned.keys()) if (READING_VARIABLES.includes(`|${name}|`)) return true;
  return false;
}

/**
 * What stands for a variable in a word: its value, or the character for what only the shell knows.
 * @returns `null` if the line sets it to what is not certain; undefined if it is not read.
 */
export function expandVariable({ getValue, assigned, expanded }: Variables, name: string): string | null | undefined {
  if (SHELL_VARIABLES.includes(`|${name}|`) || POWERSHELL_VARIABLES.includes(`|${name.toLowerCase()}|`))
    return undefined;
  if (!expanded.includes(name)) expanded.push(name);
  const known = assigned.get(name);
  if (known !== undefined) return known;
  const value = getValue(name);
  if (value === undefined) return UNKNOWN;
  return value !== null && isPlainValue(value) ? value : undefined;
}

function isPlainValue(value: string): boolean {
  for (let at = 0; at < value.length; at++) {
    const code = value.charCodeAt(at);
    if (!isName(code) && (code < 43 || code > 58) && code !== 64 && code !== EQUALS) return false;
  }
  return true;
}
