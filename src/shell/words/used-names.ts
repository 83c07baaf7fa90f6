import type { Command as Node, Redirection, Word as Source } from "unbash";
import { getVariableValues, type ShellScope } from "../scope.ts";

const VARIABLE_NAME = /\$\{?[!#]?(\w+|[@*#])/g;

/** Adds the variables that the text can expand, whether directly or indirectly (`${!x}`). */
function addUsedNames(text: string | undefined, scope: ShellScope, names: string[]): void {
  if (!text?.includes("$")) return;
  for (const [expansion, name = ""] of text.matchAll(VARIABLE_NAME)) {
    names.push(name);
    const targetName = expansion.startsWith("${!") ? getVariableValues(scope, name)?.[0]?.[0]?.text : undefined;
    if (targetName !== undefined) names.push(targetName);
  }
}

/** Lists the variables that words and redirections can expand. */
export function listUsedNames(parts: readonly (Source | Redirection)[], scope: ShellScope): string[] {
  // IFS determines how unquoted variables are split.
  const names = ["IFS"];
  for (const part of parts)
    if (part.type === "Word") addUsedNames(part.text, scope, names);
    else addUsedNames(part.type === "HereDoc" ? part.body.text : part.target?.text, scope, names);
  return names;
}

/** Lists the variables that a command can expand or append to. */
export function listNamesOfCommand({ name, prefix, suffix, redirects }: Node, scope: ShellScope): string[] {
  const names = listUsedNames(redirects, scope);
  if (name?.text === "shift") names.push("@");
  for (const part of name ? [name, ...prefix, ...suffix] : prefix) {
    addUsedNames("text" in part ? part.text : undefined, scope, names);
    if (part.type === "Assignment" && (part.append || part.index)) names.push(part.name);
  }
  return names;
}
