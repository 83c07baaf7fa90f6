import type { Command, Redirect } from "./command.ts";
import { patchedFiles } from "./patch.ts";
import { nameOf } from "./programs/index.ts";
import { step } from "./reader.ts";
import type { Scope } from "./scope.ts";
import type { Unwrapped } from "./unwrap.ts";
import type { Word } from "./word.ts";

const textsOf = (words: readonly Word[]): string[] => words.map(({ text }) => text);

/** Adds a command to what was found. `given` are its words as they stand in the line. */
export function emit(
  { words, via, env, cwd, more, remote, guessed }: Unwrapped,
  given: readonly Word[],
  redirects: readonly Redirect[],
  before: Readonly<Record<string, string>>,
  { reader }: Scope,
  stdin?: string,
): void {
  step(reader, 4 + words.length);
  const [program = "", ...args] = textsOf(words);
  const dynamic: Record<number, string> = {};
  for (let at = 0; at < words.length; at++) {
    const word = (words[at] as Word).dynamic;
    if (word !== undefined) dynamic[at - 1] = word;
  }
  reader.commands.push({
    program: nameOf(program),
    args,
    words: textsOf(given),
    redirects,
    ...(stdin !== undefined && { stdin }),
    env: { ...before, ...env },
    dynamic,
    ...(cwd !== undefined && { cwd }),
    via,
    ...(remote && { remote }),
    ...(more && { more }),
    ...(guessed && { guessed }),
    patched: patchedBy(args, redirects),
  } satisfies Command);
}

function patchedBy(args: readonly string[], redirects: readonly Redirect[]): Command["patched"] {
  const found: Command["patched"][number][] = [];
  for (const text of args) if (text.length > 20) found.push(...patchedFiles(text));
  for (const { text } of redirects) if (text) found.push(...patchedFiles(text));
  return found;
}
