import type { Command, Redirect } from "./command.ts";
import { patchedFiles } from "./patch.ts";
import { nameOf } from "./programs.ts";
import { add, type Scope } from "./reader.ts";
import type { Unwrapped } from "./unwrap.ts";
import type { Word } from "./words.ts";

/** Adds a command to what was found. */
export function emit(
  { words, via, env, cwd, more, remote, guessed }: Unwrapped,
  given: readonly Word[],
  redirects: readonly Redirect[],
  before: Readonly<Record<string, string>>,
  scope: Scope,
): void {
  const dynamic: Record<number, string> = {};
  for (let at = 0; at < words.length; at++) if (words[at]?.dynamic !== undefined) dynamic[at - 1] = words[at]?.dynamic as string;
  const texts = given.map(({ text }) => text);
  const [program = "", ...args] = words.map(({ text }) => text);
  add(scope.reader, {
    program: nameOf(program),
    args,
    words: texts,
    redirects,
    env: { ...before, ...env },
    dynamic,
    ...(cwd !== undefined && { cwd }),
    via,
    ...(remote && { remote }),
    ...(more && { more }),
    ...(guessed && { guessed }),
    patched: [...texts, ...redirects.map(({ text }) => text ?? "")].flatMap(patchedFiles),
  } satisfies Command);
}
