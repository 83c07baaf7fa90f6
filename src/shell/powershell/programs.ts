import { emitCommand, type OriginalCommand } from "../emit.ts";
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

export function emitProgramCall(words: readonly Word[], originalCommand: OriginalCommand, scope: ShellScope): void {
  const { stdin } = originalCommand;
  const posix = toPosixCommand(words);
  const [programWord, ...argumentWords] = posix;
  const programWords =
    programWord && programWord.dynamic === undefined && !isUnixPath(programWord.text)
      ? [{ text: normalizeName(getProgramName(programWord.text)) }, ...argumentWords]
      : posix;
  const script = programWord && findWindowsScript(programWord.text, scope.reader);
  if (script !== undefined)
    readNestedCommands(createCommand([{ text: script }, ...argumentWords], scope), scope, stdin);
  for (const unwrapped of unwrapCommand(programWords, scope)) {
    emitCommand(unwrapped, originalCommand, scope);
    readNestedCommands(unwrapped, scope, stdin);
  }
}
