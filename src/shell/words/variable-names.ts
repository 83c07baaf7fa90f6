import { type ShellScope, getVariableValues } from "../scope.ts";

/** The name under which a scope has an item of an associative array: `m[key]`. */
export const getItemName = (name: string, key: string): string => `${name}[${key.replace(/^(["'])(.*)\1$/s, "$2")}]`;

/** The name under which a scope has the variable that another one stands for. */
export const getReferenceName = (name: string): string => `&${name}`;

/** References to references are followed up to this depth. */
const MAX_REFERENCES = 8;

/** The variable that a name stands for: that of `declare -n r=x` for r. */
export function resolveReference(name: string, scope: ShellScope): string {
  let found = name;
  for (let depth = 0; depth < MAX_REFERENCES; depth++) {
    const to = getVariableValues(scope, getReferenceName(found))?.[0]?.[0]?.text;
    if (to === undefined) break;
    found = to;
  }
  return found;
}
