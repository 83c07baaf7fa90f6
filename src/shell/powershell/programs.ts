import { emitCommand, type WrittenCommand } from "../emit.ts";
import { readNestedCommands } from "../runs/nested-commands.ts";
import { getProgramName } from "../programs/names.ts";
import type { ShellScope } from "../scope.ts";
import { unwrapCommand } from "../runs/unwrap.ts";
import { toPosixCommand } from "../runs/windows-programs.ts";
import type { Word } from "../words/word.ts";
import { findWindowsScript } from "../files/written-files.ts";
import { createCommand } from "./state.ts";

/** Normalizes a program name to lowercase without a module prefix or file extension. */
export const normalizeName = (name: string): string =>
  name
    .toLowerCase()
    .replace(/^[\w.]+\\(?=\w+-\w+$)/, "")
    .replace(/\.(?:exe|cmd|bat|com|ps1)$/, "");

export const isUnixPath = (name: string) => name.startsWith("/");

export function emitProgram(words: readonly Word[], written: WrittenCommand, scope: ShellScope): void {
  const { stdin } = written;
  const posix = toPosixCommand(words);
  const [first, ...rest] = posix;
  const named =
    first && first.dynamic === undefined && !isUnixPath(first.text)
      ? [{ text: normalizeName(getProgramName(first.text)) }, ...rest]
      : posix;
  const script = first && findWindowsScript(first.text, scope.reader);
  if (script !== undefined) readNestedCommands(createCommand([{ text: script }, ...rest], scope), scope, stdin);
  for (const one of unwrapCommand(named, scope)) {
    emitCommand(one, written, scope);
    readNestedCommands(one, scope, stdin);
  }
}
