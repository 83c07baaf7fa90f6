/** The variables of a command line. */
export interface Variables {
  /** Returns the value of an environment variable: undefined if unset, `null` if unknown. */
  getValue: (name: string) => string | null | undefined;
  /** Values assigned by the command line. `null` if uncertain. */
  assignedValues: Map<string, string | null>;
  /** Names of variables that the command line expands. */
  expandedNames: string[];
}

export const createVariables = (getValue: Variables["getValue"]): Variables => ({
  getValue,
  assignedValues: new Map(),
  expandedNames: [],
});

/** Variables that affect how a shell reads a command line or finds files. */
const SYNTAX_VARIABLES = "|IFS|HOME|PWD|OLDPWD|CDPATH|BASH_ENV|ENV|GLOBIGNORE|FIGNORE|SHELLOPTS|BASHOPTS|";
/** Variables that the shell itself sets. */
const SHELL_VARIABLES = "|IFS|OLDPWD|_|";
/** PowerShell variables, and the prefix in `$env:X`. */
const POWERSHELL_VARIABLES = "|env|psitem|true|false|null|";

/** Placeholder for an expansion whose value only the shell knows. */
export const UNKNOWN = "\0";
const EQUALS_CODE = 61;

/** Whether a character can be part of a variable name. */
export const isName = (code: number): boolean =>
  (code >= 97 && code <= 122) || (code >= 65 && code <= 90) || code === 95 || (code >= 48 && code <= 57);

/** Returns the name of the variable that a word assigns, if it is at the start of a command or after `export`. */
export function getAssignedName(word: string): string | undefined {
  let end = 0;
  while (isName(word.charCodeAt(end)) && (end > 0 || word.charCodeAt(0) > 57)) end++;
  return end > 0 && word.charCodeAt(end) === EQUALS_CODE ? word.slice(0, end) : undefined;
}

/**
 * Records the variables that the words assign. If a variable is assigned twice or only under a condition, its value is
 * uncertain.
 */
export function assignVariables(
  { assignedValues }: Variables,
  words: readonly string[],
  reading: "certain" | "possible",
): void {
  for (const word of words) {
    const name = getAssignedName(word);
    if (name === undefined) continue;
    const value = word.slice(name.length + 1);
    assignedValues.set(
      name,
      reading === "certain" && !assignedValues.has(name) && !value.includes(UNKNOWN) ? value : null,
    );
  }
}

/** Whether the command line assigns a variable that affects how a shell reads it. */
export function changesShellSyntax({ assignedValues }: Variables): boolean {
  for (const name of assignedValues.keys()) if (SYNTAX_VARIABLES.includes(`|${name}|`)) return true;
  return false;
}

/**
 * Returns the value of a variable, or `UNKNOWN` if only the shell knows it.
 * @returns `null` if the command line assigns a value that is uncertain; undefined if this reader can't handle the
 * variable
 */
export function expandVariable(
  { getValue, assignedValues, expandedNames }: Variables,
  name: string,
): string | null | undefined {
  if (SHELL_VARIABLES.includes(`|${name}|`) || POWERSHELL_VARIABLES.includes(`|${name.toLowerCase()}|`))
    return undefined;
  if (!expandedNames.includes(name)) expandedNames.push(name);
  const knownValue = assignedValues.get(name);
  if (knownValue !== undefined) return knownValue;
  const value = getValue(name);
  if (value === undefined) return UNKNOWN;
  return value !== null && isPlainValue(value) ? value : undefined;
}

function isPlainValue(value: string): boolean {
  for (let at = 0; at < value.length; at++) {
    const code = value.charCodeAt(at);
    if (!isName(code) && (code < 43 || code > 58) && code !== 64 && code !== EQUALS_CODE) return false;
  }
  return true;
}
