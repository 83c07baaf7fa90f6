import type { Command, Redirect } from "./command.ts";
import { recordFolderSteps } from "./files/folder-steps.ts";
import { findPatchedFiles } from "./files/patch.ts";
import { toTableCase } from "./programs/index.ts";
import { getProgramName } from "./programs/names.ts";
import { countSteps } from "./parser.ts";
import { recordPipeSources } from "./runs/pipe-sources.ts";
import type { ShellScope } from "./scope.ts";
import type { UnwrappedCommand } from "./runs/unwrap.ts";
import { isWindowsProgram, toPosixCommand } from "./runs/windows-programs.ts";
import { getTexts, type Word } from "./words/word.ts";

/** A command before its wrappers are removed. */
export interface OriginalCommand {
  words: readonly Word[];
  redirects?: readonly Redirect[];
  /** Variables set only for this command: `X=1 make`. */
  env?: Readonly<Record<string, string>>;
  /** Text on stdin, if known. */
  stdin?: string | undefined;
}

/** Adds a command to the result. */
export function emitCommand(
  { words: unwrappedWords, via, env, cwd, more, remote, guessed }: UnwrappedCommand,
  { words: originalWords, redirects = [], env: leadingVariables, stdin }: OriginalCommand,
  scope: ShellScope,
): void {
  const { reader, sources } = scope;
  const words =
    unwrappedWords[0] && isWindowsProgram(unwrappedWords[0]) ? toPosixCommand(unwrappedWords) : unwrappedWords;
  countSteps(reader, 4 + words.length);
  const [program = "", ...args] = getTexts(words);
  const dynamic: Record<number, string> = {};
  for (let at = 0; at < words.length; at++) {
    const word = (words[at] as Word).dynamic;
    if (word !== undefined) dynamic[at - 1] = word;
  }
  const command: Command = {
    program: toTableCase(getProgramName(program)),
    args,
    words: getTexts(originalWords),
    redirects,
    ...(stdin !== undefined && { stdin }),
    env: { ...leadingVariables, ...env },
    dynamic,
    ...(cwd !== undefined && { cwd }),
    via,
    ...(remote && { remote }),
    ...(more && { more }),
    ...(guessed && { guessed }),
    patched: listPatchedFiles(args, redirects),
  };
  recordPipeSources(command, sources);
  recordFolderSteps(command, scope);
  reader.commands.push(command);
}

function listPatchedFiles(args: readonly string[], redirects: readonly Redirect[]): Command["patched"] {
  const patchedFiles: Command["patched"][number][] = [];
  for (const text of args) if (text.length > 20) patchedFiles.push(...findPatchedFiles(text));
  for (const { text } of redirects) if (text) patchedFiles.push(...findPatchedFiles(text));
  return patchedFiles;
}
