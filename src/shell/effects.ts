import { folderAfter } from "./folder.ts";
import { assign, type Scope, valuesOf } from "./scope.ts";
import type { Unwrapped } from "./unwrap.ts";
import { segments } from "./words.ts";
import type { Word } from "./word.ts";

const BUILTIN = new Set(["builtin", "command"]);

/** What a builtin changes for the commands behind it: the folder, the positional parameters, variables that it fills. */
export function effect({ words: [program, ...args], via }: Unwrapped, scope: Scope): void {
  if (!program || via.slice(scope.via.length).some((name) => !BUILTIN.has(name))) return;
  switch (program.text) {
    case "cd":
    case "pushd":
      scope.cwd = folderAfter(scope.cwd, args);
      return;
    case "popd":
      scope.cwd = undefined;
      return;
    case "set":
      return setParameters(args, scope);
    case "shift":
      scope.parameters = args.length === 0 ? scope.parameters?.slice(1) : undefined;
      return;
    case "read":
    case "mapfile":
    case "readarray":
    case "unset":
    case "getopts":
    case "printf":
    case "let":
      for (const { text } of args) {
        const name = /^[A-Za-z_]\w*/.exec(text)?.[0] ?? "";
        if (valuesOf(scope, name) !== undefined) assign(scope, name, undefined);
      }
  }
}

function setParameters(args: readonly Word[], scope: Scope): void {
  const dashes = args.findIndex(({ text }) => text === "--");
  const first = dashes >= 0 ? dashes + 1 : args.findIndex(({ text }) => !/^[-+]/.test(text));
  if (dashes >= 0 || first >= 0) scope.parameters = args.slice(first).map(segments);
}
