import type { Statement } from "./syntax.ts";
import { getVariableKey } from "./values.ts";

const USED = /\$\{?([\w:]+)/g;

/** The keys of the variables that a statement may expand. */
export function listUsedVariables(statement: Statement): string[] {
  const found: string[] = [];
  const add = (name: string) => {
    const key = getVariableKey(name);
    found.push(key);
    if (key.startsWith("env:")) found.push(`env:${key.slice(4).toUpperCase()}`, key.slice(4).toUpperCase());
  };
  const left: unknown[] = [statement];
  for (let at = left.pop(); at !== undefined; at = left.pop()) {
    if (typeof at === "string") for (const [, name = ""] of at.matchAll(USED)) add(name);
    else if (typeof at === "object" && at !== null) {
      if ("type" in at && at.type === "variable" && "name" in at) add(String(at.name));
      for (const inner of Object.values(at)) if (inner !== undefined) left.push(inner);
    }
  }
  return found;
}
