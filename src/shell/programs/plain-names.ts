// The quick look asks about each word of a line, so there are no regular expressions here, and nothing is imported.

/** Endings of executable files that Windows adds to a name by itself. */
const EXECUTABLE_ENDINGS = "|exe|com|cmd|bat|";

/**
 * A program's name without its directory and the ending of its file: `/bin/rm` is `rm`, `C:\x\git.exe` is `git`, and
 * zsh's `=rm` and nu's `^rm` are `rm` as well.
 */
export function getProgramName(program: string): string {
  const start = program[0] === "=" || program[0] === "^" ? 1 : 0;
  const name = program.slice(Math.max(program.lastIndexOf("/") + 1, program.lastIndexOf("\\") + 1, start));
  const dot = name.lastIndexOf(".");
  return dot >= 0 && EXECUTABLE_ENDINGS.includes(`|${name.slice(dot + 1).toLowerCase()}|`) ? name.slice(0, dot) : name;
}

/** A name without a version at its end: `python3.12`, `node-20`. */
export function removeVersion(name: string): string {
  let end = name.length;
  for (; end > 0; end--) {
    const code = name.charCodeAt(end - 1);
    if (code !== DOT && (code < ZERO || code > NINE)) break;
  }
  if (end === name.length || name.endsWith(".")) return name;
  return name.slice(0, name.charCodeAt(end - 1) === DASH ? end - 1 : end);
}
const DASH = 45;
const DOT = 46;
const ZERO = 48;
const NINE = 57;
