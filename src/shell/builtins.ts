import { changeFolder } from "./folder-steps.ts";
import { assignVariable, type ShellScope, getVariableValues } from "./scope.ts";
import type { UnwrappedCommand } from "./unwrap.ts";
import { toSegments } from "./words.ts";
import type { Word } from "./word.ts";

/** What may be before a builtin, in any shell. */
const BUILTIN = new Set(["builtin", "command", "and", "or", "not", "begin", "noglob", "nocorrect", "repeat", "always"]);

/**
 * Applies what a builtin changes for the commands after it: the directory, the positional parameters, variables that it
 * fills.
 */
export function applyBuiltin({ words: [program, ...args], via }: UnwrappedCommand, scope: ShellScope): void {
  if (!program || via.slice(scope.via.length).some((name) => !BUILTIN.has(name))) return;
  switch (program.text) {
    case "cd":
    case "pushd":
      changeFolder(scope, args);
      return;
    case "popd":
      scope.cwd = undefined;
      return;
    case "set":
      return setParameters(args, scope);
    case "shift":
      scope.parameters = args.length === 0 ? scope.parameters?.slice(1) : undefined;
      return;
    case "unset":
      if (!args.some(({ text }) => /^-\w*f/.test(text)))
        for (const { text } of args) if (/^\w+$/.test(text)) assignVariable(scope, text, [[]]);
      return;
    case "read":
    case "mapfile":
    case "readarray":
    case "getopts":
    case "printf":
    case "let":
      for (const { text } of args) {
        const name = /^[A-Za-z_]\w*/.exec(text)?.[0] ?? "";
        if (getVariableValues(scope, name) !== undefined) assignVariable(scope, name, undefined);
      }
  }
}

function setParameters(args: readonly Word[], scope: ShellScope): void {
  const dashes = args.findIndex(({ text }) => text === "--");
  const first = dashes >= 0 ? dashes + 1 : args.findIndex(({ text }) => !/^[-+]/.test(text));
  if (dashes >= 0 || first >= 0) scope.parameters = args.slice(first).map(toSegments);
}
