import { type ShellScope, getVariableValues } from "../scope.ts";

/** Returns the key under which a scope stores an item of an associative array: `m[key]`. */
export const getItemKey = (name: string, key: string): string => `${name}[${key.replace(/^(["'])(.*)\1$/s, "$2")}]`;

/** Returns the key under which a scope stores the variable that a reference points to. */
export const getReferenceName = (name: string): string => `&${name}`;

/** Maximum number of references to follow. */
const MAX_REFERENCES = 8;

/** Follows variable references: after `declare -n r=x`, r resolves to x. */
export function resolveReference(name: string, scope: ShellScope): string {
  let resolvedName = name;
  for (let depth = 0; depth < MAX_REFERENCES; depth++) {
    const targetName = getVariableValues(scope, getReferenceName(resolvedName))?.[0]?.[0]?.text;
    if (targetName === undefined) break;
    resolvedName = targetName;
  }
  return resolvedName;
}
