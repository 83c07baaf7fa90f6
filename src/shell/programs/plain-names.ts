// This file avoids imports and regular expressions because the code in `screen/` calls its functions for every word of
// a command line.

/** File extensions that Windows adds to program names. */
const EXECUTABLE_EXTENSIONS = "|exe|com|cmd|bat|";

/**
 * Removes the directory and file extension from a program name: `rm` for `/bin/rm`, `git` for `C:\x\git.exe`. Also
 * removes the prefixes in zsh's `=rm` and nushell's `^rm`.
 */
export function getProgramName(program: string): string {
  const start = program[0] === "=" || program[0] === "^" ? 1 : 0;
  const name = program.slice(Math.max(program.lastIndexOf("/") + 1, program.lastIndexOf("\\") + 1, start));
  const dot = name.lastIndexOf(".");
  return dot >= 0 && EXECUTABLE_EXTENSIONS.includes(`|${name.slice(dot + 1).toLowerCase()}|`)
    ? name.slice(0, dot)
    : name;
}

/** Removes the version at the end of a name: `python3.12`, `node-20`. */
export function removeVersion(name: string): string {
  let end = name.length;
  for (; end > 0; end--) {
    const code = name.charCodeAt(end - 1);
    if (code !== DOT_CODE && (code < ZERO_CODE || code > NINE_CODE)) break;
  }
  if (end === name.length || name.endsWith(".")) return name;
  return name.slice(0, name.charCodeAt(end - 1) === DASH_CODE ? end - 1 : end);
}
const DASH_CODE = 45;
const DOT_CODE = 46;
const ZERO_CODE = 48;
const NINE_CODE = 57;
